package flexdp.gateway.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.cells.ExactHistogram;
import flexdp.cells.PersonCell;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.render.SqlRenderer;
import flexdp.people.clipping.ClipLevels;
import flexdp.people.clipping.Contributions;
import flexdp.people.packing.PackingValues;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.JointClipping;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.ExactValues;
import flexdp.release.LabelSupport;
import flexdp.release.LabelTable;
import flexdp.release.NeighborDistance;
import flexdp.release.PackedRelease;
import flexdp.release.Reading;
import flexdp.release.ReleasePlan;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares the exact values of a question about people on two databases, before noise. */
final class MovedByOne {
  private static final ReleasePlan.Means MEANS =
      new ReleasePlan.Means(Optional.empty(), InstalledSolver.lazily());

  private int clipped;
  private int descended;
  private int few;
  private int apart;
  private int labelled;
  private int squared;
  private boolean tight;
  private BigInteger labels = BigInteger.ZERO;

  int clipped() {
    return clipped;
  }

  int descended() {
    return descended;
  }

  /** How many were read by each kind apart. */
  int apart() {
    return apart;
  }

  int few() {
    return few;
  }

  /** How many were compared in L2; and whether one moved by about as much as it may. */
  int squared() {
    return tight ? squared : 0;
  }

  int labelled() {
    return labelled;
  }

  /** By how much the numbers of people by label moved together, at most. */
  BigInteger labels() {
    return labels;
  }

  /** Nothing moves by more than its noise is made for, at any level. */
  void compare(Plan plan, JdbcDatabase x, JdbcDatabase y, String sql) {
    for (NoisyAggregate point : plan.query().releases()) {
      NoisyAggregate read = plan.read(point);
      CalibratedMechanism first = plan.measurements().getFirst().noise().orElseThrow();
      switch (first) {
        case CalibratedMechanism.Clipped noise -> {
          clipped++;
          for (List<Integer> part : JointClipping.of(point)) {
            NoisyAggregate some = JointClipping.some(read, part);
            CalibratedMechanism.Clipped own = noise(plan, point).get(part.getFirst());
            clipped(
                plan, point, part, contributions(x, some, own), contributions(y, some, own), sql);
          }
          if (noise.labels().isPresent()) {
            labelled++;
            NeighborDistance moved = people(x, read, noise).moved(people(y, read, noise));
            labels = labels.max(moved.moved().toBigIntegerExact());
            assertFalse(moved.isTooFar(), sql + ": " + moved);
          }
        }
        case CalibratedMechanism.Packed ignored -> {
          PackedRelease release = (PackedRelease) ReleasePlan.of(plan, point, MEANS);
          List<List<PackingValues>> with = values(x, release);
          List<List<PackingValues>> without = values(y, release);
          asAnswered(x, release, with, sql);
          for (int m = 0; m < release.noise().size(); m++) {
            for (int bin = 0; bin < with.get(m).size(); bin++) {
              descended++;
              descended(release.noise().get(m), with.get(m).get(bin), without.get(m).get(bin), sql);
            }
          }
        }
        case CalibratedMechanism.Additive ignored -> {
          few++;
          ExactHistogram with = histogram(x, read);
          ExactHistogram without = histogram(y, read);
          for (int m = 0; m < plan.measurements().size(); m++) {
            PlannedMeasurement planned = plan.measurements().get(m);
            BigDecimal moved =
                new BigDecimal(moved(with, without, m)).multiply(planned.measurement().grid());
            BigDecimal most = planned.noise().orElseThrow().sensitivity();
            assertTrue(moved.compareTo(most) <= 0, sql);
          }
        }
        case CalibratedMechanism.Selected ignored -> throw new AssertionError(sql);
      }
    }
  }

  /** How far all bins move together, in steps. */
  private static BigInteger moved(ExactHistogram x, ExactHistogram y, int measurement) {
    Map<ExactHistogram.Bin, BigInteger> differences = new HashMap<>();
    for (int i = 0; i < x.bins().size(); i++) {
      differences.put(x.bins().get(i), x.numbers(measurement).get(i));
    }
    for (int i = 0; i < y.bins().size(); i++) {
      differences.merge(y.bins().get(i), y.numbers(measurement).get(i).negate(), BigInteger::add);
    }
    return differences.values().stream()
        .map(BigInteger::abs)
        .reduce(BigInteger.ZERO, BigInteger::add);
  }

  private static ExactHistogram histogram(JdbcDatabase database, NoisyAggregate read) {
    SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
    ExactHistogram histogram = ExactHistogram.open(read);
    try (Session session = database.session()) {
      new StatementExecution(session, renderer).fill(read, renderer.statements(read), histogram);
    }
    return histogram;
  }

  private static LabelSupport people(
      JdbcDatabase database, NoisyAggregate read, CalibratedMechanism.Clipped noise) {
    NoisyAggregate counting = noise.labels().orElseThrow().counting(read, noise.owner());
    LabelSupport people = new LabelSupport(read, noise.labels().orElseThrow());
    try (Session session = database.session()) {
      rows(database, session, false)
          .cells(new Reading.Cells(counting, Reading.Cells.Use.LABELS), people);
    }
    return people;
  }

