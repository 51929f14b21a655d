package flexdp.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Column;
import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryRequest;
import flexdp.policy.Type;
import flexdp.query.DpQuery.ResultColumn;
import flexdp.query.DpQuery.ResultColumn.Kind;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The questions that usefulness is measured by, their data and how an answer is judged. */
class QuestionsTest {
  private static final double SMALL = 0.01;

  @TempDir Path folder;

  @Test
  void theDocumentTellsTheTrueAnswers() throws Exception {
    Path document = Path.of("../docs/questions.md");
    String text = QuestionsDocument.text(folder);
    if (Boolean.getBoolean("flexdp.golden.write")) {
      Files.writeString(document, text);
    }
    assertEquals(Files.readString(document), text);
  }

  @Test
  void thereAreSixtyAndForty() {
    assertEquals(60, QuestionSet.BANK.questions().size());
    assertEquals(40, QuestionSet.EVENTS.questions().size());
  }

  /** Plainly each has an answer; asked privately, an answer or a refusal of the question. */
  @ParameterizedTest
  @EnumSource(QuestionSet.class)
  void everyQuestionIsSqlThatTheDatabaseAnswersAndTheParserReads(QuestionSet set) throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve("small.duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      set.create(connection, folder, SMALL);
      statement.execute(QuestionsDocument.TO_CHAR);
    }
    Path policy = folder.resolve("policy.yaml");
    AskedPolicy.write(set.policy(url), policy).collect(url, set.keys());
    int accepted = 0;
    try (Asking asking = new Asking(url, policy)) {
      for (QuestionSet.Question question : set.questions()) {
        assertFalse(TrueAnswer.of(asking.plain(), question.sql()).rows().isEmpty(), question.sql());
        try {
          asking.flexdp().explain(QueryRequest.of(question.sql(), "ann"));
          accepted++;
        } catch (Rejection e) {
          assertFalse(e.codeName().equals("SYNTAX"), question.sql() + ": " + e.message());
        }
      }
    }
    assertTrue(2 * accepted > set.questions().size(), accepted + " accepted");
  }

  /** What answers are compared with leaves out what they say they leave out. */
  @Test
  void everyQuestionAboutEventsCanBeAskedOfTheRowsThatNameAUser() {
    for (QuestionSet.Question question : QuestionSet.EVENTS.questions()) {
      String owned = question.ofOwnedRows();
      assertEquals(
          question.sql().split("FROM events", -1).length,
          owned.split("FROM events WHERE user_id IS NOT NULL", -1).length,
          owned);
    }
    assertEquals(
        "SELECT 1 FROM (SELECT * FROM events WHERE user_id IS NOT NULL) e WHERE 1 = 1",
        new QuestionSet.Question("", "SELECT 1 FROM events e WHERE 1 = 1").ofOwnedRows());
    assertEquals(
        "SELECT 1 FROM (SELECT * FROM events WHERE user_id IS NOT NULL) events WHERE 1 = 1",
        new QuestionSet.Question("", "SELECT 1 FROM events WHERE 1 = 1").ofOwnedRows());
  }

  private static AnalystView answer(Object... labelsAndNumbers) {
    List<List<Object>> rows = new ArrayList<>();
    List<List<Optional<AnalystView.Bar>>> bars = new ArrayList<>();
    for (int i = 0; i < labelsAndNumbers.length; i += 2) {
      BigDecimal number = BigDecimal.valueOf((int) labelsAndNumbers[i + 1]);
      rows.add(List.of(labelsAndNumbers[i], number));
      AnalystView.Bar bar =
          new AnalystView.Bar(number.subtract(BigDecimal.TEN), number.add(BigDecimal.TEN));
      bars.add(List.of(Optional.empty(), Optional.of(bar)));
    }
    List<ResultColumn> columns =
        List.of(
            new ResultColumn(new Column(1, "label", Type.VARCHAR, true), Kind.KEY, ""),
            new ResultColumn(new Column(2, "n", Type.BIGINT, false), Kind.AGGREGATE, "COUNT"));
    return new AnalystView(
        columns,
        rows,
        BigDecimal.ONE,
        BigDecimal.ZERO,
        "laplace",
        bars,
        false,
        List.of(),
        Optional.empty());
  }

  private static TrueAnswer truth(Object... labelsAndNumbers) {
    return new TrueAnswer(
        answer(labelsAndNumbers).rows().stream()
            .map(row -> row.stream().map(TrueAnswer::plain).toList())
            .toList());
  }

  @Test
  void cellsAreComparedByTheirLabels() {
    Cells cells = new Cells();
    cells.add(answer("b", 105, "a", 1000, "c", 220), truth("a", 1000, "b", 100, "c", 200), false);
    assertEquals(0.05, cells.error(), 1e-9);
    assertEquals(0.05, cells.width(), 1e-9);
    assertEquals(3, cells.bars());
    assertEquals(2, cells.covered());
  }

  @Test
  void rowsLeftOutAndRowsThatAreNotAreWrong() {
    Cells missing = new Cells();
    missing.add(answer("a", 100), truth("a", 100, "b", 100, "c", 100), false);
    assertEquals(1, missing.error());
    assertEquals("labels missing", missing.weakness());
    Cells invented = new Cells();
    invented.add(answer("a", 100, "x", 7, "y", 8), truth("a", 100), false);
    assertEquals("labels that are not", invented.weakness());
    Cells cutOff = new Cells();
    cutOff.add(answer("a", 100, "x", 7), truth("a", 100, "b", 90), true);
    assertEquals(1, cutOff.error());
    Cells empty = new Cells();
    empty.add(answer("a", 100, "x", 0), truth("a", 100), false);
    assertEquals(0, empty.error());
  }

  @Test
  void theReasonSaysWhatIsWeak() {
    Cells cut = new Cells();
    Cells noisy = new Cells();
    Cells wide = new Cells();
    for (int i = 0; i < 10; i++) {
      cut.add(answer("a", 1800 + i), truth("a", 2000), false);
      noisy.add(answer("a", i % 2 == 0 ? 1800 : 2200), truth("a", 2000), false);
      wide.add(answer("a", 20), truth("a", 20), false);
    }
    assertEquals("cap cuts off", cut.weakness());
    assertEquals("noise", noisy.weakness());
    assertEquals("wide interval", wide.weakness());
  }
}
