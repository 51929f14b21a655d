package flexdp.gateway.agree;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.trino.Cluster;
import java.sql.Connection;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Trino's own words mean what Trino says, and types that are read as others are named. */
class TrinoAgreeTest {
  private static final String POLICY =
      """
      privacy: {epsilon: 10000, delta: 1e-9, budget: {epsilon: 1000000000}}
      tables:
        t:
          static: true
          columns:
            id: {type: integer, nullable: false}
            s: {type: varchar}
            c: {type: varchar}
            r: {type: double, range: [-10, 10]}
            z: {type: timestamp}
            d: {type: date}
      """;

  private static final List<String> AGGREGATES =
      List.of(
          "COUNT(CASE WHEN trim(s) = 'a' THEN 1 END)",
          "COUNT(CASE WHEN ltrim(s) = 'a' THEN 1 END)",
          "COUNT(CASE WHEN rtrim(s) = 'a' THEN 1 END)",
          "COUNT(CASE WHEN trim(BOTH ' ' FROM s) = 'a' THEN 1 END)",
          "SUM(LEAST(length(trim(s)), 5))",
          "COUNT(split_part(s, '-', 1))",
          "COUNT(split_part(s, '-', 2))",
          "COUNT(split_part(s, '-', 3))",
          "COUNT(CASE WHEN split_part(s, '-', 2) = 'b' THEN 1 END)",
          "COUNT(TRY_CAST(s AS integer))",
          "COUNT(TRY_CAST(s AS bigint))",
          "COUNT(TRY_CAST(s AS double))",
          "COUNT(CASE WHEN c = 'ab' THEN 1 END)",
          "COUNT(CASE WHEN substr(s, -2) = 'a ' THEN 1 END)",
          "COUNT(CASE WHEN substr(s, 0) = '' THEN 1 END)",
          "COUNT(CASE WHEN greatest(s, NULL) IS NULL THEN 1 END)",
          "COUNT(CASE WHEN extract(DOW FROM d) = 7 THEN 1 END)",
          "COUNT(CASE WHEN date_diff('month', d, DATE '2024-03-30') = 1 THEN 1 END)",
          "COUNT(CASE WHEN r > 0.5 THEN 1 END)");

  private static final List<String> ROWS =
      List.of(
          "1, ' a', 'ab', REAL '0.1', TIMESTAMP '2024-01-01 23:30:00 +05:45', DATE '2024-02-29'",
          "2, U&'\\0009a\\000A', 'a', REAL '0.5', NULL, DATE '2024-03-03'",
          "3, U&'\\00A0a', NULL, NULL, NULL, NULL",
          "4, U&'\\2003a\\3000', 'abcde', REAL '2', NULL, DATE '2024-02-28'",
          "5, 'a-b', '', REAL '-1', NULL, DATE '2024-03-31'",
          "6, '1e3', NULL, NULL, NULL, NULL",
          "7, ' 12', NULL, NULL, NULL, NULL",
          "8, '-12', NULL, NULL, NULL, NULL",
          "9, '+1.5', NULL, NULL, NULL, NULL",
          "10, 'a ', NULL, NULL, NULL, NULL",
          "11, NULL, NULL, NULL, NULL, NULL");

  @Test
  void trinoSaysTheSameAndTheAnswerWhatIsReadOtherwise() throws Exception {
    String url = Cluster.singleUrl("memory/agree");
    try (Connection own = Cluster.writer(url)) {
      Cluster.execute(own, "CREATE SCHEMA memory.agree");
      Cluster.execute(
          own,
          "CREATE TABLE memory.agree.t (id integer NOT NULL, s varchar, c char(5), r real,"
              + " z timestamp(3) with time zone, d date)");
      for (String row : ROWS) {
        Cluster.execute(own, "INSERT INTO memory.agree.t VALUES (" + row + ")");
      }
      try (AskedAgreement asked = new AskedAgreement("trino", POLICY, url, own)) {
        assertEquals("", String.join("\n", asked.together(AGGREGATES)));
        assertEquals(AGGREGATES.size(), asked.agreed(), asked.summary());
        assertEquals(
            "c is read without the blanks that fill it; r is compared as the double that it is;"
                + " z is read in UTC",
            asked.noted("SELECT COUNT(*) FROM t WHERE length(c) > 1 AND r = 0.1 AND hour(z) = 17"));
        assertEquals("", asked.noted("SELECT COUNT(*) FROM t WHERE s = 'a'"));
      }
    }
  }
}
