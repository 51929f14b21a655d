package flexdp.gateway.answer;

import flexdp.gateway.database.Database;
import flexdp.gateway.database.Session;
import flexdp.gateway.plan.Rendered;
import flexdp.noise.Distributions;
import flexdp.noise.SecureBits;
import flexdp.people.clip.Contributions;
import flexdp.people.descent.OwnerSets;
import flexdp.people.descent.Solver;
import flexdp.people.descent.Values;
import flexdp.plan.Calibrated;
import flexdp.plan.Clipping;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.policy.Policy;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.LabelTable;
import flexdp.release.PeopleReleaser;
import flexdp.release.PersonCell;
import flexdp.release.Releaser;
import flexdp.release.Rows;
import flexdp.release.SharedReleaser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the database says of a question before there is noise, read as an answer reads it. It tells
 * how far two states of the data are apart, which is private: only {@code gateway.verify} may use
 * it, on data that it made up.
 */
public final class Unnoised {
  /** What was read of one release point. */
  private sealed interface Part {}

  private record Cells(Histogram histogram) implements Part {}

  /**
   * @param bySet to cuboids, where grouping sets are estimated from these
   * @param labels how many people have each label, where the data decide what is shown
   */
  private record Clips(
      Contributions<PersonCell> contributions,
      Optional<Contributions<PersonCell>> bySet,
      Optional<Histogram> labels)
      implements Part {}

  /**
   * @param sets by measurement and bin
   */
  private record Shares(List<List<OwnerSets>> sets) implements Part {}

  /**
   * How far something moved, and how far it may.
   *
   * @param what in words
   * @param most as the noise is made for it in both states
   */
  public record Change(String what, BigDecimal moved, BigDecimal most) {
    public boolean isTooFar() {
      return moved.compareTo(most) > 0;
    }
  }

  private final Policy policy;
  private final Plan plan;
  private final Map<Integer, List<List<Object>>> labels;
  private final Map<Integer, Part> parts = new LinkedHashMap<>();

  private Unnoised(Policy policy, Plan plan, Map<Integer, List<List<Object>>> labels) {
    this.policy = policy;
    this.plan = plan;
    this.labels = labels;
  }

  /** The labels that do not come from protected rows, by release point. */
  public static Map<Integer, Optional<List<List<Object>>>> labels(
      Policy policy, Plan plan, Database database, Rendered rendered) {
    Map<Integer, Optional<List<List<Object>>>> labels = new LinkedHashMap<>();
    try (Session session = database.session()) {
      Execution execution = new Execution(session, rendered.renderer());
      for (ReleasePoint point : plan.question().releases()) {
        labels.put(
            point.id(),
            point.labels() instanceof Labels.Thresholded
                ? Optional.empty()
                : Optional.of(
                    new LabelTable(point, execution::labels, policy.privacy().maxLabels()).rows()));
      }
    }
    return labels;
  }

  /** Reads what a plan asks for in the state that the database is in. */
  public static Unnoised read(
      Policy policy,
      Plan plan,
      Map<Integer, Optional<List<List<Object>>>> labels,
      Database database,
      Rendered rendered) {
    Map<Integer, List<List<Object>>> known = new LinkedHashMap<>();
    labels.forEach((id, rows) -> rows.ifPresent(r -> known.put(id, r)));
    Unnoised read = new Unnoised(policy, plan, known);
    PeopleAnswers people =
        new PeopleAnswers(database, InstalledSolver::find, policy.privacy().thresholding());
    try (Session session = database.session()) {
      Execution execution = new Execution(session, rendered.renderer());
      for (ReleasePoint point : plan.question().releases()) {
        ReleasePoint asked = plan.read(point);
        Optional<Calibrated> noise = PeopleAnswers.noise(plan, point);
        if (noise.isPresent() && noise.get() instanceof Calibrated.Clipped clipped) {
          Optional<Histogram> named =
              clipped.labels().map(l -> people.people(asked, clipped, session));
          Optional<Contributions<PersonCell>> bySet =
              clipped
                  .bySet()
                  .map(ignored -> people.contributions(asked, clipped.ofCuboids(), session));
          read.parts.put(
              point.id(), new Clips(people.contributions(asked, clipped, session), bySet, named));
        } else if (noise.isPresent() && noise.get() instanceof Calibrated.Descended) {
          read.parts.put(
              point.id(),
              new Shares(
                  people.sets(
                      asked, descended(read.planned(point)), read.histogram(point), session)));
        } else {
          Histogram histogram = read.histogram(point);
          execution.fill(point, rendered.of(asked, session), histogram);
          read.parts.put(point.id(), new Cells(histogram));
        }
      }
    }
    return read;
  }

  private Histogram histogram(ReleasePoint point) {
    List<List<Object>> rows = labels.get(point.id());
    return rows == null ? Histogram.open(point) : Histogram.of(point, rows);
  }

