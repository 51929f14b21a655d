package flexdp.server.session;

import flexdp.failure.Failure;
import flexdp.server.engine.Engine;
import flexdp.server.login.User;
import flexdp.server.sql.Statement;
import flexdp.server.types.PgInput;
import flexdp.server.types.PgType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one client may say and what it comes to. It is used by one thread at a time. Who asks was
 * decided by the login, and nothing here can change it.
 */
public final class ClientSession {
  private static final int MOST_KEPT = 1_000;

  private final SessionSettings settings;
  private final Transaction transaction;
  private final UserQueries queries;
  private final Map<String, NamedStatement> statements = new HashMap<>();
  private final Map<String, Cursor> cursors = new HashMap<>();

  public ClientSession(
      User user,
      Engine engine,
      ServerFacts catalogue,
      SessionSettings settings,
      CancellableWork work) {
    this.settings = settings;
    this.transaction = new Transaction(settings);
    this.queries = new UserQueries(user, engine, catalogue, settings, work);
  }

  public char state() {
    return transaction.letter();
  }

  public SessionSettings settings() {
    return settings;
  }

  /** After an error, what is left of a transaction is only its end. */
  public void fail() {
    transaction.fail();
  }

  // Prepared statements, by the protocol or by PREPARE: they share their names.

  /**
   * Prepares a statement.
   *
   * @param declared types of parameters; none where the client left the choice
   */
  public NamedStatement prepare(String text, Statement statement, List<Optional<PgType>> declared) {
    requireWorking(statement);
    Optional<Statement.Query> query = statement.rows();
    if (query.isEmpty()) {
      List<PgType> types = declared.stream().map(t -> t.orElse(PgType.TEXT)).toList();
      return new NamedStatement(text, statement, types, columnsOf(statement));
    }
    UserQueries.Described described = queries.describe(query.get(), declared);
    return new NamedStatement(
        text, statement, described.types(), shown(statement, described.columns()));
  }

  /** The text of the query that was prepared under a name. */
  public Optional<String> text(String name) {
    return Optional.ofNullable(statements.get(name))
        .flatMap(prepared -> prepared.statement().rows())
        .map(Statement.Query::sql);
  }

  /** The columns that the client gets to see when the query has these. */
  private static Optional<List<WireColumn>> shown(Statement statement, List<WireColumn> columns) {
    if (statement instanceof Statement.Explain explain) {
      return Optional.of(Explanations.columns(explain.json()));
    }
    return statement instanceof Statement.Query ? Optional.of(columns) : Optional.empty();
  }

  /** The columns once the values are known; a question that these make unacceptable is refused. */
  public Optional<List<WireColumn>> bind(NamedStatement prepared, List<Object> values) {
    return prepared.statement() instanceof Statement.Question question && !values.isEmpty()
        ? Optional.of(queries.bound(question, values))
        : prepared.columns();
  }

  private Optional<List<WireColumn>> columnsOf(Statement statement) {
    if (statement instanceof Statement.Show show) {
      return Optional.of(ShowRows.columns(show.name()));
    }
    if (statement instanceof Statement.Fetch fetch && !fetch.move()) {
      return Optional.of(cursor(fetch.cursor()).columns());
    }
    return statement instanceof Statement.Execute execute
        ? prepared(execute.name()).columns()
        : Optional.empty();
  }

  public void keep(String name, NamedStatement prepared) {
    if (!name.isEmpty() && statements.containsKey(name)) {
      throw SqlError.of("42P05", "prepared statement \"" + name + "\" already exists");
    }
    if (statements.size() >= MOST_KEPT) {
      throw SqlError.of("53000", "Too many prepared statements.", "DEALLOCATE ALL");
    }
    statements.put(name, prepared);
  }

  /** About how much memory it takes to keep what it keeps. */
  public long bytes() {
    long bytes = settings.bytes() + transaction.bytes();
    for (NamedStatement statement : statements.values()) {
      bytes += statement.bytes();
    }
    for (Cursor cursor : cursors.values()) {
      bytes += cursor.bytes();
    }
    return bytes;
  }

  public NamedStatement prepared(String name) {
    NamedStatement known = statements.get(name);
    if (known == null) {
      throw SqlError.of("26000", "prepared statement \"" + name + "\" does not exist");
    }
    return known;
  }

  public void forget(String name) {
    statements.remove(name);
  }

