package flexdp.gateway.answer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.SqlRenderer;
import flexdp.people.clip.Contributions;
import flexdp.people.clip.Levels;
import flexdp.people.descent.Holdings;
import flexdp.people.descent.OwnerSets;
import flexdp.people.descent.Solver;
import flexdp.people.descent.Values;
import flexdp.plan.Calibrated;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.LabelTable;
import flexdp.release.PersonCell;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Compares the exact values of a question about people on two databases, before noise. */
final class MovedByOne {
  private int clipped;
  private int descended;
  private int few;
  private int apart;
  private int labelled;
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

  int labelled() {
    return labelled;
  }

  /** By how much the numbers of people by label moved together, at most. */
  BigInteger labels() {
    return labels;
  }

  /** Nothing moves by more than its noise is made for, at any level. */
  void compare(Plan plan, JdbcDatabase x, JdbcDatabase y, String sql) {
    for (ReleasePoint point : plan.question().releases()) {
      ReleasePoint read = plan.read(point);
      Calibrated first = plan.measurements().getFirst().noise().orElseThrow();
      switch (first) {
        case Calibrated.Clipped noise -> {
          clipped++;
          clipped(plan, point, contributions(x, read, noise), contributions(y, read, noise), sql);
          if (noise.labels().isPresent()) {
            labelled++;
            BigInteger moved = moved(people(x, read, noise), people(y, read, noise), 0);
            labels = labels.max(moved);
            assertTrue(moved.compareTo(noise.labels().get().moved()) <= 0, sql + ": labels");
          }
        }
        case Calibrated.Descended ignored -> {
          List<Calibrated.Descended> noise = new ArrayList<>();
          plan.measurements()
              .forEach(p -> noise.add((Calibrated.Descended) p.noise().orElseThrow()));
          List<List<OwnerSets>> with = sets(x, point, read, noise);
          List<List<OwnerSets>> without = sets(y, point, read, noise);
          asAnswered(x, point, read, noise, with, sql);
          for (int m = 0; m < noise.size(); m++) {
            for (int bin = 0; bin < with.get(m).size(); bin++) {
              descended++;
              descended(noise.get(m), with.get(m).get(bin), without.get(m).get(bin), sql);
            }
          }
        }
        case Calibrated.Added ignored -> {
          few++;
          Histogram with = histogram(x, read);
          Histogram without = histogram(y, read);
          for (int m = 0; m < plan.measurements().size(); m++) {
            Planned planned = plan.measurements().get(m);
            BigDecimal moved =
                new BigDecimal(moved(with, without, m)).multiply(planned.measurement().grid());
            BigDecimal most = planned.noise().orElseThrow().sensitivity();
            assertTrue(moved.compareTo(most) <= 0, sql);
          }
        }
        case Calibrated.Chosen ignored -> throw new AssertionError(sql);
      }
    }
  }