  private static List<Calibrated.Descended> descended(List<Planned> planned) {
    return planned.stream()
        .flatMap(p -> p.noise().stream())
        .map(Calibrated.Descended.class::cast)
        .toList();
  }

  private List<Planned> planned(ReleasePoint point) {
    return plan.measurements().stream().filter(p -> p.release().id() == point.id()).toList();
  }

  /** How far everything that noise is added to is from what was read in a neighbouring state. */
  public List<Change> against(Unnoised other) {
    List<Change> changes = new ArrayList<>();
    for (ReleasePoint point : plan.question().releases()) {
      List<Planned> here = planned(point);
      List<Planned> there = other.planned(point);
      Part one = parts.get(point.id());
      Part two = other.parts.get(point.id());
      if (one instanceof Cells(Histogram x) && two instanceof Cells(Histogram y)) {
        for (int m = 0; m < here.size(); m++) {
          changes.add(rows(here.get(m), there.get(m), x.apart(y, m)));
        }
      } else if (one instanceof Clips x && two instanceof Clips y) {
        clipped(here, x, y, changes);
      } else if (one instanceof Shares x && two instanceof Shares y) {
        List<Calibrated.Descended> noise = descended(here);
        for (int m = 0; m < noise.size(); m++) {
          for (int bin = 0; bin < x.sets().get(m).size(); bin++) {
            shared(noise.get(m), x.sets().get(m).get(bin), y.sets().get(m).get(bin), changes);
          }
        }
      } else {
        throw new IllegalStateException("how a question is answered would depend on the data");
      }
    }
    return changes;
  }

  /** Labels from the data that a neighbour would show in another way. */
  public List<String> shownOtherwise(Unnoised other) {
    List<String> found = new ArrayList<>();
    parts.forEach(
        (id, part) -> {
          Optional<Histogram> here = shown(part);
          Optional<Histogram> there = shown(other.parts.get(id));
          if (here.isPresent() && there.isPresent()) {
            found.addAll(here.get().shownOtherwise(there.get()));
          }
        });
    return found;
  }

  private static Optional<Histogram> shown(Part part) {
    return switch (part) {
      case Cells(Histogram histogram) -> Optional.of(histogram);
      case Clips clips -> clips.labels();
      case Shares ignored -> Optional.empty();
    };
  }

  private static Change rows(Planned here, Planned there, BigInteger apart) {
    BigDecimal each =
        switch (here.measurement()) {
          case Measurement.Amount amount -> amount.grid();
          case Measurement.Picked picked -> picked.perRow();
        };
    return new Change(
        words(here.measurement()),
        each.multiply(new BigDecimal(apart)),
        claimed(here).min(claimed(there)));
  }

  /** What a bound says, and what the noise is scaled to. */
  private static BigDecimal claimed(Planned planned) {
    BigDecimal bound = new BigDecimal(planned.bound().elastic(0)).multiply(planned.unit());
    return planned.noise().map(n -> bound.min(n.sensitivity())).orElse(bound);
  }

  private static String words(Measurement measurement) {
    return measurement
        .origin()
        .column()
        .orElse(measurement.origin().aggregate() + " (" + measurement.origin().part() + ")");
  }

  private static void clipped(List<Planned> planned, Clips here, Clips there, List<Change> to) {
    Contributions<PersonCell> x = here.contributions();
    Contributions<PersonCell> y = there.contributions();
    Set<PersonCell> cells = new LinkedHashSet<>(x.cells());
    cells.addAll(y.cells());
    for (int m = 0; m < planned.size(); m++) {
      Calibrated.Clipped noise = (Calibrated.Clipped) planned.get(m).noise().orElseThrow();
      Clipping clipping = noise.clipping();
      for (int level = 0; level <= x.levels().last(); level++) {
        BigInteger moved = BigInteger.ZERO;
        for (PersonCell cell : cells) {
          if (cell.measurement() == m) {
            BigInteger value = clipping.value(x, cell, noise.measurement(), level);
            BigInteger other = clipping.value(y, cell, noise.measurement(), level);
            moved = moved.add(value.subtract(other).abs());
          }
        }
        to.add(
            new Change(
                words(noise.measurement()) + ", clipped at level " + level,
                new BigDecimal(moved),
                new BigDecimal(clipping.moved(noise.measurement(), level))));
      }
    }
    Calibrated.Clipped first = (Calibrated.Clipped) planned.getFirst().noise().orElseThrow();
    to.add(people(first.clipping(), x, y));
    if (here.bySet().isPresent()) {
      cuboids(planned, here.bySet().get(), there.bySet().orElseThrow(), to);
    }
    if (here.labels().isPresent() && there.labels().isPresent()) {
      BigInteger named = here.labels().get().apart(there.labels().get(), 0);
      BigDecimal all = new BigDecimal(first.labels().orElseThrow().moved());
      to.add(new Change("the people of each label", new BigDecimal(named), all));
    }
  }

