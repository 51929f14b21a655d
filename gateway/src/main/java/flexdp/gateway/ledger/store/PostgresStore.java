package flexdp.gateway.ledger.store;

import flexdp.failure.LedgerError;
import flexdp.gateway.catalog.OwnSchema;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore.AnswerRows;
import flexdp.gateway.ledger.store.LedgerStore.EntryRows;
import flexdp.gateway.pause.Breaker;
import flexdp.gateway.pause.Pause;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Entries in a PostgreSQL database that several gateways share. The table's lock is taken before
 * the sums are read, and commits wait for the disk whatever the server's default is.
 */
public final class PostgresStore implements LedgerStore {
  private static final String FORMATS = "flexdp-ledger-";
  private static final String FORMAT = FORMATS + EntryRows.FORMAT;
  private static final int ROWS_AT_ONCE = 1000;
  private static final String LOGIN_SECONDS = "3";

  /** Longer than a lock is waited for. */
  private static final String SILENCE_SECONDS = "60";

  private static final Duration AGAIN = Duration.ofMillis(200);

  private final String url;
  private final Properties properties;
  private Optional<Connection> connected = Optional.empty();
  private Breaker breaker = new Breaker(Duration.ZERO);

  private PostgresStore(String url, Properties properties) {
    this.url = url;
    this.properties = properties;
  }

  /** Connects, and makes the schema {@code flexdp} when the database has none. */
  public static PostgresStore open(String url, Properties properties) {
    PostgresStore store = new PostgresStore(url, properties);
    try {
      store.prepareSchema();
      return store;
    } catch (SQLException e) {
      store.close();
      throw PostgresFaults.of(store.place(), e);
    } catch (RuntimeException e) {
      store.close();
      throw e;
    }
  }

  @Override
  public void patience(Duration most) {
    breaker = new Breaker(most);
  }

  @Override
  public void check() {
    reading(session -> null);
  }

  /** Waits for a server that is away, and after that tries now and then. */
  private Connection entered() throws SQLException {
    while (true) {
      if (!breaker.mayTry()) {
        throw new SQLTransientConnectionException("the server of the ledger is away");
      }
      try {
        Connection fresh = DriverManager.getConnection(url, limited());
        breaker.came();
        return fresh;
      } catch (SQLException e) {
        breaker.failed();
        if (breaker.isOpen() || Thread.currentThread().isInterrupted()) {
          throw e;
        }
        Pause.quietly(AGAIN);
      }
    }
  }

  /** A server that takes a connection and says nothing is away as well. The address may differ. */
  private Properties limited() {
    Properties limited = new Properties();
    limited.put("connectTimeout", LOGIN_SECONDS);
    limited.put("loginTimeout", LOGIN_SECONDS);
    limited.put("socketTimeout", SILENCE_SECONDS);
    limited.putAll(properties);
    return limited;
  }

