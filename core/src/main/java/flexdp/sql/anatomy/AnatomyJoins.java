package flexdp.sql.anatomy;

import flexdp.sql.anatomy.Anatomy.Condition;
import flexdp.sql.anatomy.Anatomy.Equality;
import flexdp.sql.anatomy.Anatomy.Key;
import flexdp.sql.anatomy.Anatomy.Kind;
import flexdp.sql.anatomy.AnatomySource.Scope;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;

/** Puts the joins of one FROM clause into the paper's classes. */
final class AnatomyJoins {
  private final AnatomySources sources;
  private final Scope scope;

  /** Terms of WHERE that no comma has claimed yet. */
  private final List<SqlNode> terms = new ArrayList<>();

  private final List<Anatomy.Join> joins = new ArrayList<>();
  private boolean selfJoin;

  AnatomyJoins(AnatomySources sources, Scope scope, SqlNode where) {
    this.sources = sources;
    this.scope = scope;
    conjuncts(where, terms);
  }

  List<Anatomy.Join> joins() {
    return joins;
  }

  boolean selfJoin() {
    return selfJoin;
  }

  /** Reads a FROM clause; gives the tables in it. */
  Set<String> read(SqlNode from) {
    if (!(from instanceof SqlJoin join)) {
      return from instanceof SqlBasicCall call
              && call.getKind() == SqlKind.AS
              && call.operand(0) instanceof SqlJoin inner
          ? read(inner)
          : sources.scope(from).tables();
    }
    Set<String> tables = new HashSet<>(read(join.getLeft()));
    Set<String> right = read(join.getRight());
    for (String table : right) {
      selfJoin |= !tables.add(table);
    }
    joins.add(join.getJoinType() == JoinType.COMMA ? comma(join) : written(join));
    return tables;
  }

  private Anatomy.Join written(SqlJoin join) {
    Kind kind =
        switch (join.getJoinType()) {
          case LEFT -> Kind.LEFT;
          case RIGHT -> Kind.RIGHT;
          case FULL -> Kind.FULL;
          case CROSS -> Kind.CROSS;
          default -> join.getCondition() == null && !join.isNatural() ? Kind.CROSS : Kind.INNER;
        };
    if (join.isNatural()) {
      return new Anatomy.Join(kind, Condition.EQUIJOIN, List.of());
    }
    SqlNode on = join.getCondition();
    if (on instanceof SqlNodeList using) {
      List<Equality> equalities = new ArrayList<>();
      for (SqlNode column : using) {
        String name = column.toString().toLowerCase(Locale.ROOT);
        equalities.add(new Equality(side(join.getLeft(), name), side(join.getRight(), name)));
      }
      Condition condition = using.size() == 1 ? Condition.EQUIJOIN : Condition.COMPOUND;
      return new Anatomy.Join(kind, condition, equalities);
    }
    List<SqlNode> parts = new ArrayList<>();
    conjuncts(on, parts);
    return new Anatomy.Join(kind, condition(parts), equalities(parts));
  }

  /** The columns of USING are those of the nearest table that may have them. */
  private Key side(SqlNode node, String column) {
    Scope side = sources.scope(node);
    return side.byAlias().size() == 1
        ? side.key(List.of(column))
        : new Key(Optional.empty(), column, true);
  }

  /** A comma takes the terms of WHERE that compare its sides; without any it is a cross join. */
  private Anatomy.Join comma(SqlJoin join) {
    Set<String> left = sources.scope(join.getLeft()).byAlias().keySet();
    Set<String> right = sources.scope(join.getRight()).byAlias().keySet();
    List<SqlNode> mine = new ArrayList<>();
    for (SqlNode term : terms) {
      Set<String> aliases = new HashSet<>();
      qualifiers(term, aliases);
      if (aliases.stream().anyMatch(left::contains) && aliases.stream().anyMatch(right::contains)) {
        mine.add(term);
      }
    }
    if (mine.isEmpty()) {
      // Names without an alias: one equality of two columns for each comma.
      terms.stream().filter(AnatomyJoins::isBareEquality).findFirst().ifPresent(mine::add);
    }
    terms.removeAll(mine);
    return mine.isEmpty()
        ? new Anatomy.Join(Kind.CROSS, Condition.NONE, List.of())
        : new Anatomy.Join(Kind.INNER, condition(mine), equalities(mine));
  }

  private static boolean isBareEquality(SqlNode term) {
    return term instanceof SqlCall call
        && call.getKind() == SqlKind.EQUALS
        && call.operand(0) instanceof SqlIdentifier a
        && call.operand(1) instanceof SqlIdentifier b
        && a.names.size() == 1
        && b.names.size() == 1;
  }

  private static void qualifiers(SqlNode node, Set<String> aliases) {
    if (node instanceof SqlIdentifier id && id.names.size() > 1) {
      aliases.add(id.names.get(id.names.size() - 2).toLowerCase(Locale.ROOT));
    } else if (node instanceof SqlCall call && call.getKind() != SqlKind.SELECT) {
      call.getOperandList().forEach(o -> qualifiers(o, aliases));
    } else if (node instanceof SqlNodeList list) {
      list.forEach(o -> qualifiers(o, aliases));
    }
  }

  private static void conjuncts(SqlNode node, List<SqlNode> parts) {
    if (node instanceof SqlCall call && call.getKind() == SqlKind.AND) {
      call.getOperandList().forEach(o -> conjuncts(o, parts));
    } else if (node != null) {
      parts.add(node);
    }
  }

  private static Condition condition(List<SqlNode> parts) {
    if (parts.size() != 1) {
      return parts.isEmpty() ? Condition.NONE : Condition.COMPOUND;
    }
    if (!(parts.getFirst() instanceof SqlCall call)
        || call.operandCount() != 2
        || !SqlKind.COMPARISON.contains(call.getKind())) {
      return Condition.COMPOUND;
    }
    SqlNode left = call.operand(0);
    SqlNode right = call.operand(1);
    if (left instanceof SqlIdentifier && right instanceof SqlIdentifier) {
      return call.getKind() == SqlKind.EQUALS ? Condition.EQUIJOIN : Condition.COLUMN_COMPARISON;
    }
    boolean literal =
        left instanceof SqlIdentifier && right instanceof SqlLiteral
            || left instanceof SqlLiteral && right instanceof SqlIdentifier;
    return literal ? Condition.LITERAL_COMPARISON : Condition.COMPOUND;
  }

  private List<Equality> equalities(List<SqlNode> parts) {
    List<Equality> equalities = new ArrayList<>();
    for (SqlNode part : parts) {
      if (part instanceof SqlCall call
          && call.getKind() == SqlKind.EQUALS
          && call.operand(0) instanceof SqlIdentifier left
          && call.operand(1) instanceof SqlIdentifier right) {
        equalities.add(new Equality(scope.key(left.names), scope.key(right.names)));
      }
    }
    return equalities;
  }
}
