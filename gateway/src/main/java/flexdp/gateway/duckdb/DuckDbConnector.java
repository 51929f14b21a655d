package flexdp.gateway.duckdb;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.Connector.BackingStore;
import flexdp.gateway.catalog.DataFiles;
import flexdp.gateway.catalog.DatabaseFile;
import flexdp.gateway.catalog.DatabaseFile.FileState;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.duckdb.DuckDbTables.DuckDbColumns;
import flexdp.gateway.render.TargetDialect;
import flexdp.policy.Type;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.duckdb.DuckDBConnection;

/** DuckDB. */
public final class DuckDbConnector implements Connector {
  private static final String FILES = "files:";
  private static final String PREFIX = "jdbc:duckdb:";
  private static final String OTHER_SETTINGS = "different configuration";
  private static final int ATTEMPTS = 3;

  /**
   * Groups by whole numbers from a range of up to 2^18, such as people by their ids, are found by
   * position and not by hashing, which takes half the time; beyond, such a table outgrows the
   * caches and is slower than hashing.
   */
  private static final String GROUPED_BY_POSITION = "SET perfect_ht_threshold = 18";

  private final DuckDb dialect = new DuckDb();

  @Override
  public String word() {
    return "duckdb";
  }

  @Override
  public String title() {
    return "DuckDB";
  }

  /** Whether it is an address of DuckDB, or of CSV and Parquet files, as in files:data. */
  @Override
  public boolean isAddress(String url) {
    return Connector.super.isAddress(url) || url.startsWith(FILES);
  }

  @Override
  public Connection connect(String url, Properties credentials, boolean streaming)
      throws SQLException {
    if (url.startsWith(FILES)) {
      return files(Path.of(url.substring(FILES.length())), streaming);
    }
    String rest = url.substring(PREFIX.length());
    DatabaseFile.require(rest);
    credentials.setProperty("duckdb.read_only", "true");
    if (streaming) {
      credentials.setProperty("jdbc_stream_results", "true");
    }
    String named = DatabaseFile.path(rest);
    Path path = real(Path.of(named)); // DuckDB, too, follows links before it looks for the log
    String address = PREFIX + path + rest.substring(named.length());
    for (int i = 0; i < ATTEMPTS; i++) {
      DuckDbFile file = DuckDbFile.now(path);
      credentials.setProperty(DuckDbFile.SETTING, file.state());
      Connection connection = opened(address, credentials, path);
      if (file.stands()) {
        return connection;
      }
      connection.close(); // which of the files it has is not known
    }
    throw DatabaseError.of(
        "The database file '" + path + "' is being written to.",
        "Make a new file beside it and put it in its place: mv NEW " + path);
  }

  private static Path real(Path path) {
    try {
      return path.toRealPath();
    } catch (IOException e) {
      throw DatabaseError.of(
          "The database file '" + path + "' is gone.", "Is it being replaced? Try again.");
    }
  }

  private static Connection opened(String url, Properties credentials, Path path)
      throws SQLException {
    try {
      return DriverManager.getConnection(url, credentials);
    } catch (SQLException e) {
      if (String.valueOf(e.getMessage()).contains(OTHER_SETTINGS)) {
        throw DatabaseError.of(
            "The database file '" + path + "' is open in this process as it was before.",
            "It was replaced or written to since, or something else has it open: close that"
                + " first.");
      }
      throw e;
    }
  }

