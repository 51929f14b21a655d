package flexdp.gateway.ledger.store;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore.AnswerRows;
import flexdp.gateway.ledger.store.LedgerStore.EntryRows;
import flexdp.gateway.pause.Pause;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import org.sqlite.BusyHandler;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteErrorCode;

/**
 * Entries in one SQLite file. Write-ahead log and synchronous=FULL: a commit is on disk when it
 * returns. BEGIN IMMEDIATE takes the write lock before the sums are read.
 */
public final class SqliteStore implements LedgerStore {
  /** What a ledger says whose entries go on elsewhere. */
  static final String MOVED = "this ledger was moved";

  private static final int VERSION = EntryRows.FORMAT;
  private static final int APPLICATION = 0x464c5844; // FLXD
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  /** Free bytes below which a disk counts as full before an entry has failed. */
  private static final long ROOM = 1 << 20;

  /** Pages of log between checkpoints. A short log is soon written in place: cheaper to sync. */
  private static final String CHECKPOINT = "200";

  private final Path path;
  private final Connection connection;
  private final Statement plain;
  private final Object file;
  private Optional<Rows> rows = Optional.empty();

  private SqliteStore(Path path, Connection connection) throws SQLException {
    this.path = path;
    this.connection = connection;
    this.plain = connection.createStatement();
    this.file = fileKey();
    prepareSchema();
  }

  /** Opens or creates the file. */
  public static SqliteStore open(Path path) {
    return open(path, PATIENCE);
  }

