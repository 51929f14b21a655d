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
public final class Session {
  private static final int MOST_KEPT = 1_000;

  private final Settings settings;
  private final Transaction transaction;
  private final Queries queries;
  private final Map<String, Prepared> statements = new HashMap<>();
  private final Map<String, Cursor> cursors = new HashMap<>();

  public Session(User user, Engine engine, Catalogue catalogue, Settings settings, Work work) {
    this.settings = settings;
    this.transaction = new Transaction(settings);
    this.queries = new Queries(user, engine, catalogue, settings, work);
  }

  public char state() {
    return transaction.letter();
  }

  public Settings settings() {
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
  public Prepared prepare(String text, Statement statement, List<Optional<PgType>> declared) {
    requireWorking(statement);
    Optional<Statement.Query> query = statement.rows();
    if (query.isEmpty()) {
      List<PgType> types = declared.stream().map(t -> t.orElse(PgType.TEXT)).toList();
      return new Prepared(text, statement, types, columnsOf(statement));
    }
    Queries.Described described = queries.describe(query.get(), declared);
    return new Prepared(text, statement, described.types(), shown(statement, described.columns()));
  }

  /** The columns that the client gets to see when the query has these. */
  private static Optional<List<Column>> shown(Statement statement, List<Column> columns) {
    if (statement instanceof Statement.Explain explain) {
      return Optional.of(Explanations.columns(explain.json()));
    }
    return statement instanceof Statement.Query ? Optional.of(columns) : Optional.empty();
  }

  /** The columns once the values are known; a question that these make unacceptable is refused. */
  public Optional<List<Column>> bind(Prepared prepared, List<Object> values) {
    return prepared.statement() instanceof Statement.Question question && !values.isEmpty()
        ? Optional.of(queries.bound(question, values))
        : prepared.columns();
  }

  private Optional<List<Column>> columnsOf(Statement statement) {
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

  public void keep(String name, Prepared prepared) {
    if (!name.isEmpty() && statements.containsKey(name)) {
      throw SqlError.of("42P05", "prepared statement \"" + name + "\" already exists");
    }
    if (statements.size() >= MOST_KEPT) {
      throw SqlError.of("53000", "Too many prepared statements.", "DEALLOCATE ALL");
    }
    statements.put(name, prepared);
  }

  public Prepared prepared(String name) {
    Prepared known = statements.get(name);
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
  public Outcome run(Statement statement, List<Object> values) {
    requireWorking(statement);
    return switch (statement) {
      case Statement.Empty ignored -> Outcome.done("");
      case Statement.Query q -> queries.run(q, values);
      case Statement.Explain e -> queries.explain(e, values);
      case Statement.CopyOut c ->
          queries
              .run(c.query(), values)
              .copied(new CopyFormat(c.csv(), c.header(), c.delimiter(), c.nothing()));
      case Statement.Begin ignored -> begin();
      case Statement.Commit ignored -> {
        boolean good = transaction.commit();
        endCursors();
        yield Outcome.done(good ? "COMMIT" : "ROLLBACK");
      }
      case Statement.Rollback ignored -> {
        transaction.rollback();
        endCursors();
        yield Outcome.done("ROLLBACK");
      }
      case Statement.Savepoint s -> {
        transaction.savepoint(s.name());
        yield Outcome.done("SAVEPOINT");
      }
      case Statement.Release r -> {
        transaction.release(r.name());
        yield Outcome.done("RELEASE");
      }
      case Statement.RollbackTo r -> {
        transaction.rollbackTo(r.name());
        yield Outcome.done("ROLLBACK");
      }
      case Statement.Set s -> set(s);
      case Statement.SetTransaction ignored -> Outcome.done("SET");
      case Statement.Reset r -> {
        r.name().ifPresentOrElse(n -> settings.set(n, Optional.empty()), settings::reset);
        transaction.set(false);
        yield Outcome.done("RESET");
      }
      case Statement.Show s -> ShowRows.of(s.name(), settings);
      case Statement.Discard d -> discard(d.what());
      case Statement.Declare d -> declare(d, values);
      case Statement.Fetch f -> fetch(f);
      case Statement.CloseCursor c -> {
        c.cursor().ifPresentOrElse(this::close, cursors::clear);
        yield Outcome.done(c.cursor().isPresent() ? "CLOSE CURSOR" : "CLOSE CURSOR ALL");
      }
      case Statement.Prepare p -> {
        keep(p.name(), prepare("", p.body(), p.types().stream().map(Optional::of).toList()));
        yield Outcome.done("PREPARE");
      }
      case Statement.Execute e -> execute(e);
      case Statement.Deallocate d -> {
        d.name().ifPresentOrElse(this::deallocate, statements::clear);
        yield Outcome.done(d.name().isPresent() ? "DEALLOCATE" : "DEALLOCATE ALL");
      }
      case Statement.Nothing n -> Outcome.done(n.tag());
    };
  }

  private Outcome begin() {
    if (transaction.isOpen()) {
      return Outcome.done("BEGIN")
          .noting(
              List.of(
                  Errors.notice("WARNING", "25001", "there is already a transaction in progress")));
    }
    transaction.begin();
    return Outcome.done("BEGIN");
  }

  private Outcome set(Statement.Set set) {
    settings.set(set.name(), set.value());
    transaction.set(set.local());
    return Outcome.done("SET");
  }

  private Outcome discard(String what) {
    if (what.equals("all")) {
      statements.clear();
      cursors.clear();
      settings.reset();
    } else if (what.equals("plans")) {
      return Outcome.done("DISCARD PLANS");
    }
    return Outcome.done("DISCARD " + what.toUpperCase(java.util.Locale.ROOT));
  }

  private Outcome declare(Statement.Declare declare, List<Object> values) {
    if (!transaction.isOpen() && !declare.hold()) {
      throw SqlError.of("25P01", "DECLARE CURSOR can only be used in transaction blocks");
    }
    if (cursors.containsKey(declare.name())) {
      throw SqlError.of("42P03", "cursor \"" + declare.name() + "\" already exists");
    }
    Outcome rows = queries.run(declare.query(), values);
    cursors.put(
        declare.name(), new Cursor(rows.columns().orElseThrow(), rows.rows(), declare.hold()));
    return Outcome.done("DECLARE CURSOR").noting(rows.notices());
  }

  private Outcome fetch(Statement.Fetch fetch) {
    Cursor cursor = cursor(fetch.cursor());
    List<List<Object>> rows = cursor.fetch(fetch.count());
    return fetch.move()
        ? Outcome.done("MOVE " + rows.size())
        : Outcome.rows(cursor.columns(), rows.iterator(), "FETCH %d");
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

  private Outcome execute(Statement.Execute execute) {
    Prepared known = prepared(execute.name());
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
}
