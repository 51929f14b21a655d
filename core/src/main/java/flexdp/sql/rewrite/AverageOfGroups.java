package flexdp.sql.rewrite;

import flexdp.sql.function.FunctionFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlBasicTypeNameSpec;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * The average of a count or sum per group: {@code SELECT AVG(n) FROM (SELECT k, COUNT(*) AS n FROM
 * t GROUP BY k)} is the number of all rows divided by that of the groups, and the sum of the counts
 * is the number of all rows. Written so, neither needs a bound on what one group holds.
 */
public final class AverageOfGroups {
  private final SqlSelect groups;
  private final SqlNode from;
  private final boolean cuts;
  private boolean other;

  private AverageOfGroups(SqlSelect groups, SqlNode from, boolean cuts) {
    this.groups = groups;
    this.from = from;
    this.cuts = cuts;
  }

  /**
   * A question rewritten without the average; the select itself where it is another question.
   *
   * @param named the query that a name in FROM stands for, if it stands for one
   * @param wholeAverages whether the average of whole numbers is a whole number
   */
  public static SqlSelect rewritten(
      SqlSelect select, Function<SqlIdentifier, Optional<SqlNode>> named, boolean wholeAverages) {
    SqlNode from = inlined(select.getFrom(), named);
    boolean plain =
        from != null
            && select.getWhere() == null
            && SyntaxTrees.isPlain(select)
            && !select.isDistinct();
    if (!plain || !(SyntaxTrees.bare(from) instanceof SqlSelect groups) || !isOfGroups(groups)) {
      return select;
    }
    AverageOfGroups rule = new AverageOfGroups(groups, from, wholeAverages);
    if (!SyntaxTrees.isEmpty(select.getGroup())) {
      return new PerLabel(rule, select, groups, from).rewritten();
    }
    List<SqlNode> items = new ArrayList<>();
    for (SqlNode item : select.getSelectList()) {
      items.add(rule.named(item));
    }
    boolean average =
        select.getSelectList().stream()
            .anyMatch(item -> item.toString().matches("(?is).*(AVG|SUM).*"));
    return rule.other || !average
        ? select
        : SyntaxTrees.select(items, null, null, List.of(), select.getParserPosition());
  }

  private static SqlNode inlined(SqlNode from, Function<SqlIdentifier, Optional<SqlNode>> named) {
    if (from == null
        || !(SyntaxTrees.bare(from) instanceof SqlIdentifier name)
        || !name.isSimple()) {
      return from;
    }
    return named
        .apply(name)
        .map(query -> SyntaxTrees.as(query, SyntaxTrees.name(from).orElse(name.getSimple())))
        .orElse(from);
  }

  private static boolean isOfGroups(SqlSelect groups) {
    return !SyntaxTrees.isEmpty(groups.getGroup())
        && SyntaxTrees.isPlain(groups)
        && !groups.isDistinct()
        && areColumns(groups.getGroup());
  }

  /** Sets of keys would count rows several times. */
  private static boolean areColumns(SqlNodeList keys) {
    return keys.stream()
        .allMatch(
            key ->
                switch (key.getKind()) {
                  case ROLLUP, CUBE, GROUPING_SETS -> false;
                  default -> true;
                });
  }

  /** A result keeps the name that it would have had. */
  private SqlNode named(SqlNode item) {
    SqlNode made = replaced(item);
    return item instanceof SqlCall call && call.getKind() != SqlKind.AS
        ? SqlStdOperatorTable.AS.createCall(
            item.getParserPosition(),
            made,
            new SqlIdentifier(
                FunctionFinder.nameOf(call).toLowerCase(Locale.ROOT), item.getParserPosition()))
        : made;
  }

