package flexdp.gateway.hostile;

import static flexdp.gateway.hostile.Aimed.row;
import static flexdp.gateway.hostile.Aimed.rows;

import java.util.ArrayList;
import java.util.List;

/** What would give rows away on Trino, and what stops it, each taken back in a few words. */
final class TrinoAims {
  private static final String DAY = "DATE '2024-02-29'";
  private static final String FAR = "date_add('day', 2147483647, DATE '1970-01-01')";

  private static final List<Aimed> ALL =
      List.of(
          Aimed.named("zeros with a sign")
              .columns("x")
              .t(rows(0, 20, "0e0"), rows(100, 20, "-0e0"))
              .changed(1, row(1, "0e0"))
              .asked("SELECT COUNT(DISTINCT CAST(t.x AS VARCHAR)) AS n FROM t JOIN u ON t.x = u.x"),
          Aimed.named("numbers that are none")
              .columns("x")
              .t(rows(0, 5, "1e0"))
              .changed(0, row(9, "nan()"))
              .asked("SELECT COUNT(*) AS n FROM t WHERE NOT (x < 0 OR x >= 0)"),
          Aimed.named("days out of range")
              .columns("d")
              .t(rows(0, 5, DAY))
              .changed(0, row(9, FAR))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE d + INTERVAL '1' MONTH > DATE '2024-01-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE DATE_TRUNC('month', d) = DATE '2024-02-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE CAST(d AS TIMESTAMP) > DATE '2024-01-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE LAST_DAY(d) > DATE '2024-01-01'",
                  "SELECT COUNT(*) AS n FROM t WHERE EXTRACT(week FROM d) > 1",
                  "SELECT COUNT(*) AS n FROM t WHERE EXTRACT(epoch FROM d) > 1",
                  "SELECT COUNT(*) AS n FROM t WHERE DATE_DIFF('day', d, DATE '2024-01-01') > 1",
                  "SELECT COUNT(*) AS n FROM t WHERE CAST(d AS VARCHAR) > '2'"),
          Aimed.named("lengths of time")
              .columns("ts")
              .changed(0, row(9, "TIMESTAMP '2024-02-29 00:00:00.000000'"))
              .asked(
                  "SELECT COUNT(*) AS n FROM t WHERE EXTRACT(epoch FROM (ts - TIMESTAMP '2024-01-01"
                      + " 00:00:00')) > 5"));

  static final List<Mutant> MUTANTS =
      List.of(
          Mutant.of(
              "text shows the sign of zero on Trino",
              "Trino",
              "\") THEN \" + v + \" + 0E0 END\";",
              "\") THEN \" + v + \" END\";",
              "zeros with a sign"),
          Mutant.of(
              "far days are kept on Trino",
              "Trino",
              "case DATE -> TrinoDates.within(v, TrinoDates.DAYS);",
              "case DATE -> v;",
              "days out of range"),
          Mutant.of(
              "lengths of time are moments on Trino",
              "TrinoDates",
              "if (from.type().isInterval()) {",
              "if (from.type().isInterval() && unit.isEmpty()) {",
              "lengths of time"));

  private TrinoAims() {}

  static List<String> names() {
    return ALL.stream().map(Aimed::name).toList();
  }

  /** What the attacks of these names give away. */
  static List<String> leaks(List<String> names) throws Exception {
    List<String> leaks = new ArrayList<>();
    try (TestBed ground = new TrinoTestBed()) {
      for (Aimed aimed : ALL) {
        if (names.contains(aimed.name())) {
          leaks.addAll(aimed.leaks(ground));
        }
      }
    }
    return leaks;
  }
}
