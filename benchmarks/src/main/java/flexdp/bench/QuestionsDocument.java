package flexdp.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** docs/questions.md: the questions about the bank and the events, with their true answers. */
final class QuestionsDocument {
  /** DuckDB has no to_char; of its formats, those that the questions use. */
  static final String TO_CHAR =
      "CREATE MACRO to_char(moment, format) AS CASE format WHEN 'YYYY-MM' THEN"
          + " strftime(moment, '%Y-%m') WHEN 'Day' THEN rpad(strftime(moment, '%A'), 9, ' ') END";

  private static final String BEFORE =
      """
      # A hundred questions, with their true answers

      For people who want to know how useful answers are. Sixty questions about a made-up bank and forty about a shop's
      events, written as analysts write them for PostgreSQL before anybody looked at what FlexDP accepts.
      `./flexdp bench questions` fills a PostgreSQL server and asks every question five times. It says which are answered,
      near the truth, with an interval that can be shown, quick, and warned of; its dated files are
      `benchmarks/results/*-useful.md`. The questions are not to be changed so that they fare better.

      The data come from `BankData` and `EventsData` (seeded, the same everywhere). Policies and questions are in
      `benchmarks/src/main/resources/flexdp/bench/questions`. Below are the answers of the database itself at scale 1: to
      four digits where they are no whole numbers, of longer ones the first three rows. A test compares this page with the
      data.

      """;

  private QuestionsDocument() {}

  static String text(Path work) throws SQLException, IOException {
    StringBuilder text = new StringBuilder(BEFORE);
    for (QuestionSet set : List.of(QuestionSet.BANK, QuestionSet.EVENTS)) {
      try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
          Statement statement = connection.createStatement()) {
        statement.execute(TO_CHAR);
        statement.execute("SET default_null_order = 'postgres'");
        set.create(connection, work, 1);
        text.append("## ").append(set.title()).append("\n\n");
        text.append(Character.toUpperCase(set.about().charAt(0))).append(set.about().substring(1));
        text.append(".\n\n| | question | SQL | truth |\n|--:|---|---|---|\n");
        int number = 0;
        for (QuestionSet.Question question : set.questions()) {
          text.append("| ").append(++number);
          text.append(" | ").append(question.text());
          text.append(" | `").append(question.sql().replaceAll("\\s+", " "));
          text.append("` | ");
          text.append(TrueAnswer.of(connection, question.sql()).shown(question.isOrdered()));
          text.append(" |\n");
        }
        text.append('\n');
      }
    }
    return text.toString().stripTrailing() + "\n";
  }
}