  public static SqliteStore open(Path path, Duration patience) {
    Connection connection = null;
    try {
      PrivateFiles.create(path);
      SQLiteConfig config = new SQLiteConfig();
      config.setBusyTimeout((int) patience.toMillis());
      config.setJournalMode(SQLiteConfig.JournalMode.WAL);
      config.setSynchronous(SQLiteConfig.SynchronousMode.FULL);
      config.setPragma(SQLiteConfig.Pragma.WAL_AUTOCHECKPOINT, CHECKPOINT);
      // Or the driver asks for the key of every row that it has written, which takes as long again.
      config.setGetGeneratedKeys(false);
      connection = config.createConnection("jdbc:sqlite:" + path.toAbsolutePath());
      BusyHandler.setHandler(connection, new SqliteBusyRetry(patience));
      return new SqliteStore(path, connection);
    } catch (IOException e) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_READ_ONLY,
          "The ledger " + path + " cannot be created.",
          RepairCommands.WRITABLE,
          e);
    } catch (SQLException e) {
      closeQuietly(connection);
      throw SqliteFaults.of(path.toString(), e);
    } catch (RuntimeException e) {
      closeQuietly(connection);
      throw e;
    }
  }

  private void prepareSchema() throws SQLException {
    plain.execute("BEGIN IMMEDIATE");
    int version = number("PRAGMA user_version");
    if (version > VERSION) {
      plain.execute("ROLLBACK");
      throw LedgerError.of(
          LedgerError.Code.LEDGER_NEWER,
          "The ledger " + path + " was written by a newer version of FlexDP.",
          RepairCommands.NEWER);
    }
    if (version == 0) {
      if (number("SELECT count(*) FROM sqlite_master") > 0) {
        plain.execute("ROLLBACK");
        throw RepairCommands.corrupt(path.toString(), "it is some other SQLite database");
      }
      plain.execute(
          "CREATE TABLE entry (seq INTEGER PRIMARY KEY, at INTEGER NOT NULL, previous TEXT NOT"
              + " NULL, hash TEXT NOT NULL, "
              + EntryRows.TEXT_COLUMNS
              + ") STRICT");
      for (String change : new String[] {"UPDATE", "DELETE"}) {
        plain.execute(
            "CREATE TRIGGER no_"
                + change
                + " BEFORE "
                + change
                + " ON entry BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END");
      }
      plain.execute("PRAGMA application_id = " + APPLICATION);
    } else if (version < VERSION) {
      for (String column : EntryRows.addedSince(version)) {
        plain.execute("ALTER TABLE entry ADD COLUMN " + column + " TEXT");
      }
    }
    if (version < VERSION) {
      plain.execute("PRAGMA user_version = " + VERSION);
    }
    plain.execute(AnswerRows.CREATE);
    plain.execute(AnswerRows.INDEX);
    plain.execute(AnswerRows.OWN_INDEX);
    plain.execute("COMMIT");
  }

  private int number(String query) throws SQLException {
    try (ResultSet rows = plain.executeQuery(query)) {
      return rows.next() ? rows.getInt(1) : 0;
    }
  }

  /** Whether SQLite itself finds the file sound. */
  public void checkPages() {
    try (ResultSet rows = plain.executeQuery("PRAGMA quick_check(1)")) {
      String found = rows.next() ? rows.getString(1) : "nothing";
      if (!found.equals("ok")) {
        throw RepairCommands.corrupt(path.toString(), "SQLite finds a broken page");
      }
    } catch (SQLException e) {
      throw SqliteFaults.of(path.toString(), e);
    }
  }

  /** Makes the store refuse to grow further, as a full disk would. For tests. */
  public void limitPages(int pages) throws SQLException {
    plain.execute("PRAGMA max_page_count = " + pages);
  }

  @Override
  public <T> T exclusively(Function<Session, T> work) {
    return within("BEGIN IMMEDIATE", work);
  }

  @Override
  public <T> T reading(Function<Session, T> work) {
    return within("BEGIN", work);
  }

  /** Identifies the file itself: a file that is removed or replaced under us must not be used. */
  private Object fileKey() {
    try {
      Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
      return key == null ? path : key;
    } catch (IOException e) {
      throw taken();
    }
  }

  private LedgerError taken() {
    return LedgerError.of(
        LedgerError.Code.LEDGER_MISSING,
        "The ledger " + path + " was taken away while it was in use.",
        RepairCommands.LOSS);
  }

  private <T> T within(String begin, Function<Session, T> work) {
    if (!fileKey().equals(file)) {
      throw taken();
    }
    boolean done = false;
    try {
      if (rows.isEmpty()) {
        rows =
            Optional.of(
                new Rows(
                    connection.prepareStatement(EntryRows.INSERT),
                    connection.prepareStatement(EntryRows.SELECT),
                    connection.prepareStatement(AnswerRows.INSERT)));
      }
      plain.execute(begin);
      if (!fileKey().equals(file)) {
        throw taken(); // while it was waited for
      }
      T result = work.apply(rows.get());
      plain.execute("COMMIT");
      done = true;
      return result;
    } catch (SQLException e) {
      throw SqliteFaults.of(path.toString(), e);
    } finally {
      if (!done) {
        // The driver closes statements whose execution fails; they are prepared anew.
        rows = Optional.empty();
        rollback();
      }
    }
  }

  private void rollback() {
    try {
      plain.execute("ROLLBACK");
    } catch (SQLException e) {
      // SQLite has rolled back already, as it does after a full disk or an I/O error.
    }
  }

  private final class Rows implements Session {
    private final PreparedStatement insert;
    private final PreparedStatement select;
    private final PreparedStatement keep;
    private final Map<String, PreparedStatement> lookups = new HashMap<>();

    private Rows(PreparedStatement insert, PreparedStatement select, PreparedStatement keep) {
      this.insert = insert;
      this.select = select;
      this.keep = keep;
    }

    @Override
    public void after(long seq, Consumer<LedgerEntry> reader) {
      try {
        select.setLong(1, seq);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            reader.accept(EntryRows.read(rows, path.toString()));
          }
        }
      } catch (SQLException e) {
        throw SqliteFaults.of(path.toString(), e);
      }
    }

    @Override
    public void append(LedgerEntry entry) {
      try {
        EntryRows.bind(insert, entry);
        insert.executeUpdate();
      } catch (SQLException e) {
        throw SqliteFaults.of(path.toString(), e);
      }
    }

    @Override
    public void keep(ReleasedAnswer answer, long reservation) {
      try {
        AnswerRows.bind(keep, answer, reservation);
        keep.executeUpdate();
      } catch (SQLException e) {
        throw SqliteFaults.of(path.toString(), e);
      }
    }

    @Override
    public void released(BiConsumer<ReleasedAnswer, Long> reader) {
      try {
        AnswerRows.all(connection, reader);
      } catch (SQLException e) {
        throw SqliteFaults.of(path.toString(), e);
      }
    }

    @Override
    public boolean isMoved() {
      try (Statement look = connection.createStatement();
          ResultSet rows =
              look.executeQuery("SELECT 1 FROM sqlite_master WHERE name = 'moved_elsewhere'")) {
        return rows.next();
      } catch (SQLException e) {
        throw SqliteFaults.of(path.toString(), e);
      }
    }

    @Override
    public void moved(boolean elsewhere) {
      try (Statement change = connection.createStatement()) {
        change.execute(
            elsewhere
                ? "CREATE TRIGGER moved_elsewhere BEFORE INSERT ON entry BEGIN SELECT RAISE(ABORT,"
                    + " '"
                    + MOVED
                    + "'); END"
                : "DROP TRIGGER IF EXISTS moved_elsewhere");
      } catch (SQLException e) {
        throw SqliteFaults.of(path.toString(), e);
      }
    }

    @Override
    public List<ReleasedAnswer> answers(String query, List<String> by) {
      try {
        PreparedStatement known = lookups.get(query);
        if (known == null) {
          known = connection.prepareStatement(query);
          lookups.put(query, known);
        }
        return AnswerRows.find(known, by);
      } catch (SQLException e) {
        throw SqliteFaults.of(path.toString(), e);
      }
    }
  }

  /** An entry and its pages need less; who else writes to the disk is not known. */
  @Override
  public void check() {
    try {
      if (!Files.isWritable(path)) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_READ_ONLY,
            "The ledger " + place() + " cannot be written.",
            RepairCommands.WRITABLE);
      }
      if (Files.getFileStore(path).getUsableSpace() < ROOM) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_FULL,
            "The disk of the ledger " + place() + " is full.",
            RepairCommands.SPACE);
      }
    } catch (IOException e) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_UNAVAILABLE,
          "The ledger " + place() + " cannot be looked at.",
          RepairCommands.STORE,
          e);
    }
  }

  @Override
  public String place() {
    return path.toString();
  }

  @Override
  public void close() {
    closeQuietly(connection);
  }

  private static void closeQuietly(Connection connection) {
    if (connection != null) {
      try {
        connection.close();
      } catch (SQLException e) {
        // Everything that was promised is on disk already.
      }
    }
  }

  /** What SQLite's errors mean to the owner. */
  private static final class SqliteFaults {
    /** As much as SQLite makes at once beside a ledger that it opens. */
    private static final long ROOM = 64 << 10;

    private SqliteFaults() {}

    static LedgerError of(String place, SQLException e) {
      // The primary code is the low byte; sqlite-jdbc gives either.
      SQLiteErrorCode code = SQLiteErrorCode.getErrorCode(e.getErrorCode() & 0xff);
      if (e.getMessage() != null && e.getMessage().contains(SqliteStore.MOVED)) {
        return RepairCommands.moved(place, Optional.of(e));
      }
      if (code == SQLiteErrorCode.SQLITE_FULL || isUnwritten(code) && isFull(place)) {
        return fault(
            LedgerError.Code.LEDGER_FULL,
            place,
            "cannot grow: the disk is full",
            RepairCommands.SPACE,
            e);
      }
      return switch (code) {
        case SQLITE_READONLY, SQLITE_CANTOPEN, SQLITE_PERM ->
            fault(
                LedgerError.Code.LEDGER_READ_ONLY,
                place,
                "cannot be written",
                RepairCommands.WRITABLE,
                e);
        case SQLITE_CORRUPT, SQLITE_NOTADB ->
            fault(LedgerError.Code.LEDGER_CORRUPT, place, "is damaged", RepairCommands.LOSS, e);
        case SQLITE_BUSY, SQLITE_LOCKED ->
            fault(
                LedgerError.Code.LEDGER_BUSY,
                place,
                "is held by another process",
                RepairCommands.BUSY,
                e);
        default ->
            fault(
                LedgerError.Code.LEDGER_UNAVAILABLE,
                place,
                "cannot be used",
                RepairCommands.STORE,
                e);
      };
    }

    /** Files beside the ledger that cannot be made are told of in these ways. */
    private static boolean isUnwritten(SQLiteErrorCode code) {
      return code == SQLiteErrorCode.SQLITE_IOERR || code == SQLiteErrorCode.SQLITE_CANTOPEN;
    }

    private static boolean isFull(String place) {
      try {
        return Files.getFileStore(Path.of(place)).getUsableSpace() < ROOM;
      } catch (IOException | InvalidPathException e) {
        return false;
      }
    }

    private static LedgerError fault(
        LedgerError.Code code, String place, String what, String repair, SQLException e) {
      return LedgerError.of(code, "The ledger " + place + " " + what + ".", repair, e);
    }
  }

  /**
   * Waits for the lock of another process by asking again every half millisecond. SQLite's own
   * waiting grows to a tenth of a second, in which a busy process takes the lock a hundred times.
   */
  private static final class SqliteBusyRetry extends BusyHandler {
    private static final Duration PAUSE = Duration.ofNanos(500_000);

    private final long most;
    private long since;

    SqliteBusyRetry(Duration most) {
      this.most = most.toNanos();
    }

    @Override
    protected int callback(int asked) {
      if (asked == 0) {
        since = System.nanoTime();
      }
      if (System.nanoTime() - since > most) {
        return 0;
      }
      Pause.briefly(PAUSE);
      return 1;
    }
  }
}
