package flexdp.gateway.prepare;

import flexdp.algebra.Column;
import flexdp.cache.LruCache;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.DegreeBuckets;
import flexdp.gateway.render.NameCatalog;
import flexdp.gateway.render.PeopleRenderer;
import flexdp.gateway.render.PersonStatement;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.gateway.render.TargetDialect;
import flexdp.plan.ClippingPlan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.properties.ColumnBounds;
import flexdp.query.NoisyAggregate;
import flexdp.release.Reading;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The statements of what releases read, those that were asked lately among them. A question asked
 * again has the {@link SamePoint same} release points, since its plan is kept.
 */
public final class RenderedStatements {
  private final TargetDialect dialect;
  private final SqlRenderer renderer;
  private final PeopleRenderer people;
  private final Optional<MeasuredBounds> bounds;
  private final LruCache<SamePoint, List<ReleaseStatement>> aggregates = new LruCache<>(1_000);
  private final LruCache<OfPeople, List<PersonStatement>> contributions = new LruCache<>(200);

  private record OfPeople(
      SamePoint point, Column owner, ClippingPlan clipping, Optional<List<List<Object>>> labels) {}

  public RenderedStatements(Database database) {
    this.dialect = database.dialect();
    this.renderer = new SqlRenderer(dialect, database.catalog());
    this.people = new PeopleRenderer(dialect, renderer);
    this.bounds = database.version().map(v -> new MeasuredBounds(database.catalog()));
  }

  public SqlRenderer renderer() {
    return renderer;
  }

  /**
   * Throws what rendering would throw, without the database. What is rendered is kept, unless the
   * data's own bounds have a say in it, which are looked at when the question is charged.
   */
  public void check(Reading reading) {
    switch (reading) {
      case Reading.Cells cells -> {
        switch (cells.use()) {
          case AGGREGATE -> checkAggregate(cells.point());
          case CUBOIDS, LABELS, OWNERS -> renderer.statements(cells.point());
        }
      }
      case Reading.People of -> of(of);
      case Reading.Degrees of -> of(of);
    }
  }

  private void checkAggregate(NoisyAggregate point) {
    SamePoint same = new SamePoint(point);
    if (aggregates.get(same).isPresent()) {
      return;
    }
    AtomicBoolean asked = new AtomicBoolean();
    List<ReleaseStatement> made =
        renderer.statements(
            point,
            (table, column) -> {
              asked.set(true);
              return Optional.empty();
            });
    if (bounds.isEmpty() || !asked.get()) {
      aggregates.put(same, made);
    }
  }

  /**
   * @param session to look through at data that stay as they are
   */
  public List<ReleaseStatement> of(Reading.Cells cells, Session session) {
    NoisyAggregate point = cells.point();
    return switch (cells.use()) {
      case AGGREGATE -> aggregates.of(new SamePoint(point), () -> within(point, session));
      case CUBOIDS -> within(point, session);
      case LABELS, OWNERS -> renderer.statements(point);
    };
  }

  private List<ReleaseStatement> within(NoisyAggregate point, Session session) {
    ColumnBounds known = bounds.map(b -> b.through(session)).orElse(ColumnBounds.NONE);
    return renderer.statements(point, known);
  }

  public List<PersonStatement> of(Reading.People of) {
    NoisyAggregate point = of.point();
    // Without keys there is one bin, whatever it is called.
    Optional<List<List<Object>>> labels = point.keys().isEmpty() ? Optional.empty() : of.labels();
    return contributions.of(
        new OfPeople(new SamePoint(point), of.owner(), of.clipping(), labels),
        () -> people.statements(point, point.input(), of.owner(), of.clipping(), labels));
  }

  public List<String> of(Reading.Degrees of) {
    return renderer.statements(of.each()).stream()
        .map(each -> DegreeBuckets.sql(dialect, each, of.keys(), of.owners(), of.levels()))
        .toList();
  }

  /**
   * The least and the greatest value of columns, of data that stay as they are while they are open.
   * Each column is looked at once, when it is first summed; it never leaves this process.
   */
  private static final class MeasuredBounds {
    private record Place(String table, String column) {}

    private final NameCatalog catalog;
    private final Map<Place, Optional<Range>> known = new ConcurrentHashMap<>();

    MeasuredBounds(NameCatalog catalog) {
      this.catalog = catalog;
    }

    /** Looks through a session at what is not known yet. */
    ColumnBounds through(Session session) {
      return (table, column) ->
          known.computeIfAbsent(
              new Place(table.name(), column.name()), p -> measured(session, table, column));
    }

    private Optional<Range> measured(Session session, Table table, ColumnSpec column) {
      List<Optional<BigDecimal>> ends = new ArrayList<>();
      String x = catalog.column(table, column);
      session.run(
          "SELECT MIN(" + x + "), MAX(" + x + ") FROM " + catalog.table(table),
          row -> {
            ends.add(session.number(row, 1));
            ends.add(session.number(row, 2));
          });
      return ends.stream().allMatch(Optional::isPresent)
          ? Optional.of(new Range(ends.getFirst().get(), ends.getLast().get()))
          : Optional.empty();
    }
  }

  /**
   * A release point by what its statements are made of, and that by identity: comparing the
   * contents would take longer than rendering them. A plan that is kept has the same rows and
   * measurements, though it puts them together anew.
   */
  private record SamePoint(NoisyAggregate point) {
    @Override
    public boolean equals(Object other) {
      return other instanceof SamePoint same
          && same.point.input() == point.input()
          && same.point.measurements() == point.measurements()
          && same.point.keys() == point.keys()
          && same.point.groupingSets().equals(point.groupingSets());
    }

    @Override
    public int hashCode() {
      return 31 * System.identityHashCode(point.input())
          + System.identityHashCode(point.measurements());
    }
  }
}
