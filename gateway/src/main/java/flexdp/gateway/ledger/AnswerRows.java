package flexdp.gateway.ledger;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Optional;

/** Released answers as rows of a database. A row that is not what was written is no answer. */
final class AnswerRows {
  static final String CREATE =
      "CREATE TABLE IF NOT EXISTS answer (key TEXT NOT NULL, snapshot TEXT NOT NULL,"
          + " analyst TEXT NOT NULL, reservation BIGINT NOT NULL, mechanism TEXT NOT NULL,"
          + " cost TEXT NOT NULL, body TEXT NOT NULL, digest TEXT NOT NULL,"
          + " PRIMARY KEY (key, snapshot, analyst, reservation))";
  static final String INSERT =
      "INSERT INTO answer (key, snapshot, analyst, reservation, mechanism, cost, body, digest)"
          + " VALUES (?, ?, ?, ?, ?, ?, ?, ?)";
  static final String SELECT =
      "SELECT key, snapshot, analyst, reservation, mechanism, cost, body, digest FROM answer"
          + " WHERE key = ? AND snapshot = ?";

  private AnswerRows() {}

  static void bind(PreparedStatement insert, ReleasedAnswer answer, long reservation)
      throws SQLException {
    String cost = Fields.text(answer.cost());
    insert.setString(1, answer.key());
    insert.setString(2, answer.snapshot());
    insert.setString(3, answer.analyst());
    insert.setLong(4, reservation);
    insert.setString(5, answer.mechanism());
    insert.setString(6, cost);
    insert.setString(7, answer.body());
    insert.setString(8, digest(answer, reservation, cost));
  }

  static Optional<ReleasedAnswer> read(ResultSet rows) throws SQLException {
    try {
      String cost = rows.getString(6);
      ReleasedAnswer answer =
          new ReleasedAnswer(
              rows.getString(1),
              rows.getString(2),
              rows.getString(3),
              rows.getString(5),
              Fields.cost(cost),
              rows.getString(7));
      boolean intact = digest(answer, rows.getLong(4), cost).equals(rows.getString(8));
      return intact ? Optional.of(answer) : Optional.empty();
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  private static String digest(ReleasedAnswer answer, long reservation, String cost) {
    return Entry.digest(
        "flexdp-answer-1",
        answer.key(),
        answer.snapshot(),
        answer.analyst(),
        Long.toString(reservation),
        answer.mechanism(),
        cost,
        answer.body());
  }
}
