package flexdp.gateway.answer;

import flexdp.algebra.Relation;
import flexdp.frame.Drawn;
import flexdp.frame.Strategy;
import flexdp.gateway.database.Session;
import flexdp.gateway.plan.Prepared;
import flexdp.gateway.plan.Rendered;
import flexdp.gateway.program.ProgramReading;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.noise.BitSource;
import flexdp.noise.Distributions;
import flexdp.noise.Noise;
import flexdp.noise.SecureBits;
import flexdp.plan.FittedNoise;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.plan.ProposalTested;
import flexdp.plan.PublicNoise;
import flexdp.policy.Policy;
import flexdp.question.Question;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.Interpreter;
import flexdp.release.Releaser;
import flexdp.release.Rows;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import java.util.function.Supplier;

/** Reads release points from the database and makes noisy rows of them. */
final class Releasing {
  private final Policy policy;
  private final Rendered rendered;
  private final PeopleAnswers people;
  private final Supplier<BitSource> bits;
  private final Distributions distributions = new Distributions();

  Releasing(Policy policy, Rendered rendered, PeopleAnswers people, Supplier<BitSource> bits) {
    this.policy = policy;
    this.rendered = rendered;
    this.people = people;
    this.bits = bits;
  }

  /** Throws what rendering the rows of public tables would throw, without the database. */
  void checkPublic(Relation top) {
    Interpreter.visitPublic(top, relation -> rendered.renderer().rows(relation));
  }

  /** Throws what rendering a release point would throw, without the database. */
  void check(Plan plan, ReleasePoint point) {
    PeopleAnswers.noise(plan, point)
        .ifPresentOrElse(
            noise -> people.check(plan.read(point), noise), () -> rendered.check(plan.read(point)));
  }

  /**
   * Makes an answer of no rows, for one label of each release point, with noise that nobody sees:
   * whatever can be known to fail before the charge fails here.
   */
  void rehearse(Prepared prepared) {
    Plan plan = prepared.plan();
    BitSource source = new SecureBits();
    Releaser releaser = new Releaser(source, distributions, policy.privacy().thresholding());
    for (ReleasePoint point : plan.question().releases()) {
      Optional<List<List<Object>>> labels = prepared.labels().get(point.id());
      Histogram one =
          labels
              .map(rows -> Histogram.of(point, rows.subList(0, Math.min(1, rows.size()))))
              .orElseGet(() -> Histogram.open(point));
      List<Planned> planned = prepared.of(point).stream().map(ProposalTested::confirmed).toList();
      ReleasePoint read = plan.read(point);
      if (PeopleAnswers.noise(plan, point).isPresent()) {
        List<Strategy> framed = prepared.ofPeople().getOrDefault(point.id(), List.of());
        if (framed.isEmpty()) {
          people.release(point, read, planned, new NoRows(), one, source, note -> {});
        } else {
          people.check(point, read, planned, framed);
        }
      } else {
        List<Strategy> framed = prepared.strategies().getOrDefault(point.id(), List.of());
        if (!framed.isEmpty()) {
          rendered.renderer().statements(FrameReading.read(read, framed));
        }
        framed.forEach(Strategy::whole);
        Map<Integer, List<BigDecimal>> estimated = new HashMap<>();
        framed.forEach(
            s -> estimated.put(s.place(), Collections.nCopies(one.bins().size(), BigDecimal.ZERO)));
        releaser.release(point, planned, one, estimated);
      }
    }
  }

  /**
   * Noisy rows by release point, and what is known of noise whose level is chosen by then.
   *
   * @param fits of what was estimated from it
   * @param drawn the cuboids that some of them were estimated from
   */
  record Released(
      Map<Integer, Rows> rows,
      Map<Integer, PublicNoise> noise,
      Map<Integer, FittedNoise> fits,
      List<Drawn> drawn) {}

  /** With noise from this gateway's bits. */
  Releaser releaser() {
    return new Releaser(bits.get(), distributions, policy.privacy().thresholding());
  }

  /** The frames of a workload, read. */
  JoinedReading joined(Joined joined, Session session, Execution execution) {
    BitSource source = bits.get();
    return new JoinedReading(
        rendered, session, execution, joined, new Noise(source, distributions), source);
  }

  /**
   * @param asked whose statements are known when it was asked before
   * @param begins is told the release point that is measured next
   * @param notes is told what whoever asks should know of the answer
   */
  Released release(
      Prepared prepared,
      Question asked,
      Session session,
      Execution execution,
      IntConsumer begins,
      Consumer<String> notes) {
    return release(prepared, asked, session, execution, begins, notes, Optional.empty());
  }

  /**
   * @param program that makes the numbers of what is read; otherwise the database does
   */
  Released release(
      Prepared prepared,
      Question asked,
      Session session,
      Execution execution,
      IntConsumer begins,
      Consumer<String> notes,
      Optional<ProgramReading> program) {
    BitSource source = bits.get();
    Releaser releaser = new Releaser(source, distributions, policy.privacy().thresholding());
    Plan plan = prepared.plan();
    Map<Integer, List<ReleaseStatement>> statements = new HashMap<>();
    for (ReleasePoint point : asked.releases()) {
      if (program.isEmpty() && PeopleAnswers.noise(plan, point).isEmpty()) {
        statements.put(point.id(), rendered.of(plan.read(point), session));
      }
    }
    Map<Integer, Rows> released = new HashMap<>();
    Map<Integer, PublicNoise> noise = new HashMap<>();
    Map<Integer, FittedNoise> fits = new HashMap<>();
    List<Drawn> drawn = new ArrayList<>();
    for (ReleasePoint point : plan.question().releases()) {
      Histogram histogram =
          prepared
              .labels()
              .get(point.id())
              .map(rows -> Histogram.of(point, rows))
              .orElseGet(() -> Histogram.open(point));
      begins.accept(point.id());
      List<Planned> planned = prepared.of(point);
      if (program.isPresent()) {
        program.get().fill(plan.read(point), session, rendered.renderer(), histogram);
        released.put(point.id(), releaser.release(point, planned, histogram, Map.of()));
      } else if (PeopleAnswers.noise(plan, point).isPresent()) {
        ReleasePoint read = plan.read(point);
        List<Strategy> framed = prepared.ofPeople().getOrDefault(point.id(), List.of());
        PeopleAnswers.Answered answered =
            framed.isEmpty()
                ? people.release(point, read, planned, session, histogram, source, notes)
                : people.estimate(point, read, planned, framed, session, histogram, source, notes);
        released.put(point.id(), answered.rows());
        noise.putAll(answered.noise());
        fits.putAll(answered.fits());
      } else {
        List<Strategy> framed = prepared.strategies().getOrDefault(point.id(), List.of());
        Map<Integer, List<BigDecimal>> estimated =
            framed.isEmpty()
                ? Map.of()
                : new FrameReading(rendered, session, execution)
                    .release(
                        plan.read(point),
                        framed,
                        new Noise(source, distributions),
                        histogram.bins(),
                        drawn::add);
        if (framed.size() < planned.size()) {
          execution.fill(point, statements.get(point.id()), histogram);
        }
        released.put(point.id(), releaser.release(point, planned, histogram, estimated));
      }
    }
    return new Released(released, noise, fits, drawn);
  }
}