  private static DatabaseRows rows(JdbcDatabase database, Session session, boolean staysOpen) {
    return new DatabaseRows(new RenderedStatements(database), session, staysOpen);
  }

  private static Contributions<PersonCell> contributions(
      JdbcDatabase database, NoisyAggregate read, CalibratedMechanism.Clipped noise) {
    Contributions<PersonCell> all =
        new Contributions<>(noise.clipping().levels(), noise.clipping().digits());
    try (Session session = database.session()) {
      rows(database, session, false)
          .people(new Reading.People(read, noise.owner(), noise.clipping(), Optional.empty()), all);
    }
    return all;
  }

  private static List<List<Object>> labels(NoisyAggregate point) {
    return new LabelTable(
            point,
            source -> {
              throw new AssertionError("labels of constants");
            },
            8)
        .rows();
  }

  private static List<List<PackingValues>> values(JdbcDatabase database, PackedRelease release) {
    try (Session session = database.session()) {
      return ExactValues.packed(
          release.read(rows(database, session, false), Optional.of(labels(release.target()))));
    }
  }

  /** What is read for an answer, which may be less, gives the same values. */
  private void asAnswered(
      JdbcDatabase database, PackedRelease release, List<List<PackingValues>> all, String sql) {
    try (Session session = database.session()) {
      List<List<PackingValues>> few =
          ExactValues.packed(
              release.read(rows(database, session, true), Optional.of(labels(release.target()))));
      for (int m = 0; m < all.size(); m++) {
        ClipLevels levels = release.noise().get(m).packing().levels();
        for (int bin = 0; bin < all.get(m).size(); bin++) {
          for (int level = levels.last(); level >= 0; level--) {
            BigInteger moved = few.get(m).get(bin).moved(all.get(m).get(bin), level);
            assertEquals(BigInteger.ZERO, moved, sql + " at level " + level);
          }
          apart += release.readings().size() > 1 ? 1 : 0;
        }
      }
    }
  }

  private void clipped(
      Plan plan,
      NoisyAggregate point,
      List<Integer> part,
      Contributions<PersonCell> x,
      Contributions<PersonCell> y,
      String sql) {
    Set<PersonCell> cells = new LinkedHashSet<>(x.cells());
    cells.addAll(y.cells());
    for (int m = 0; m < part.size(); m++) {
      CalibratedMechanism.Clipped noise = noise(plan, point).get(part.get(m));
      for (int level = 0; level <= x.levels().last(); level++) {
        BigInteger moved = BigInteger.ZERO;
        for (PersonCell cell : cells) {
          if (cell.measurement() == m) {
            BigInteger one = noise.clipping().value(x, cell, noise.measurement(), level);
            BigInteger two = noise.clipping().value(y, cell, noise.measurement(), level);
            // A grouping set that is asked for twice shows her twice.
            BigInteger shown = BigInteger.valueOf(copies(point, cell));
            BigInteger difference = one.subtract(two).abs();
            moved =
                moved.add(
                    noise.clipping().euclidean() ? difference.pow(2) : difference.multiply(shown));
          }
        }
        BigInteger most =
            noise.clipping().euclidean()
                ? noise.clipping().movedSquared(noise.measurement(), level)
                : noise.clipping().moved(noise.measurement(), level);
        assertTrue(moved.compareTo(most) <= 0, sql + " at level " + level);
        if (noise.clipping().euclidean()) {
          squared++;
          tight |= moved.multiply(BigInteger.TWO).compareTo(most) > 0;
        }
      }
    }
    BigInteger people = BigInteger.ZERO;
    for (int bucket = 0; bucket < x.levels().buckets(); bucket++) {
      people = people.add(x.people(bucket).subtract(y.people(bucket)).abs());
    }
    assertTrue(people.compareTo(BigInteger.ONE) <= 0, sql + ": the histogram of people");
  }

  private static List<CalibratedMechanism.Clipped> noise(Plan plan, NoisyAggregate point) {
    return plan.measurements().stream()
        .filter(p -> p.release().id() == point.id())
        .map(p -> (CalibratedMechanism.Clipped) p.noise().orElseThrow())
        .toList();
  }

  private static long copies(NoisyAggregate point, PersonCell cell) {
    if (cell.grouping().isEmpty()) {
      return 1;
    }
    return point.groupingSets().stream()
        .filter(
            set -> {
              long bits = 0;
              for (int key = 0; key < point.keys().size(); key++) {
                bits = bits << 1 | (set.contains(key) ? 0 : 1);
              }
              return bits == cell.grouping().get();
            })
        .count();
  }

  private static void descended(
      CalibratedMechanism.Packed noise, PackingValues with, PackingValues without, String sql) {
    for (int level = 0; level <= noise.packing().levels().last(); level++) {
      BigInteger tau = noise.packing().levels().at(level).shiftLeft(40);
      BigInteger slack = noise.packing().isApproximate() ? tau.shiftRight(6) : BigInteger.ZERO;
      BigInteger moved = with.moved(without, level);
      assertTrue(
          moved.compareTo(slack.negate()) >= 0 && moved.compareTo(tau.add(slack)) <= 0,
          sql + " at level " + level);
    }
  }
}