  private static Connection files(Path place, boolean streaming) throws SQLException {
    DataFiles files = DataFiles.at(place);
    Properties properties = new Properties();
    properties.setProperty("jdbc_stream_results", String.valueOf(streaming));
    Connection connection = DriverManager.getConnection("jdbc:duckdb:", properties);
    try {
      files.load(connection);
      return connection;
    } catch (SQLException | RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public boolean isServer() {
    return false;
  }

  @Override
  public boolean hasCopies() {
    return true;
  }

  @Override
  public Connection copy(Connection connection) throws SQLException {
    return connection.unwrap(DuckDBConnection.class).duplicate();
  }

  /**
   * The settings are those of the whole process; once they are locked all connections have them.
   */
  @Override
  public void prepare(Connection connection, Duration timeout) throws SQLException {
    if (isPrepared(connection)) {
      return;
    }
    try {
      Connector.super.prepare(connection, timeout);
    } catch (SQLException e) {
      if (!isPrepared(connection)) { // else somebody else did it at the same time
        throw e;
      }
    }
  }

  private static boolean isPrepared(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SELECT current_setting('lock_configuration')")) {
      row.next();
      return row.getBoolean(1);
    }
  }

  @Override
  public TargetDialect dialect() {
    return dialect;
  }

  @Override
  public List<String> settings(Duration timeout) {
    return List.of(
        "SET enable_external_access = false",
        "SET GLOBAL TimeZone = 'UTC'",
        GROUPED_BY_POSITION,
        "SET lock_configuration = true");
  }

  /**
   * Where the driver would change a value without a word: a day before Christ loses its era, a wide
   * integer its first bits.
   */
  @Override
  public Object value(ResultSet row, int index, Type type) throws SQLException {
    if (type.isInteger()) {
      return row.getBigDecimal(index);
    }
    return type.kind() == Type.Kind.DATE
        ? row.getObject(index)
        : Connector.super.value(row, index, type);
  }

  /** One after the other: each has all workers and a hash table that fits it. */
  @Override
  public boolean groupsTogether() {
    return false;
  }

  @Override
  public String read(PhysicalColumn column, Type declared) {
    return DuckDbColumns.read(dialect, column, declared);
  }

  /** Its own words round what a REAL is compared with to 32 bits. */
  @Override
  public Optional<String> readAs(PhysicalColumn column) {
    return column.typeName().equals("FLOAT")
        ? Optional.of("is compared as the double that it is")
        : Optional.empty();
  }

  @Override
  public boolean isStoredAs(PhysicalColumn column, Type declared) {
    return dialect.typeName(declared).equals(column.typeName());
  }

  /** A column of this name would stand before it. */
  @Override
  public Optional<String> rowName(PhysicalTable table) {
    return table.columns().stream().noneMatch(c -> c.name().equalsIgnoreCase("rowid"))
        ? Optional.of("rowid")
        : Optional.empty();
  }

  /** A whole number is the same in a wider type. */
  @Override
  public Optional<String> unchanged(PhysicalTable table, PhysicalColumn column, Type declared) {
    return DuckDbColumns.widens(column.typeName(), declared)
        ? Optional.of(quote(column.name()))
        : Connector.super.unchanged(table, column, declared);
  }

  @Override
  public String isFinite(String sql, Type type) {
    return "isfinite(" + sql + ")";
  }

  @Override
  public List<PhysicalTable> tables(Connection connection) throws SQLException {
    DuckDbMacros.requireNoneInTheWay(connection);
    return new DuckDbTables(connection).read();
  }

  /** Names of tables have no case. */
  @Override
  public List<TableIdentity> identities(Connection connection, List<PhysicalTable> tables) {
    return tables.stream().map(TableIdentity::folded).toList();
  }

  /** A file opened to be read has one state only and needs no transaction. */
  @Override
  public void beginSnapshot(Connection connection) throws SQLException {
    if (!connection.isReadOnly()) {
      // A transaction sees the state at its first statement, and reads nothing newer.
      connection.setAutoCommit(false);
    }
  }

  @Override
  public void endSnapshot(Connection connection) throws SQLException {
    if (!connection.isReadOnly()) {
      connection.rollback();
    }
  }

  @Override
  public boolean readsOneState() {
    return true;
  }

  /**
   * The version of the file as it was when it was opened; data files were copied, and have the same
   * state for ever.
   */
  @Override
  public Optional<String> version(Connection connection) throws SQLException {
    Opened opened = opened(connection);
    if (opened.path().isPresent()) {
      return opened.file().flatMap(DuckDbFile::version);
    }
    // Reading all functions takes a while, and only a database in memory can be of data files.
    return text(
            connection,
            "SELECT macro_definition FROM duckdb_functions() WHERE NOT internal"
                + " AND function_name = '"
                + DataFiles.VERSION_MACRO
                + "'")
        .map(constant -> constant.replace("'", ""));
  }

  /** Locks do not keep out who copies a file over ours, nor who puts another in its place. */
  @Override
  public BackingStore ground(Connection connection) throws SQLException {
    return opened(connection).file().<BackingStore>map(file -> file).orElse(BackingStore.FIRM);
  }

  /**
   * The file of a connection.
   *
   * @param path none where the database is in memory
   * @param file none where it was opened elsewhere, or may be written to
   */
  private record Opened(Optional<String> path, Optional<DuckDbFile> file) {}

  private static Opened opened(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT path, readonly, current_setting('"
                    + DuckDbFile.SETTING
                    + "') FROM duckdb_databases() WHERE database_name = current_database()")) {
      row.next();
      Optional<String> path = Optional.ofNullable(row.getString(1));
      boolean readOnly = row.getBoolean(2);
      String setting = String.valueOf(row.getString(3));
      return new Opened(
          path, path.filter(p -> readOnly).flatMap(p -> DuckDbFile.opened(p, setting)));
    }
  }

