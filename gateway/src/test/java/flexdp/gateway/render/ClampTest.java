package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.failure.Rejection;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.MariaDbServer;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.database.Connectors;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * Random ranges and grids on real databases: a clamped value is a whole number of steps within its
 * range, next to the value itself, and sums are exact. What a database cannot hold is rejected when
 * the text is made, which is before anything is charged.
 */
class ClampTest {
  private static final int CASES = 250;

  /** What is summed: values of a type, a range and its grid. */
  private record Case(Type type, List<Object> values, Range range, BigDecimal grid) {
    BigDecimal steps(Object value) {
      BigDecimal x = new BigDecimal(value.toString());
      return x.max(range.low()).min(range.high()).divide(grid, new MathContext(80));
    }
  }

  @Test
  void postgresql() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection connection = server.connect()) {
      check(connection);
    }
  }

  @Test
  void mariadb() throws Exception {
    MariaDbServer.create("clamps");
    try (Connection connection = MariaDbServer.writer("clamps")) {
      check(connection);
    }
  }

  @Test
  void duckdb() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      check(connection);
    }
  }

  @Test
  void sqlite() throws Exception {
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite::memory:")) {
      check(connection);
    }
  }

  private static void check(Connection connection) throws SQLException {
    Connector connector = Connectors.of(connection);
    connector.prepare(connection, Duration.ofMinutes(10));
    Random random = new Random(1711);
    int answered = 0;
    for (int i = 0; i < CASES; i++) {
      Case one = random(random);
      RenderedExpression operand = new RenderedExpression(new Expr.Ref(1, one.type()), "x");
      Clamped clamped;
      try {
        for (Object value : one.values()) {
          connector.dialect().literal(new Expr.Literal(value, one.type()));
        }
        clamped = connector.dialect().clamped(operand, one.range(), one.grid());
      } catch (Rejection e) {
        continue;
      }
      answered++;
      String context = one + "\n" + clamped.sql();
      try {
        checkOne(connection, connector, one, clamped, context);
      } catch (SQLException | ArithmeticException e) {
        throw new AssertionError(context, e);
      }
    }
    int count = answered;
    assertTrue(count >= CASES / 3, () -> "only " + count);
  }

  private static void checkOne(
      Connection connection, Connector connector, Case one, Clamped clamped, String context)
      throws SQLException {
    String rows =
        one.values().stream()
            .map(
                v ->
                    "SELECT "
                        + connector.dialect().literal(new Expr.Literal(v, one.type()))
                        + " AS x")
            .collect(Collectors.joining(" UNION ALL "));
    BigInteger total = BigInteger.ZERO;
    BigInteger low = one.range().low().divide(one.grid()).toBigIntegerExact();
    BigInteger high = one.range().high().divide(one.grid()).toBigIntegerExact();
    try (Statement statement = connection.createStatement()) {
      String each = "SELECT x, " + clamped.sql() + " AS y FROM (" + rows + ") AS r";
      try (ResultSet row = statement.executeQuery(each)) {
        for (Object value : one.values()) {
          assertTrue(row.next());
          BigDecimal number = connector.number(row, 2);
          assertNotNull(number, () -> value + " became NULL: " + context);
          BigInteger units = clamped.units(number, one.grid());
          total = total.add(units);
          String said = value + " became " + units + ": " + context;
          assertTrue(units.compareTo(low) >= 0 && units.compareTo(high) <= 0, said);
          BigDecimal away = one.steps(value).subtract(new BigDecimal(units)).abs();
          BigDecimal most =
              new BigDecimal(units).abs().multiply(new BigDecimal("1e-14")).add(half(one));
          assertTrue(away.compareTo(most) <= 0, said);
        }
      }
      String sum =
          "SELECT "
              + connector.dialect().sum(clamped, Optional.empty())
              + " FROM ("
              + rows
              + ") AS r";
      try (ResultSet row = statement.executeQuery(sum)) {
        assertTrue(row.next());
        assertEquals(total, clamped.units(connector.number(row, 1), one.grid()), context);
      }
    }
  }

  /** Half a step, and a little for the halves that a float misses. */
  private static BigDecimal half(Case one) {
    return new BigDecimal(one.type().kind() == Type.Kind.DOUBLE ? "0.5001" : "0.500001");
  }

  private static Case random(Random random) {
    return switch (random.nextInt(6)) {
      case 0 -> whole(random);
      case 1 -> decimal(random);
      default -> real(random);
    };
  }

  private static Case real(Random random) {
    BigDecimal grid = BigDecimal.ONE.scaleByPowerOfTen(random.nextInt(75) - 50);
    Range range = range(random, grid, 1 + random.nextInt(random.nextBoolean() ? 40 : 90));
    List<Object> values = new ArrayList<>(List.of(0.0, 1e300, -1e300, 1e-300, -1e-30, 1.0));
    for (BigDecimal end : List.of(range.low(), range.high())) {
      double x = end.doubleValue();
      values.addAll(List.of(x, Math.nextUp(x), Math.nextDown(x)));
      double step = grid.doubleValue();
      values.addAll(List.of(x + step / 2, x - step / 2, x + step, x - step));
    }
    double low = range.low().doubleValue();
    double high = range.high().doubleValue();
    for (int i = 0; i < 8; i++) {
      values.add(low + random.nextDouble() * (high - low));
    }
    return new Case(Type.DOUBLE, values, range, grid);
  }

  private static Case decimal(Random random) {
    int scale = random.nextInt(39);
    Type type = Type.decimal(38, scale);
    BigDecimal grid = BigDecimal.ONE.scaleByPowerOfTen(random.nextInt(4) / 3 - scale);
    Range range = range(random, grid, 1 + random.nextInt(85));
    List<Object> values = new ArrayList<>();
    BigDecimal unit = BigDecimal.ONE.movePointLeft(scale);
    for (BigDecimal end : List.of(range.low(), range.high())) {
      values.addAll(List.of(end, end.add(unit), end.subtract(unit)));
    }
    BigDecimal most = unit.multiply(BigDecimal.TEN.pow(37).subtract(BigDecimal.ONE));
    values.addAll(List.of(most, most.negate(), unit, unit.negate(), BigDecimal.ZERO));
    values.replaceAll(v -> ((BigDecimal) v).min(most).max(most.negate()).setScale(scale));
    return new Case(type, values, range, grid);
  }

  private static Case whole(Random random) {
    BigDecimal grid = BigDecimal.TEN.pow(Math.max(0, random.nextInt(8) - 4));
    Range range = range(random, grid, 1 + random.nextInt(45));
    List<Object> values = new ArrayList<>();
    for (BigDecimal end : List.of(range.low(), range.high())) {
      values.addAll(List.of(end, end.add(BigDecimal.ONE), end.subtract(BigDecimal.ONE)));
    }
    values.add(BigDecimal.valueOf(Long.MAX_VALUE));
    values.add(BigDecimal.valueOf(Long.MIN_VALUE + 1));
    values.replaceAll(v -> ((BigDecimal) v).setScale(0, RoundingMode.UNNECESSARY));
    return new Case(Type.BIGINT, values, range, grid);
  }

  /** Two multiples of the grid, one of them of so many bits. */
  private static Range range(Random random, BigDecimal grid, int bits) {
    BigInteger one = new BigInteger(bits, random).setBit(bits - 1);
    BigInteger two =
        switch (random.nextInt(3)) {
          case 0 -> BigInteger.ZERO;
          case 1 -> new BigInteger(bits, random);
          default -> new BigInteger(bits, random).negate();
        };
    BigInteger low = one.min(two);
    BigInteger high = one.max(two);
    boolean flipped = random.nextBoolean();
    BigDecimal from = new BigDecimal(flipped ? high.negate() : low);
    BigDecimal to = new BigDecimal(flipped ? low.negate() : high);
    return new Range(from.multiply(grid), to.multiply(grid));
  }
}
