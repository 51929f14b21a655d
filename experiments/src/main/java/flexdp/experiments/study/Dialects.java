package flexdp.experiments.study;

import java.util.List;
import java.util.Locale;

/** Guesses the database a query was written for, by words that only some of them have. */
final class Dialects {
  private static final String UNKNOWN = "not told";
  private static final int LOOKED_AT = 20_000;

  private record Mark(String backend, List<String> words) {}

  /** The first that matches; the more telling marks come first. */
  private static final List<Mark> MARKS =
      List.of(
          new Mark("hive or spark", List.of("lateral view", "distribute by", "cluster by")),
          new Mark("bigquery", List.of("safe_cast(", "safe_divide(", "timestamp_trunc(")),
          new Mark("sql server", List.of("select top ", "with (nolock)", "getdate(", "dateadd(")),
          new Mark("mysql", List.of("date_sub(", "str_to_date(", "straight_join", "group_concat(")),
          new Mark(
              "presto or trino", List.of("approx_distinct(", "approx_percentile(", "try_cast(")),
          new Mark("vertica", List.of("/*+", "timeseries ", "zeroifnull(", "over (partition best")),
          new Mark("postgresql or vertica", List.of("::", " ilike ", "generate_series(")),
          new Mark("oracle", List.of(" rownum", "from dual", "sysdate")),
          new Mark("mysql or hive", List.of("`")));

  private Dialects() {}

  static String guess(String sql) {
    String text =
        (sql.length() > LOOKED_AT ? sql.substring(0, LOOKED_AT) : sql).toLowerCase(Locale.ROOT);
    for (Mark mark : MARKS) {
      if (mark.words().stream().anyMatch(text::contains)) {
        return mark.backend();
      }
    }
    return UNKNOWN;
  }
}
