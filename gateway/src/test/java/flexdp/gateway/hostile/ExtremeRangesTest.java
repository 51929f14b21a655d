package flexdp.gateway.hostile;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.failure.ConfigurationError;
import flexdp.failure.RejectionCode;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.verify.ExactResults;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.release.NeighborDistance;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Ranges as wide, as narrow and as far from zero as a policy can name them, and one row more whose
 * value is as large or as small as its type has one: no step of clamping, scaling or summing may
 * fail because of it, nor count it for more than its noise.
 */
class ExtremeRangesTest {
  private static final Set<RejectionCode> REFUSED =
      Set.of(
          RejectionCode.MISSING_RANGE,
          RejectionCode.UNSUPPORTED,
          RejectionCode.TYPE_MISMATCH,
          RejectionCode.TOO_COMPLEX);

  private static final List<String> FLOATS =
      List.of(
          "[-10, 10]",
          "[-1e30, 1e30]",
          "[-1e200, 1e200]",
          "[0, 1.7e308]",
          "[0, 1e-30]",
          "[0, 1e-200]",
          "[-1e-300, 1e-300]",
          "[1e15, 1.000000001e15]",
          "[0.1, 0.3]",
          "[-1e300, 1e-300]");

  private static final List<String> EXACT =
      List.of(
          "[-10, 10]",
          "[-99999999999999999999999999999999999999, 99999999999999999999999999999999999999]",
          "[0, 1000000000000000000]",
          "[-9223372036854775808, 9223372036854775807]",
          "[0, 10000]",
          "[0.05, 0.15]",
          "[4503599627370494, 4503599627370495]",
          "[0, 999999999999999999999999999]");

  private static final Map<String, List<String>> VALUES =
      Map.of(
          "double",
          List.of(
              "1.7976931348623157e308",
              "-1.7976931348623157e308",
              "1e-190",
              "-1e-199",
              "5e-324",
              "1e200",
              "1e30"),
          "smallint",
          List.of("32767", "-32768", "0"),
          "integer",
          List.of("2147483647", "-2147483648", "0"),
          "bigint",
          List.of("9223372036854775807", "-9223372036854775808", "0"),
          "decimal(18,6)",
          List.of("999999999999.999999", "-999999999999.999999", "0.000001"),
          "decimal(38,0)",
          List.of(
              "99999999999999999999999999999999999999",
              "-99999999999999999999999999999999999999",
              "1"),
          "decimal(38,10)",
          List.of("9999999999999999999999999999.9999999999", "0.0000000001"),
          "decimal(38,30)",
          List.of("99999999.999999999999999999999999999999", "-99999999.5"));

  private static final List<String> QUESTIONS =
      List.of(
          "SUM(%s)",
          "AVG(%s)",
          "VARIANCE(%s)",
          "STDDEV_POP(%s)",
          "MEDIAN(%s)",
          "SUM(%1$s * %1$s)",
          "SUM(%1$s * 1000)",
          "COUNT(*) FILTER (WHERE (%1$s + 1) * (%1$s - 1) > 5)",
          "COUNT(*) FILTER (WHERE %1$s * %1$s * %1$s > 5)",
          "COUNT(*) FILTER (WHERE CAST(%1$s AS DECIMAL(38,0)) * CAST(%1$s AS DECIMAL(38,0)) > 5)",
          "COUNT(*) FILTER (WHERE CAST(%1$s AS DECIMAL(38,0)) / CAST(%1$s AS DECIMAL(38,30)) > 5)",
          "COUNT(*) FILTER (WHERE CAST(%1$s AS DECIMAL(38,0)) * CAST(%1$s AS DECIMAL(38,30)) > 5)",
          "COUNT(*) FILTER (WHERE MOD(CAST(%1$s AS DECIMAL(38,0)), 0.000001) > 0)",
          "COUNT(*) FILTER (WHERE ROUND(%1$s, 2) > FLOOR(%1$s))",
          "SUM(-%s)",
          "SUM(ABS(%s))",
          "CORR(%1$s, z)",
          "REGR_SLOPE(%1$s, z)",
          "COVAR_POP(z, %1$s)",
          "SUM(CASE WHEN z > 0 THEN %s ELSE 0 END)",
          "SUM(%s) FILTER (WHERE z > 0)",
          "SUM(COALESCE(%s, 0))",
          "COUNT(*) FILTER (WHERE %s > 5)");

  private record Spot(String name, String type, String range) {}

