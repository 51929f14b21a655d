package flexdp.gateway.agree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A database's own words mean what the database itself says: every function below the noise and
 * above it, row by row, with NULLs, ties, halves, ends of months, changes of clocks and letters
 * beyond ASCII; then asked as analysts ask, where ε leaves no noise. The gateway stands in another
 * zone than the database, and speaks another language.
 */
class AgreeTest {
  private static final int GIVEN = 2;
  private static final int TOGETHER = 12;
  private static final int SOME = Integer.getInteger("flexdp.agree.random", 60);

  /** Added to every seed: nights need not ask the same. */
  private static final long SEED = Long.getLong("flexdp.agree.seed", 0);

  private static final int MANY = Integer.getInteger("flexdp.agree.nightly", 50_000);

  /** Words that are asked, and what was wrong with them. */
  private record Looked(List<AgreeExprs.Some> askable, List<String> wrong) {
    Looked() {
      this(new ArrayList<>(), new ArrayList<>());
    }

    void at(AgreeExprs.Some some, Agreement agreement) {
      wrong.addAll(agreement.differences(some.text()));
      if (agreement.isAskable()) {
        askable.add(some);
      }
    }
  }

  /** Of every template, a few. */
  private static Looked given(Agreement agreement, InputDialect dialect, int most) {
    Looked looked = new Looked();
    AgreeExprs exprs = new AgreeExprs(2024);
    for (List<String> family : AgreeExprs.families()) {
      for (String template : family) {
        for (int i = 0; i < GIVEN && looked.wrong().size() < most; i++) {
          String expression = exprs.filled(template, 0);
          if (!Differences.isKnown(dialect, expression)) {
            looked.at(new AgreeExprs.Some(family, expression), agreement);
          }
        }
      }
    }
    for (String column : List.of("i", "x", "c", "e", "ts", "d")) {
      looked.wrong().addAll(agreement.orderings(column));
      looked.wrong().addAll(agreement.orderings(column + " DESC"));
    }
    for (String aggregate : AgreeExprs.AGGREGATES) {
      for (String condition : List.of("id < 0", "id = 2", "id = 5", "id < 9", "id > 0")) {
        looked.wrong().addAll(agreement.aggregated(aggregate, condition));
      }
    }
    return looked;
  }

  private static void agrees(AgreeTestBed ground, int random, int least) throws Exception {
    try (Agreement agreement = new Agreement(ground)) {
      Looked looked = given(agreement, ground.wording(), 1_000);
      AgreeExprs exprs = new AgreeExprs(31 + SEED);
      for (int i = 0; i < random; i++) {
        AgreeExprs.Some some = exprs.any(2);
        if (!Differences.isKnown(ground.wording(), some.text())) {
          looked.at(some, agreement);
        }
      }
      List<String> wrong = looked.wrong();
      said(agreement.summary());
      assertTrue(agreement.agreed() >= least, agreement.summary());
      asks(ground, agreement, looked.askable(), random, wrong);
      assertEquals("", String.join("\n", wrong));
    }
  }

  /** Asks the expressions as analysts do, and questions of groups. */
  private static void asks(
      AgreeTestBed ground,
      Agreement agreement,
      List<AgreeExprs.Some> askable,
      int random,
      List<String> wrong)
      throws Exception {
    InputDialect dialect = ground.wording();
    List<String> aggregates = new ArrayList<>();
    for (AgreeExprs.Some some : askable) {
      if (!Differences.isUncounted(dialect, some.text())) {
        aggregates.addAll(AgreeExprs.aggregates(some, dialect));
      }
    }
    AgreeExprs above = AgreeExprs.above(77 + SEED);
    for (int i = 0; i < 100 + random / 2; i++) {
      String expression = above.aboveNoise(1);
      if (!Differences.isKnown(dialect, expression)) {
        aggregates.add(expression);
      }
    }
    try (AskedAgreement asked =
        new AskedAgreement(
            dialect.word(),
            AgreeTable.text(false),
            ground.asked(AgreeTable::create),
            agreement.own())) {
      for (int i = 0; i < aggregates.size(); i += TOGETHER) {
        wrong.addAll(
            asked.together(aggregates.subList(i, Math.min(aggregates.size(), i + TOGETHER))));
      }
      for (String sql : AgreeExprs.GROUPS) {
        wrong.addAll(asked.whole(sql));
      }
      said(asked.summary());
      assertTrue(!wrong.isEmpty() || asked.agreed() >= 300, asked.summary());
    }
  }

