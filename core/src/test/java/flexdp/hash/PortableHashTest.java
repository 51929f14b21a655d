package flexdp.hash;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.compute.Evaluator;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class PortableHashTest {
  @Test
  void isTheFirstSixtyBitsOfSha256() {
    assertEquals(0xe3b0c44298fc1c1L, PortableHash.of(""));
    assertEquals(0xca978112ca1bbdcL, PortableHash.of("a"));
    assertEquals(0xba7816bf8f01cfeL, PortableHash.of("abc"));
  }

  @Test
  void writesEachTypeAsItSays() {
    assertWritten("-", Type.INTEGER, null);
    assertWritten("+-17", Type.BIGINT, BigDecimal.valueOf(-17));
    assertWritten("+1.50", Type.decimal(9, 2), new BigDecimal("1.50"));
    assertWritten("+true", Type.BOOLEAN, true);
    assertWritten("+2024-02-29", Type.DATE, LocalDate.of(2024, 2, 29));
    assertWritten(
        "+2024-02-29 10:00:00.5",
        Type.TIMESTAMP,
        LocalDateTime.of(2024, 2, 29, 10, 0, 0, 500_000_000));
    assertWritten("+" + PortableHash.of("ö,'"), Type.VARCHAR, "ö,'");
    assertWritten("+" + PortableHash.of(""), Type.VARCHAR, "");
    assertWritten("-", Type.VARCHAR, null);
    assertWritten("+-2/" + (1 << 29), Type.DOUBLE, -1.5);
    assertWritten("+>", Type.DOUBLE, 1e300);
    assertWritten("+<", Type.DOUBLE, -1e15);
    assertWritten("-", Type.DOUBLE, null);
    assertWritten("+", Type.INTERVAL_MONTHS, 3L);
  }

  @Test
  void putsACommaBetweenValues() {
    assertEquals(
        PortableHash.of("+1,-,+2"),
        hash(
            List.of(Type.INTEGER, Type.VARCHAR, Type.INTEGER),
            Arrays.asList(BigDecimal.ONE, null, BigDecimal.TWO)));
  }

  @Test
  void spreadsNeighbouringNumbersOverAllBits() {
    int[] ones = new int[PortableHash.BITS];
    for (int i = 0; i < 4000; i++) {
      long hash = hash(List.of(Type.INTEGER), List.of(BigDecimal.valueOf(i)));
      assertTrue(hash >= 0 && hash < 1L << PortableHash.BITS);
      for (int bit = 0; bit < ones.length; bit++) {
        ones[bit] += (int) (hash >>> bit & 1);
      }
    }
    for (int count : ones) {
      assertTrue(Math.abs(count - 2000) < 200, "a bit that is set " + count + " times in 4000");
    }
  }

  private static void assertWritten(String text, Type type, Object value) {
    List<Object> values = new ArrayList<>();
    values.add(value);
    assertEquals(PortableHash.of(text), hash(List.of(type), values), text);
  }

  private static long hash(List<Type> types, List<Object> values) {
    List<Column> columns = new ArrayList<>();
    List<Expr> exprs = new ArrayList<>();
    for (Type type : types) {
      Column column = new Column(columns.size(), "c", type, true);
      columns.add(column);
      exprs.add(column.ref());
    }
    Object hash = new Evaluator(columns).compile(PortableHash.of(exprs)).on(values);
    return ((BigDecimal) hash).longValueExact();
  }
}
