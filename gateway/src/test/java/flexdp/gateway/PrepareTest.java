package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.database.Databases;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.json.AskLines;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Type;
import flexdp.sql.bind.ParameterTypes.Parameter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.Clock;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Questions with constants left open. */
class PrepareTest {
  @TempDir static Path folder;
  private static FlexDp flexdp;

  @BeforeAll
  static void open() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(200, 7).create(file);
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + file));
    Policy read = PolicyReader.read(TextFiles.tree(policy, Code.BAD_POLICY));
    try (Connection connection = Databases.readOnly(read.database().orElseThrow())) {
      Collector collector =
          new Collector(read, RequiredFrequencies.of(read), Progress.NONE, Clock.systemUTC());
      MetricsFile.write(MetricsFile.beside(policy), read, collector.collect(connection), Map.of());
    }
    flexdp = FlexDp.open(policy);
  }

  @AfterAll
  static void close() {
    flexdp.close();
  }

  private static BigDecimal spent() {
    return flexdp.ledger().standing(new Account.Table("trips")).spent().epsilon();
  }

  private static List<Type> types(String sql) {
    return flexdp.prepare(sql).parameters().stream().map(Parameter::type).toList();
  }

  private static String count(String condition) {
    return "SELECT COUNT(*) FROM trips WHERE " + condition;
  }

  @Test
  void preparingSaysColumnsAndTypesAndCostsNothing() {
    BigDecimal before = spent();
    ParameterizedQuery question =
        flexdp.prepare(
            "SELECT status, COUNT(*) AS n FROM trips WHERE fare > :least AND requested_at >= :since"
                + " GROUP BY status HAVING COUNT(*) > :n");
    assertEquals(
        List.of("status", "n"),
        question.columns().stream().map(column -> column.column().name()).toList());
    assertEquals(
        List.of("least", "since", "n"),
        question.parameters().stream().map(Parameter::name).toList());
    assertEquals(Type.Kind.DECIMAL, question.parameters().get(0).type().kind());
    assertEquals(Type.TIMESTAMP, question.parameters().get(1).type());
    assertEquals(Type.BIGINT, question.parameters().get(2).type());
    assertEquals(before, spent());
  }

  @Test
  void typesComeFromWhereParametersStand() {
    assertEquals(List.of(Type.BIGINT), types(count("driver_id = $1")));
    assertEquals(List.of(Type.BIGINT), types(count("$1 < driver_id")));
    assertEquals(List.of(Type.VARCHAR), types(count("status LIKE $1")));
    assertEquals(
        List.of(Type.VARCHAR, Type.VARCHAR), types(count("status IN ($1, 'completed', $2)")));
    assertEquals(List.of(Type.BIGINT, Type.BIGINT), types(count("id BETWEEN $1 AND $2")));
    assertEquals(List.of(Type.TIMESTAMP), types(count("requested_at < $1")));
    assertEquals(List.of(Type.DATE), types(count("CAST(requested_at AS date) = $1")));
    assertEquals(List.of(Type.DATE), types(count("requested_at < CAST($1 AS date)")));
    assertEquals(List.of(Type.INTEGER), types(count("id > $1::int")));
    assertEquals(List.of(Type.BOOLEAN), types(count("$1")));
    assertEquals(List.of(Type.VARCHAR), types(count("date_trunc($1, requested_at) IS NOT NULL")));
    assertEquals(List.of(Type.VARCHAR), types(count("requested_at + $1 < now()")));
    assertEquals(
        List.of(Type.BIGINT),
        types("SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2 LIMIT $1"));
    assertEquals(
        List.of(Type.BIGINT),
        types(
            "WITH d AS (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id)"
                + " SELECT COUNT(*) FROM d WHERE n > $1"));
    assertEquals(Type.Kind.DECIMAL, types("SELECT SUM(fare * $1) FROM trips").getFirst().kind());
    // The same parameter in two places, and one that stands nowhere.
    assertEquals(List.of(Type.BIGINT), types(count("id = $1 OR driver_id = $1")));
    assertEquals(List.of(Type.VARCHAR, Type.BIGINT), types(count("id = $2")));
  }

  @Test
  void everyConstantMayBeLeftOpen() {
    Map<String, Object> values = new HashMap<>();
    values.put("SELECT COUNT(*) FROM trips WHERE fare > %s", new BigDecimal("12.50"));
    values.put("SELECT COUNT(*) FROM trips WHERE fare > %s - 1", -3);
    values.put("SELECT COUNT(*) FROM trips WHERE NOT (fare > 3 -%s)", -2L);
    values.put("SELECT COUNT(*) FROM trips WHERE fare <> %s", 1.5e-3);
    values.put("SELECT COUNT(*) FROM trips WHERE status IN (%s, 'cancelled')", "completed");
    values.put("SELECT COUNT(*) FROM trips WHERE status NOT LIKE %s", "c%_'x");
    values.put("SELECT COUNT(*) FROM trips WHERE requested_at < %s", LocalDate.of(2024, 5, 1));
    values.put(
        "SELECT COUNT(*) FROM trips WHERE requested_at BETWEEN %s AND now()",
        LocalDateTime.of(2024, 5, 1, 10, 30));
    values.put("SELECT COUNT(*) FROM trips WHERE date_trunc(%s, requested_at) < now()", "month");
    values.put("SELECT COUNT(*) FROM trips WHERE CASE WHEN id > %s THEN TRUE ELSE FALSE END", 4);
    values.put("SELECT COUNT(*) FROM trips WHERE CASE WHEN id > 4 THEN %s ELSE FALSE END", true);
    values.put("SELECT COUNT(*) FROM trips WHERE round(fare, %s) = 5", 1);
    values.put("SELECT COUNT(*) FROM trips WHERE substring(status FROM 1 FOR %s) = 'c'", 1);
    values.put("SELECT COUNT(*) FROM trips WHERE coalesce(status, %s) = 'x'", "x");
    values.put("SELECT %s AS word, COUNT(*) FROM trips", "it's");
    values.put("SELECT COUNT(*) + %s FROM trips", 7);
    values.put("SELECT COUNT(CASE WHEN status = %s THEN 1 END) FROM trips", "completed");
    values.put("SELECT COUNT(*) FILTER (WHERE fare < %s) FROM trips", 9);
    values.put("SELECT SUM(CASE WHEN fare > %s THEN 1 ELSE 0 END) FROM trips", 9);
    values.put("SELECT status, COUNT(*) FROM trips GROUP BY status HAVING COUNT(*) > %s", 10);
    values.put("SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2 LIMIT %s", 2);
    values.put("SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 1 OFFSET %s", 1);
    values.put(
        "SELECT COUNT(*) FROM trips WHERE driver_id IN (SELECT id FROM drivers WHERE id > %s)", 3);
    for (Map.Entry<String, Object> each : values.entrySet()) {
      for (String parameter : List.of("$1", ":x")) {
        ParameterizedQuery question = flexdp.prepare(each.getKey().replace("%s", parameter));
        QueryRequest bound = question.bind(each.getValue());
        assertEquals(question.columns().size(), flexdp.columns(bound).size(), bound.sql());
        assertFalse(bound.sql().contains(parameter), bound.sql());
      }
    }
  }

  @Test
  void anAnswerWithTheConstantWrittenOutIsAnAnswer() {
    AnalystView written = flexdp.ask(count("status = 'completed' AND fare > 10.5"));
    ParameterizedQuery question = flexdp.prepare(count("status = :status AND fare > :least"));
    BigDecimal before = spent();
    AnalystView again =
        flexdp.ask(question.bind(Map.of("status", "completed", "least", new BigDecimal("10.5"))));
    assertTrue(again.repeat());
    assertEquals(written.rows(), again.rows());
    assertEquals(before, spent());
    assertTrue(flexdp.ask(question.parse(Map.of("status", "completed", "least", "10.5"))).repeat());
    assertFalse(flexdp.ask(question.bind("cancelled", 10)).repeat());
  }

  @Test
  void missingExtraAndMistypedValuesAreRefused() {
    ParameterizedQuery one = flexdp.prepare(count("id = $1 AND status = $2"));
    List<List<Object>> wrong =
        List.of(
            List.of(),
            List.of(1),
            List.of(1, "a", 2),
            List.of("1", "a"),
            List.of(1, 2),
            List.of(true, "a"),
            List.of(LocalDate.EPOCH, "a"),
            List.of(Double.NaN, "a"),
            List.of(Float.POSITIVE_INFINITY, "a"),
            List.of(new BigDecimal("1e1000000000"), "a"),
            List.of(new UUID(0, 0), "a"),
            List.of(1, new Object()));
    for (List<Object> values : wrong) {
      ConfigurationError refusal =
          assertThrows(ConfigurationError.class, () -> one.bind(values), values.toString());
      assertEquals(Code.BAD_REQUEST, refusal.code());
    }
    ParameterizedQuery named = flexdp.prepare(count("id = :id"));
    assertThrows(ConfigurationError.class, () -> named.bind(Map.of()));
    assertThrows(ConfigurationError.class, () -> named.bind(Map.of("ID", 1)));
    assertThrows(ConfigurationError.class, () -> named.bind(Map.of("id", 1, "other", 2)));
    assertThrows(ConfigurationError.class, () -> named.parse(Map.of("id", "1 OR 1=1")));
    assertThrows(
        ConfigurationError.class,
        () -> flexdp.prepare(count("requested_at < :t")).parse(Map.of("t", "yesterday")));
    assertThrows(
        ConfigurationError.class, () -> flexdp.prepare(count(":b")).parse(Map.of("b", "yes")));
  }

  @Test
  void linesOfRequestsCarryValues() throws Exception {
    String lines =
        """
        {"id": 1, "sql": "SELECT COUNT(*) FROM trips WHERE id > :i AND requested_at < :t",
        "parameters": {"i": 3, "t": "2016-05-01"}}
        {"id": 2, "sql": "SELECT COUNT(*) FROM trips WHERE id > $1", "parameters": {"1": null}}
        {"id": 3, "sql": "SELECT COUNT(*) FROM trips WHERE id > $1", "parameters": {"1": true}}
        {"id": 4, "sql": "SELECT COUNT(*) FROM trips WHERE id > $1", "parameters": {"2": 1}}
        {"id": 5, "sql": "SELECT COUNT(*) FROM trips WHERE id > $1", "parameters": {"1": [1]}}
        {"id": 6, "sql": "SELECT COUNT(*) FROM trips WHERE id > $1"}
        """
            .replace(",\n", ", ");
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new AskLines(flexdp::ask, flexdp::parse, flexdp::ask, flexdp::ask, flexdp.question(""), false)
        .run(new ByteArrayInputStream(lines.getBytes(StandardCharsets.UTF_8)), out);
    List<String> answers = out.toString(StandardCharsets.UTF_8).lines().toList();
    List<String> statuses = List.of("answered", "answered", "error", "error", "error", "rejected");
    for (int i = 0; i < statuses.size(); i++) {
      String status = "\"status\":\"" + statuses.get(i) + "\"";
      assertTrue(answers.get(i).contains(status), answers.get(i));
    }
  }

  @Test
  void longListsAreOfOneTypeAndTakeNoLongTime() {
    StringBuilder list = new StringBuilder("$1");
    for (int i = 2; i <= 5_000; i++) {
      list.append(", $").append(i);
    }
    String in = "id IN (" + list + ")";
    assertTimeoutPreemptively(
        Await.LIMIT, () -> assertEquals(Collections.nCopies(5_000, Type.BIGINT), types(count(in))));
    // Two types of many: what is not found in time is text, and a cast says more.
    String mixed = in + " AND status = $5001";
    assertTimeoutPreemptively(
        Await.LIMIT, () -> assertThrows(Rejection.class, () -> flexdp.prepare(count(mixed))));
    assertEquals(Type.BIGINT, types(count(mixed + "::varchar")).getFirst());
  }

  @Test
  void nullIsAValueOfEveryType() {
    for (String condition : List.of("id = $1", "status = $1", "requested_at < $1", "$1")) {
      ParameterizedQuery question = flexdp.prepare(count(condition));
      QueryRequest bound = question.bind(Arrays.asList((Object) null));
      assertTrue(bound.sql().contains("NULL"), bound.sql());
      assertEquals(1, flexdp.columns(bound).size());
    }
  }

  @Test
  void noValueChangesTheShapeOfAQuestion() {
    ParameterizedQuery question = flexdp.prepare(count("status = $1"));
    for (String value :
        List.of(
            "' OR '1'='1",
            "'; DROP TABLE trips; --",
            "\\' OR 1=1 --",
            "\\",
            "$1",
            ":x",
            "/*",
            "*/ OR TRUE --",
            "''",
            "\n--\n",
            "E'\\''",
            "\uFF07 OR 1=1",
            "a\r\nb")) {
      QueryRequest bound = question.bind(value);
      String quoted = "'" + value.replace("'", "''") + "'";
      boolean escaped = value.indexOf('\\') >= 0;
      String constant = escaped ? "E" + quoted.replace("\\", "\\\\") : quoted;
      assertEquals(count("status =  " + constant + " "), bound.sql());
      // No label is like these, so whatever is counted is nothing: the constant is one constant.
      assertEquals(1, flexdp.columns(bound).size());
      assertTrue(flexdp.explain(bound).operators().getFirst().startsWith("S-FILTER"));
    }
    assertThrows(Rejection.class, () -> flexdp.ask(question.bind("a\0b")));
    // Minus and minus would begin a comment.
    QueryRequest minus = flexdp.prepare(count("fare > 1 -$1 AND status = 'x'")).bind(-2);
    assertEquals(count("fare > 1 - (-2)  AND status = 'x'"), minus.sql());
    assertEquals(1, flexdp.columns(minus).size());
  }

  @Test
  void whatIsNoParameterStaysWhatItIs() {
    assertTrue(types(count("status = '$1' AND \"status\" <> ':a' -- $2 :b")).isEmpty());
    assertTrue(types(count("id > '7'::int /* :a */")).isEmpty());
    Rejection mixed =
        assertThrows(Rejection.class, () -> flexdp.prepare(count("id = $1 OR id = :a")));
    assertEquals(RejectionCode.SYNTAX, mixed.code());
    for (String sql : List.of("id = $0", "id = $99999999", "id = ?", "id = : a", "id = $a")) {
      Rejection refusal = assertThrows(Rejection.class, () -> flexdp.prepare(count(sql)), sql);
      assertEquals(RejectionCode.SYNTAX, refusal.code(), sql);
    }
    // Names are no constants.
    assertThrows(Rejection.class, () -> flexdp.prepare("SELECT COUNT(*) FROM $1"));
    assertThrows(
        Rejection.class, () -> flexdp.prepare("SELECT COUNT(*) FROM trips t WHERE t.$1 = 1"));
  }

  @Test
  void refusalsNameThePlaceInTheTextAsItWasWritten() {
    Rejection atOnce =
        assertThrows(
            Rejection.class,
            () -> flexdp.prepare("SELECT COUNT(*) FROM trips\nWHERE id = :id AND nothing = :b"));
    assertEquals(RejectionCode.UNKNOWN_COLUMN, atOnce.code());
    assertEquals(new Position(2, 20), atOnce.at().orElseThrow());
    ParameterizedQuery question =
        flexdp.prepare("SELECT COUNT(*) FROM trips\nWHERE status = $1 AND round(fare, $2) = 5");
    QueryRequest bound = question.bind("a\nb", new BigDecimal("1.5"));
    Rejection later = assertThrows(Rejection.class, () -> flexdp.ask(bound));
    assertEquals(RejectionCode.TYPE_MISMATCH, later.code());
    assertEquals(2, later.at().orElseThrow().line());
    assertEquals(35, later.at().orElseThrow().column());
  }

  @Test
  void aQuestionThatIsRefusedWhateverItsValuesIsRefusedWhenPrepared() {
    Rejection refusal =
        assertThrows(Rejection.class, () -> flexdp.prepare("SELECT fare FROM trips WHERE id = $1"));
    assertEquals(RejectionCode.RAW_ROWS, refusal.code());
    assertThrows(Rejection.class, () -> flexdp.prepare(count("id = $1 AND status = $1")));
    assertThrows(Rejection.class, () -> flexdp.ask(count("id = $1")));
  }
}
