package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.failure.Rejection;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.mariadb.MariaDb;
import flexdp.gateway.postgresql.PostgreSql;
import flexdp.gateway.sqlite.Sqlite;
import flexdp.gateway.sqlite.SqliteConnector;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * The conversions that the rules follow do on real databases what the list says of them, at the
 * ends of their types and where floats begin to have gaps.
 */
class ConversionListTest {
  private static final List<Type> TYPES =
      List.of(
          Type.SMALLINT,
          Type.INTEGER,
          Type.BIGINT,
          Type.decimal(5, 2),
          Type.decimal(9, 2),
          Type.decimal(12, 2),
          Type.decimal(18, 0),
          Type.decimal(18, 4),
          Type.decimal(18, 18),
          Type.decimal(19, 0),
          Type.decimal(21, 2),
          Type.decimal(38, 0),
          Type.decimal(38, 10),
          Type.decimal(38, 38),
          Type.DOUBLE,
          Type.DATE,
          Type.TIMESTAMP);

  /** How many values went in, came out, and are different; pairs whose order turned. */
  private record Outcome(int in, int out, int distinct, int turned) {}

  @Test
  void onDuckDb() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      holds(connection, new DuckDb());
    }
  }

  @Test
  void onSqlite() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      new SqliteConnector().prepare(connection, Duration.ofMinutes(10));
      holds(connection, new Sqlite());
    }
  }

  @Test
  void onPostgreSql() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection connection = server.connect()) {
      holds(connection, new PostgreSql());
    }
  }

  @Test
  void onMariaDb() throws Exception {
    MariaDbServer.create("conversions");
    try (Connection connection = MariaDbServer.writer("conversions")) {
      Connectors.of(connection).beginSnapshot(connection);
      holds(connection, new MariaDb());
    }
  }

  private static void holds(Connection connection, TargetDialect dialect) throws Exception {
    List<String> wrong = new ArrayList<>();
    for (Type from : TYPES) {
      for (Type to : TYPES) {
        boolean meets = from.isNumeric() && to.isNumeric() || from.isDateTime() && to.isDateTime();
        if (!meets || !Conversions.keepsApart(from, to) && !Conversions.isTotal(from, to)) {
          continue;
        }
        Outcome outcome;
        try {
          outcome = converted(connection, dialect, from, to);
        } catch (Rejection e) {
          // SQLite refuses to count in units that small.
          continue;
        }
        boolean fine =
            (!Conversions.isTotal(from, to) || outcome.out() == outcome.in())
                && (!Conversions.keepsApart(from, to)
                    || outcome.distinct() == outcome.out() && outcome.turned() == 0);
        if (!fine) {
          wrong.add(from + " to " + to + ": " + outcome);
        }
      }
    }
    assertEquals(List.of(), wrong);
  }

  private static Outcome converted(Connection connection, TargetDialect dialect, Type from, Type to)
      throws SQLException {
    List<String> rows = new ArrayList<>();
    for (Object value : values(from)) {
      try {
        rows.add("SELECT " + dialect.literal(new Expr.Literal(value, from)) + " AS v");
      } catch (Rejection e) {
        // SQLite has no constant of that many digits, and no stored value either.
        continue;
      }
    }
    String all = rows.stream().collect(Collectors.joining(" UNION ALL "));
    String both = "(SELECT v, " + dialect.cast("v", from, to) + " AS c FROM (" + all + ") AS r) ";
    String sql =
        "SELECT COUNT(*), COUNT(c), COUNT(DISTINCT c), (SELECT COUNT(*) FROM "
            + both
            + "AS a INNER JOIN (SELECT v AS w, c AS d FROM "
            + both
            + "AS s) AS b ON v < w AND NOT c < d) FROM "
            + both
            + "AS q";
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return new Outcome(result.getInt(1), result.getInt(2), result.getInt(3), result.getInt(4));
    }
  }

  private static List<Object> values(Type type) {
    return switch (type.kind()) {
      case SMALLINT, INTEGER, BIGINT -> whole(type);
      case DECIMAL -> decimals(type);
      case DOUBLE -> List.of(0.0, 1.0, 1.5, -1e18, 1e18, 9007199254740992.0, 0.1);
      case DATE -> List.copyOf(days());
      case TIMESTAMP ->
          days().stream()
              .flatMap(
                  d ->
                      List.<Object>of(d.atStartOfDay(), d.atTime(23, 59, 59, 999_999_000)).stream())
              .toList();
      default -> throw new IllegalArgumentException("no values for " + type);
    };
  }

  private static List<Object> whole(Type type) {
    int bits = Map.of(Type.SMALLINT, 15, Type.INTEGER, 31, Type.BIGINT, 63).get(type);
    Set<BigInteger> found = new TreeSet<>();
    for (int shift : new int[] {0, 1, 8, 15, 24, 31, 53, 62, 63}) {
      for (int by = -2; by <= 2; by++) {
        for (int sign : new int[] {-1, 1}) {
          BigInteger value =
              BigInteger.ONE
                  .shiftLeft(shift)
                  .add(BigInteger.valueOf(by))
                  .multiply(BigInteger.valueOf(sign));
          if (value.bitLength() <= bits) {
            found.add(value);
          }
        }
      }
    }
    return found.stream().map(v -> (Object) new BigDecimal(v)).toList();
  }

  private static List<Object> decimals(Type type) {
    Set<BigInteger> found = new TreeSet<>();
    for (int digits : new int[] {0, 1, 9, 15, 17, 18, 19, 28, type.precision()}) {
      for (int by = -2; by <= 2; by++) {
        BigInteger value = BigInteger.TEN.pow(digits).add(BigInteger.valueOf(by));
        if (value.abs().compareTo(BigInteger.TEN.pow(type.precision())) < 0) {
          found.add(value);
          found.add(value.negate());
        }
      }
    }
    return found.stream().map(v -> (Object) new BigDecimal(v, type.scale())).toList();
  }

  private static List<LocalDate> days() {
    return List.of(
        LocalDate.of(1, 1, 1),
        LocalDate.of(1, 1, 2),
        LocalDate.of(1582, 10, 15),
        LocalDate.of(1969, 12, 31),
        LocalDate.of(1970, 1, 1),
        LocalDate.of(2024, 2, 29),
        LocalDate.of(9999, 12, 30),
        LocalDateTime.of(9999, 12, 31, 0, 0).toLocalDate());
  }
}
