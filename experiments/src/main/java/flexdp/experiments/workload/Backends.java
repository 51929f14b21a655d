package flexdp.experiments.workload;

import java.util.List;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * The databases that the paper names, and how each spells a query. The paper's figure gives no
 * numbers; these are ours. As often as the paper's parser failed (6.58 %) a query has a peculiar
 * word of its database in it, and some of those have no rule here either.
 */
final class Backends {
  private static final double PECULIAR = 0.0658;

  private static final Choice<String> NAMES =
      new Choice<String>()
          .or(45, "vertica")
          .or(20, "postgresql")
          .or(15, "hive")
          .or(10, "mysql")
          .or(8, "presto")
          .or(2, "sqlserver");

  private static final Pattern DATE_CAST = Pattern.compile("CAST\\((\\w+\\.\\w+) AS DATE\\)");
  private static final Pattern NOT_EQUAL = Pattern.compile("<>");
  private static final Pattern TABLE = Pattern.compile("\\b(FROM|JOIN) (\\w+) (\\w+)");
  private static final Pattern WHERE = Pattern.compile(" WHERE ");
  private static final Pattern FIRST_TABLE = Pattern.compile("FROM (\\w+) (\\w+)");

  /** A query as one database has it. */
  record Spelling(String backend, String sql) {}

  private final Draw draw;

  Backends(Draw draw) {
    this.draw = draw;
  }

  Spelling spell(String sql) {
    String backend = draw.of(NAMES);
    String spelled = draw.chance(PECULIAR) ? draw.of(peculiarities(backend)).apply(sql) : sql;
    return new Spelling(backend, spelled);
  }

  private static List<UnaryOperator<String>> peculiarities(String backend) {
    return switch (backend) {
      case "vertica" ->
          List.of(
              replace(DATE_CAST, "$1::date"),
              replace(NOT_EQUAL, "!="),
              replace(WHERE, " WHERE 1 = 1 AND "),
              sql -> sql.replaceFirst("SELECT ", "SELECT /*+ label(report) */ "),
              sql -> sql.replaceAll("= '([a-z]+)'", "ILIKE '$1'"),
              sql -> sql + " -- weekly report");
      case "postgresql" ->
          List.of(
              replace(DATE_CAST, "$1::date"),
              replace(NOT_EQUAL, "!="),
              sql -> sql.replaceAll("= '([a-z]+)'", "~ '^$1'"),
              sql -> sql.replaceAll("DATE '([0-9-]+)'", "'$1'::timestamp"),
              first("FROM $1 AS $2"));
      case "hive" ->
          List.of(
              sql -> sql.replaceAll("(FROM|JOIN) (\\w+) (\\w+)", "$1 `$2` $3"),
              replace(DATE_CAST, "to_date($1)"),
              sql -> sql.replaceAll("= '([a-z]+)'", "RLIKE '$1'"),
              first("FROM $1 TABLESAMPLE(1 PERCENT) $2"),
              replace(NOT_EQUAL, "!="));
      case "mysql" ->
          List.of(
              replace(TABLE, "$1 `$2` $3"),
              replace(DATE_CAST, "DATE($1)"),
              sql -> sql.replaceAll("= '([a-z]+)'", "= \"$1\""),
              sql -> sql + " # ad hoc");
      case "presto" ->
          List.of(
              replace(DATE_CAST, "date_trunc('day', $1)"),
              sql -> sql.replace("COUNT(DISTINCT ", "approx_distinct("),
              sql -> sql.replaceAll("= '([a-z]+)'", "LIKE '$1%'"),
              first("FROM $1 TABLESAMPLE BERNOULLI (10) $2"));
      default ->
          List.of(
              sql -> sql.replaceFirst("SELECT ", "SELECT TOP 100 ").replaceFirst(" LIMIT .*", ""),
              first("FROM $1 $2 WITH (NOLOCK)"),
              sql -> sql.replaceAll("(FROM|JOIN) (\\w+) (\\w+)", "$1 [$2] $3"));
    };
  }

  private static UnaryOperator<String> replace(Pattern pattern, String with) {
    return sql -> pattern.matcher(sql).replaceAll(with);
  }

  private static UnaryOperator<String> first(String with) {
    return sql -> FIRST_TABLE.matcher(sql).replaceFirst(with);
  }
}
