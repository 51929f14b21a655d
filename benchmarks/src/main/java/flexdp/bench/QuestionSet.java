package flexdp.bench;

import flexdp.gateway.demo.Hospital;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Questions about one invented database in which people are protected. Those about the bank and the
 * events were written, as analysts write them for PostgreSQL, before looking at what is accepted;
 * they are not to be changed so that they are.
 */
enum QuestionSet {
  BANK("A bank", "40,000 customers with their accounts, transactions, loans and calls", ""),
  EVENTS("A shop's events", "one table, 20,000 users, a fifth of the rows without one", ""),
  HOSPITAL(
      "A hospital",
      "60,000 patients with their visits, diagnoses and labs; its questions are of every way that"
          + " a statement about people takes",
      "lab.visit_id,diagnosis.visit_id");

  private static final Pattern EVENTS_BY_NAME = Pattern.compile("FROM events(?: ([a-z])\\b)?");

  private final String title;
  private final String about;
  private final String keys;

  QuestionSet(String title, String about, String keys) {
    this.title = title;
    this.about = about;
    this.keys = keys;
  }

  /**
   * @param text what an analyst wants to know
   * @param sql how she asks a database that keeps nothing from her
   */
  record Question(String text, String sql) {
    /** Whether rows are left out by their numbers, so that others than the true ones may come. */
    boolean isCutOff() {
      return sql.contains(" LIMIT ");
    }

    /** The text over the rows that name a user, which are those that answers speak of. */
    String ofOwnedRows() {
      return EVENTS_BY_NAME
          .matcher(sql)
          .replaceAll(
              events ->
                  "FROM (SELECT * FROM events WHERE user_id IS NOT NULL) "
                      + Optional.ofNullable(events.group(1)).orElse("events"));
    }

    boolean isOrdered() {
      return sql.lastIndexOf("ORDER BY") > sql.lastIndexOf(')');
    }
  }

  String title() {
    return title;
  }

  String about() {
    return about;
  }

  /** Columns whose frequencies are measured beside those that the policy asks for. */
  String keys() {
    return keys;
  }

  private String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  List<Question> questions() {
    List<Question> all = new ArrayList<>();
    for (String block : resource(word() + ".sql").split(";\\s*(\\R|$)")) {
      String stripped = block.strip();
      if (!stripped.isEmpty()) {
        int end = stripped.indexOf('\n');
        all.add(
            new Question(
                stripped.substring("-- ".length(), end).strip(), stripped.substring(end).strip()));
      }
    }
    return all;
  }

  /** A policy that protects the people, for the database there. */
  String policy(String url) {
    return this == HOSPITAL
        ? Hospital.policy(url)
        : resource(word() + ".yaml").replace("DATABASE", url);
  }

  /**
   * Fills a database; tables of an earlier run are dropped.
   *
   * @param scale 1 for the size that the true answers are told of
   */
  void create(Connection connection, Path work, double scale) throws SQLException, IOException {
    if (this == HOSPITAL) {
      try (Statement statement = connection.createStatement()) {
        for (String table : Hospital.TABLES.reversed()) {
          statement.execute("DROP TABLE IF EXISTS " + table);
        }
      }
      int patients = (int) Math.max(1, Math.round(Hospital.DEFAULT_PATIENTS * scale));
      new Hospital(patients).create(connection);
      return;
    }
    try (CsvTables tables = new CsvTables(work)) {
      (this == BANK ? BankData.write(tables, scale) : EventsData.write(tables, scale))
          .load(connection);
    }
  }

  private static String resource(String name) {
    try (InputStream in = QuestionSet.class.getResourceAsStream("questions/" + name)) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
