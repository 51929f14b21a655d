package flexdp.properties;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.decompose.DecompositionFixture;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts that could outgrow a database are refused wherever they stand; others are not. */
class TextLengthLimitTest {
  /** Planes above the second hold no letters with case. */
  private static final int LAST_WITH_CASE = 0x1FFFF;

  private static final String TWELVE = "aaaaaaaaaaaa";
  private static final String GROWN = "REPLACE(REPLACE(note, 'x', '" + TWELVE + "'), 'a', 'aa')";

  private static String where(String condition) {
    return "SELECT COUNT(*) FROM trips WHERE " + condition;
  }

  private static void refused(String sql) {
    Rejection e = assertThrows(Rejection.class, () -> DecompositionFixture.question(sql), sql);
    assertEquals(RejectionCode.TOO_COMPLEX, e.code(), sql + ": " + e.message());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REPLACE(note, '-', '') = '555'",
        "REPLACE(REPLACE(REPLACE(REPLACE(note, '-', ' '), '(', ' '), ')', ' '), '.', ' ') = 'x'",
        "CONCAT(note, ' ', status, ' ', note) = 'x'",
        "LOWER(CONCAT(UPPER(note), ' ', UPPER(status))) = 'x'",
        "LOWER(UPPER(LOWER(UPPER(LOWER(TRIM(note)))))) = 'x'",
        "REPLACE(note, status, '') = 'x'",
        "REPLACE(note, 'ab', CASE WHEN paid THEN 'yes' ELSE 'no' END) = 'x'",
        "REPLACE('Dear NAME', 'NAME', note) = 'x'",
        "REPLACE(REPLACE(LEFT(note, 100), 'a', 'aaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaa') = 'x'",
        "RIGHT('0000' || CAST(driver_id AS varchar), 4) = '0001'",
        "TO_CHAR(day, 'YYYY-MM-DD') = '2016-01-01'",
        "note ILIKE '%a%' OR SUBSTRING(note, 2) LIKE 'a%'",
      })
  void ordinaryTextsArePermitted(String condition) {
    assertDoesNotThrow(() -> DecompositionFixture.question(where(condition)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "REPLACE(REPLACE(note, 'x', 'aaaaaaaaaaaa'), 'a', 'aaaaaaaaaaaa') = 'x'",
        "REPLACE(note, 'a', 'aaaaaaaaaaaaaaaaa') = 'x'",
        "REPLACE(note, 'é', 'ééééééééééééééééé') = 'x'",
        "REPLACE(note, 'a', status) = 'x'",
        "REPLACE(note, status, 'aaaaaaaaaaaaaaaaa') = 'x'",
        "REPLACE(note, '', 'aaaaaaaaaaaaaaaaa') = 'x'",
        "REPLACE(note, 'a', CONCAT(id, id)) = 'x'",
        "REPLACE(REPLACE(LEFT(note, 20000), 'a', '0123456789'), 'a', '0123456789') = 'x'",
        "LOWER(note || note || note || note || note || note) = 'x'",
        "LEFT(note || note || note || note || note || note || note || note || note || note || note"
            + " || note || note || note || note || note || note, 5) = 'x'",
        "note || note || note || note || note || note ILIKE 'a%'",
        "REPLACE('aaaaaaaaaaaaaaaaa', 'a', note) = 'x'",
      })
  void growthIsRefused(String condition) {
    refused(where(condition));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(GROWN) FROM trips",
        "SELECT COUNT(DISTINCT GROWN) FROM trips",
        "SELECT SUM(fare) FILTER (WHERE GROWN = 'x') FROM trips",
        "SELECT SUM(LEAST(GREATEST(CHAR_LENGTH(GROWN), 0), 9)) FROM trips",
        "SELECT COUNT(CASE WHEN GROWN LIKE 'a%' THEN 1 END) FROM trips",
        "SELECT COUNT(*) FROM trips WHERE POSITION('a' IN GROWN) > 1",
        "SELECT COUNT(*) FROM trips WHERE GROWN IS NULL",
        "SELECT COUNT(*) FROM trips WHERE GROWN IN ('a', 'b')",
        "SELECT COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id AND GROWN = c.name",
        "SELECT COUNT(*) FROM (SELECT DISTINCT GROWN AS g FROM trips) x",
        "SELECT COUNT(*) FROM (SELECT GROWN AS g, COUNT(*) AS n FROM trips GROUP BY 1) x",
        "SELECT COUNT(*) FROM (SELECT id FROM trips ORDER BY GROWN, id LIMIT 5) x",
        "SELECT COUNT(*) FROM (SELECT id, ROW_NUMBER() OVER (PARTITION BY GROWN ORDER BY id) AS n"
            + " FROM trips) x WHERE n <= 3",
        "SELECT COUNT(*) FROM (SELECT id, LAG(GROWN) OVER (PARTITION BY driver_id ORDER BY id)"
            + " AS p FROM trips) x WHERE p = 'a'",
        "SELECT COUNT(*) FROM (SELECT driver_id, MAX(GROWN) AS m FROM trips GROUP BY driver_id) x"
            + " WHERE m = 'a'",
        "SELECT COUNT(*) FROM trips t WHERE 'a' = (SELECT MAX(GROWN) FROM trips u WHERE u.driver_id"
            + " = t.driver_id)",
        "SELECT COUNT(*) FROM trips t WHERE EXISTS (SELECT 1 FROM trips u WHERE u.driver_id ="
            + " t.driver_id AND GROWN = 'a')",
        "SELECT status, COUNT(*), GROWN_STATUS FROM trips GROUP BY status",
      })
  void everyPlaceCounts(String sql) {
    refused(sql.replace("GROWN_STATUS", GROWN.replace("note", "status")).replace("GROWN", GROWN));
  }

  @Test
  void columnsOfSubqueriesKeepTheirLength() {
    String doubled = "SELECT id, note || note AS note FROM ";
    String sql = "trips";
    for (int i = 0; i < 4; i++) {
      sql = "(" + doubled + sql + ") x" + i;
    }
    String sixteen = sql;
    assertDoesNotThrow(
        () -> DecompositionFixture.question("SELECT COUNT(DISTINCT note) FROM " + sixteen));
    refused("SELECT COUNT(DISTINCT note) FROM (" + doubled + sixteen + ") y");
    refused(
        "SELECT COUNT(DISTINCT note || note) FROM (SELECT note FROM "
            + sixteen
            + " UNION ALL SELECT note FROM trips) u");
    refused(
        "SELECT COUNT(*) FROM "
            + sixteen
            + " JOIN trips t ON t.id = x3.id"
            + " WHERE x3.note || t.note = 'a'");
  }

  @Test
  void manyLongTextsInOneRowAreRefused() {
    StringBuilder columns = new StringBuilder();
    for (int i = 0; i < 20; i++) {
      columns.append(i == 0 ? "" : ", ").append("note || '").append(i).append('\'');
      columns.append(" || note".repeat(i < 16 ? 14 : 1)).append(" AS c").append(i);
    }
    assertDoesNotThrow(
        () ->
            DecompositionFixture.question(
                "SELECT COUNT(*) FROM (SELECT DISTINCT " + columns + " FROM trips) x"));
    String wider = columns.toString().replace("|| note AS c16", "|| note".repeat(15) + " AS c16");
    refused("SELECT COUNT(*) FROM (SELECT DISTINCT " + wider + " FROM trips) x");
  }

  @Test
  void otherCaseTriplesACharacterAtMostAndOnlyOnce() {
    for (int c = 0; c <= LAST_WITH_CASE; c++) {
      if (Character.getType(c) == Character.SURROGATE) {
        continue;
      }
      String text = Character.toString(c);
      long most = 3L * bytes(text);
      for (int order = 0; order < 2; order++) {
        String changed = text;
        for (int i = order; i < order + 4; i++) {
          changed =
              i % 2 == 0
                  ? changed.toUpperCase(java.util.Locale.ROOT)
                  : changed.toLowerCase(java.util.Locale.ROOT);
          assertTrue(bytes(changed) <= most, text);
        }
      }
    }
  }

  private static int bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8).length;
  }
}
