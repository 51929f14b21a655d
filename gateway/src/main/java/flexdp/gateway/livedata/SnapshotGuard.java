package flexdp.gateway.livedata;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Relation;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.catalog.TableDefinitions.TableRedefined;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader;
import flexdp.plan.Plan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the answer to a question rests on. Every table of every statement is held before there is a
 * state to read, looked at, read, and looked at again before anything is told: what the bound needs
 * of a definition is proven in the transaction that reads the rows, and not remembered. A
 * transaction begins when it is first used; none is open while the ledger is waited for, save where
 * two charges have to see one state. Used by one thread.
 */
public final class SnapshotGuard implements Session {
  /** Texts, and quoted names, in which an apostrophe begins no text. */
  private static final Pattern QUOTED = Pattern.compile("'[^']*'|\"[^\"]*\"|`[^`]*`");

  /** Tables may take others' names again and again; nobody waits for that to end. */
  private static final int MOST_BEGINNINGS = 3;

  private final Database database;
  private final Policy policy;
  private final Optional<ConstraintCheck> enforced;
  private final List<ChargedTablesCheck> followed;
  private final CancellationToken cancellation;
  private final Set<String> tables = new TreeSet<>();
  private Optional<Standing> now = Optional.empty();
  private final Map<String, TableIdentity> charged = new HashMap<>();
  private boolean kept;
  private boolean looked;

  /** A transaction that has begun, and how the tables were found in it. */
  private record Standing(Session session, Map<TableDefinitions.Name, List<String>> marks) {}

  SnapshotGuard(
      Database database,
      Policy policy,
      Optional<ConstraintCheck> enforced,
      List<ChargedTablesCheck> followed,
      CancellationToken cancellation) {
    this.database = database;
    this.policy = policy;
    this.enforced = enforced;
    this.followed = followed;
    this.cancellation = cancellation;
  }

  /** Adds what the statements of a plan read: rows, labels, and the way to who owns them. */
  public SnapshotGuard needs(Plan plan) {
    if (now.isPresent()) {
      throw new IllegalStateException("a table is held before there is a state to read");
    }
    DpQuery query = plan.query();
    scanned(query.top());
    for (NoisyAggregate point : query.releases()) {
      scanned(point.input());
      scanned(plan.read(point).input());
      if (point.labels() instanceof Labels.Enumerated labels) {
        for (LabelSource source : labels.sources()) {
          if (source instanceof LabelSource.FromPublic listed) {
            scanned(listed.relation());
          }
        }
      }
    }
    return this;
  }

  private void scanned(Relation relation) {
    for (Table table : scans(relation)) {
      reads(table.name());
      for (OwnerPath owner : table.ownership().owners()) {
        owner.hops().forEach(hop -> reads(hop.table()));
      }
    }
  }

