package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.gateway.duckdb.DuckDb;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Sums in whole steps of their grid, narrow and wide, are what the sum times the steps is. */
class WholeNumbersTest {
  private final TargetDialect dialect = new DuckDb();

  @Test
  void everySumIsWholeWhetherItIsNarrowOrNot() throws Exception {
    Random random = new Random(4);
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      for (int scale = 0; scale <= 12; scale++) {
        for (int bits : List.of(40, 61, 62)) {
          for (BigInteger times :
              List.of(BigInteger.TEN.pow(scale), BigInteger.TEN.pow(scale).shiftLeft(3))) {
            List<BigDecimal> sums = sums(scale, random);
            String sql =
                "SELECT "
                    + dialect.whole("COALESCE(a, 0)", times, bits)
                    + " FROM (VALUES "
                    + sums.stream()
                        .map(
                            v ->
                                "(CAST('"
                                    + v.toPlainString()
                                    + "' AS DECIMAL(38, "
                                    + v.scale()
                                    + ")))")
                        .collect(Collectors.joining(", "))
                    + ", (NULL)) AS v(a)";
            List<BigInteger> expected = new ArrayList<>();
            BigInteger most = BigInteger.ONE.shiftLeft(bits);
            for (BigDecimal sum : sums) {
              BigInteger whole = sum.multiply(new BigDecimal(times)).toBigIntegerExact();
              expected.add(whole.min(most).max(most.negate()));
            }
            expected.add(BigInteger.ZERO);
            List<BigInteger> found = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery(sql)) {
              while (rows.next()) {
                found.add(BigInteger.valueOf(rows.getLong(1)));
              }
            }
            assertEquals(expected, found, sql);
          }
        }
      }
    }
  }

  /** Of every size, and around where they stop being narrow. */
  private static List<BigDecimal> sums(int scale, Random random) {
    List<BigDecimal> sums = new ArrayList<>();
    BigDecimal unit = BigDecimal.ONE.movePointLeft(scale);
    for (int digits = 1; digits <= 22; digits++) {
      BigDecimal edge = BigDecimal.TEN.pow(digits).multiply(unit);
      for (BigDecimal near : List.of(edge, edge.subtract(unit), edge.add(unit))) {
        sums.add(near);
        sums.add(near.negate());
      }
      BigDecimal some = new BigDecimal(new BigInteger(digits * 3, random), scale);
      sums.add(random.nextBoolean() ? some : some.negate());
    }
    return sums;
  }
}