  /** How far all bins move together, in steps. */
  private static BigInteger moved(Histogram x, Histogram y, int measurement) {
    Map<Histogram.Bin, BigInteger> differences = new HashMap<>();
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

  private static Histogram histogram(JdbcDatabase database, ReleasePoint read) {
    SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
    Histogram histogram = Histogram.open(read);
    try (Session session = database.session()) {
      new Execution(session, renderer).fill(read, renderer.statements(read), histogram);
    }
    return histogram;
  }

  private static Histogram people(
      JdbcDatabase database, ReleasePoint read, Calibrated.Clipped noise) {
    try (Session session = database.session()) {
      return answers(database).people(read, noise, session);
    }
  }

  private static PeopleAnswers answers(JdbcDatabase database) {
    return new PeopleAnswers(database, Glop::find, Optional.empty());
  }

  private static Contributions<PersonCell> contributions(
      JdbcDatabase database, ReleasePoint read, Calibrated.Clipped noise) {
    try (Session session = database.session()) {
      return answers(database).contributions(read, noise, session);
    }
  }

  private static List<List<Object>> labels(ReleasePoint point) {
    return new LabelTable(
            point,
            source -> {
              throw new AssertionError("labels of constants");
            },
            8)
        .rows();
  }

  private static List<List<OwnerSets>> sets(
      JdbcDatabase database,
      ReleasePoint point,
      ReleasePoint read,
      List<Calibrated.Descended> noise) {
    List<List<Object>> labels = labels(point);
    try (Session session = database.session()) {
      return answers(database).sets(read, noise, Histogram.of(point, labels), session);
    }
  }

  /** What is read for an answer, which may be less, gives the same values. */
  private void asAnswered(
      JdbcDatabase database,
      ReleasePoint point,
      ReleasePoint read,
      List<Calibrated.Descended> noise,
      List<List<OwnerSets>> sets,
      String sql) {
    List<List<Object>> labels = labels(point);
    try (Session session = database.session()) {
      List<? extends List<? extends Holdings>> held =
          answers(database).holdings(read, noise, Histogram.of(point, labels), session);
      for (int m = 0; m < noise.size(); m++) {
        Levels levels = noise.get(m).descending().levels();
        for (int bin = 0; bin < labels.size(); bin++) {
          if (!(held.get(m).get(bin) instanceof OwnerSets)) {
            Solver none = packing -> fail("two owners at most");
            Values few = new Values(held.get(m).get(bin), levels, none);
            Values all = new Values(sets.get(m).get(bin), levels, none);
            for (int level = levels.last(); level >= 0; level--) {
              assertEquals(BigInteger.ZERO, few.moved(all, level), sql + " at level " + level);
            }
            apart++;
          }
        }
      }
    }
  }

  private static void clipped(
      Plan plan,
      ReleasePoint point,
      Contributions<PersonCell> x,
      Contributions<PersonCell> y,
      String sql) {
    Set<PersonCell> cells = new LinkedHashSet<>(x.cells());
    cells.addAll(y.cells());
    List<Planned> planned =
        plan.measurements().stream().filter(p -> p.release().id() == point.id()).toList();
    for (int m = 0; m < planned.size(); m++) {
      Calibrated.Clipped noise = (Calibrated.Clipped) planned.get(m).noise().orElseThrow();
      for (int level = 0; level <= x.levels().last(); level++) {
        BigInteger moved = BigInteger.ZERO;
        for (PersonCell cell : cells) {
          if (cell.measurement() == m) {
            BigInteger one = noise.clipping().value(x, cell, noise.measurement(), level);
            BigInteger two = noise.clipping().value(y, cell, noise.measurement(), level);
            // A grouping set that is asked for twice shows her twice.
            BigInteger shown = BigInteger.valueOf(copies(point, cell));
            moved = moved.add(one.subtract(two).abs().multiply(shown));
          }
        }
        BigInteger most = noise.clipping().moved(noise.measurement(), level);
        assertTrue(moved.compareTo(most) <= 0, sql + " at level " + level);
      }
    }
    BigInteger people = BigInteger.ZERO;
    for (int bucket = 0; bucket < x.levels().buckets(); bucket++) {
      people = people.add(x.people(bucket).subtract(y.people(bucket)).abs());
    }
    assertTrue(people.compareTo(BigInteger.ONE) <= 0, sql + ": the histogram of people");
  }

  private static long copies(ReleasePoint point, PersonCell cell) {
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

  private static void descended(Calibrated.Descended noise, OwnerSets x, OwnerSets y, String sql) {
    Solver solver = Glop.find().orElseThrow();
    Values with = new Values(x, noise.descending().levels(), solver);
    Values without = new Values(y, noise.descending().levels(), solver);
    for (int level = 0; level <= noise.descending().levels().last(); level++) {
      BigInteger tau = noise.descending().levels().at(level).shiftLeft(40);
      BigInteger slack = noise.descending().isApproximate() ? tau.shiftRight(6) : BigInteger.ZERO;
      BigInteger moved = with.moved(without, level);
      assertTrue(
          moved.compareTo(slack.negate()) >= 0 && moved.compareTo(tau.add(slack)) <= 0,
          sql + " at level " + level);
    }
  }
}
