package flexdp.gateway.engine;

import flexdp.algebra.Column;
import flexdp.cells.CellSink;
import flexdp.cells.PersonCell;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader.Unreadable;
import flexdp.gateway.database.Session.CellReader.Value;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.render.PersonStatement;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.people.clipping.Contributions;
import flexdp.release.ExactRows;
import flexdp.release.Reading;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Exact rows of the state that a session reads: statements are rendered, run and read here. */
public final class DatabaseRows implements ExactRows {
  private final RenderedStatements rendered;
  private final Session session;
  private final boolean staysOpen;

  /**
   * @param staysOpen whether the session does until noise is drawn
   */
  public DatabaseRows(RenderedStatements rendered, Session session, boolean staysOpen) {
    this.rendered = rendered;
    this.session = session;
    this.staysOpen = staysOpen;
  }

  @Override
  public boolean staysOpen() {
    return staysOpen;
  }

  /** Writes what can be written before anything is read. */
  void prepare(Reading reading) {
    if (reading instanceof Reading.Cells cells && cells.use() == Reading.Cells.Use.AGGREGATE) {
      rendered.of(cells, session);
    }
  }

  @Override
  public void cells(Reading.Cells what, CellSink to) {
    StatementExecution execution = new StatementExecution(session, rendered.renderer());
    List<ReleaseStatement> statements = rendered.of(what, session);
    switch (what.use()) {
      case AGGREGATE, CUBOIDS, LABELS -> execution.fill(what.point(), statements, to);
      case OWNERS -> execution.stream(what.point(), statements, to);
    }
  }

  @Override
  public void people(Reading.People what, Contributions<PersonCell> to) {
    for (PersonStatement statement : rendered.of(what)) {
      session.run(statement.sql(), row -> add(what, statement, row, to));
    }
  }

  /** A row whose label cannot be read is as if it were not listed, but its people are people. */
  private void add(
      Reading.People what, PersonStatement statement, ResultSet row, Contributions<PersonCell> to) {
    int at = 1;
    int bucket = number(row, at++).intValue();
    boolean readable = true;
    Optional<Long> grouping = Optional.empty();
    if (statement.grouping().isPresent()) {
      grouping = Optional.of(number(row, at++).longValue() >> statement.grouping().get());
    }
    List<Object> labels = new ArrayList<>();
    for (Column key : statement.hasKeys() ? what.point().keys() : List.<Column>of()) {
      switch (session.value(row, at++, key.type())) {
        case Value(Object value) -> labels.add(value);
        case Unreadable() -> readable = false;
      }
    }
    Optional<BigInteger> step = Optional.empty();
    if (statement.step().isPresent()) {
      Optional<BigDecimal> read = session.number(row, at++);
      readable &= read.isPresent();
      step = read.map(statement.step().get()::units);
    }
    BigInteger people = number(row, at++);
    if (statement.countsPeople()) {
      to.people(bucket, people);
    }
    for (PersonStatement.Value value : statement.values()) {
      BigInteger plain = number(row, at++);
      BigInteger shares = number(row, at++);
      if (readable) {
        List<Object> bin = value.labels().orElse(labels);
        to.add(bucket, new PersonCell(grouping, bin, value.measurement(), step), plain, shares);
      }
    }
  }

  private BigInteger number(ResultSet row, int at) {
    return PersonStatement.whole(session.number(row, at).orElse(BigDecimal.ZERO));
  }

  @Override
  public void degrees(Reading.Degrees what, Consumer<Reading.Degrees.Row> to) {
    for (String sql : rendered.of(what)) {
      session.run(sql, row -> to.accept(degrees(what, row)));
    }
  }

  private Reading.Degrees.Row degrees(Reading.Degrees what, ResultSet row) {
    int at = 1;
    boolean readable = true;
    Optional<BigDecimal> grouping = session.number(row, at++);
    List<Object> labels = new ArrayList<>();
    boolean labelled = true;
    for (Column key : what.keys()) {
      switch (session.value(row, at++, key.type())) {
        case Value(Object value) -> labels.add(value);
        case Unreadable() -> labelled = false;
      }
    }
    List<BigInteger> numbers = new ArrayList<>();
    readable &= grouping.isPresent();
    for (int i = 0; i < 4; i++) {
      Optional<BigDecimal> number = session.number(row, at++);
      readable &= number.isPresent();
      numbers.add(number.orElse(BigDecimal.ZERO).toBigInteger());
    }
    // The last bit is that of the second owner: 1 where rows are not by it.
    int kind = grouping.orElse(BigDecimal.ZERO).toBigInteger().testBit(0) ? 0 : 1;
    return new Reading.Degrees.Row(
        kind,
        labelled ? Optional.of(labels) : Optional.empty(),
        numbers.get(0).intValue(),
        numbers.get(1),
        numbers.get(2),
        numbers.get(3),
        readable);
  }
}
