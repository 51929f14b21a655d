package flexdp.sql.anatomy;

import flexdp.failure.Rejection;
import flexdp.sql.anatomy.AnatomySource.Base;
import flexdp.sql.anatomy.AnatomySource.Derived;
import flexdp.sql.anatomy.AnatomySource.Scope;
import flexdp.sql.parse.ParsedQuery;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/**
 * What a query is made of, by its text alone: the figures of the paper's study of query logs. No
 * policy is needed, and no name has to exist.
 *
 * @param operators of SELECT, JOIN, UNION, EXCEPT, INTERSECT, those that occur
 * @param joins every join in the text, commas in FROM included
 * @param selfJoin whether a join has one table on both sides, in subqueries of FROM too
 * @param statistical whether every column of the result is an aggregate, a grouping key or a
 *     constant
 * @param aggregates the aggregate functions, one entry per call, as upper-case names
 * @param clauses the size: SELECT, FROM, WHERE, JOIN, ON, GROUP BY, HAVING, ORDER BY, LIMIT, WITH,
 *     set operations, and each term of a conjunction or disjunction
 * @param resultColumns columns in the outermost select list; a star counts as one
 */
public record QueryAnatomy(
    Set<String> operators,
    List<Join> joins,
    boolean selfJoin,
    boolean statistical,
    List<String> aggregates,
    int clauses,
    int resultColumns) {

  /** How a join is written. */
  public enum Kind {
    INNER,
    LEFT,
    RIGHT,
    FULL,
    CROSS
  }

  /** The classes of join conditions in the paper's section 2. */
  public enum Condition {
    /** One column equals one column. */
    EQUIJOIN,
    /** Functions, conjunctions, disjunctions. */
    COMPOUND,
    /** Two columns compared otherwise than by equality. */
    COLUMN_COMPARISON,
    /** A column compared with a literal. */
    LITERAL_COMPARISON,
    NONE
  }

  /**
   * One side of an equality between columns.
   *
   * @param table the table it is a column of, where the text tells, in lower case
   * @param base whether it is a column of some table, also through subqueries, and not computed
   */
  public record Key(Optional<String> table, String column, boolean base) {}

  /** Two columns that must be equal. */
  public record Equality(Key left, Key right) {}

  /**
   * One join. That of a comma has its condition in WHERE.
   *
   * @param equalities the terms of its condition that are equalities of two columns
   */
  public record Join(Kind kind, Condition condition, List<Equality> equalities) {
    public Join {
      equalities = List.copyOf(equalities);
    }

    /** Whether no key of it is computed, such as a count of a subquery. */
    public boolean baseKeys() {
      return equalities.stream().allMatch(e -> e.left().base() && e.right().base());
    }
  }

  public QueryAnatomy {
    operators = Set.copyOf(operators);
    joins = List.copyOf(joins);
    aggregates = List.copyOf(aggregates);
  }

  /** Reads a query; throws {@link Rejection} when it is not one SELECT that we can parse. */
  public static QueryAnatomy of(String sql) {
    return of(ParsedQuery.of(sql));
  }

  /** What a query is made of. */
  public static QueryAnatomy of(ParsedQuery query) {
    return new Anatomist().examine(query.tree());
  }

  /** Walks a parse tree and counts; see {@link QueryAnatomy}. */
  private static final class Anatomist {
    private final AnatomySources sources = new AnatomySources();
    private final Set<String> operators = new TreeSet<>();
    private final List<QueryAnatomy.Join> joins = new ArrayList<>();
    private final List<String> aggregates = new ArrayList<>();
    private boolean selfJoin;
    private int clauses;

    QueryAnatomy examine(SqlNode root) {
      walk(root);
      Optional<SqlSelect> outermost = AnatomySources.outermost(root);
      return new QueryAnatomy(
          operators,
          joins,
          selfJoin,
          outermost.filter(s -> AnatomyAggregates.isStatistical(s, sources.scope(s))).isPresent(),
          aggregates,
          clauses,
          outermost.map(s -> s.getSelectList().size()).orElse(0));
    }

    private void walk(SqlNode node) {
      switch (node) {
        case null -> {}
        case SqlSelect select -> select(select);
        case SqlOrderBy order -> {
          clauses += order.orderList.isEmpty() ? 0 : 1;
          clauses += order.fetch == null ? 0 : 1;
          walk(order.query);
          walk(order.orderList);
        }
        case SqlWith with -> {
          sources.with(with);
          walk(with.withList);
          walk(with.body);
        }
        case SqlWithItem item -> {
          clauses++;
          walk(item.query);
        }
        case SqlNodeList list -> list.forEach(this::walk);
        case SqlJoin join -> {
          operators.add("JOIN");
          clauses++;
          walk(join.getLeft());
          walk(join.getRight());
          if (join.getCondition() != null) {
            clauses++;
            walk(join.getCondition());
          }
        }
        case SqlCall call -> call(call);
        default -> {}
      }
    }

    private void call(SqlCall call) {
      switch (call.getKind()) {
        case UNION, EXCEPT, INTERSECT -> {
          operators.add(call.getKind().name());
          clauses += call.operandCount() - 1;
        }
        case AND, OR -> clauses += call.operandCount() - 1;
        default -> {
          if (AnatomyAggregates.isAggregate(call)) {
            aggregates.add(AnatomyAggregates.name(call));
          }
        }
      }
      // A function over a window gives one value per row: no aggregate.
      boolean window = call.getKind() == SqlKind.OVER && call.operand(0) instanceof SqlCall;
      if (window) {
        ((SqlCall) call.operand(0)).getOperandList().forEach(this::walk);
        walk(call.operand(1));
      } else {
        call.getOperandList().forEach(this::walk);
      }
    }

    private void select(SqlSelect select) {
      operators.add("SELECT");
      clauses++;
      clauses += select.getFrom() == null ? 0 : 1;
      clauses += select.getWhere() == null ? 0 : 1;
      clauses += select.getGroup() == null ? 0 : 1;
      clauses += select.getHaving() == null ? 0 : 1;
      clauses += select.getOrderList() == null ? 0 : 1;
      clauses += select.getFetch() == null ? 0 : 1;
      if (select.getFrom() instanceof SqlJoin) {
        AnatomyJoins found = new AnatomyJoins(sources, sources.scope(select), select.getWhere());
        found.read(select.getFrom());
        joins.addAll(found.joins());
        selfJoin |= found.selfJoin();
      }
      walk(select.getSelectList());
      walk(select.getFrom());
      walk(select.getWhere());
      walk(select.getGroup());
      walk(select.getHaving());
      walk(select.getQualify());
      walk(select.getOrderList());
    }
  }

  /** Puts the joins of one FROM clause into the paper's classes. */
  private static final class AnatomyJoins {
    private final AnatomySources sources;
    private final Scope scope;

    /** Terms of WHERE that no comma has claimed yet. */
    private final List<SqlNode> terms = new ArrayList<>();

    private final List<QueryAnatomy.Join> joins = new ArrayList<>();
    private boolean selfJoin;

    AnatomyJoins(AnatomySources sources, Scope scope, SqlNode where) {
      this.sources = sources;
      this.scope = scope;
      conjuncts(where, terms);
    }

    List<QueryAnatomy.Join> joins() {
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

    private QueryAnatomy.Join written(SqlJoin join) {
      Kind kind =
          switch (join.getJoinType()) {
            case LEFT -> Kind.LEFT;
            case RIGHT -> Kind.RIGHT;
            case FULL -> Kind.FULL;
            case CROSS -> Kind.CROSS;
            default -> join.getCondition() == null && !join.isNatural() ? Kind.CROSS : Kind.INNER;
          };
      if (join.isNatural()) {
        return new QueryAnatomy.Join(kind, Condition.EQUIJOIN, List.of());
      }
      SqlNode on = join.getCondition();
      if (on instanceof SqlNodeList using) {
        List<Equality> equalities = new ArrayList<>();
        for (SqlNode column : using) {
          String name = column.toString().toLowerCase(Locale.ROOT);
          equalities.add(new Equality(side(join.getLeft(), name), side(join.getRight(), name)));
        }
        Condition condition = using.size() == 1 ? Condition.EQUIJOIN : Condition.COMPOUND;
        return new QueryAnatomy.Join(kind, condition, equalities);
      }
      List<SqlNode> parts = new ArrayList<>();
      conjuncts(on, parts);
      return new QueryAnatomy.Join(kind, condition(parts), equalities(parts));
    }

    /** The columns of USING are those of the nearest table that may have them. */
    private Key side(SqlNode node, String column) {
      Scope side = sources.scope(node);
      return side.byAlias().size() == 1
          ? side.key(List.of(column))
          : new Key(Optional.empty(), column, true);
    }

    /** A comma takes the terms of WHERE that compare its sides; without any it is a cross join. */
    private QueryAnatomy.Join comma(SqlJoin join) {
      Set<String> left = sources.scope(join.getLeft()).byAlias().keySet();
      Set<String> right = sources.scope(join.getRight()).byAlias().keySet();
      List<SqlNode> mine = new ArrayList<>();
      for (SqlNode term : terms) {
        Set<String> aliases = new HashSet<>();
        qualifiers(term, aliases);
        if (aliases.stream().anyMatch(left::contains)
            && aliases.stream().anyMatch(right::contains)) {
          mine.add(term);
        }
      }
      if (mine.isEmpty()) {
        // Names without an alias: one equality of two columns for each comma.
        terms.stream().filter(AnatomyJoins::isBareEquality).findFirst().ifPresent(mine::add);
      }
      terms.removeAll(mine);
      return mine.isEmpty()
          ? new QueryAnatomy.Join(Kind.CROSS, Condition.NONE, List.of())
          : new QueryAnatomy.Join(Kind.INNER, condition(mine), equalities(mine));
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

  /** Finds out what the names in FROM clauses stand for. */
  private static final class AnatomySources {
    private final Map<String, AnatomySource> named = new HashMap<>();
    private final Map<SqlNode, AnatomySource> known = new IdentityHashMap<>();
    private final Map<SqlNode, Scope> scopes = new IdentityHashMap<>();

    /** Common table expressions are known from here on by their names. */
    void with(SqlWith with) {
      for (SqlNode node : with.withList) {
        if (node instanceof SqlWithItem item) {
          named.put(lower(item.name), query(item.query));
        }
      }
    }

    Scope scope(SqlSelect select) {
      Scope scope = scopes.get(select);
      if (scope == null) {
        scope = Scope.empty();
        scopes.put(select, scope);
        fill(scope, select.getFrom(), "");
      }
      return scope;
    }

    /** The aliases of one operand of a join. */
    Scope scope(SqlNode from) {
      Scope scope = Scope.empty();
      fill(scope, from, "");
      return scope;
    }

    private void fill(Scope scope, SqlNode from, String alias) {
      switch (from) {
        case SqlJoin join -> {
          fill(scope, join.getLeft(), "");
          fill(scope, join.getRight(), "");
        }
        case SqlIdentifier table -> {
          String name = lower(table);
          String last = table.names.getLast().toLowerCase(Locale.ROOT);
          AnatomySource source = named.get(name);
          scope
              .byAlias()
              .put(alias.isEmpty() ? last : alias, source == null ? new Base(name) : source);
        }
        case SqlBasicCall call when call.getKind() == SqlKind.AS ->
            fill(scope, call.operand(0), lower(call.operand(1)));
        case SqlCall call when isQuery(call) ->
            scope
                .byAlias()
                .put(alias.isEmpty() ? "(" + scope.byAlias().size() : alias, query(call));
        case SqlCall call when call.operandCount() > 0 -> fill(scope, call.operand(0), alias);
        case null, default -> {}
      }
    }

    private static boolean isQuery(SqlCall call) {
      return switch (call.getKind()) {
        case SELECT, WITH, ORDER_BY, UNION, EXCEPT, INTERSECT -> true;
        default -> false;
      };
    }

    private AnatomySource query(SqlNode query) {
      AnatomySource source = known.get(query);
      if (source == null) {
        if (query instanceof SqlWith with) {
          with(with);
        }
        Optional<SqlSelect> select = outermost(query);
        source =
            select.isPresent()
                ? derived(select.get())
                : new Derived(Map.of(), List.of(), java.util.Set.of(), false);
        known.put(query, source);
      }
      return source;
    }

    /** The SELECT whose columns are those of a query; of a set operation the first. */
    static Optional<SqlSelect> outermost(SqlNode node) {
      SqlNode at = node;
      while (true) {
        switch (at) {
          case SqlOrderBy order -> at = order.query;
          case SqlWith with -> at = with.body;
          case SqlSelect select -> {
            return Optional.of(select);
          }
          case SqlBasicCall call when call.operandCount() > 0 -> at = call.operand(0);
          case null, default -> {
            return Optional.empty();
          }
        }
      }
    }

    private Derived derived(SqlSelect select) {
      Scope inner = scope(select);
      Map<String, Key> columns = new HashMap<>();
      List<AnatomySource> stars = new ArrayList<>();
      for (SqlNode item : select.getSelectList()) {
        SqlNode expr = item;
        String name = "";
        if (item instanceof SqlBasicCall call && call.getKind() == SqlKind.AS) {
          expr = call.operand(0);
          name = lower(call.operand(1));
        }
        if (expr instanceof SqlIdentifier id && id.isStar()) {
          stars(inner, id, stars);
        } else if (expr instanceof SqlIdentifier id) {
          Key key = inner.key(id.names);
          columns.put(name.isEmpty() ? id.names.getLast().toLowerCase(Locale.ROOT) : name, key);
        } else if (!name.isEmpty()) {
          columns.put(name, new Key(Optional.empty(), name, false));
        }
      }
      boolean statistical = AnatomyAggregates.isStatistical(select, inner);
      return new Derived(columns, stars, inner.tables(), statistical);
    }

    private static void stars(Scope inner, SqlIdentifier star, List<AnatomySource> stars) {
      if (star.names.size() == 1) {
        stars.addAll(inner.byAlias().values());
        return;
      }
      String alias = star.names.get(star.names.size() - 2).toLowerCase(Locale.ROOT);
      AnatomySource source = inner.byAlias().get(alias);
      if (source != null) {
        stars.add(source);
      }
    }

    private static String lower(SqlNode node) {
      return node instanceof SqlIdentifier id
          ? String.join(".", id.names).toLowerCase(Locale.ROOT)
          : node.toString().toLowerCase(Locale.ROOT);
    }
  }
}