  private static Optional<String> text(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      return row.next() ? Optional.ofNullable(row.getString(1)) : Optional.empty();
    }
  }

  @Override
  public String snapshot(Connection connection) throws SQLException {
    if (!connection.isReadOnly()) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SELECT COUNT(*) FROM duckdb_tables()"); // pins the state
      }
    }
    return version(connection).orElse("");
  }

  /**
   * A macro of the database comes before the function or operator of DuckDB that has its name, and
   * may read any table or fail on any row: what is rendered would no longer be what was analysed.
   * Functions have no name in full that all of them could be called by, operators none at all.
   */
  private static final class DuckDbMacros {
    /** By its full name, and without any other function, since these may be in question. */
    private static final String FUNCTIONS =
        "SELECT function_name, internal, schema_name FROM system.main.duckdb_functions()";

    /** NOT is no function that could be in question. */
    private static final String MADE = FUNCTIONS + " WHERE NOT internal";

    private DuckDbMacros() {}

    static void requireNoneInTheWay(Connection connection) throws SQLException {
      if (!hasAny(connection)) {
        return;
      }
      Set<String> own = new HashSet<>();
      SortedSet<String> names = new TreeSet<>();
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(FUNCTIONS)) {
        while (rows.next()) {
          String name = rows.getString(1).toLowerCase(Locale.ROOT);
          if (rows.getBoolean(2)) {
            own.add(name);
          } else if (rows.getString(3).equals("main")) {
            names.add(name);
          }
        }
      }
      names.retainAll(own);
      if (!names.isEmpty()) {
        throw DatabaseError.of(
            "The database has macros with names of DuckDB's own functions or operators: "
                + String.join(", ", names)
                + ".",
            "Rename them, or move them to another schema: CREATE MACRO other.NAME …, DROP MACRO"
                + " NAME.");
      }
    }

    /** Most databases have none, and then the thousands of DuckDB's own need not be read. */
    private static boolean hasAny(Connection connection) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(MADE)) {
        return rows.next();
      }
    }
  }

  /**
   * A DuckDB file and the log beside it, which holds what was committed since the last checkpoint.
   * They are never opened here: DuckDB's lock on a file ends when this process closes any handle to
   * it. What the system tells of them proves that nobody wrote in between by a program that leaves
   * the time of its writing, as DuckDB, cp, rsync and backups do: every checkpoint and every copy
   * changes the time, every commit the log's length and time, and another file in its place has
   * another number. A file that was copied, or touched, has another version over the same data.
   * That is safe: what questions need is measured again.
   *
   * <p>Within a process DuckDB gives whoever opens a path the database that is open under it
   * already, whatever file is there now, but only if both were opened with equal settings. So the
   * state of the file is one of them, {@link #SETTING}: who opens a file reads it, and not the one
   * before.
   *
   * @param path as DuckDB knows it
   * @param state what was seen of both when they were opened
   */
  private record DuckDbFile(Path path, String state) implements BackingStore {
    /** A setting of the whole database that means nothing without a network. */
    static final String SETTING = "custom_user_agent";

    private static final String OURS = "flexdp ";

    /** The file as it is now. */
    static DuckDbFile now(Path file) {
      return new DuckDbFile(
          file,
          state(file)
              .orElseThrow(
                  () ->
                      DatabaseError.of(
                          "The database file '" + file + "' cannot be looked at.",
                          "Is it being replaced? Try again.")));
    }

    /**
     * The file of a database that was opened with this setting; empty if that was not done here.
     */
    static Optional<DuckDbFile> opened(String path, String setting) {
      return setting.startsWith(OURS)
          ? Optional.of(new DuckDbFile(Path.of(path), setting))
          : Optional.empty();
    }

    private static Optional<String> state(Path file) {
      try {
        Optional<FileState> log = FileState.of(log(file));
        return FileState.of(file)
            .map(data -> OURS + data + log.map(FileState::toString).orElse(""));
      } catch (IOException e) {
        return Optional.empty();
      }
    }

    /** As DuckDB names it. */
    private static Path log(Path file) {
      return file.resolveSibling(file.getFileName() + ".wal");
    }

    /** Whether file and log are as they were; a change of rights or names alone does not matter. */
    @Override
    public boolean stands() {
      return state(path).filter(state::equals).isPresent();
    }

    /**
     * Equal for equal contents only, today and later; empty when the file is not what was opened.
     * The time at which anything about a file changed tells of whoever set the time of writing
     * back.
     */
    Optional<String> version() {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(marks(path).getBytes(StandardCharsets.US_ASCII));
        if (Files.exists(log(path))) {
          digest.update(marks(log(path)).getBytes(StandardCharsets.US_ASCII));
        }
        return stands()
            ? Optional.of("file:" + HexFormat.of().formatHex(digest.digest(), 0, 16))
            : Optional.empty();
      } catch (IOException e) {
        return Optional.empty();
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java has SHA-256", e);
      }
    }

    /** The device's number is left out: it may change at every boot. */
    private static String marks(Path file) throws IOException {
      boolean unix = file.getFileSystem().supportedFileAttributeViews().contains("unix");
      Map<String, Object> marks =
          Files.readAttributes(file, unix ? "unix:size,lastModifiedTime,ctime,ino" : "*");
      return marks.get("size")
          + " "
          + marks.get("lastModifiedTime")
          + " "
          + marks.get(unix ? "ctime" : "creationTime")
          + " "
          + marks.get(unix ? "ino" : "fileKey")
          + "\n";
    }
  }
}
