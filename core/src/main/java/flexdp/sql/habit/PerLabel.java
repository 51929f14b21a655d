package flexdp.sql.habit;

import flexdp.sql.function.FunctionFinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.apache.calcite.sql.JoinConditionType;
import org.apache.calcite.sql.JoinType;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;

/**
 * {@link PerGroup} by labels: {@code SELECT g, AVG(n) FROM (SELECT g, k, COUNT(*) AS n FROM t GROUP
 * BY g, k) z GROUP BY g} joins the rows of each label, {@code SELECT g, COUNT(*) FROM t GROUP BY
 * g}, with its groups, {@code SELECT g, COUNT(n) FROM (…) z GROUP BY g}, and divides. Each label
 * has one row on both sides, NULL too.
 */
final class PerLabel {
  private static final String ROWS = "flexdp_rows";
  private static final String GROUPS = "flexdp_groups";
  private static final String TOTAL = "flexdp_total";
  private static final String KNOWN = "flexdp_known";
  private static final String ALL = "flexdp_all";

  private final PerGroup rule;
  private final SqlSelect select;
  private final SqlSelect groups;
  private final SqlNode from;
  private final SqlParserPos at;
  private final List<SqlNode> keys = new ArrayList<>();
  private final List<SqlNode> sources = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private Optional<SqlIdentifier> of = Optional.empty();

  PerLabel(PerGroup rule, SqlSelect select, SqlSelect groups, SqlNode from) {
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
      average |= Nodes.bare(item) instanceof SqlCall call && !isNumber(call);
    }
    Optional<SqlCall> measured = of.flatMap(rule::measured);
    boolean known = average && measured.isPresent() && select.getGroup().size() == keys.size();
    return known ? joined(items, measured.get()) : select;
  }

  /** A key, an average or total of what each group has, or the number of groups. */
  private Optional<SqlNode> item(SqlNode item) {
    SqlNode bare = Nodes.bare(item);
    if (bare instanceof SqlIdentifier key) {
      return source(key)
          .map(
              source -> {
                sources.add(source);
                keys.add(key);
                names.add(Nodes.name(item).orElseThrow());
                return Nodes.as(column(ROWS, names.getLast()), names.getLast());
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
      if (of.filter(known -> !PerGroup.isNamed(known, name.names.getLast())).isPresent()) {
        return Optional.empty();
      }
      of = Optional.of(name);
    }
    String shown = item == bare ? word.toLowerCase(Locale.ROOT) : Nodes.name(item).orElseThrow();
    SqlNode total = column(ROWS, TOTAL);
    SqlNode number = column(GROUPS, name.isStar() ? ALL : KNOWN);
    if (!sum && !isNumber(call)) {
      return rule.measured(name)
          .flatMap(measured -> rule.shown(mean(total, number), measured))
          .map(mean -> Nodes.as(mean, shown));
    }
    return Optional.of(Nodes.as(sum ? total : number, shown));
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
      Optional<String> name = Nodes.name(item).filter(n -> PerGroup.isNamed(key, n));
      if (name.isPresent()) {
        return isKey(Nodes.bare(item), name.get(), number)
            ? Optional.of(Nodes.bare(item))
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
                Nodes.same(key, bare)
                    || key instanceof SqlIdentifier id
                        && id.isSimple()
                        && PerGroup.isNamed(id, name)
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
      rows.add(Nodes.as(Nodes.copy(sources.get(i)), names.get(i)));
      each.add(Nodes.as(Nodes.copy(keys.get(i)), names.get(i)));
      on =
          Nodes.both(
              on,
              SqlStdOperatorTable.IS_NOT_DISTINCT_FROM.createCall(
                  at, column(ROWS, names.get(i)), column(GROUPS, names.get(i))));
    }
    rows.add(Nodes.as(Nodes.copy(measured), TOTAL));
    SqlNode known = SqlStdOperatorTable.COUNT.createCall(at, Nodes.copy(of.orElseThrow()));
    each.add(Nodes.as(known, KNOWN));
    each.add(Nodes.as(Nodes.countStar(at), ALL));
    SqlNode where = Nodes.copy(groups.getWhere());
    SqlNode left =
        Nodes.select(rows, Nodes.copy(groups.getFrom()), where, Nodes.copies(sources), at);
    SqlNode right = Nodes.select(each, Nodes.copy(from), null, Nodes.copies(keys), at);
    SqlNode join =
        new SqlJoin(
            at,
            Nodes.as(left, ROWS),
            SqlLiteral.createBoolean(false, at),
            JoinType.INNER.symbol(at),
            Nodes.as(right, GROUPS),
            JoinConditionType.ON.symbol(at),
            on);
    return Nodes.select(items, join, null, List.of(), at);
  }
}
