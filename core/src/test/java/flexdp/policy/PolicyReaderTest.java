package flexdp.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.LocalDate;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyReaderTest {
  private static Map<String, Object> column(Object... keysAndValues) {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("type", "bigint");
    for (int i = 0; i < keysAndValues.length; i += 2) {
      map.put((String) keysAndValues[i], keysAndValues[i + 1]);
    }
    return map;
  }

  private static Policy withColumn(Object... keysAndValues) {
    return PolicyReader.read(
        Map.of(
            "tables",
            Map.of(
                "t",
                Map.of(
                    "columns",
                    Map.of("a", column(keysAndValues), "b", Map.of("type", "varchar"))))));
  }

  private static Policy withPrivacy(Map<String, Object> privacy) {
    return PolicyReader.read(Map.of("privacy", privacy, "tables", Map.of()));
  }

  private static String complaint(org.junit.jupiter.api.function.Executable reading) {
    ConfigurationError e = assertThrows(ConfigurationError.class, reading);
    assertEquals(ConfigurationError.Code.BAD_POLICY, e.code());
    assertEquals(2, e.exitCode());
    return e.message();
  }

  private static ColumnSpec first(Policy policy) {
    return policy.table("t").orElseThrow().column("a").orElseThrow();
  }

  private static Policy.Failures failures(Object failures) {
    return PolicyReader.read(Map.of("failures", failures, "tables", Map.of())).failures();
  }

  @Test
  void failuresHaveALimit() {
    assertEquals(new Policy.Failures(3, Duration.ofHours(24)), withPrivacy(Map.of()).failures());
    assertEquals(
        new Policy.Failures(5, Duration.ofMinutes(30)),
        failures(Map.of("atMost", 5, "window", "30m")));
    assertEquals(new Policy.Failures(1, Duration.ofHours(24)), failures(Map.of("atMost", 1)));
    assertEquals(new Policy.Failures(3, Duration.ofDays(7)), failures(Map.of("window", "7d")));
    for (Object wrong :
        List.of(
            Map.of("atMost", 0),
            Map.of("atMost", -1),
            Map.of("atMost", 1001),
            Map.of("window", "0h"),
            Map.of("window", "24"),
            Map.of("window", 24),
            Map.of("window", "1.5h"),
            Map.of("most", 3),
            3)) {
      complaint(() -> failures(wrong));
    }
  }

  @Test
  void everyDeclarationIsRead() {
    Policy policy =
        PolicyReader.read(
            Map.of(
                "flexdp",
                1,
                "database",
                "jdbc:duckdb:",
                "privacy",
                Map.of(
                    "neighbors",
                    "replace-one",
                    "epsilon",
                    new BigDecimal("0.1"),
                    "delta",
                    new BigDecimal("1e-10"),
                    "budget",
                    Map.of("epsilon", 10, "delta", new BigDecimal("1e-8"), "composition", "zcdp"),
                    "thresholding",
                    new BigDecimal("1e-9"),
                    "maxLabels",
                    500),
                "tables",
                Map.of(
                    "trips",
                    Map.of(
                        "columns",
                        Map.of(
                            "id", Map.of("type", "bigint", "unique", true),
                            "driver", column("nullable", false, "maxFrequencyAtMost", 7),
                            "city", Map.of("type", "int", "references", "cities.id"),
                            "fare", Map.of("type", "decimal(9, 2)", "range", List.of(0, 500))),
                        "unique",
                        List.of(List.of("driver", "city")),
                        "maxFrequencyAtMost",
                        List.of(
                            Map.of("columns", List.of("city", "fare"), "maxFrequencyAtMost", 3))),
                    "cities",
                    Map.of("public", true, "columns", Map.of("id", Map.of("type", "integer"))))));
    Table trips = policy.table("trips").orElseThrow();
    assertEquals(Neighbors.REPLACE_ONE, policy.privacy().neighbors());
    assertEquals(new BigDecimal("0.1"), policy.privacy().epsilon().orElseThrow());
    assertEquals(Policy.Composition.ZCDP, policy.privacy().budget().orElseThrow().composition());
    assertEquals(500, policy.privacy().maxLabels());
    assertTrue(trips.isProtected());
    assertTrue(policy.table("cities").orElseThrow().isPublic());
    assertEquals(Type.decimal(9, 2), trips.column("fare").orElseThrow().type());
    assertEquals(Range.of(0, 500), trips.column("fare").orElseThrow().range().orElseThrow());
    assertFalse(trips.column("driver").orElseThrow().nullable());
    assertTrue(trips.uniqueKeys().containsAll(List.of(Set.of("id"), Set.of("driver", "city"))));
    assertTrue(
        trips.caps().contains(new Table.FrequencyCap(Set.of("driver"), BigInteger.valueOf(7))));
    assertTrue(
        trips
            .caps()
            .contains(new Table.FrequencyCap(Set.of("city", "fare"), BigInteger.valueOf(3))));
  }

  @Test
  void aTableIsProtectedAndAColumnNullableUnlessSaidOtherwise() {
    Policy policy = withColumn();
    assertTrue(policy.table("t").orElseThrow().isProtected());
    assertTrue(first(policy).nullable());
    assertEquals(Neighbors.ADD_REMOVE_ONE, policy.privacy().neighbors());
  }

  @ParameterizedTest
  @CsvSource({
    "tinyint,smallint",
    "smallint,smallint",
    "int,integer",
    "INTEGER,integer",
    "bigint,bigint",
    "double,double",
    "float,double",
    "real,double",
    "varchar(10),varchar",
    "text,varchar",
    "char(3),varchar",
    "string,varchar",
    "date,date",
    "timestamp,timestamp",
    "datetime,timestamp",
    "time,time",
    "boolean,boolean",
    "uuid,uuid",
    "opaque,opaque"
  })
  void typeNamesOfSeveralDatabasesAreKnown(String name, String type) {
    assertEquals(type, first(withColumn("type", name)).type().toString());
  }

  @Test
  void anUnknownTypeIsAnErrorThatNamesTheNearest() {
    String message = complaint(() -> withColumn("type", "bigin"));
    assertTrue(message.contains("Did you mean 'bigint'?"), message);
    assertTrue(message.startsWith("tables.t.columns.a.type: "), message);
    complaint(() -> withColumn("type", "decimal(99,1)"));
    complaint(() -> withColumn("type", "integer(3)"));
    complaint(() -> withColumn("type", "geometry"));
    complaint(() -> withColumn("type", "x".repeat(1_000_000)));
  }

  @Test
  void misspeltKeysAreErrorsThatNameTheNearest() {
    assertTrue(complaint(() -> withColumn("uniqe", true)).contains("Did you mean 'unique'?"));
    assertTrue(
        complaint(() -> withPrivacy(Map.of("epsilom", 1))).contains("Did you mean 'epsilon'?"));
    assertTrue(
        complaint(() -> withPrivacy(Map.of("neighbors", "replace-onee")))
            .contains("Did you mean 'replace-one'?"));
    assertTrue(
        complaint(() -> PolicyReader.read(Map.of("table", Map.of())))
            .contains("Did you mean 'tables'?"));
  }

  @Test
  void privacyParametersOutOfRangeAreErrors() {
    assertTrue(complaint(() -> withPrivacy(Map.of("epsilon", 0))).contains("must be > 0"));
    complaint(() -> withPrivacy(Map.of("epsilon", -1)));
    complaint(() -> withPrivacy(Map.of("epsilon", Double.NaN)));
    complaint(() -> withPrivacy(Map.of("epsilon", "0.1")));
    complaint(() -> withPrivacy(Map.of("epsilon", new BigDecimal("1e999999999"))));
    complaint(() -> withPrivacy(Map.of("delta", 1)));
    complaint(() -> withPrivacy(Map.of("delta", -1)));
    complaint(() -> withPrivacy(Map.of("thresholding", 0)));
    complaint(() -> withPrivacy(Map.of("thresholding", Map.of("delta", 0.1, "atLeast", 0))));
    complaint(() -> withPrivacy(Map.of("thresholding", Map.of("atLeast", 3))));
    complaint(() -> withPrivacy(Map.of("maxLabels", 0)));
    complaint(() -> withPrivacy(Map.of("budget", Map.of("epsilon", 1, "composition", "zcdp"))));
  }

  @Test
  void labelsAreOfTheClassOfTheirColumn() {
    assertEquals(
        Arrays.asList(new BigDecimal("10"), null),
        first(withColumn("domain", Arrays.asList(10, null))).domain().orElseThrow());
    assertEquals(
        List.of(LocalDate.of(2024, 1, 31)),
        first(withColumn("type", "date", "domain", List.of("2024-01-31"))).domain().orElseThrow());
    complaint(() -> withColumn("domain", List.of("ten")));
    complaint(() -> withColumn("type", "varchar", "domain", List.of(10)));
    complaint(() -> withColumn("type", "date", "domain", List.of("31.1.2024")));
  }

  @Test
  void datesAndTimestampsHaveRangesAsNumbers() {
    assertEquals(
        Range.of(0, 31),
        first(withColumn("type", "date", "range", List.of("1970-01-01", "1970-02-01")))
            .range()
            .orElseThrow());
    assertEquals(
        Range.of(0, 1_500_000),
        first(
                withColumn(
                    "type", "timestamp", "range", List.of("1970-01-01", "1970-01-01 00:00:01.5")))
            .range()
            .orElseThrow());
  }

  @Test
  void contradictionsAreErrors() {
    complaint(() -> withColumn("range", List.of(5, 1)));
    complaint(() -> withColumn("range", List.of(5)));
    complaint(() -> withColumn("type", "varchar", "range", List.of(1, 5)));
    complaint(() -> withColumn("domain", List.of(1, 1)));
    complaint(() -> withColumn("domain", List.of(1, new BigDecimal("1.0"))));
    complaint(() -> withColumn("domain", Arrays.asList(1, null), "nullable", false));
    complaint(() -> withColumn("domain", List.of(9), "range", List.of(1, 5)));
    complaint(() -> withColumn("references", "t.zzz"));
    complaint(() -> withColumn("references", "t.b"));
    complaint(() -> withColumn("references", "nowhere"));
    complaint(() -> withColumn("maxFrequencyAtMost", 0));
    complaint(() -> withColumn("unique", "yes"));
  }

  @Test
  void namesThatSqlCannotTellApartAreErrors() {
    Map<String, Object> both = Map.of("A", column(), "a", column());
    assertTrue(
        complaint(() -> PolicyReader.read(Map.of("tables", Map.of("t", Map.of("columns", both)))))
            .contains("differ in case only"));
  }

  @Test
  void keysNameColumnsThatExist() {
    Map<String, Object> columns = Map.of("driver", column());
    for (Object key : List.of(List.of(List.of("drivr")), List.of("driver"), List.of(List.of()))) {
      Map<String, Object> table = Map.of("columns", columns, "unique", key);
      complaint(() -> PolicyReader.read(Map.of("tables", Map.of("t", table))));
    }
  }

  @Test
  void whatIsNoPolicyAtAllIsAnError() {
    complaint(() -> PolicyReader.read(null));
    complaint(() -> PolicyReader.read(List.of()));
    complaint(() -> PolicyReader.read(Map.of()));
    complaint(() -> PolicyReader.read(Map.of("tables", Map.of("t", Map.of()))));
    complaint(() -> PolicyReader.read(Map.of(1, "x")));
    complaint(() -> PolicyReader.read(Map.of("flexdp", 2, "tables", Map.of())));
  }

  @Test
  void aTableIsLiveUnlessTheOwnerVouches() {
    assertEquals(Optional.empty(), vouched(Map.of()));
    assertEquals(Optional.empty(), vouched(Map.of("static", false)));
    assertEquals(Optional.of(BigInteger.ZERO), vouched(Map.of("static", true)));
    assertEquals(Optional.of(BigInteger.TEN), vouched(Map.of("insertsAtMost", 10)));
    assertThrows(
        ConfigurationError.class, () -> vouched(Map.of("static", true, "insertsAtMost", 10)));
    assertThrows(ConfigurationError.class, () -> vouched(Map.of("insertsAtMost", -1)));
  }

  private static Optional<BigInteger> vouched(Map<String, Object> keys) {
    Map<String, Object> table = new java.util.HashMap<>(keys);
    table.put("columns", Map.of("id", Map.of("type", "bigint")));
    return PolicyReader.read(Map.of("tables", Map.of("t", table)))
        .table("t")
        .orElseThrow()
        .insertsAtMost();
  }
}
