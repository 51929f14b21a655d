package flexdp.gateway.ledger.store;

import flexdp.gateway.ledger.entry.EntryFields;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.LedgerEntry.EntryField;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.entry.RepairCommands;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Where entries are kept. Used by one thread at a time; other processes may use the same place.
 *
 * <p>Every failure is a {@link flexdp.failure.LedgerError}; damage found in an entry is thrown as
 * such.
 */
public interface LedgerStore extends AutoCloseable {
  /** What a transaction may do. */
  interface Session {
    /** Hands over the entries after the given one, in order. */
    void after(long seq, Consumer<LedgerEntry> reader);

    void append(LedgerEntry entry);

    /** Keeps an answer that the reservation paid for. */
    void keep(ReleasedAnswer answer, long reservation);

    /** Answers for a key at a snapshot, newest first. */
    default List<ReleasedAnswer> find(String key, String snapshot) {
      return answers(AnswerRows.BY_KEY, List.of(key, snapshot));
    }

    /**
     * The newest answers about the same rows at a snapshot, newest first; of one analyst or all.
     */
    default List<ReleasedAnswer> family(String family, String snapshot, Optional<String> analyst) {
      return answers(
          AnswerRows.byFamily(analyst),
          Stream.concat(Stream.of(family, snapshot), analyst.stream()).toList());
    }

    /** Hands over all answers that are kept, each with the reservation that paid for it. */
    void released(BiConsumer<ReleasedAnswer, Long> reader);

    /** Whether the entries go on elsewhere: then none is taken here any more. */
    boolean isMoved();

    /** Says whether the entries go on elsewhere. */
    void moved(boolean elsewhere);

    /**
     * @param query one of {@link AnswerRows}
     * @param by its values
     */
    List<ReleasedAnswer> answers(String query, List<String> by);
  }

  /** Nobody else writes while it runs; when it returns, what it appended is on disk. */
  <T> T exclusively(Function<Session, T> work);

  /** One consistent view; appends nothing. */
  <T> T reading(Function<Session, T> work);

  /** Whether it could take an entry now, without writing one; otherwise it throws why. */
  void check();

  /** How long its users wait for a server that is away. */
  default void patience(Duration most) {}

  /** How messages call the place. */
  String place();

  @Override
  void close();

  /** Entries as rows of a database; the same columns in every store. */
  final class EntryRows {
    private static final EntryField[] FIELDS = EntryField.values();
    private static final String COLUMNS =
        "seq, at, previous, hash, "
            + Arrays.stream(FIELDS).map(EntryField::column).collect(Collectors.joining(", "));

    static final String INSERT =
        "INSERT INTO entry ("
            + COLUMNS
            + ") VALUES (?, ?, ?, ?"
            + ", ?".repeat(FIELDS.length)
            + ")";

    /** Which columns are filled, as bits: most are not, and asking for each of them takes long. */
    private static final String FILLED =
        IntStream.range(0, FIELDS.length)
            .mapToObj(
                i ->
                    "CASE WHEN " + FIELDS[i].column() + " IS NULL THEN 0 ELSE " + (1 << i) + " END")
            .collect(Collectors.joining(" + "));

    static final String SELECT =
        "SELECT " + COLUMNS + ", " + FILLED + " FROM entry WHERE seq > ? ORDER BY seq";
    static final String TEXT_COLUMNS =
        Arrays.stream(FIELDS).map(f -> f.column() + " TEXT").collect(Collectors.joining(", "));

    /** The format that is written; entries of earlier ones stay as they are. */
    static final int FORMAT = 3;

    /** Columns that entries of a format had not. */
    static List<String> addedSince(int format) {
      EntryField first = format == 1 ? EntryField.NEIGHBORS : EntryField.PARTS;
      return Arrays.stream(FIELDS)
          .filter(f -> format < FORMAT && f.compareTo(first) >= 0)
          .map(EntryField::column)
          .toList();
    }

    private EntryRows() {}

    static void bind(PreparedStatement insert, LedgerEntry entry) throws SQLException {
      insert.setLong(1, entry.seq());
      insert.setLong(2, LedgerEntry.micros(entry.at()));
      insert.setString(3, entry.previous());
      insert.setString(4, entry.hash());
      for (int i = 0; i < FIELDS.length; i++) {
        insert.setString(5 + i, entry.texts().get(FIELDS[i]));
      }
    }

    static LedgerEntry read(ResultSet rows, String place) throws SQLException {
      EnumMap<EntryField, String> fields = new EnumMap<>(EntryField.class);
      int filled = rows.getInt(5 + FIELDS.length);
      for (int i = 0; i < FIELDS.length; i++) {
        if ((filled >> i & 1) == 1) {
          fields.put(FIELDS[i], rows.getString(5 + i));
        }
      }
      long seq = rows.getLong(1);
      try {
        return LedgerEntry.stored(
            seq, rows.getLong(2), fields, rows.getString(3), rows.getString(4));
      } catch (IllegalArgumentException e) {
        throw RepairCommands.corrupt(place, "entry " + seq + " is not what was written");
      }
    }
  }

  /** Released answers as rows of a database. A row that is not what was written is no answer. */
  final class AnswerRows {
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
      String cost = EntryFields.text(answer.cost());
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
                EntryFields.cost(cost),
                rows.getString(8));
        boolean intact = digest(answer, rows.getLong(5), cost).equals(rows.getString(9));
        return intact ? Optional.of(answer) : Optional.empty();
      } catch (IllegalArgumentException e) {
        return Optional.empty();
      }
    }

    private static String digest(ReleasedAnswer answer, long reservation, String cost) {
      return LedgerEntry.digest(
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
              "SELECT "
                  + COLUMNS
                  + " FROM released ORDER BY reservation, key, snapshot, analyst")) {
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

    static List<ReleasedAnswer> find(PreparedStatement select, List<String> by)
        throws SQLException {
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
}
