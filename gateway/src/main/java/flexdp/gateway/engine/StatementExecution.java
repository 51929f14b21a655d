package flexdp.gateway.engine;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.cells.CellSink;
import flexdp.gateway.database.MemoryGuard;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.query.LabelSource;
import flexdp.query.NoisyAggregate;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** Runs rendered statements in one session and reads what comes back. */
public final class StatementExecution {
  private static final int FEW_ROWS = 20_000;

  private final Session session;
  private final SqlRenderer renderer;
  private final Map<Relation, PublicRows> read;

  public StatementExecution(Session session, SqlRenderer renderer) {
    this(session, renderer, Map.of());
  }

  private StatementExecution(
      Session session, SqlRenderer renderer, Map<Relation, PublicRows> read) {
    this.session = session;
    this.renderer = renderer;
    this.read = new HashMap<>(read);
  }

  /** Knows what was read so far; what it reads itself may be thrown away with it. */
  StatementExecution branch() {
    return new StatementExecution(session, renderer, read);
  }

  /**
   * Rows of public tables.
   *
   * @param all NULL stands for what cannot be read
   * @param readable those without such a value, which have labels
   */
  private record PublicRows(RowTable all, RowTable readable) {}

  /** What a statement says of one group. */
  private record Group(long grouping, List<Object> labels, List<BigInteger> numbers) {}

  /** The rows of a relation over public tables. */
  public RowTable publicRows(Relation relation) {
    return read(relation).all();
  }

  private PublicRows read(Relation relation) {
    PublicRows known = read.get(relation);
    if (known != null) {
      return known;
    }
    List<Column> columns = relation.columns();
    List<List<Object>> all = new ArrayList<>();
    List<List<Object>> readable = new ArrayList<>();
    MemoryGuard memoryGuard = MemoryGuard.ofQuestion();
    session.run(
        renderer.rows(relation),
        row -> {
          List<Object> values = new ArrayList<>(columns.size());
          boolean whole = true;
          for (int i = 0; i < columns.size(); i++) {
            switch (session.value(row, i + 1, columns.get(i).type())) {
              case CellReader.Value(Object value) -> values.add(value);
              case CellReader.Unreadable() -> {
                values.add(null);
                whole = false;
              }
            }
          }
          memoryGuard.add(values);
          all.add(values);
          if (whole) {
            readable.add(values);
          }
        });
    PublicRows rows = new PublicRows(new RowTable(columns, all), new RowTable(columns, readable));
    read.put(relation, rows);
    return rows;
  }

  public List<List<Object>> labels(LabelSource.FromPublic source) {
    RowTable rows = read(source.relation()).readable();
    List<Integer> places = source.columns().stream().map(c -> rows.index(c.id())).toList();
    List<List<Object>> labels = new ArrayList<>();
    for (List<Object> row : rows.rows()) {
      List<Object> label = new ArrayList<>();
      places.forEach(place -> label.add(row.get(place)));
      labels.add(label);
    }
    return labels;
  }

  /** Fills the cells of a release point that may have very many groups, as they come. */
  void stream(NoisyAggregate point, List<ReleaseStatement> statements, CellSink sink) {
    for (ReleaseStatement statement : statements) {
      session.run(
          statement.sql(),
          row -> group(point, statement, sink, row).ifPresent(g -> add(statement, g, sink)));
    }
  }

  /** Fills the cells of a release point. */
  public void fill(NoisyAggregate point, List<ReleaseStatement> statements, CellSink sink) {
    for (ReleaseStatement statement : statements) {
      Consumer<Group> adding = group -> add(statement, group, sink);
      if (statement.bucket().isPresent() || !fillWhole(point, statement, sink, adding)) {
        session.run(statement.sql(), row -> group(point, statement, sink, row).ifPresent(adding));
      }
    }
  }

  /** Adds nothing until all is read: what is read a second time would be added twice. */
  private boolean fillWhole(
      NoisyAggregate point, ReleaseStatement statement, CellSink sink, Consumer<Group> adding) {
    List<Group> groups = new ArrayList<>();
    boolean whole =
        session.runWhole(
            statement.sql(),
            FEW_ROWS,
            row -> group(point, statement, sink, row).ifPresent(groups::add));
    if (whole) {
      groups.forEach(adding);
    }
    return whole;
  }

  private static void add(ReleaseStatement statement, Group group, CellSink sink) {
    if (statement.bucket().isPresent()) {
      int measurement = statement.bucket().get().measurement();
      sink.add(
          group.grouping(),
          group.labels(),
          measurement,
          group.numbers().getFirst(),
          group.numbers().getLast());
      return;
    }
    for (int i = 0; i < statement.cells().size(); i++) {
      int measurement = statement.cells().get(i).measurement();
      sink.add(group.grouping(), group.labels(), measurement, group.numbers().get(i));
    }
  }

  /**
   * What a row says; nothing when its label cannot be read, as if it were not listed. Whatever a
   * row holds, the question goes on: an error would tell that there is such a row.
   */
  private Optional<Group> group(
      NoisyAggregate point, ReleaseStatement statement, CellSink sink, ResultSet row) {
    int at = 1;
    long grouping = sink.onlyGrouping();
    if (statement.hasGrouping()) {
      Optional<BigDecimal> bits = session.number(row, at++);
      if (bits.isEmpty()) {
        sink.unreadableNumber();
        return Optional.empty();
      }
      grouping = bits.get().longValue();
    }
    List<Object> labels = new ArrayList<>(point.keys().size());
    for (Column key : point.keys()) {
      switch (session.value(row, at++, key.type())) {
        case CellReader.Value(Object value) -> labels.add(value);
        case CellReader.Unreadable() -> {
          if (!sink.takesUnreadable()) {
            return Optional.empty();
          }
          labels.add(CellSink.UNREADABLE);
        }
      }
    }
    List<BigInteger> numbers = new ArrayList<>();
    if (statement.bucket().isPresent()) {
      Optional<BigDecimal> bucket = session.number(row, at++);
      if (bucket.isEmpty()) {
        return Optional.empty();
      }
      numbers.add(statement.bucket().get().units(bucket.get()));
    }
    for (ReleaseStatement.Cell cell : statement.cells()) {
      BigDecimal number = number(row, at++, sink);
      numbers.add(
          cell.shift().isPresent()
              ? cell.units(number, number(row, at++, sink))
              : cell.units(number));
    }
    return Optional.of(new Group(grouping, labels, numbers));
  }

  private BigDecimal number(ResultSet row, int at, CellSink sink) {
    Optional<BigDecimal> number = session.number(row, at);
    if (number.isEmpty()) {
      sink.unreadableNumber();
    }
    return number.orElse(BigDecimal.ZERO);
  }
}