  /** Refuses everything but the end of a transaction that has failed. */
  public void requireWorking(Statement statement) {
    boolean ends =
        statement instanceof Statement.Commit
            || statement instanceof Statement.Rollback
            || statement instanceof Statement.RollbackTo
            || statement instanceof Statement.Empty;
    if (transaction.isFailed() && !ends) {
      throw SqlError.of(
          "25P02",
          "current transaction is aborted, commands ignored until end of transaction block");
    }
  }

  /**
   * Runs a statement.
   *
   * @param values of its parameters
   * @throws SqlError or {@link Failure} when it is refused
   */
  public Completion run(Statement statement, List<Object> values) {
    requireWorking(statement);
    return switch (statement) {
      case Statement.Empty ignored -> Completion.done("");
      case Statement.Query q -> queries.run(q, values);
      case Statement.Explain e -> queries.explain(e, values);
      case Statement.CopyOut c ->
          queries
              .run(c.query(), values)
              .copied(new CopyFormat(c.binary(), c.csv(), c.header(), c.delimiter(), c.nothing()));
      case Statement.Begin ignored -> begin();
      case Statement.Commit ignored -> {
        boolean good = transaction.commit();
        endCursors();
        yield Completion.done(good ? "COMMIT" : "ROLLBACK");
      }
      case Statement.Rollback ignored -> {
        transaction.rollback();
        endCursors();
        yield Completion.done("ROLLBACK");
      }
      case Statement.Savepoint s -> {
        transaction.savepoint(s.name());
        yield Completion.done("SAVEPOINT");
      }
      case Statement.Release r -> {
        transaction.release(r.name());
        yield Completion.done("RELEASE");
      }
      case Statement.RollbackTo r -> {
        transaction.rollbackTo(r.name());
        yield Completion.done("ROLLBACK");
      }
      case Statement.Set s -> set(s);
      case Statement.SetTransaction ignored -> Completion.done("SET");
      case Statement.Reset r -> {
        r.name().ifPresentOrElse(n -> settings.set(n, Optional.empty()), settings::reset);
        transaction.set(false);
        yield Completion.done("RESET");
      }
      case Statement.Show s -> ShowRows.of(s.name(), settings);
      case Statement.Discard d -> discard(d.what());
      case Statement.Declare d -> declare(d, values);
      case Statement.Fetch f -> fetch(f);
      case Statement.CloseCursor c -> {
        c.cursor().ifPresentOrElse(this::close, cursors::clear);
        yield Completion.done(c.cursor().isPresent() ? "CLOSE CURSOR" : "CLOSE CURSOR ALL");
      }
      case Statement.Prepare p -> {
        keep(p.name(), prepare("", p.body(), p.types().stream().map(Optional::of).toList()));
        yield Completion.done("PREPARE");
      }
      case Statement.Execute e -> execute(e);
      case Statement.Deallocate d -> {
        d.name().ifPresentOrElse(this::deallocate, statements::clear);
        yield Completion.done(d.name().isPresent() ? "DEALLOCATE" : "DEALLOCATE ALL");
      }
      case Statement.Nothing n -> Completion.done(n.tag());
    };
  }

  private Completion begin() {
    if (transaction.isOpen()) {
      return Completion.done("BEGIN")
          .noting(
              List.of(
                  ErrorFields.notice(
                      "WARNING", "25001", "there is already a transaction in progress")));
    }
    transaction.begin();
    return Completion.done("BEGIN");
  }

  private Completion set(Statement.Set set) {
    settings.set(set.name(), set.value());
    transaction.set(set.local());
    return Completion.done("SET");
  }

  private Completion discard(String what) {
    if (what.equals("all")) {
      statements.clear();
      cursors.clear();
      settings.reset();
    } else if (what.equals("plans")) {
      return Completion.done("DISCARD PLANS");
    }
    return Completion.done("DISCARD " + what.toUpperCase(java.util.Locale.ROOT));
  }

  private Completion declare(Statement.Declare declare, List<Object> values) {
    if (!transaction.isOpen() && !declare.hold()) {
      throw SqlError.of("25P01", "DECLARE CURSOR can only be used in transaction blocks");
    }
    if (cursors.containsKey(declare.name())) {
      throw SqlError.of("42P03", "cursor \"" + declare.name() + "\" already exists");
    }
    if (cursors.size() >= MOST_KEPT) {
      throw SqlError.of("53000", "Too many cursors are open.", "CLOSE ALL");
    }
    Completion rows = queries.run(declare.query(), values);
    cursors.put(declare.name(), new Cursor(rows, declare.hold()));
    return Completion.done("DECLARE CURSOR").noting(rows.notices());
  }

