package flexdp.gateway.engine;

import flexdp.algebra.Relation;
import flexdp.cells.CellSink;
import flexdp.cells.PersonCell;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.database.Session;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.program.ProgramReading;
import flexdp.gateway.program.ProgramRows;
import flexdp.marginals.MeasuredMarginals;
import flexdp.marginals.WorkloadGroup;
import flexdp.noise.BitSource;
import flexdp.noise.LaplaceCache;
import flexdp.noise.Noise;
import flexdp.noise.SecureBits;
import flexdp.people.clipping.Contributions;
import flexdp.people.packing.PackingSolver;
import flexdp.plan.EstimateNoise;
import flexdp.plan.Plan;
import flexdp.plan.ProposalTest;
import flexdp.plan.PublicNoise;
import flexdp.query.NoisyAggregate;
import flexdp.release.ContributionCap;
import flexdp.release.ExactRows;
import flexdp.release.Interpreter;
import flexdp.release.Reading;
import flexdp.release.ReleasePlan;
import flexdp.release.Released;
import flexdp.release.RowTable;
import flexdp.release.WorkloadRelease;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Runs release plans: their readings are rendered, run and read, and noise is drawn. */
final class ReleaseLoop {
  private final RenderedStatements rendered;
  private final Supplier<Optional<PackingSolver>> solver;
  private final ReleasePlan.Means means;
  private final Supplier<BitSource> bits;
  private final LaplaceCache distributions = new LaplaceCache();

  /**
   * @param solver looked for when a question needs one
   * @param thresholding the policy's δ of labels that come from the data
   */
  ReleaseLoop(
      RenderedStatements rendered,
      Supplier<Optional<PackingSolver>> solver,
      Optional<BigDecimal> thresholding,
      Supplier<BitSource> bits) {
    this.rendered = rendered;
    this.solver = solver;
    this.means = new ReleasePlan.Means(thresholding, InstalledSolver.of(solver));
    this.bits = bits;
  }

  /** Reads rows in a session that stays open until noise is drawn. */
  ExactRows rows(Session session) {
    return new DatabaseRows(rendered, session, true);
  }

  StatementExecution execution(Session session) {
    return new StatementExecution(session, rendered.renderer());
  }

  /** Fresh noise. */
  Noise noise() {
    return new Noise(bits.get(), distributions);
  }

  /** What releases need beside the plan. */
  ReleasePlan.Means means() {
    return means;
  }

  /** Throws what rendering the rows of public tables would throw, without the database. */
  void checkPublic(Relation top) {
    Interpreter.visitPublic(top, relation -> rendered.renderer().rows(relation));
  }

  /** Throws what rendering its release points would throw, without the database. */
  void check(Plan plan) {
    for (NoisyAggregate point : plan.query().releases()) {
      ReleasePlan release = ReleasePlan.of(plan, point, means);
      if (release.needsSolver() && solver.get().isEmpty()) {
        throw Rejection.of(
            RejectionCode.PEOPLE_UNSUPPORTED,
            "Rows with more than two owners need a solver of linear programs, which is not"
                + " installed here.",
            "Join fewer tables with owners, or ask where OR-tools' library for this system is"
                + " installed.",
            point.at());
      }
      release.readings().forEach(rendered::check);
    }
  }

  /**
   * Makes an answer of no rows, for one label of each release point, with noise that nobody sees:
   * whatever can be known to fail before the charge fails here.
   */
  void rehearse(PreparedQuery prepared) {
    Noise noise = new Noise(new SecureBits(), distributions);
    Plan assumed = ProposalTest.assumed(prepared.plan());
    for (ReleasePlan release : prepared.releases()) {
      release
          .in(assumed, means)
          .rehearse(new NoRows(rendered), prepared.labels().get(release.target().id()), noise);
    }
  }

  /** The frames of a workload, read. */
  WorkloadReading joined(PreparedWorkload joined, Session session) {
    return new WorkloadReading(
        new DatabaseRows(rendered, session, true), joined, new Noise(bits.get(), distributions));
  }

  /** Whatever can be known to fail of a frame fails here, though nothing is drawn. */
  void rehearse(WorkloadGroup frame) {
    WorkloadRelease release = new WorkloadRelease(frame);
    rendered.check(release.reading());
    release.rehearse();
  }

  /**
   * Noisy rows by release point, and what is known of noise whose level is chosen by then.
   *
   * @param fits of what was estimated from it
   * @param drawn the cuboids that some of them were estimated from
   * @param caps of what people contribute to them
   */
  record Made(
      Map<Integer, RowTable> rows,
      Map<Integer, PublicNoise> noise,
      Map<Integer, EstimateNoise> fits,
      List<MeasuredMarginals> drawn,
      List<ContributionCap> caps) {}

  /**
   * @param begins is told the release point that is measured next
   * @param notes is told what the analyst should know of the answer
   * @param program that makes the numbers of what is read; otherwise the database does
   */
  Made release(
      PreparedQuery prepared,
      Session session,
      IntConsumer begins,
      Consumer<String> notes,
      Optional<ProgramReading> program) {
    Noise noise = new Noise(bits.get(), distributions);
    DatabaseRows database = new DatabaseRows(rendered, session, true);
    if (program.isEmpty()) {
      prepared.releases().forEach(release -> release.readings().forEach(database::prepare));
    }
    ExactRows rows =
        program
            .<ExactRows>map(p -> new ProgramRows(p, session, rendered.renderer()))
            .orElse(database);
    Made made =
        new Made(
            new HashMap<>(),
            new HashMap<>(),
            new HashMap<>(),
            new ArrayList<>(),
            new ArrayList<>());
    for (ReleasePlan release : prepared.releases()) {
      int id = release.target().id();
      begins.accept(id);
      Released released = release.draw(release.read(rows, prepared.labels().get(id)), noise);
      made.rows().put(id, released.rows());
      made.noise().putAll(released.noise());
      made.fits().putAll(released.fits());
      made.drawn().addAll(released.cuboids());
      made.caps().addAll(released.caps());
      released.notes().forEach(notes);
    }
    return made;
  }

  /**
   * A database in which nothing has rows, for what is tried without one: statements are written.
   */
  private static final class NoRows implements ExactRows {
    private final RenderedStatements rendered;

    NoRows(RenderedStatements rendered) {
      this.rendered = rendered;
    }

    @Override
    public void cells(Reading.Cells what, CellSink to) {
      // Those of a planned aggregate were written when the plan was checked.
      if (what.use() != Reading.Cells.Use.AGGREGATE) {
        rendered.check(what);
      }
    }

    @Override
    public void people(Reading.People what, Contributions<PersonCell> to) {
      rendered.check(what);
    }

    @Override
    public void degrees(Reading.Degrees what, Consumer<Reading.Degrees.Row> to) {
      rendered.check(what);
    }

    @Override
    public boolean staysOpen() {
      return true;
    }
  }
}