  private Connection connection() throws SQLException {
    if (connected.isEmpty()) {
      Connection fresh = entered();
      connected = Optional.of(fresh);
      fresh.setAutoCommit(false);
      try (Statement statement = fresh.createStatement()) {
        statement.execute("SET synchronous_commit = on");
        statement.execute("SET lock_timeout = '30s'");
        statement.execute("SET search_path = flexdp");
      }
      if (text(fresh, "SHOW fsync").equals("off")) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_UNAVAILABLE,
            "The server of the ledger " + place() + " runs with fsync off and may lose charges.",
            "Turn fsync on in its postgresql.conf, then check: ./flexdp budget audit --policy"
                + " FILE");
      }
      fresh.commit();
    }
    return connected.get();
  }

  private void prepareSchema() throws SQLException {
    Connection connection = connection();
    try (Statement statement = connection.createStatement()) {
      // One gateway at a time, since IF NOT EXISTS alone may fail when two begin together.
      statement.execute("SELECT pg_advisory_xact_lock(hashtext('flexdp.entry'))");
      requireOwn(connection);
      if (text(connection, "SELECT coalesce(to_regclass('flexdp.entry')::text, '')").isEmpty()) {
        create(statement);
      }
      statement.execute(AnswerRows.CREATE);
      statement.execute(AnswerRows.INDEX);
      statement.execute(AnswerRows.OWN_INDEX);
      String format =
          text(
              connection,
              "SELECT coalesce(obj_description('flexdp.entry'::regclass, 'pg_class'), '')");
      if (format.equals(FORMATS + 1) || format.equals(FORMATS + 2)) {
        int before = Integer.parseInt(format.substring(FORMATS.length()));
        for (String column : EntryRows.addedSince(before)) {
          statement.execute("ALTER TABLE flexdp.entry ADD COLUMN " + column + " TEXT");
        }
        statement.execute("COMMENT ON TABLE flexdp.entry IS '" + FORMAT + "'");
      } else if (!format.equals(FORMAT)) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_NEWER,
            "The ledger " + place() + " was written by another version of FlexDP.",
            RepairCommands.NEWER);
      }
      connection.commit();
    }
  }

  private void requireOwn(Connection connection) throws SQLException {
    Optional<String> strange = OwnSchema.strange(StatementRunner.over(connection));
    if (strange.isPresent()) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_UNAVAILABLE,
          "The ledger " + place() + " is not opened: " + strange.get() + ".",
          OwnSchema.HINT);
    }
  }

  /** In a schema that was found to be ours, if there is one. */
  private static void create(Statement statement) throws SQLException {
    statement.execute("CREATE SCHEMA IF NOT EXISTS flexdp");
    statement.execute(
        "CREATE TABLE flexdp.entry (seq BIGINT PRIMARY KEY, at BIGINT NOT NULL, previous TEXT"
            + " NOT NULL, hash TEXT NOT NULL, "
            + EntryRows.TEXT_COLUMNS
            + ")");
    statement.execute("COMMENT ON TABLE flexdp.entry IS '" + FORMAT + "'");
    statement.execute(
        "CREATE OR REPLACE FUNCTION flexdp.refuse() RETURNS trigger LANGUAGE plpgsql AS"
            + " $$BEGIN RAISE EXCEPTION 'entries are never changed'; END$$");
    statement.execute(
        "CREATE TRIGGER append_only BEFORE UPDATE OR DELETE OR TRUNCATE ON flexdp.entry"
            + " FOR EACH STATEMENT EXECUTE FUNCTION flexdp.refuse()");
  }

  /** Puts an empty table in place of the entries, which keep another name, and fills it. */
  public void renew(String aside, Consumer<Session> content) {
    within(
        "LOCK TABLE entry IN ACCESS EXCLUSIVE MODE",
        session -> {
          try (Statement statement = connection().createStatement()) {
            statement.execute("ALTER TABLE entry RENAME TO " + aside);
            create(statement);
          } catch (SQLException e) {
            throw PostgresFaults.of(place(), e);
          }
          content.accept(session);
          return null;
        });
  }

  private static String text(Connection connection, String query) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(query)) {
      rows.next();
      return rows.getString(1);
    }
  }

  @Override
  public <T> T exclusively(Function<Session, T> work) {
    return within("LOCK TABLE entry IN EXCLUSIVE MODE", work);
  }

  @Override
  public <T> T reading(Function<Session, T> work) {
    return within("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY", work);
  }

  private <T> T within(String begin, Function<Session, T> work) {
    boolean done = false;
    try {
      Connection connection = begun(begin);
      try (Rows rows = new Rows(connection)) {
        T result = work.apply(rows);
        rows.send();
        connection.commit();
        done = true;
        return result;
      }
    } catch (SQLException e) {
      throw PostgresFaults.of(place(), e);
    } finally {
      if (!done) {
        // Whether a commit that failed took place is unknown; the next use starts from anew.
        close();
      }
    }
  }

  /** Nothing is done yet: a connection that broke while nobody used it is left for another. */
  private Connection begun(String begin) throws SQLException {
    boolean before = connected.isPresent();
    Connection connection = connection();
    try (Statement statement = connection.createStatement()) {
      statement.execute(begin);
      return connection;
    } catch (SQLException e) {
      if (!before || !PostgresFaults.isLost(e)) {
        throw e;
      }
      close();
      return begun(begin);
    }
  }

  /** Rows are sent together: each way to the server and back would be waited for by all. */
  private final class Rows implements Session, AutoCloseable {
    private final Connection connection;
    private Optional<PreparedStatement> entries = Optional.empty();
    private Optional<PreparedStatement> answers = Optional.empty();

    private Rows(Connection connection) {
      this.connection = connection;
    }

    private void send() throws SQLException {
      if (entries.isPresent()) {
        entries.get().executeBatch();
      }
      if (answers.isPresent()) {
        answers.get().executeBatch();
      }
    }

    @Override
    public void close() throws SQLException {
      if (entries.isPresent()) {
        entries.get().close();
      }
      if (answers.isPresent()) {
        answers.get().close();
      }
    }

    @Override
    public void after(long seq, Consumer<LedgerEntry> reader) {
      try (PreparedStatement select = connection.prepareStatement(EntryRows.SELECT)) {
        send();
        select.setFetchSize(ROWS_AT_ONCE);
        select.setLong(1, seq);
        try (ResultSet rows = select.executeQuery()) {
          while (rows.next()) {
            reader.accept(EntryRows.read(rows, place()));
          }
        }
      } catch (SQLException e) {
        throw PostgresFaults.of(place(), e);
      }
    }

    @Override
    public void append(LedgerEntry entry) {
      try {
        if (entries.isEmpty()) {
          entries = Optional.of(connection.prepareStatement(EntryRows.INSERT));
        }
        EntryRows.bind(entries.get(), entry);
        entries.get().addBatch();
      } catch (SQLException e) {
        throw PostgresFaults.of(place(), e);
      }
    }

    @Override
    public void keep(ReleasedAnswer answer, long reservation) {
      try {
        if (answers.isEmpty()) {
          answers = Optional.of(connection.prepareStatement(AnswerRows.INSERT));
        }
        AnswerRows.bind(answers.get(), answer, reservation);
        answers.get().addBatch();
      } catch (SQLException e) {
        throw PostgresFaults.of(place(), e);
      }
    }

    @Override
    public void released(BiConsumer<ReleasedAnswer, Long> reader) {
      try {
        send();
        AnswerRows.all(connection, reader);
      } catch (SQLException e) {
        throw PostgresFaults.of(place(), e);
      }
    }

    @Override
    public boolean isMoved() {
      try {
        return !text(
                connection,
                "SELECT coalesce(max(tgname::text), '') FROM pg_catalog.pg_trigger WHERE tgname ="
                    + " 'moved_elsewhere' AND tgrelid = 'flexdp.entry'::regclass")
            .isEmpty();
      } catch (SQLException e) {
        throw PostgresFaults.of(place(), e);
      }
    }

    @Override
    public void moved(boolean elsewhere) {
      try (Statement change = connection.createStatement()) {
        send();
        if (elsewhere) {
          change.execute(
              "CREATE OR REPLACE FUNCTION flexdp.moved() RETURNS trigger LANGUAGE plpgsql AS"
                  + " $$BEGIN RAISE EXCEPTION '"
                  + SqliteStore.MOVED
                  + "'; END$$");
          change.execute(
              "CREATE TRIGGER moved_elsewhere BEFORE INSERT ON flexdp.entry FOR EACH STATEMENT"
                  + " EXECUTE FUNCTION flexdp.moved()");
        } else {
          change.execute("DROP TRIGGER IF EXISTS moved_elsewhere ON flexdp.entry");
        }
      } catch (SQLException e) {
        throw PostgresFaults.of(place(), e);
      }
    }

    @Override
    public List<ReleasedAnswer> answers(String query, List<String> by) {
      try {
        send();
        return AnswerRows.find(connection, query, by);
      } catch (SQLException e) {
        throw PostgresFaults.of(place(), e);
      }
    }
  }

  /** The address without its parameters, which may hold a password. */
  @Override
  public String place() {
    return withoutParameters(url);
  }

  public static String withoutParameters(String url) {
    int parameters = url.indexOf('?');
    return parameters < 0 ? url : url.substring(0, parameters);
  }

  @Override
  public void close() {
    connected.ifPresent(
        connection -> {
          try {
            connection.close();
          } catch (SQLException e) {
            // The server rolls back what was not committed.
          }
        });
    connected = Optional.empty();
  }

  /** What PostgreSQL's errors mean to the owner, by the class of their SQLSTATE. */
  private static final class PostgresFaults {
    private static final String CREDENTIALS =
        "Say who we are there: PGUSER, and PGPASSWORD or a line in ~/.pgpass (PGPASSFILE).";

    private PostgresFaults() {}

    static LedgerError of(String place, SQLException e) {
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      if (e.getMessage() != null && e.getMessage().contains(SqliteStore.MOVED)) {
        return RepairCommands.moved(place, Optional.of(e));
      }
      return switch (state) {
        case "55P03", "57014" ->
            fault(LedgerError.Code.LEDGER_BUSY, place, "is held by another process", e);
        case "53100" -> fault(LedgerError.Code.LEDGER_FULL, place, "cannot grow: disk full", e);
        case "42501", "25006" ->
            fault(LedgerError.Code.LEDGER_READ_ONLY, place, "cannot be written by this user", e);
        case "28P01", "28000" ->
            LedgerError.of(
                LedgerError.Code.LEDGER_UNAVAILABLE,
                "The server of the ledger " + place + " refuses the user or the password.",
                CREDENTIALS,
                e);
        case "3D000" ->
            fault(LedgerError.Code.LEDGER_UNAVAILABLE, place, "is in no database of its server", e);
        case "08001", "08004", "08006" ->
            e.getMessage() != null && e.getMessage().contains("password")
                ? LedgerError.of(
                    LedgerError.Code.LEDGER_UNAVAILABLE,
                    "The server of the ledger "
                        + place
                        + " asks for a password, and none is given.",
                    CREDENTIALS,
                    e)
                : fault(
                    LedgerError.Code.LEDGER_UNAVAILABLE,
                    place,
                    "cannot be reached: its server is stopped, starting up or does not answer",
                    e);
        default -> fault(LedgerError.Code.LEDGER_UNAVAILABLE, place, "cannot be reached", e);
      };
    }

    /** Whether the connection broke: it has to be opened anew. */
    static boolean isLost(SQLException e) {
      String state = e.getSQLState() == null ? "" : e.getSQLState();
      return state.startsWith("08") || state.startsWith("57P");
    }

    private static LedgerError fault(
        LedgerError.Code code, String place, String what, SQLException e) {
      return LedgerError.of(
          code, "The ledger " + place + " " + what + ".", RepairCommands.STORE, e);
    }
  }
}
