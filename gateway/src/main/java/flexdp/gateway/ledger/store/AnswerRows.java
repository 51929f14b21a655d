package flexdp.gateway.ledger.store;

import flexdp.gateway.ledger.entry.Entry;
import flexdp.gateway.ledger.entry.Fields;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/** Released answers as rows of a database. A row that is not what was written is no answer. */
public final class AnswerRows {
  /** So many of one family are looked through. */
  public static final int MOST_OF_A_FAMILY = 256;

  static final String CREATE =
      "CREATE TABLE IF NOT EXISTS released (key TEXT NOT NULL, family TEXT NOT NULL,"
          + " snapshot TEXT NOT NULL, analyst TEXT NOT NULL, reservation BIGINT NOT NULL,"
          + " mechanism TEXT NOT NULL, cost TEXT NOT NULL, body TEXT NOT NULL,"
          + " digest TEXT NOT NULL, PRIMARY KEY (key, snapshot, analyst, reservation))";
  static final String INDEX =
      "CREATE INDEX IF NOT EXISTS released_family ON released (family, snapshot, reservation)";

  static final String OWN_INDEX =
      "CREATE INDEX IF NOT EXISTS released_family_own"
          + " ON released (family, snapshot, analyst, reservation)";

  private static final String COLUMNS =
      "key, family, snapshot, analyst, reservation, mechanism, cost, body, digest";
  static final String INSERT =
      "INSERT INTO released ("
          + COLUMNS
          + ") VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
          + " ON CONFLICT DO NOTHING";
  static final String BY_KEY =
      "SELECT "
          + COLUMNS
          + " FROM released WHERE key = ? AND snapshot = ? ORDER BY reservation DESC";
  static final String BY_FAMILY =
      "SELECT "
          + COLUMNS
          + " FROM released WHERE family = ? AND snapshot = ? ORDER BY reservation DESC LIMIT "
          + MOST_OF_A_FAMILY;
  static final String BY_FAMILY_OF_ONE =
      "SELECT "
          + COLUMNS
          + " FROM released WHERE family = ? AND snapshot = ? AND analyst = ?"
          + " ORDER BY reservation DESC LIMIT "
          + MOST_OF_A_FAMILY;

  private AnswerRows() {}

  static void bind(PreparedStatement insert, ReleasedAnswer answer, long reservation)
      throws SQLException {
    String cost = Fields.text(answer.cost());
    insert.setString(1, answer.key());
    insert.setString(2, answer.family());
    insert.setString(3, answer.snapshot());
    insert.setString(4, answer.analyst());
    insert.setLong(5, reservation);
    insert.setString(6, answer.mechanism());
    insert.setString(7, cost);
    insert.setString(8, answer.body());
    insert.setString(9, digest(answer, reservation, cost));
  }

  static Optional<ReleasedAnswer> read(ResultSet rows) throws SQLException {
    try {
      String cost = rows.getString(7);
      ReleasedAnswer answer =
          new ReleasedAnswer(
              rows.getString(1),
              rows.getString(2),
              rows.getString(3),
              rows.getString(4),
              rows.getString(6),
              Fields.cost(cost),
              rows.getString(8));
      boolean intact = digest(answer, rows.getLong(5), cost).equals(rows.getString(9));
      return intact ? Optional.of(answer) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String digest(ReleasedAnswer answer, long reservation, String cost) {
    return Entry.digest(
        "flexdp-answer-2",
        answer.key(),
        answer.family(),
        answer.snapshot(),
        answer.analyst(),
        Long.toString(reservation),
        answer.mechanism(),
        cost,
        answer.body());
  }

  static void all(Connection connection, BiConsumer<ReleasedAnswer, Long> reader)
      throws SQLException {
    try (PreparedStatement select =
        connection.prepareStatement(
            "SELECT " + COLUMNS + " FROM released ORDER BY reservation, key, snapshot, analyst")) {
      select.setFetchSize(1_000);
      try (ResultSet rows = select.executeQuery()) {
        while (rows.next()) {
          long reservation = rows.getLong(5);
          read(rows).ifPresent(answer -> reader.accept(answer, reservation));
        }
      }
    }
  }

  static String byFamily(Optional<String> analyst) {
    return analyst.isPresent() ? BY_FAMILY_OF_ONE : BY_FAMILY;
  }

  static List<ReleasedAnswer> find(Connection connection, String query, List<String> by)
      throws SQLException {
    try (PreparedStatement select = connection.prepareStatement(query)) {
      return find(select, by);
    }
  }

  static List<ReleasedAnswer> find(PreparedStatement select, List<String> by) throws SQLException {
    List<ReleasedAnswer> found = new ArrayList<>();
    for (int i = 0; i < by.size(); i++) {
      select.setString(i + 1, by.get(i));
    }
    try (ResultSet rows = select.executeQuery()) {
      while (rows.next()) {
        read(rows).ifPresent(found::add);
      }
    }
    return found;
  }
}
