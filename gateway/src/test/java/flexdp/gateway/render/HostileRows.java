package flexdp.gateway.render;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A table of values at the ends of their types, and of texts that nearly are something else. */
final class HostileRows {
  private static final Table TABLE =
      new Table(
          "h",
          false,
          List.of(
              new ColumnSpec(
                  "id", Type.INTEGER, false, Optional.empty(), Optional.empty(), Optional.empty()),
              ColumnSpec.of("s", Type.SMALLINT),
              ColumnSpec.of("i", Type.INTEGER),
              ColumnSpec.of("b", Type.BIGINT),
              ColumnSpec.of("d", Type.decimal(9, 2)),
              ColumnSpec.of("w", Type.decimal(38, 10)),
              ColumnSpec.of("f", Type.DOUBLE),
              ColumnSpec.of("t", Type.VARCHAR),
              ColumnSpec.of("day", Type.DATE),
              ColumnSpec.of("at", Type.TIMESTAMP),
              ColumnSpec.of("clock", Type.TIME),
              ColumnSpec.of("zoned", Type.TIMESTAMP),
              ColumnSpec.of("t2", Type.VARCHAR),
              ColumnSpec.of("ok", Type.BOOLEAN),
              ColumnSpec.of("u", Type.UUID)),
          List.of(Set.of("id")),
          List.of());

  static final Policy POLICY =
      new Policy(
          Optional.empty(),
          new Policy.Privacy(
              Neighbors.ADD_REMOVE_ONE,
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              Optional.empty(),
              1000),
          Map.of("h", TABLE));

  private static final List<String> NUMBERS =
      List.of(
          "0, 0, 0, 0, 0, 0",
          "32767, 2147483647, 9223372036854775807, 9999999.99,"
              + " 9999999999999999999999999999.9999999999, 1.7976931348623157e308",
          "-32768, -2147483648, -9223372036854775808, -9999999.99,"
              + " -9999999999999999999999999999.9999999999, -1.7976931348623157e308",
          "1, 1, 1, 0.01, 0.0000000001, 4.9e-324",
          "-1, -1, -1, -0.01, -0.0000000001, 'NaN'",
          "7, 3, 5, 1.50, 2.5, 'Infinity'",
          "2, 2, 2, 2, 2, '-Infinity'",
          "0, 0, 0, 0, 0, '-0.0'",
          "NULL, NULL, NULL, NULL, NULL, NULL");

  private static final List<String> TEXTS =
      List.of(
          "''",
          "'12'",
          "' -1.5e9 '",
          "'9999999999999999999999999999999999999999'",
          "'2024-02-30'",
          "'0000-00-00'",
          "'٣٤'",
          "'٢٠٢٤-٠١-٠١'",
          "'1e99'",
          "'1e-99'",
          "'99999-01-01'",
          "'nan'",
          "'infinity'",
          "'25:00:00'",
          "'24:00:00'",
          "'-0'",
          "'0044-03-15 (BC)'",
          "'2024-01-01 23:59:60'",
          "'a\\'",
          "'ΐİﬃ'",
          "'true'",
          "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'",
          "'{a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11}'",
          "'1' || chr(10)",
          "'-'",
          "'+.'",
          "NULL");

  private static final List<String> DUCK_DAYS =
      List.of("'5877642-06-25 (BC)'", "'5881580-07-10'", "'294248-01-01'");
  private static final List<String> DUCK_TIMES =
      List.of("'290309-12-22 (BC) 00:00:00'", "'294247-01-10 04:00:54.775806'");
  private static final List<String> POSTGRES_DAYS =
      List.of("'4713-01-01 BC'", "'5874897-12-31'", "'294277-01-01'");
  private static final List<String> POSTGRES_TIMES =
      List.of("'4713-01-01 00:00:00 BC'", "'294276-12-31 23:59:59.999999'");
  private static final List<String> ALL_DAYS =
      List.of("'infinity'", "'-infinity'", "'2024-02-29'", "NULL");
  private static final List<String> ALL_TIMES =
      List.of(
          "'infinity'", "'-infinity'", "'2024-02-29 12:00:00'", "'0001-01-01 00:00:00'", "NULL");

  private HostileRows() {}

  static void create(Connection duck, Connection postgres) throws SQLException {
    fill(duck, "VARCHAR", "VARCHAR COLLATE NOCASE", DUCK_DAYS, DUCK_TIMES);
    // Such a collation counts digits of all scripts as digits.
    String digits = "VARCHAR COLLATE \"und-x-icu\"";
    fill(postgres, digits, "VARCHAR COLLATE \"POSIX\"", POSTGRES_DAYS, POSTGRES_TIMES);
    try (Statement statement = postgres.createStatement()) {
      statement.execute("UPDATE h SET d = 'NaN', w = 'NaN' WHERE id % 9 = 4");
    }
  }

  private static void fill(
      Connection connection, String text, String other, List<String> days, List<String> times)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET TimeZone = 'UTC'");
      statement.execute(
          "CREATE TABLE h(id INTEGER, s SMALLINT, i INTEGER, b BIGINT, d DECIMAL(9,2),"
              + " w DECIMAL(38,10), f DOUBLE PRECISION, t "
              + text
              + ", day DATE, \"at\" TIMESTAMP, clock TIME, zoned TIMESTAMP WITH TIME ZONE, t2 "
              + other
              + ", ok BOOLEAN, u UUID)");
      for (int id = 0; id < 7 * TEXTS.size(); id++) {
        List<String> values =
            List.of(
                Integer.toString(id),
                pick(NUMBERS, List.of(), id),
                pick(TEXTS, List.of(), id / 7),
                pick(ALL_DAYS, days, id),
                pick(ALL_TIMES, times, id + id / 3),
                List.of("'24:00:00'", "'00:00:00'", "'23:59:59.999999'", "NULL").get(id / 2 % 4),
                zoned(pick(ALL_TIMES, times, id + id / 5)),
                pick(TEXTS, List.of(), id / 5),
                List.of("TRUE", "FALSE", "NULL").get(id % 3),
                "'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11'");
        statement.execute("INSERT INTO h VALUES (" + String.join(", ", values) + ")");
      }
    }
  }

  /** Without a zone in the text the end of the range is read in the zone of the session. */
  private static String zoned(String time) {
    return time.startsWith("'294247") ? time.replace("806'", "806+00'") : time;
  }

  private static String pick(List<String> some, List<String> others, int index) {
    int i = index % (some.size() + others.size());
    return i < some.size() ? some.get(i) : others.get(i - some.size());
  }
}