  private static List<Spot> spots() {
    List<Spot> spots = new ArrayList<>();
    for (String type : VALUES.keySet().stream().sorted().toList()) {
      for (String range : type.equals("double") ? FLOATS : EXACT) {
        spots.add(new Spot("c" + spots.size(), type, range));
      }
    }
    return spots;
  }

  private static final List<Spot> SPOTS = spots();

  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "privacy: {epsilon: 1}\ntables:\n  t:\n    static: true\n    columns:\n"
                  + "      z: {type: integer, range: [0, 10]}\n"
                  + SPOTS.stream()
                      .map(
                          s ->
                              "      %s: {type: '%s', range: %s}\n"
                                  .formatted(s.name(), s.type(), s.range()))
                      .collect(Collectors.joining()),
              ConfigurationError.Code.BAD_POLICY));

  @Test
  void onDuckDb() throws Exception {
    attack(new DuckDbTestBed(), "DOUBLE");
  }

  @Test
  void onSqlite() throws Exception {
    attack(new SqliteTestBed(), "REAL");
  }

  @Test
  void onPostgreSql() throws Exception {
    attack(PostgresTestBed.started(), "DOUBLE PRECISION");
  }

  @Test
  void onMariaDb() throws Exception {
    attack(new MariaDbTestBed(), "DOUBLE");
  }

  @Test
  @Tag("nightly")
  void withAllRows() throws Exception {
    attack(new DuckDbTestBed(), "DOUBLE", 3);
    attack(new SqliteTestBed(), "REAL", 3);
    attack(PostgresTestBed.started(), "DOUBLE PRECISION", 3);
    attack(new MariaDbTestBed(), "DOUBLE", 3);
  }

  private static void attack(TestBed opened, String real) throws Exception {
    attack(opened, real, 1);
  }

  /**
   * @param turns how many rows are tried, one after the other
   */
  static void attack(TestBed opened, String real, int turns) throws Exception {
    List<String> found = new ArrayList<>();
    try (TestBed ground = opened) {
      for (int turn = 0; turn < turns; turn++) {
        try (Connection all = filled(ground, 0, real);
            Connection rest = filled(ground, 1, real)) {
          insert(all, 7, row(turn));
          try (JdbcDatabase with = ground.open(0, all, POLICY, (what, cause) -> {});
              JdbcDatabase without = ground.open(1, rest, POLICY, (what, cause) -> {})) {
            compare(read(with, found), read(without, found), found);
          }
        }
      }
    }
    assertEquals("", String.join("\n", found.stream().distinct().toList()));
  }

  private static void compare(
      Map<String, ExactResults> here, Map<String, ExactResults> there, List<String> found) {
    here.forEach(
        (question, one) -> {
          if (there.containsKey(question)) {
            one.against(there.get(question)).stream()
                .filter(NeighborDistance::isTooFar)
                .findFirst()
                .ifPresent(change -> found.add(question + ": " + change));
          }
        });
  }

  private static List<String> row(int turn) {
    return IntStream.range(0, SPOTS.size())
        .mapToObj(
            s -> {
              String type = SPOTS.get(s).type();
              String value = VALUES.get(type).get((s + turn) % VALUES.get(type).size());
              return type.startsWith("decimal") ? "CAST('" + value + "' AS " + type + ")" : value;
            })
        .toList();
  }

  private static void insert(Connection connection, int z, List<String> values)
      throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("INSERT INTO t VALUES (" + z + ", " + String.join(", ", values) + ")");
    }
  }

  private static Connection filled(TestBed ground, int side, String real) throws SQLException {
    Connection connection = ground.writer(side);
    try (Statement statement = connection.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t");
      statement.execute(
          "CREATE TABLE t (z INTEGER, "
              + SPOTS.stream()
                  .map(s -> s.name() + " " + (s.type().equals("double") ? real : s.type()))
                  .collect(Collectors.joining(", "))
              + ")");
    }
    for (int row = 0; row < 3; row++) {
      insert(connection, row, SPOTS.stream().map(s -> "1").toList());
    }
    return connection;
  }

  private static Map<String, ExactResults> read(JdbcDatabase database, List<String> found) {
    Map<String, String> questions = new LinkedHashMap<>();
    for (Spot spot : SPOTS) {
      for (String form : QUESTIONS) {
        String question = "SELECT " + form.formatted(spot.name()) + " FROM t";
        questions.put(question + " " + spot.type() + " " + spot.range(), question);
      }
    }
    return new ExactAnswers(POLICY, REFUSED).of(questions, database, found);
  }
}
