package flexdp.bench;

import java.util.List;

/**
 * A table t with a column of every ordinary type and a small one u to join it with, filled by the
 * database itself with the same values everywhere.
 */
enum TypesData {
  DUCKDB(
      "DOUBLE",
      "VARCHAR",
      "DATE",
      "TIMESTAMP",
      "range(%d) AS s(i)",
      "DATE '2015-01-01' + CAST(i %% 3000 AS INTEGER)",
      "TIMESTAMP '2015-01-01 00:00:00' + to_seconds(i * 97 %% 100000000)",
      "'person ' || (i * 7919 %% 100003)",
      "ANALYZE"),
  POSTGRESQL(
      "DOUBLE PRECISION",
      "TEXT",
      "DATE",
      "TIMESTAMP",
      "generate_series(0, CAST(%d AS BIGINT) - 1) AS s(i)",
      "DATE '2015-01-01' + CAST(i %% 3000 AS INTEGER)",
      "TIMESTAMP '2015-01-01 00:00:00' + (i * 97 %% 100000000) * INTERVAL '1' SECOND",
      "'person ' || (i * 7919 %% 100003)",
      "VACUUM ANALYZE"),
  SQLITE(
      "DOUBLE",
      "VARCHAR",
      "DATE",
      "TIMESTAMP",
      "(WITH RECURSIVE s(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM s WHERE i < %d - 1)"
          + " SELECT i FROM s) AS s",
      "date('2015-01-01', (i %% 3000) || ' days')",
      "datetime('2015-01-01', (i * 97 %% 100000000) || ' seconds')",
      "'person ' || (i * 7919 %% 100003)",
      "ANALYZE"),
  MARIADB(
      "DOUBLE",
      "VARCHAR(40) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
      "DATE",
      "DATETIME",
      "(SELECT seq AS i FROM seq_0_to_10000000 WHERE seq < %d) AS s",
      "DATE '2015-01-01' + INTERVAL (i %% 3000) DAY",
      "TIMESTAMP '2015-01-01 00:00:00' + INTERVAL (i * 97 %% 100000000) SECOND",
      "CONCAT('person ', i * 7919 %% 100003)",
      "ANALYZE TABLE t, u");

  private final String real;
  private final String text;
  private final String day;
  private final String moment;
  private final String source;
  private final String days;
  private final String moments;
  private final String names;
  private final String last;

  TypesData(
      String real,
      String text,
      String day,
      String moment,
      String source,
      String days,
      String moments,
      String names,
      String last) {
    this.real = real;
    this.text = text;
    this.day = day;
    this.moment = moment;
    this.source = source;
    this.days = days.replace("%%", "%");
    this.moments = moments.replace("%%", "%");
    this.names = names.replace("%%", "%");
    this.last = last;
  }

  List<String> statements(int rows) {
    String ordinary = text.replace("utf8mb4_nopad_bin", "utf8mb4_general_ci");
    return List.of(
        "CREATE TABLE t (id BIGINT NOT NULL PRIMARY KEY, k INTEGER NOT NULL, n INTEGER NOT NULL,"
            + (" code " + ordinary + " NOT NULL, flag " + ordinary + " NOT NULL,")
            + (" name " + text + " NOT NULL, x " + real + ", y " + real)
            + (", m DECIMAL(12,2), d " + day + ", ts " + moment + ")"),
        "CREATE TABLE u (k INTEGER NOT NULL UNIQUE, name " + text + " NOT NULL UNIQUE)",
        "INSERT INTO t SELECT i, i * 7919 % 1000, i % 100,"
            + " CASE i * 31 % 8 WHEN 0 THEN 'north' WHEN 1 THEN 'south' WHEN 2 THEN 'east'"
            + " WHEN 3 THEN 'west' WHEN 4 THEN 'upper' WHEN 5 THEN 'lower' WHEN 6 THEN 'inner'"
            + " ELSE 'outer' END, CASE i % 3 WHEN 0 THEN 'yes' WHEN 1 THEN 'no' ELSE 'open' END, "
            + (names + ", (i % 10007) / 100.07e0, (i * 13 % 9973) / 99.73e0,")
            + (" (i % 100000) / 100.0, " + days + ", " + moments)
            + (" FROM " + source.formatted(rows)),
        "INSERT INTO u SELECT i, " + names + " FROM " + source.formatted(100),
        last);
  }

  /** The question as somebody would write it for this database. */
  String plainly(String sql) {
    return switch (this) {
      case DUCKDB, POSTGRESQL -> sql;
      case SQLITE ->
          sql.replace("DATE '", "'")
              .replace("TIMESTAMP '", "'")
              .replace("EXTRACT(YEAR FROM d)", "CAST(strftime('%Y', d) AS INTEGER)")
              .replace("DATE_TRUNC('month', ts)", "strftime('%Y-%m', ts)");
      case MARIADB -> sql.replace("DATE_TRUNC('month', ts)", "DATE_FORMAT(ts, '%Y-%m-01')");
    };
  }
}
