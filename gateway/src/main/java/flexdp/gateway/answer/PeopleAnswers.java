package flexdp.gateway.answer;

import flexdp.algebra.Column;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.frame.ClippedCuboids;
import flexdp.frame.Strategy;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.plan.RenderedPeople;
import flexdp.gateway.render.Dialect;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.noise.BitSource;
import flexdp.people.clip.Contributions;
import flexdp.people.descent.Holdings;
import flexdp.people.descent.OwnerSets;
import flexdp.people.descent.Solver;
import flexdp.plan.Calibrated;
import flexdp.plan.FittedNoise;
import flexdp.plan.LabelsByPeople;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.plan.PublicNoise;
import flexdp.policy.Unit;
import flexdp.question.Labels;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.PeopleReleaser;
import flexdp.release.PersonCell;
import flexdp.release.Releaser;
import flexdp.release.Rows;
import flexdp.release.SharedReleaser;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.IntStream;

/** Asks about rows that people own, and releases what comes back. */
final class PeopleAnswers {
  private final Dialect dialect;
  private final RenderedPeople people;
  private final SqlRenderer renderer;
  private final Supplier<Optional<Solver>> solver;
  private final Optional<BigDecimal> thresholding;

  /**
   * @param solver looked for when a question needs one
   * @param thresholding the policy's δ of labels that come from the data
   */
  PeopleAnswers(
      Database database, Supplier<Optional<Solver>> solver, Optional<BigDecimal> thresholding) {
    this.dialect = database.dialect();
    this.people = new RenderedPeople(database);
    this.renderer = new SqlRenderer(database.dialect(), database.catalog());
    this.solver = solver;
    this.thresholding = thresholding;
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
      case Calibrated.Clipped c -> {
        people.of(read, c.owner(), c.clipping(), Optional.empty());
        c.labels().ifPresent(l -> renderer.statements(l.counting(read, c.owner())));
      }
      case Calibrated.Descended d -> {
        if (d.descending().isApproximate() && solver.get().isEmpty()) {
          throw Rejection.of(
              RejectionCode.PEOPLE_UNSUPPORTED,
              "Rows with more than two owners need a solver of linear programs, which is not"
                  + " installed here.",
              "Join fewer tables with owners, or ask where OR-tools' library for this system is"
                  + " installed.",
              read.at());
        }
        renderer.statements(byOwners(read, d));
        if (TwoKinds.are(columns(d), kinds(d))) {
          renderer.statements(TwoKinds.byEither(read, columns(d)));
        }
      }
      case Calibrated.Added ignored -> {}
      case Calibrated.Chosen ignored -> {}
    }
  }

  /** Noisy rows, and what is known of their noise now that its levels are. */
  record Answered(Rows rows, Map<Integer, PublicNoise> noise, Map<Integer, FittedNoise> fits) {
    Answered(Rows rows, Map<Integer, PublicNoise> noise) {
      this(rows, noise, Map.of());
    }
  }

  /**
   * The noisy rows of a release point.
   *
   * @param point with its labels
   * @param read what the database is asked for
   * @param notes is told what whoever asks should know of the answer
   */
  Answered release(
      ReleasePoint point,
      ReleasePoint read,
      List<Planned> planned,
      Session session,
      Histogram bins,
      BitSource source,
      Consumer<String> notes) {
    return switch (planned.getFirst().noise().orElseThrow()) {
      case Calibrated.Clipped c -> {
        PeopleReleaser releaser = new PeopleReleaser(source);
        Histogram shown =
            c.labels().isEmpty()
                ? bins
                : Histogram.of(point, labels(point, read, c, releaser, session));
        PeopleReleaser.Clipped released =
            releaser.release(
                point, c.clipping(), c.mechanism(), contributions(read, c, shown, session), shown);
        PeopleNotes.clipped(planned, released).forEach(notes);
        yield new Answered(released.rows(), PeopleErrors.clipped(planned, released));
      }
      case Calibrated.Descended ignored -> {
        List<Calibrated.Descended> noise =
            planned.stream()
                .flatMap(p -> p.noise().stream())
                .map(Calibrated.Descended.class::cast)
                .toList();
        SharedReleaser.Descended released =
            new SharedReleaser(source, this::solved)
                .release(point, noise, holdings(read, noise, bins, session), bins);
        for (int m = 0; m < noise.size(); m++) {
          PeopleNotes.descended(noise.get(m), released.levels().get(m)).ifPresent(notes);
        }
        yield new Answered(released.rows(), Map.of());
      }
      case Calibrated.Added ignored -> throw new IllegalArgumentException("noise of rows");
      case Calibrated.Chosen ignored -> throw new IllegalArgumentException("noise of rows");
    };
  }

  /**
   * The same where grouping sets are estimated from cuboids.
   *
   * @param strategies of every measurement
   */
  Answered estimate(
      ReleasePoint point,
      ReleasePoint read,
      List<Planned> planned,
      List<Strategy> strategies,
      Session session,
      Histogram bins,
      BitSource source,
      Consumer<String> notes) {
    List<Calibrated.Clipped> noise = ofCuboids(planned);
    ClippedCuboids cuboids = new ClippedCuboids(point, noise, strategies);
    ReleasePoint measured = read.by(cuboids.sets());
    ClippedCuboids.Estimated made =
        cuboids.estimates(
            measured, contributions(measured, noise.getFirst(), session), bins.bins(), source);
    PeopleNotes.estimated(noise, made).forEach(notes);
    Map<Integer, FittedNoise> fits = new HashMap<>();
    for (int m = 0; m < planned.size(); m++) {
      fits.put(planned.get(m).measurement().output().id(), made.errors().get(m));
    }
    return new Answered(Releaser.rows(point, bins, made.values()), Map.of(), fits);
  }

  private static List<Calibrated.Clipped> ofCuboids(List<Planned> planned) {
    return planned.stream()
        .map(p -> ((Calibrated.Clipped) p.noise().orElseThrow()).ofCuboids())
        .toList();
  }

  /** Throws what estimating from cuboids would throw, without the database. */
  void check(
      ReleasePoint point, ReleasePoint read, List<Planned> planned, List<Strategy> strategies) {
    List<Calibrated.Clipped> noise = ofCuboids(planned);
    ReleasePoint measured = read.by(new ClippedCuboids(point, noise, strategies).sets());
    contributions(measured, noise.getFirst(), new NoRows());
  }

  /** The labels that enough people have. */
  private List<List<Object>> labels(
      ReleasePoint point,
      ReleasePoint read,
      Calibrated.Clipped noise,
      PeopleReleaser releaser,
      Session session) {
    LabelsByPeople labels = noise.labels().orElseThrow();
    return releaser.labels(
        labels,
        noise.mechanism(),
        point.measurements().size(),
        thresholding.orElseThrow(),
        people(read, noise, session));
  }

  /** How many people have each label; private. */
  Histogram people(ReleasePoint read, Calibrated.Clipped noise, Session session) {
    ReleasePoint counting = noise.labels().orElseThrow().counting(read, noise.owner());
    Histogram people = Histogram.open(counting);
    new Execution(session, renderer).fill(counting, renderer.statements(counting), people);
    return people;
  }

  /** What people contribute; private. */
  Contributions<PersonCell> contributions(
      ReleasePoint read, Calibrated.Clipped noise, Session session) {
    return contributions(read, noise, Optional.empty(), session);
  }

  private Contributions<PersonCell> contributions(
      ReleasePoint read, Calibrated.Clipped noise, Histogram bins, Session session) {
    List<List<Object>> labels = bins.bins().stream().map(Histogram.Bin::labels).toList();
    return contributions(read, noise, Optional.of(labels), session);
  }

  /**
   * @param labels that are looked at; others may be left out
   */
  Contributions<PersonCell> contributions(
      ReleasePoint read,
      Calibrated.Clipped noise,
      Optional<List<List<Object>>> labels,
      Session session) {
    return new PeopleExecution(session)
        .read(read, noise.clipping(), people.of(read, noise.owner(), noise.clipping(), labels));
  }

  /** Not asked where a row has two owners at most. */
  Solver.Solution solved(Solver.Packing packing) {
    return solver
        .get()
        .orElseThrow(() -> new IllegalStateException("no solver for " + packing))
        .solve(packing);
  }

  private static ReleasePoint byOwners(ReleasePoint read, Calibrated.Descended noise) {
    List<Column> keys = new ArrayList<>(read.keys());
    keys.addAll(columns(noise));
    return new ReleasePoint(
        read.id(),
        read.input(),
        keys,
        List.of(IntStream.range(0, keys.size()).boxed().toList()),
        List.of(),
        read.measurements(),
        new Labels.Thresholded(),
        read.at());
  }

  private static List<Column> columns(Calibrated.Descended noise) {
    return noise.owners().stream().map(o -> o.column()).distinct().toList();
  }

  /**
   * What sets of owners have, as far as values ask for it while the session is open; private.
   *
   * @param noise of each measurement
   * @return by measurement and bin
   */
  List<? extends List<? extends Holdings>> holdings(
      ReleasePoint read, List<Calibrated.Descended> noise, Histogram bins, Session session) {
    List<Column> columns = columns(noise.getFirst());
    return TwoKinds.are(columns, kinds(noise.getFirst()))
        ? new TwoKinds(read, noise, columns, bins, session, r -> sets(r, noise, bins, session))
            .holdings(dialect, renderer)
        : sets(read, noise, bins, session);
  }

  /** What the columns name: the same number for the same unit. */
  private static List<Integer> kinds(Calibrated.Descended noise) {
    List<Unit> units = noise.owners().stream().map(o -> o.unit()).distinct().toList();
    List<Integer> kinds = new ArrayList<>();
    for (Column column : columns(noise)) {
      Unit unit =
          noise.owners().stream()
              .filter(o -> o.column().equals(column))
              .findFirst()
              .orElseThrow()
              .unit();
      kinds.add(units.indexOf(unit));
    }
    return kinds;
  }

  /**
   * What sets of owners have; private.
   *
   * @param noise of each measurement
   * @return by measurement and bin
   */
  List<List<OwnerSets>> sets(
      ReleasePoint read, List<Calibrated.Descended> noise, Histogram bins, Session session) {
    Calibrated.Descended first = noise.getFirst();
    List<Column> columns = columns(first);
    OwnerSetRows rows = new OwnerSetRows(session, read.keys(), columns, kinds(first), noise, bins);
    for (ReleaseStatement statement : renderer.statements(byOwners(read, first))) {
      session.run(statement.sql(), row -> rows.add(statement, row));
    }
    return rows.sets();
  }
}