  private static void said(String summary) {
    if (System.getProperty("flexdp.agree.said") != null) {
      System.err.println(summary);
    }
  }

  @Test
  void duckDbSaysTheSame() throws Exception {
    try (Elsewhere ignored = new Elsewhere("Pacific/Kiritimati", "tr-TR")) {
      agrees(new AgreeTestBed.Duck(), SOME, 2_000);
    }
  }

  @Test
  void sqliteSaysTheSame() throws Exception {
    try (Elsewhere ignored = new Elsewhere("America/New_York", "th-TH-u-nu-thai")) {
      agrees(new AgreeTestBed.Lite(), SOME, 2_000);
    }
  }

  @Test
  void postgreSqlSaysTheSame() throws Exception {
    try (Elsewhere ignored = new Elsewhere("Asia/Kathmandu", "ar-EG")) {
      agrees(new AgreeTestBed.Postgres(), SOME, 2_000);
    }
  }

  @Test
  void mariaDbSaysTheSame() throws Exception {
    try (Elsewhere ignored = new Elsewhere("America/New_York", "tr-TR")) {
      agrees(new AgreeTestBed.Maria(), SOME, 2_000);
    }
  }

  @Test
  @Tag("nightly")
  void duckDbSaysTheSameAllNight() throws Exception {
    try (Elsewhere ignored = new Elsewhere("America/New_York", "ar-EG")) {
      agrees(new AgreeTestBed.Duck(), MANY, 2 * MANY);
    }
  }

  @Test
  @Tag("nightly")
  void sqliteSaysTheSameAllNight() throws Exception {
    try (Elsewhere ignored = new Elsewhere("Asia/Kathmandu", "tr-TR")) {
      agrees(new AgreeTestBed.Lite(), MANY, 2 * MANY);
    }
  }

  @Test
  @Tag("nightly")
  void postgreSqlSaysTheSameAllNight() throws Exception {
    try (Elsewhere ignored = new Elsewhere("America/New_York", "tr-TR")) {
      agrees(new AgreeTestBed.Postgres(), MANY, 2 * MANY);
    }
  }

  @Test
  @Tag("nightly")
  void mariaDbSaysTheSameAllNight() throws Exception {
    try (Elsewhere ignored = new Elsewhere("Pacific/Kiritimati", "th-TH-u-nu-thai")) {
      agrees(new AgreeTestBed.Maria(), MANY, 2 * MANY);
    }
  }

