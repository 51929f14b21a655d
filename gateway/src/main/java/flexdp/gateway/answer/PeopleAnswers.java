package flexdp.gateway.answer;

import flexdp.algebra.Column;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Reading;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.PeopleRenderer;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.noise.BitSource;
import flexdp.people.clip.Contributions;
import flexdp.people.descent.OwnerSets;
import flexdp.people.descent.Solver;
import flexdp.plan.Calibrated;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.policy.Unit;
import flexdp.question.Labels;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.PeopleReleaser;
import flexdp.release.PersonCell;
import flexdp.release.Rows;
import flexdp.release.SharedReleaser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Asks about rows that people own, and releases what comes back. */
final class PeopleAnswers {
  private final PeopleRenderer people;
  private final SqlRenderer renderer;
  private final Supplier<Optional<Solver>> solver;

  /**
   * @param solver looked for when a question needs one
   */
  PeopleAnswers(Database database, Supplier<Optional<Solver>> solver) {
    this.people = new PeopleRenderer(database.dialect(), database.catalog());
    this.renderer = new SqlRenderer(database.dialect(), database.catalog());
    this.solver = solver;
  }

  /** The noise of a release point, where people decide it. */
  static Optional<Calibrated> noise(Plan plan, ReleasePoint point) {
    return plan.measurements().stream()
        .filter(p -> p.release().id() == point.id())
        .flatMap(p -> p.noise().stream())
        .filter(n -> n instanceof Calibrated.Clipped || n instanceof Calibrated.Descended)
        .findFirst();
  }

  /** Throws what rendering would throw, without the database. */
  void check(ReleasePoint read, Calibrated noise) {
    switch (noise) {
      case Calibrated.Clipped c -> people.statements(read, read.input(), c.owner(), c.clipping());
      case Calibrated.Descended d -> {
        if (d.descending().isApproximate() && solver.get().isEmpty()) {
          throw Rejection.of(
              RejectionCode.PEOPLE_UNSUPPORTED,
              "Rows with more than two owners need a solver of linear programs, which is not"
                  + " installed here.",
              "Join fewer tables with owners, or have ortools-java installed beside FlexDP.",
              read.at());
        }
        renderer.statements(byOwners(read, d));
      }
      case Calibrated.Added ignored -> {}
      case Calibrated.Chosen ignored -> {}
    }
  }

  /**
   * The noisy rows of a release point.
   *
   * @param point with its labels
   * @param read what the database is asked for
   * @param notes is told what whoever asks should know of the answer
   */
  Rows release(
      ReleasePoint point,
      ReleasePoint read,
      List<Planned> planned,
      Session session,
      Histogram bins,
      BitSource source,
      Consumer<String> notes) {
    return switch (planned.getFirst().noise().orElseThrow()) {
      case Calibrated.Clipped c -> {
        PeopleReleaser.Clipped released =
            new PeopleReleaser(source)
                .release(point, c.clipping(), c.mechanism(), contributions(read, c, session), bins);
        PeopleNotes.clipped(planned, released).forEach(notes);
        yield released.rows();
      }
      case Calibrated.Descended d -> {
        SharedReleaser releaser = new SharedReleaser(source, this::solved);
        SharedReleaser.Descended released = releaser.release(point, d, sets(read, d, session));
        notes.accept(PeopleNotes.descended(d, released.level()));
        yield released.rows();
      }
      case Calibrated.Added ignored -> throw new IllegalArgumentException("noise of rows");
      case Calibrated.Chosen ignored -> throw new IllegalArgumentException("noise of rows");
    };
  }

  /** What people contribute; private. */
  Contributions<PersonCell> contributions(
      ReleasePoint read, Calibrated.Clipped noise, Session session) {
    return new PeopleExecution(session)
        .read(
            read,
            noise.clipping(),
            people.statements(read, read.input(), noise.owner(), noise.clipping()));
  }

  /** Not asked where a row has two owners at most. */
  private Solver.Solution solved(Solver.Packing packing) {
    return solver
        .get()
        .orElseThrow(() -> new IllegalStateException("no solver for " + packing))
        .solve(packing);
  }

  private static ReleasePoint byOwners(ReleasePoint read, Calibrated.Descended noise) {
    List<Column> owners = columns(noise);
    return new ReleasePoint(
        read.id(),
        read.input(),
        owners,
        List.of(IntStream.range(0, owners.size()).boxed().toList()),
        List.of(),
        read.measurements(),
        new Labels.Thresholded(),
        read.at());
  }

  private static List<Column> columns(Calibrated.Descended noise) {
    return noise.owners().stream().map(o -> o.column()).distinct().toList();
  }

  /** What sets of owners have; private. */
  OwnerSets sets(ReleasePoint read, Calibrated.Descended noise, Session session) {
    List<Column> columns = columns(noise);
    List<Unit> units = noise.owners().stream().map(o -> o.unit()).distinct().toList();
    List<Integer> kinds = new ArrayList<>();
    for (Column column : columns) {
      Unit unit =
          noise.owners().stream()
              .filter(o -> o.column().equals(column))
              .findFirst()
              .orElseThrow()
              .unit();
      kinds.add(units.indexOf(unit));
    }
    OwnerSets sets =
        new OwnerSets(noise.descending().levels().at(noise.descending().levels().last()));
    for (ReleaseStatement statement : renderer.statements(byOwners(read, noise))) {
      session.run(statement.sql(), row -> add(statement, columns, kinds, session, row, sets));
    }
    return sets;
  }

  /** A row whose owner cannot be read is as if it were not there, whatever others hold. */
  private static void add(
      ReleaseStatement statement,
      List<Column> columns,
      List<Integer> kinds,
      Session session,
      ResultSet row,
      OwnerSets to) {
    List<OwnerSets.Owner> owners = new ArrayList<>();
    for (int i = 0; i < columns.size(); i++) {
      switch (session.value(row, i + 1, columns.get(i).type())) {
        case Reading.Value(Object value) -> {
          if (value != null) {
            owners.add(SharedReleaser.owner(kinds.get(i), value));
          }
        }
        case Reading.Unreadable() -> {
          return;
        }
      }
    }
    int at = columns.size() + 1;
    ReleaseStatement.Cell cell = statement.cells().getFirst();
    BigDecimal number = session.number(row, at).orElse(BigDecimal.ZERO);
    BigInteger weight =
        cell.shift().isPresent()
            ? cell.units(number, session.number(row, at + 1).orElse(BigDecimal.ZERO))
            : cell.units(number);
    to.add(weight.max(BigInteger.ZERO), owners);
  }
}