  private Completion fetch(Statement.Fetch fetch) {
    Cursor cursor = cursor(fetch.cursor());
    List<List<Object>> rows = cursor.fetch(fetch.count());
    return fetch.move()
        ? Completion.done("MOVE " + rows.size())
        : Completion.rows(cursor.columns(), rows, "FETCH %d");
  }

  private Cursor cursor(String name) {
    Cursor known = cursors.get(name);
    if (known == null) {
      throw SqlError.of("34000", "cursor \"" + name + "\" does not exist");
    }
    return known;
  }

  private void close(String name) {
    cursor(name);
    cursors.remove(name);
  }

  private void endCursors() {
    cursors.values().removeIf(cursor -> !cursor.hold());
  }

  private void deallocate(String name) {
    prepared(name);
    forget(name);
  }

  private Completion execute(Statement.Execute execute) {
    NamedStatement known = prepared(execute.name());
    if (known.types().size() != execute.arguments().size()) {
      throw SqlError.of(
          "42601", "wrong number of parameters for prepared statement \"" + execute.name() + "\"");
    }
    List<Object> values = new ArrayList<>();
    for (int i = 0; i < known.types().size(); i++) {
      PgType type = known.types().get(i);
      values.add(
          execute
              .arguments()
              .get(i)
              .map(text -> value(text.getBytes(StandardCharsets.UTF_8), type, false))
              .orElse(null));
    }
    return run(known.statement(), values);
  }

  /** A parameter's value. */
  public static Object value(byte[] bytes, PgType type, boolean binary) {
    try {
      return PgInput.read(bytes, type, binary);
    } catch (IllegalArgumentException e) {
      throw SqlError.of("22P02", e.getMessage());
    }
  }

  /** Rows that were asked for by DECLARE, and how far they were fetched. */
  static final class Cursor {
    private final List<WireColumn> columns;
    private final List<List<Object>> rows = new ArrayList<>();
    private final long bytes;
    private final boolean hold;

    /** The row it stands on: 0 before the first, one more than there are behind the last. */
    private int at;

    Cursor(Completion outcome, boolean hold) {
      this.columns = outcome.columns().orElseThrow();
      this.bytes = outcome.bytes();
      this.hold = hold;
      outcome.rows().forEachRemaining(rows::add);
    }

    long bytes() {
      return bytes;
    }

    List<WireColumn> columns() {
      return columns;
    }

    boolean hold() {
      return hold;
    }

    /** Rows from where it stands: forwards, or backwards for a negative count. */
    List<List<Object>> fetch(long count) {
      List<List<Object>> fetched = new ArrayList<>();
      int step = count < 0 ? -1 : 1;
      for (long i = 0; i < Math.abs(count); i++) {
        at = Math.clamp(at + step, 0, rows.size() + 1);
        if (at < 1 || at > rows.size()) {
          break;
        }
        fetched.add(rows.get(at - 1));
      }
      return fetched;
    }
  }

  /** What SHOW shows. */
  static final class ShowRows {
    /** Names that are not written in lower case there. */
    private static final Map<String, String> SPELLED =
        Map.of("timezone", "TimeZone", "datestyle", "DateStyle", "intervalstyle", "IntervalStyle");

    private ShowRows() {}

    static List<WireColumn> columns(String name) {
      return name.equalsIgnoreCase("all")
          ? List.of(
              WireColumn.of("name", PgType.TEXT),
              WireColumn.of("setting", PgType.TEXT),
              WireColumn.of("description", PgType.TEXT))
          : List.of(WireColumn.of(SPELLED.getOrDefault(name, name), PgType.TEXT));
    }

    static Completion of(String name, SessionSettings settings) {
      List<List<Object>> rows = new ArrayList<>();
      if (name.equalsIgnoreCase("all")) {
        settings.all().forEach((setting, value) -> rows.add(List.of(setting, value, "")));
      } else {
        rows.add(
            List.of(
                settings
                    .value(name)
                    .orElseThrow(
                        () ->
                            SqlError.of(
                                "42704",
                                "unrecognized configuration parameter \"" + name + "\""))));
      }
      return Completion.rows(columns(name), rows, "SHOW");
    }
  }
}