  private SqlNode replaced(SqlNode node) {
    if (node instanceof SqlIdentifier || node.isA(SqlKind.QUERY)) {
      other = true;
      return node;
    }
    if (!(node instanceof SqlCall call)) {
      return node;
    }
    if (call.getKind() == SqlKind.AS) {
      return SqlStdOperatorTable.AS.createCall(
          call.getParserPosition(), replaced(call.operand(0)), call.operand(1));
    }
    String name = FunctionFinder.nameOf(call);
    boolean one = call.operandCount() == 1 && call.getFunctionQuantifier() == null;
    if (one && name.equals("COUNT")) {
      return number(call);
    }
    if (one && (name.equals("AVG") || name.equals("SUM"))) {
      return total(call, name.equals("AVG"));
    }
    if (!(call instanceof SqlBasicCall) || call.getKind() == SqlKind.OVER) {
      other = true;
      return call;
    }
    List<SqlNode> operands = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      operands.add(operand == null ? null : replacedInside(operand));
    }
    return call.getOperator().createCall(call.getParserPosition(), operands);
  }

  /** Types and units are no expressions. */
  private SqlNode replacedInside(SqlNode operand) {
    return operand instanceof SqlCall || operand instanceof SqlIdentifier
        ? replaced(operand)
        : operand;
  }

  private SqlNode number(SqlCall count) {
    return scalar(List.of(count), SyntaxTrees.copy(from), null);
  }

  private SqlNode total(SqlCall call, boolean average) {
    SqlNode of = call.operand(0);
    boolean changed = false;
    if (of.getKind() == SqlKind.CAST) {
      changed = !((SqlCall) of).operand(1).toString().matches("(?i).*(DOUBLE|FLOAT).*");
      of = ((SqlCall) of).operand(0);
    }
    Optional<SqlCall> inside = of instanceof SqlIdentifier name ? measured(name) : Optional.empty();
    // Digits that a cast cuts off each sum are not those that it cuts off the total.
    if (inside.isEmpty() || changed && !FunctionFinder.nameOf(inside.get()).equals("COUNT")) {
      other = true;
      return call;
    }
    SqlNode where = SyntaxTrees.copy(groups.getWhere());
    SqlNode measured = average ? SyntaxTrees.copy(inside.get()) : summed(inside.get());
    SqlNode all = scalar(List.of(measured), SyntaxTrees.copy(groups.getFrom()), where);
    if (!average) {
      return all;
    }
    SqlParserPos at = call.getParserPosition();
    SqlNode real =
        SqlStdOperatorTable.MULTIPLY.createCall(at, all, SqlLiteral.createApproxNumeric("1e0", at));
    SqlNode known = SqlStdOperatorTable.COUNT.createCall(at, of);
    SqlNode mean = SqlStdOperatorTable.DIVIDE.createCall(at, real, number((SqlCall) known));
    if (call.operand(0) != of) {
      return mean;
    }
    Optional<SqlNode> shown = shown(mean, inside.get());
    other |= shown.isEmpty();
    return shown.orElse(call);
  }

  /** An average of counts, cut where the dialect does that to whole numbers; of sums none then. */
  Optional<SqlNode> shown(SqlNode mean, SqlCall measured) {
    if (!cuts) {
      return Optional.of(mean);
    }
    SqlParserPos at = mean.getParserPosition();
    return FunctionFinder.nameOf(measured).equals("COUNT")
        ? Optional.of(
            SqlStdOperatorTable.CAST.createCall(
                at,
                mean,
                new SqlDataTypeSpec(new SqlBasicTypeNameSpec(SqlTypeName.BIGINT, at), at)))
        : Optional.empty();
  }

  /** Without a group there is no sum of counts, so that a count is written as a sum too. */
  static SqlNode summed(SqlCall measured) {
    SqlParserPos at = measured.getParserPosition();
    if (!FunctionFinder.nameOf(measured).equals("COUNT")) {
      return SyntaxTrees.copy(measured);
    }
    SqlNode of = measured.operand(0);
    SqlNode one = SqlLiteral.createExactNumeric("1", at);
    SqlNode here = SqlStdOperatorTable.IS_NOT_NULL.createCall(at, SyntaxTrees.copy(of));
    SqlNode each =
        of instanceof SqlIdentifier name && name.isStar()
            ? one
            : new SqlCase(
                at,
                null,
                SqlNodeList.of(here),
                SqlNodeList.of(one),
                SqlLiteral.createExactNumeric("0", at));
    return SqlStdOperatorTable.SUM.createCall(at, each);
  }

  /** The count or sum of each group that a name stands for. */
  Optional<SqlCall> measured(SqlIdentifier name) {
    for (SqlNode item : groups.getSelectList()) {
      if (item.getKind() == SqlKind.AS
          && SyntaxTrees.name(item).filter(n -> isNamed(name, n)).isPresent()) {
        return call(SyntaxTrees.bare(item));
      }
    }
    return Optional.empty();
  }

  static boolean isNamed(SqlIdentifier name, String item) {
    return name.names.get(name.names.size() - 1).equalsIgnoreCase(item);
  }

  /** A count or sum; a count may be written as another whole number. */
  private static Optional<SqlCall> call(SqlNode node) {
    boolean cast =
        node.getKind() == SqlKind.CAST
            && ((SqlCall) node).operand(1).toString().matches("(?i)(BIG)?INT(EGER)?")
            && ((SqlCall) node).operand(0) instanceof SqlCall inner
            && FunctionFinder.nameOf(inner).equals("COUNT");
    return (cast ? ((SqlCall) node).operand(0) : node) instanceof SqlCall of
            && of.operandCount() == 1
            && of.getFunctionQuantifier() == null
            && List.of("COUNT", "SUM").contains(FunctionFinder.nameOf(of))
        ? Optional.of(of)
        : Optional.empty();
  }

  private SqlNode scalar(List<SqlNode> items, SqlNode source, SqlNode where) {
    return SyntaxTrees.scalar(
        SyntaxTrees.select(items, source, where, List.of(), groups.getParserPosition()));
  }

  /**
   * {@link AverageOfGroups} by labels: {@code SELECT g, AVG(n) FROM (SELECT g, k, COUNT(*) AS n
   * FROM t GROUP BY g, k) z GROUP BY g} joins the rows of each label, {@code SELECT g, COUNT(*)
   * FROM t GROUP BY g}, with its groups, {@code SELECT g, COUNT(n) FROM (…) z GROUP BY g}, and
   * divides. Each label has one row on both sides, NULL too.
   */
  private static final class PerLabel {
    private static final String ROWS = "flexdp_rows";
    private static final String GROUPS = "flexdp_groups";
    private static final String TOTAL = "flexdp_total";
    private static final String KNOWN = "flexdp_known";
    private static final String ALL = "flexdp_all";

    private final AverageOfGroups rule;
    private final SqlSelect select;
    private final SqlSelect groups;
    private final SqlNode from;
    private final SqlParserPos at;
    private final List<SqlNode> keys = new ArrayList<>();
    private final List<SqlNode> sources = new ArrayList<>();
    private final List<String> names = new ArrayList<>();
    private Optional<SqlIdentifier> of = Optional.empty();

    PerLabel(AverageOfGroups rule, SqlSelect select, SqlSelect groups, SqlNode from) {
      this.rule = rule;
      this.select = select;
      this.groups = groups;
      this.from = from;
      this.at = select.getParserPosition();
    }

    SqlSelect rewritten() {
      List<SqlNode> items = new ArrayList<>();
      boolean average = false;
      for (SqlNode item : select.getSelectList()) {
        Optional<SqlNode> made = item(item);
        if (made.isEmpty()) {
          return select;
        }
        items.add(made.get());
        average |= SyntaxTrees.bare(item) instanceof SqlCall call && !isNumber(call);
      }
      Optional<SqlCall> measured = of.flatMap(rule::measured);
      boolean known = average && measured.isPresent() && select.getGroup().size() == keys.size();
      return known ? joined(items, measured.get()) : select;
    }

    /** A key, an average or total of what each group has, or the number of groups. */
    private Optional<SqlNode> item(SqlNode item) {
      SqlNode bare = SyntaxTrees.bare(item);
      if (bare instanceof SqlIdentifier key) {
        return source(key)
            .map(
                source -> {
                  sources.add(source);
                  keys.add(key);
                  names.add(SyntaxTrees.name(item).orElseThrow());
                  return SyntaxTrees.as(column(ROWS, names.getLast()), names.getLast());
                });
      }
      if (!(bare instanceof SqlCall call)
          || call.operandCount() != 1
          || call.getFunctionQuantifier() != null
          || !(call.operand(0) instanceof SqlIdentifier name)) {
        return Optional.empty();
      }
      String word = FunctionFinder.nameOf(call);
      boolean sum = word.equals("SUM");
      if (!sum && !word.equals("AVG") && !isNumber(call)) {
        return Optional.empty();
      }
      if (!name.isStar()) {
        if (of.filter(known -> !AverageOfGroups.isNamed(known, name.names.getLast())).isPresent()) {
          return Optional.empty();
        }
        of = Optional.of(name);
      }
      String shown =
          item == bare ? word.toLowerCase(Locale.ROOT) : SyntaxTrees.name(item).orElseThrow();
      SqlNode total = column(ROWS, TOTAL);
      SqlNode number = column(GROUPS, name.isStar() ? ALL : KNOWN);
      if (!sum && !isNumber(call)) {
        return rule.measured(name)
            .flatMap(measured -> rule.shown(mean(total, number), measured))
            .map(mean -> SyntaxTrees.as(mean, shown));
      }
      return Optional.of(SyntaxTrees.as(sum ? total : number, shown));
    }

    private static boolean isNumber(SqlCall call) {
      return FunctionFinder.nameOf(call).equals("COUNT");
    }

    private SqlNode mean(SqlNode total, SqlNode number) {
      SqlNode real =
          SqlStdOperatorTable.MULTIPLY.createCall(
              at, total, SqlLiteral.createApproxNumeric("1e0", at));
      return SqlStdOperatorTable.DIVIDE.createCall(at, real, number);
    }

    /** What the groups are grouped by under this name. */
    private Optional<SqlNode> source(SqlIdentifier key) {
      int number = 0;
      for (SqlNode item : groups.getSelectList()) {
        number++;
        Optional<String> name = SyntaxTrees.name(item).filter(n -> AverageOfGroups.isNamed(key, n));
        if (name.isPresent()) {
          return isKey(SyntaxTrees.bare(item), name.get(), number)
              ? Optional.of(SyntaxTrees.bare(item))
              : Optional.empty();
        }
      }
      return Optional.empty();
    }

    /** Whether a select item is grouped by: itself, by its name, or by its number. */
    private boolean isKey(SqlNode bare, String name, int number) {
      return groups.getGroup().stream()
          .anyMatch(
              key ->
                  SyntaxTrees.same(key, bare)
                      || key instanceof SqlIdentifier id
                          && id.isSimple()
                          && AverageOfGroups.isNamed(id, name)
                      || key instanceof SqlLiteral && key.toString().equals("" + number));
    }

    private SqlNode column(String table, String name) {
      return new SqlIdentifier(List.of(table, name), at);
    }

    private SqlSelect joined(List<SqlNode> items, SqlCall measured) {
      List<SqlNode> rows = new ArrayList<>();
      List<SqlNode> each = new ArrayList<>();
      SqlNode on = null;
      for (int i = 0; i < keys.size(); i++) {
        rows.add(SyntaxTrees.as(SyntaxTrees.copy(sources.get(i)), names.get(i)));
        each.add(SyntaxTrees.as(SyntaxTrees.copy(keys.get(i)), names.get(i)));
        on =
            SyntaxTrees.both(
                on,
                SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(
                    at, column(ROWS, names.get(i)), column(GROUPS, names.get(i))));
      }
      rows.add(SyntaxTrees.as(SyntaxTrees.copy(measured), TOTAL));
      SqlNode known = SqlStdOperatorTable.COUNT.createCall(at, SyntaxTrees.copy(of.orElseThrow()));
      each.add(SyntaxTrees.as(known, KNOWN));
      each.add(SyntaxTrees.as(SyntaxTrees.countStar(at), ALL));
      SqlNode where = SyntaxTrees.copy(groups.getWhere());
      SqlNode left =
          SyntaxTrees.select(
              rows, SyntaxTrees.copy(groups.getFrom()), where, SyntaxTrees.copies(sources), at);
      SqlNode right =
          SyntaxTrees.select(each, SyntaxTrees.copy(from), null, SyntaxTrees.copies(keys), at);
      SqlNode join =
          new SqlJoin(
              at,
              SyntaxTrees.as(left, ROWS),
              SqlLiteral.createBoolean(false, at),
              JoinType.INNER.symbol(at),
              SyntaxTrees.as(right, GROUPS),
              JoinConditionType.ON.symbol(at),
              on);
      return SyntaxTrees.select(items, join, null, List.of(), at);
    }
  }
}