  /** The tables that a relation is made of. */
  static List<Table> scans(Relation relation) {
    List<Table> found = new ArrayList<>();
    AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            found.add(scan.table());
          }
        });
    return found;
  }

  private void reads(String table) {
    if (policy.table(table).orElseThrow().isClosed()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the table '" + table + "' is closed by its owner",
          "Ask about other tables, or ask the owner when it will be open again.");
    }
    tables.add(table);
  }

  /**
   * Refuses what the database no longer enforces, and holds nothing afterwards: what is refused is
   * refused before it is charged.
   */
  public void require() {
    if (!looked) {
      try {
        begin();
      } catch (TableRedefined e) {
        beginAgain();
      } finally {
        end();
      }
    }
  }

  private void beginAgain() {
    try {
      begin();
    } catch (TableRedefined e) {
      throw moved();
    }
  }

  /** Keeps one state from here until the end. */
  public void keep() {
    kept = true;
    try {
      begin();
    } catch (TableRedefined e) {
      beginAgain();
    }
  }

  /** Begins now, so that a database that is away is noticed before anything is charged. */
  public void begin() {
    if (now.isEmpty()) {
      try {
        now = Optional.of(begun());
      } catch (ConfigurationError e) {
        // It was not so a moment ago: that is not held against the question.
        throw looked ? moved() : e;
      }
      looked = true;
    }
  }

  /** Whoever keeps the accounts is told of other tables while none is held, and not for ever. */
  private Standing begun() {
    for (int i = 0; i < MOST_BEGINNINGS; i++) {
      Session session = held();
      Optional<Standing> standing = Optional.empty();
      List<Runnable> news = new ArrayList<>();
      try {
        session.heed(cancellation);
        Map<TableDefinitions.Name, List<String>> marks = looked(session);
        Map<String, TableIdentity> found = found(marks, session, news);
        if (news.isEmpty()) {
          requireCharged(found);
          standing = Optional.of(new Standing(session, marks));
          return standing.get();
        }
      } finally {
        if (standing.isEmpty()) {
          session.close();
        }
      }
      news.forEach(Runnable::run);
    }
    throw moved();
  }

  private Session held() {
    List<PhysicalTable> all = physical();
    try {
      return database.session(all);
    } catch (DatabaseError e) {
      if (e.isLost()) {
        throw e;
      }
      // A table that is gone cannot be held; then it is said which.
      try (Session session = database.session()) {
        looked(session);
      }
      // Nothing was read yet, so that it is not held against the question.
      throw DatabaseError.lost(e.message(), e.hint());
    }
  }

  private List<PhysicalTable> physical() {
    return tables.stream()
        .map(name -> database.catalog().physical(policy.table(name).orElseThrow()))
        .toList();
  }

  private Map<TableDefinitions.Name, List<String>> looked(Session session) {
    if (enforced.isEmpty() || tables.isEmpty()) {
      return Map.of();
    }
    try {
      return enforced.get().require(tables, over(session));
    } catch (SQLException e) {
      throw unexpected(e);
    }
  }

  private Map<String, TableIdentity> found(
      Map<TableDefinitions.Name, List<String>> marks, Session session, List<Runnable> news) {
    Map<String, TableIdentity> found = new HashMap<>();
    try {
      for (ChargedTablesCheck one : followed) {
        found.putAll(one.look(tables, marks, over(session), news));
      }
    } catch (SQLException e) {
      throw unexpected(e);
    }
    return found;
  }

  /** What is read after a charge are the tables that it was made for, and their partitions. */
  private void requireCharged(Map<String, TableIdentity> found) {
    found.forEach(
        (word, table) -> {
          TableIdentity before = charged.putIfAbsent(word, table);
          if (before != null && !before.equals(table)) {
            throw moved();
          }
        });
  }

  private static StatementRunner over(Session session) {
    return (sql, reader) -> session.run(sql, reader::read);
  }

  private static IllegalStateException unexpected(SQLException e) {
    return new IllegalStateException("sessions report failures of their own kind", e);
  }

  /**
   * Does what reads the database, and hands over what comes of it if the tables were the same all
   * the while. If not it is done once more, and then no more.
   */
  public <T> T steady(Supplier<T> work) {
    try {
      return once(work);
    } catch (TableRedefined e) {
      if (kept) {
        throw moved();
      }
    }
    try {
      return once(work);
    } catch (TableRedefined e) {
      throw moved();
    }
  }

  private <T> T once(Supplier<T> work) {
    try {
      T done = work.get();
      if (now.isPresent() && !stands(now.get())) {
        throw new TableRedefined();
      }
      return done;
    } finally {
      if (!kept) {
        end();
      }
    }
  }

  private boolean stands(Standing standing) {
    if (enforced.isEmpty() || tables.isEmpty()) {
      return true;
    }
    try {
      return enforced.get().stands(tables, standing.marks(), over(standing.session()));
    } catch (SQLException e) {
      throw unexpected(e);
    }
  }

  /** The refusal where tables were redefined: it speaks of definitions, never of data. */
  private static DatabaseError moved() {
    return DatabaseError.lost(
        "A table that the question reads was redefined while it was asked.",
        "Ask again in a moment.");
  }

  private Session reading(String sql) {
    begin();
    String plain =
        QUOTED
            .matcher(sql)
            .replaceAll(m -> m.group().startsWith("'") ? "" : Matcher.quoteReplacement(m.group()));
    for (Table table : policy.tables().values()) {
      if (!tables.contains(table.name()) && plain.contains(database.catalog().table(table))) {
        throw new IllegalStateException("the table " + table.name() + " is read and not held");
      }
    }
    return now.orElseThrow().session();
  }

  @Override
  public void run(String sql, RowReader reader) {
    reading(sql).run(sql, reader);
  }

  @Override
  public boolean runWhole(String sql, int most, RowReader reader) {
    return reading(sql).runWhole(sql, most, reader);
  }

  @Override
  public CellReader value(ResultSet row, int index, Type type) {
    return now.orElseThrow().session().value(row, index, type);
  }

  @Override
  public Optional<BigDecimal> number(ResultSet row, int index) {
    return now.orElseThrow().session().number(row, index);
  }

  private void end() {
    now.ifPresent(standing -> standing.session().close());
    now = Optional.empty();
  }

  @Override
  public void close() {
    end();
  }

  /**
   * Sees to it that the keys, NOT NULL and types that the catalog had when the database was opened
   * are still there in the state that a question reads. A quick look tells whether anything was
   * redefined since the last careful one; only then everything is read again. To refuse tells of
   * definitions, never of data. That the owner vouches for rows (static) says nothing of
   * definitions.
   */
  static final class ConstraintCheck {
    private final Policy policy;
    private final PhysicalCatalog catalog;
    private final TableDefinitions definitions;
    private final Map<TableDefinitions.Name, List<String>> known = new ConcurrentHashMap<>();

    ConstraintCheck(Policy policy, PhysicalCatalog catalog, TableDefinitions definitions) {
      this.policy = policy;
      this.catalog = catalog;
      this.definitions = definitions;
    }

    /**
     * @return what shows when one of them moves while it is held
     * @throws ConfigurationError when one of the tables is defined otherwise
     * @throws TableRedefined when that cannot be told because it is being changed
     */
    Map<TableDefinitions.Name, List<String>> require(Set<String> tables, StatementRunner statements)
        throws SQLException {
      Map<String, PhysicalTable> asked = asked(tables);
      Map<TableDefinitions.Name, List<String>> marks =
          definitions.marks(statements, asked.values());
      if (isKnown(asked, marks)) {
        return marks;
      }
      List<PhysicalTable> present = definitions.tables(statements, asked.values());
      asked.forEach((name, table) -> require(policy.table(name).orElseThrow(), table, present));
      // The catalog of some databases is always that of now: it must not have changed meanwhile.
      if (!definitions.marks(statements, asked.values()).equals(marks)) {
        throw new TableRedefined();
      }
      known.putAll(marks);
      return marks;
    }

    /** Whether they stood still since they were looked at. */
    boolean stands(
        Set<String> tables,
        Map<TableDefinitions.Name, List<String>> marks,
        StatementRunner statements)
        throws SQLException {
      return definitions.stands(statements, asked(tables).values(), marks);
    }

    private Map<String, PhysicalTable> asked(Set<String> tables) {
      Map<String, PhysicalTable> asked = new LinkedHashMap<>();
      tables.forEach(t -> asked.put(t, catalog.physical(policy.table(t).orElseThrow())));
      return asked;
    }

    private boolean isKnown(
        Map<String, PhysicalTable> asked, Map<TableDefinitions.Name, List<String>> marks) {
      return asked.values().stream()
          .map(TableDefinitions.Name::of)
          .allMatch(name -> marks.containsKey(name) && marks.get(name).equals(known.get(name)));
    }

    private static void require(Table table, PhysicalTable then, List<PhysicalTable> present) {
      TableDefinitions.Name name = TableDefinitions.Name.of(then);
      PhysicalTable now =
          present.stream()
              .filter(p -> TableDefinitions.Name.of(p).equals(name))
              .findFirst()
              .orElseThrow(() -> changed(table, "it is gone"));
      if (now.kind() != then.kind()) {
        throw changed(table, "it is " + now.kind().words() + " now");
      }
      if (now.parted() != then.parted()) {
        throw changed(
            table, now.parted() ? "it has partitions now" : "it has no partitions any more");
      }
      Set<String> columns = new HashSet<>();
      for (ColumnSpec column : table.columns()) {
        PhysicalColumn before = then.column(column.name()).orElseThrow();
        columns.add(before.name());
        Optional<PhysicalColumn> after = now.column(column.name());
        if (after.filter(c -> c.name().equals(before.name())).isEmpty()
            || !type(after.get()).equals(type(before))
            || after.get().computed()) {
          throw changed(table, "its column '" + column.name() + "' is not what it was");
        }
        if (before.filled() && !after.get().filled()) {
          throw changed(table, "its column '" + column.name() + "' may be NULL now");
        }
      }
      for (List<String> key : then.keys()) {
        if (columns.containsAll(key) && !now.keys().contains(key)) {
          throw changed(table, "it has no key (" + String.join(", ", key) + ") any more");
        }
      }
    }

    /** Labels of an enumeration may be added and renamed: no bound rests on them. */
    private static String type(PhysicalColumn column) {
      return column.typeName().startsWith("ENUM(") ? "ENUM" : column.typeName();
    }

    private static ConfigurationError changed(Table table, String how) {
      return ConfigurationError.of(
          ConfigurationError.Code.BAD_POLICY,
          "the table '" + table.name() + "' was redefined while it was open: " + how,
          "The owner runs flexdp policy check, then collect, and opens the database again.");
    }
  }

  /**
   * Sees to it that a question is charged to the tables that it reads. Two tables may have swapped
   * their names since the database was opened, or one have become a partition of another: then
   * whoever keeps the accounts is told before anything is charged, and refuses a public word that
   * leads to protected rows. Nothing is asked while the definitions are as they were.
   */
  static final class ChargedTablesCheck {
    /**
     * Which table a word was when its definition had these marks.
     *
     * @param table empty if it is public
     */
    private record Seen(List<String> marks, Optional<TableIdentity> table) {}

    private final Connector connector;
    private final Consumer<TableIdentities> accounts;
    private final Map<String, Seen> seen = new ConcurrentHashMap<>();
    private volatile TableIdentities known;

    ChargedTablesCheck(
        Connector connector, TableIdentities known, Consumer<TableIdentities> accounts) {
      this.connector = connector;
      this.known = known;
      this.accounts = accounts;
    }

    /**
     * The protected tables among these, as they are in the state that is read.
     *
     * @param marks see {@link TableDefinitions#marks}
     * @param news takes what has to be told to whoever keeps the accounts, once nothing is held;
     *     then one has to look again
     */
    Map<String, TableIdentity> look(
        Set<String> words,
        Map<TableDefinitions.Name, List<String>> marks,
        StatementRunner statements,
        List<Runnable> news)
        throws SQLException {
      Map<String, TableIdentity> tables = new TreeMap<>();
      Set<String> other = new TreeSet<>();
      for (String word : words) {
        Optional<TableDefinitions.Name> name = known.physical(word).map(TableDefinitions.Name::of);
        if (name.isPresent() && marks.containsKey(name.get())) {
          List<String> now = marks.get(name.get());
          Seen before = seen.get(word);
          if (before != null && before.marks().equals(now)) {
            before.table().ifPresent(table -> tables.put(word, table));
          } else {
            other.add(word);
          }
        }
      }
      if (!other.isEmpty()) {
        tables.putAll(again(other, marks, statements, news));
      }
      return tables;
    }

    private Map<String, TableIdentity> again(
        Set<String> words,
        Map<TableDefinitions.Name, List<String>> marks,
        StatementRunner statements,
        List<Runnable> news)
        throws SQLException {
      TableIdentities before = known;
      Optional<TableIdentities> moved = before.moved(connector, statements, words, marks);
      if (moved.isPresent()) {
        news.add(() -> tell(moved.get()));
        return Map.of();
      }
      Map<String, TableIdentity> tables = new TreeMap<>();
      for (String word : words) {
        Optional<TableIdentity> table = Optional.ofNullable(before.named().get(word));
        table.ifPresent(t -> tables.put(word, t));
        List<String> of = marks.get(TableDefinitions.Name.of(before.physical(word).orElseThrow()));
        seen.put(word, new Seen(of, table));
      }
      return tables;
    }

    private synchronized void tell(TableIdentities moved) {
      accounts.accept(moved);
      known = moved;
    }
  }
}