  private static Change people(
      Clipping clipping, Contributions<PersonCell> x, Contributions<PersonCell> y) {
    BigInteger people = BigInteger.ZERO;
    for (int bucket = 0; bucket < x.levels().buckets(); bucket++) {
      people = people.add(x.people(bucket).subtract(y.people(bucket)).abs());
    }
    BigDecimal most = new BigDecimal(clipping.peopleMoved());
    return new Change("the histogram of people", new BigDecimal(people), most);
  }

  /** Every cuboid by itself: each has noise for all that a person moves in it. */
  private static void cuboids(
      List<Planned> planned,
      Contributions<PersonCell> x,
      Contributions<PersonCell> y,
      List<Change> to) {
    Set<PersonCell> cells = new LinkedHashSet<>(x.cells());
    cells.addAll(y.cells());
    for (int level = 0; level <= x.levels().last(); level++) {
      Map<List<Object>, BigInteger> moved = new LinkedHashMap<>();
      for (PersonCell cell : cells) {
        moved.merge(
            List.of(cell.measurement(), cell.grouping()),
            x.clipped(cell, level).subtract(y.clipped(cell, level)).abs(),
            BigInteger::add);
      }
      for (Map.Entry<List<Object>, BigInteger> one : moved.entrySet()) {
        Calibrated.Clipped noise =
            (Calibrated.Clipped)
                planned.get((Integer) one.getKey().getFirst()).noise().orElseThrow();
        to.add(
            new Change(
                words(noise.measurement()) + ", a grouping set clipped at level " + level,
                new BigDecimal(one.getValue()),
                new BigDecimal(noise.bySet().orElseThrow().moved(noise.measurement(), level))));
      }
    }
    Calibrated.Clipped first = (Calibrated.Clipped) planned.getFirst().noise().orElseThrow();
    to.add(people(first.bySet().orElseThrow(), x, y));
  }

  private static void shared(
      Calibrated.Descended noise, OwnerSets x, OwnerSets y, List<Change> changes) {
    Solver solver = Unnoised::solved;
    Values with = new Values(x, noise.descending().levels(), solver);
    Values without = new Values(y, noise.descending().levels(), solver);
    for (int level = 0; level <= noise.descending().levels().last(); level++) {
      BigInteger tau = noise.descending().levels().at(level).shiftLeft(40);
      BigInteger slack = noise.descending().isApproximate() ? tau.shiftRight(6) : BigInteger.ZERO;
      changes.add(
          new Change(
              words(noise.measurement()) + ", at level " + level,
              new BigDecimal(with.moved(without, level).abs()),
              new BigDecimal(tau.add(slack))));
    }
  }

  private static Solver.Solution solved(Solver.Packing packing) {
    return InstalledSolver.find()
        .orElseThrow(() -> new IllegalStateException("no solver for " + packing))
        .solve(packing);
  }

  /** A private answer, with fresh noise each time; by release point. */
  public Map<Integer, Rows> released(Distributions distributions) {
    SecureBits source = new SecureBits();
    Releaser releaser = new Releaser(source, distributions, policy.privacy().thresholding());
    Map<Integer, Rows> released = new LinkedHashMap<>();
    for (ReleasePoint point : plan.question().releases()) {
      List<Planned> planned = planned(point);
      released.put(
          point.id(),
          switch (parts.get(point.id())) {
            case Cells(Histogram histogram) ->
                releaser.release(point, planned, histogram, Map.of());
            case Clips clips -> clipped(point, planned, clips, source);
            case Shares(List<List<OwnerSets>> sets) ->
                new SharedReleaser(source, Unnoised::solved)
                    .release(point, descended(planned), sets, histogram(point))
                    .rows();
          });
    }
    return released;
  }

  private Rows clipped(ReleasePoint point, List<Planned> planned, Clips clips, SecureBits source) {
    Calibrated.Clipped noise = (Calibrated.Clipped) planned.getFirst().noise().orElseThrow();
    PeopleReleaser releaser = new PeopleReleaser(source);
    Histogram bins =
        clips
            .labels()
            .map(
                people ->
                    Histogram.of(
                        point,
                        releaser.labels(
                            noise.labels().orElseThrow(),
                            noise.mechanism(),
                            point.measurements().size(),
                            policy.privacy().thresholding().orElseThrow(),
                            people)))
            .orElseGet(() -> histogram(point));
    return releaser
        .release(point, noise.clipping(), noise.mechanism(), clips.contributions(), bins)
        .rows();
  }

  /** Whether answers are drawn as here: cuboids are measured together, and otherwise. */
  public boolean isDrawnByItself() {
    return plan.question().releases().stream()
        .allMatch(
            p ->
                p.groupingSets().size() == 1
                    || plan.isByPeople(p)
                        && PeopleAnswers.noise(plan, p).filter(Unnoised::isByCuboids).isEmpty());
  }

  private static boolean isByCuboids(Calibrated noise) {
    return noise instanceof Calibrated.Clipped clipped && clipped.bySet().isPresent();
  }

  public Plan plan() {
    return plan;
  }
}