  /** Moments around now, by the clock of the server, wherever the gateway and the server stand. */
  @Test
  void nowIsNowInEveryZone() throws Exception {
    List<String> wrong = new ArrayList<>();
    try (AgreeTestBed postgres = new AgreeTestBed.Postgres();
        AgreeTestBed maria = new AgreeTestBed.Maria()) {
      List<String> zones =
          List.of("UTC", "Pacific/Kiritimati", "America/New_York", "Asia/Kathmandu");
      for (int i = 0; i < zones.size(); i++) {
        try (Elsewhere ignored = new Elsewhere(zones.get(i), "en-US")) {
          String server = zones.get((i + 1) % zones.size());
          postgres.standIn(server);
          maria.standIn(server);
          wrong.addAll(now(postgres, "TIMESTAMPTZ", "NOW() + h * INTERVAL '1' HOUR"));
          wrong.addAll(now(maria, "TIMESTAMP(6)", "NOW() + INTERVAL h HOUR"));
        } finally {
          maria.standIn("");
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
  }

  private static List<String> now(AgreeTestBed ground, String type, String moment)
      throws Exception {
    List<String> wrong = new ArrayList<>();
    String policy =
        """
        privacy: {epsilon: 10000, delta: 1e-9, budget: {epsilon: 1000000000}}
        tables:
          t:
            columns:
              h: {type: integer, range: [-20, 20]}
              tz: {type: timestamp}
        """;
    try (Connection own = ground.writer();
        Statement statement = own.createStatement()) {
      ground.inUtc(own);
      statement.execute("DROP TABLE IF EXISTS t");
      statement.execute("CREATE TABLE t (h INTEGER, tz " + type + ")");
      for (int h : new int[] {-15, -13, -7, -3, -1, 1, 3, 7, 13, 15}) {
        statement.execute("INSERT INTO t SELECT h, " + moment + " FROM (SELECT " + h + " AS h) z");
      }
      try (AskedAgreement asked =
          new AskedAgreement(ground.wording().word(), policy, ground.url(), own)) {
        for (String hours : List.of("-14", "-5", "-2", "0", "2", "5", "14")) {
          wrong.addAll(
              asked.whole(
                  "SELECT COUNT(*) FROM t WHERE tz > NOW() + INTERVAL '" + hours + "' HOUR"));
        }
        wrong.addAll(asked.whole("SELECT SUM(h) FROM t WHERE tz < CURRENT_TIMESTAMP"));
        wrong.addAll(asked.whole("SELECT SUM(EXTRACT(HOUR FROM tz)) FROM t"));
        assertEquals(9, asked.agreed() + wrong.size(), asked.summary());
      }
    }
    return wrong;
  }

  /** Whole questions; and where people own the rows, so few each that noise cuts nobody off. */
  private static void asksWhole(AgreeTestBed ground, int rows, int people) throws Exception {
    List<String> wrong = new ArrayList<>();
    try (ground;
        Connection own = ground.writer()) {
      ground.inUtc(own);
      AgreeQuestions.create(ground, own);
      String url = ground.asked(AgreeQuestions::create);
      for (boolean byPeople : new boolean[] {false, true}) {
        String policy =
            Files.readString(
                Path.of("src/test/resources/agree", byPeople ? "people.yaml" : "rows.yaml"));
        int count = byPeople ? people : rows;
        try (AskedAgreement asked = new AskedAgreement(ground.wording().word(), policy, url, own)) {
          if (byPeople) {
            asked.ofPeople();
          }
          for (String sql : AgreeQuestions.some(ground.wording(), 8 + SEED, count, byPeople)) {
            wrong.addAll(asked.whole(sql));
          }
          said(asked.summary());
          assertTrue(asked.agreed() + wrong.size() >= count / 2, asked.summary());
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
  }

  /** Words of seven dialects, of which most have no engine here: DuckDB is asked in its own. */
  @Test
  void everyDialectIsReadAsItsAnalystsMeanIt() throws Exception {
    String given = Files.readString(Path.of("src/test/resources/agree/analysts.txt"));
    String policy = Files.readString(Path.of("src/test/resources/agree/rows.yaml"));
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    try (AgreeTestBed ground = new AgreeTestBed.Duck();
        Connection own = ground.writer()) {
      AgreeQuestions.create(ground, own);
      String url = ground.asked(AgreeQuestions::create);
      for (String dialect :
          List.of("tsql", "bigquery", "snowflake", "trino", "mysql", "sqlite", "postgresql")) {
        try (AskedAgreement agreement =
            new AskedAgreement(dialect, "sqlDialect: " + dialect + "\n" + policy, url, own)) {
          for (String some :
              given.lines().skip(1).collect(Collectors.joining("\n")).split("\n\n")) {
            String[] lines = some.strip().split("\n");
            if (lines[0].equals(dialect)) {
              wrong.addAll(agreement.whole(lines[1], lines[2]));
              asked++;
            }
          }
          said(agreement.summary());
          if (agreement.left() > 0) {
            wrong.add(agreement.summary());
          }
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertTrue(asked >= 44, "asked " + asked);
  }

  /** What analysts and their tools ask of a shop, each in the words of its database. */
  @Test
  void aShopIsAskedInTheWordsOfItsDatabase() throws Exception {
    List<String> given =
        Files.readAllLines(Path.of("src/test/resources/agree/shop.txt")).stream().skip(1).toList();
    String policy = Files.readString(Path.of("src/test/resources/agree/shop.yaml"));
    List<String> wrong = new ArrayList<>();
    int asked = 0;
    for (AgreeTestBed ground :
        List.of(
            new AgreeTestBed.Duck(),
            new AgreeTestBed.Lite(),
            new AgreeTestBed.Postgres(),
            new AgreeTestBed.Maria())) {
      boolean duck = ground.wording() == InputDialect.DUCKDB;
      try (Elsewhere ignored =
              new Elsewhere(duck ? "America/New_York" : "Asia/Kathmandu", "tr-TR");
          ground;
          Connection own = ground.writer()) {
        ground.inUtc(own);
        AgreeShop.create(ground, own);
        String url = ground.asked(AgreeShop::create);
        List<String> dialects =
            duck
                ? List.of("duckdb", "tsql", "bigquery", "snowflake")
                : List.of(ground.wording().word());
        for (String dialect : dialects) {
          try (AskedAgreement agreement =
              new AskedAgreement(dialect, "sqlDialect: " + dialect + "\n" + policy, url, own)) {
            for (String line : given) {
              String[] cells = line.split("\t");
              if (List.of(cells[0].split(" ")).contains(dialect)) {
                wrong.addAll(agreement.whole(cells[1], cells[cells.length - 1]));
                asked++;
              }
            }
            said(agreement.summary());
            if (agreement.left() > 0) {
              wrong.add(agreement.summary());
            }
          }
        }
      }
    }
    assertEquals("", String.join("\n", wrong));
    assertTrue(asked >= 700, "asked " + asked);
  }

  private static final int WHOLE = Integer.getInteger("flexdp.agree.whole", 50_000);

  @Test
  void duckDbAnswersWholeQuestions() throws Exception {
    try (Elsewhere ignored = new Elsewhere("Asia/Kathmandu", "th-TH-u-nu-thai")) {
      asksWhole(new AgreeTestBed.Duck(), 150, 60);
    }
  }

  @Test
  void sqliteAnswersWholeQuestions() throws Exception {
    try (Elsewhere ignored = new Elsewhere("Pacific/Kiritimati", "ar-EG")) {
      asksWhole(new AgreeTestBed.Lite(), 150, 60);
    }
  }

  @Test
  void postgreSqlAnswersWholeQuestions() throws Exception {
    try (Elsewhere ignored = new Elsewhere("America/New_York", "tr-TR")) {
      asksWhole(new AgreeTestBed.Postgres(), 150, 60);
    }
  }

  @Test
  void mariaDbAnswersWholeQuestions() throws Exception {
    try (Elsewhere ignored = new Elsewhere("Asia/Kathmandu", "ar-EG")) {
      asksWhole(new AgreeTestBed.Maria(), 150, 60);
    }
  }

  @Test
  @Tag("nightly")
  void duckDbAnswersWholeQuestionsAllNight() throws Exception {
    asksWhole(new AgreeTestBed.Duck(), WHOLE, WHOLE / 10);
  }

  @Test
  @Tag("nightly")
  void sqliteAnswersWholeQuestionsAllNight() throws Exception {
    asksWhole(new AgreeTestBed.Lite(), WHOLE, WHOLE / 10);
  }

  @Test
  @Tag("nightly")
  void postgreSqlAnswersWholeQuestionsAllNight() throws Exception {
    asksWhole(new AgreeTestBed.Postgres(), WHOLE, WHOLE / 10);
  }

  @Test
  @Tag("nightly")
  void mariaDbAnswersWholeQuestionsAllNight() throws Exception {
    asksWhole(new AgreeTestBed.Maria(), WHOLE, WHOLE / 10);
  }

  /** What a database would say of a stored type, and FlexDP does not, stands beside the answer. */
  @Test
  void columnsThatAreReadOtherwiseAreNamed() throws Exception {
    String reals = "x is compared as the double that it is";
    named(new AgreeTestBed.Duck(), "x REAL", "{type: double, range: [0, 1]}", "x = 0.1", reals);
    named(new AgreeTestBed.Duck(), "x DOUBLE", "{type: double, range: [0, 1]}", "x = 0.1", "");
    String text = "{type: varchar}";
    String bytes = "x is compared by its bytes, not by its collation";
    named(new AgreeTestBed.Maria(), "x VARCHAR(9)", text, "x = 'A'", bytes);
    named(
        new AgreeTestBed.Maria(),
        "x VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_bin",
        text,
        "x = 'A'",
        bytes);
    named(
        new AgreeTestBed.Maria(),
        "x VARCHAR(9) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin",
        text,
        "x = 'A'",
        "");
    named(new AgreeTestBed.Maria(), "x INTEGER", "{type: integer}", "x = 1", "");
  }

  private static void named(
      AgreeTestBed ground, String column, String declared, String condition, String note)
      throws Exception {
    String policy =
        "privacy: {epsilon: 10000, delta: 1e-9, budget: {epsilon: 1000000000}}\n"
            + "tables: {t: {columns: {id: {type: integer}, x: "
            + declared
            + "}}}\n";
    AgreeTestBed.Rows rows =
        (some, writer) -> {
          try (Statement statement = writer.createStatement()) {
            statement.execute("DROP TABLE IF EXISTS t");
            statement.execute("CREATE TABLE t (id INTEGER, " + column + ")");
          }
        };
    try (ground;
        Connection own = ground.writer()) {
      rows.create(ground, own);
      try (AskedAgreement asked =
          new AskedAgreement(ground.wording().word(), policy, ground.asked(rows), own)) {
        assertEquals(note, asked.noted("SELECT COUNT(*) FROM t WHERE " + condition));
        assertEquals("", asked.noted("SELECT COUNT(*) FROM t"));
      }
    }
  }

  @Test
  void everyDifferenceStandsInTheDocument() throws Exception {
    String page = Files.readString(Path.of("../docs/dialects.md"));
    for (Differences.Known known : Differences.ALL) {
      assertTrue(page.contains(known.sentence()), known.sentence());
    }
  }

  /** Each dialect's own sense of a spelling is taken away from the table, and that is noticed. */
  @Test
  @Tag("nightly")
  void everyRowOfTheTableIsFoundWhereADatabaseReadsIt() throws Exception {
    List<String> missed = new ArrayList<>();
    for (AgreeTestBed ground :
        List.of(
            new AgreeTestBed.Duck(),
            new AgreeTestBed.Lite(),
            new AgreeTestBed.Postgres(),
            new AgreeTestBed.Maria())) {
      try (Agreement agreement = new Agreement(ground)) {
        for (DialectSpelling spelling : DialectSpelling.values()) {
          if (isOwn(spelling, ground.wording())
              && !UNSEEN.contains(spelling)
              && without(spelling, agreement, ground.wording()).isEmpty()) {
            missed.add(ground.wording() + " " + spelling);
          }
        }
      }
    }
    assertEquals(List.of(), missed);
  }

  /**
   * What decimals are without digits is a known difference where they are too small. What a text
   * that is no plain number becomes is NULL here where PostgreSQL fails.
   */
  private static final Set<DialectSpelling> UNSEEN =
      Set.of(DialectSpelling.DECIMAL, DialectSpelling.TEXT_TO_WHOLE);

  private static boolean isOwn(DialectSpelling spelling, InputDialect dialect) {
    return spelling.in(dialect) != spelling.in(InputDialect.GENERAL);
  }

  /** The table has no way to be changed but this one. */
  private static List<String> without(
      DialectSpelling spelling, Agreement agreement, InputDialect dialect)
      throws ReflectiveOperationException {
    Field others = DialectSpelling.class.getDeclaredField("others");
    others.setAccessible(true);
    Object before = others.get(spelling);
    agreement.forget();
    others.set(spelling, List.of());
    try {
      return given(agreement, dialect, 1).wrong();
    } finally {
      others.set(spelling, before);
    }
  }
}
