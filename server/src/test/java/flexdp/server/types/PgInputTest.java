package flexdp.server.types;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

/** Values of parameters mean what PostgreSQL takes them for, or are refused. */
class PgInputTest {
  private static Object text(PgType type, String value) {
    return PgInput.read(value.getBytes(StandardCharsets.UTF_8), type, false);
  }

  private static void refused(PgType type, String... values) {
    for (String value : values) {
      assertThrows(IllegalArgumentException.class, () -> text(type, value), value);
    }
  }

  @Test
  void aZoneIsBelievedOnlyWhereTheTypeHasOne() {
    LocalDateTime local = LocalDateTime.of(2016, 3, 1, 12, 30);
    assertEquals(local, text(PgType.TIMESTAMP, "2016-03-01 12:30:00+05:30"));
    assertEquals(
        local.withHour(7).withMinute(0), text(PgType.TIMESTAMPTZ, "2016-03-01 12:30:00+05:30"));
    assertEquals(local.plusHours(8), text(PgType.TIMESTAMPTZ, "2016-03-01T12:30-08"));
    assertEquals(local.minusHours(1), text(PgType.TIMESTAMPTZ, "2016-03-01 12:30:00+0100"));
    assertEquals(local, text(PgType.TIMESTAMPTZ, "2016-03-01 12:30:00Z"));
    assertEquals(local, text(PgType.TIMESTAMPTZ, "2016-03-01 12:30"));
  }

  /** As pgjdbc sends java.sql.Date for a column of any type. */
  @Test
  void aDayWithTheClientsZoneIsADay() {
    LocalDate day = LocalDate.of(2016, 3, 1);
    assertEquals(day, text(PgType.DATE, "2016-03-01 +05:30"));
    assertEquals(day, text(PgType.DATE, "2016-03-01"));
    assertEquals(day, text(PgType.DATE, "2016-03-01 23:59:59-08"));
    assertEquals(day.atStartOfDay(), text(PgType.TIMESTAMP, "2016-03-01 +05:30"));
    assertEquals(day.atStartOfDay(), text(PgType.TIMESTAMP, "2016-03-01"));
  }

  @Test
  void whatIsNotUnderstoodIsRefused() {
    for (PgType type : new PgType[] {PgType.DATE, PgType.TIMESTAMP, PgType.TIMESTAMPTZ}) {
      refused(type, "2016-01-01 BC", "2016-01-01 rubbish", "2016-01-011", "infinity", "2016-02-30");
      refused(type, "2016-01-01 24:00:00", "", "2016-01-01 00:00:00 BC");
    }
    refused(PgType.TIMESTAMPTZ, "2016-01-01 00:00:00+99");
    refused(PgType.NUMERIC, "NaN", "Infinity", "1e999999999", "1e-999999999", "0e-99999", "");
    refused(PgType.FLOAT8, "NaN", "Infinity", "1e400");
    refused(PgType.TIME, "24:00:00");
  }

  @Test
  void digitsOfBinaryNumbersAreBelowTenThousand() {
    for (int digit : new int[] {10_000, 20_000, -1, Short.MIN_VALUE}) {
      byte[] bytes =
          ByteBuffer.allocate(10)
              .putShort((short) 1)
              .putShort((short) 0)
              .putInt(0)
              .putShort((short) digit)
              .array();
      assertThrows(IllegalArgumentException.class, () -> PgInput.read(bytes, PgType.NUMERIC, true));
    }
  }
}
