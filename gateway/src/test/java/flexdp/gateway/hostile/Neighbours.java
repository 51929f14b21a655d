package flexdp.gateway.hostile;

import flexdp.failure.Rejection;
import flexdp.marginals.StrategyChoice;
import flexdp.plan.Plan;
import flexdp.plan.PlannedMeasurement;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.release.NeighborDistance;
import flexdp.sensitivity.MonotoneDirection;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/** Two databases that differ by one row, and what must not tell which of them was asked. */
final class Neighbours implements AutoCloseable {
  /** Noise beyond this many scales does not happen. */
  private static final BigDecimal SCALES = BigDecimal.valueOf(60);

  private final Side x;
  private final Side y;
  private final Optional<Table> changed;
  private final String key;
  private int accepted;
  private int failed;
  private int compared;
  private int together;
  private int outsiders;
  private int picked;

  Neighbours(TestBed ground, HostileTables tables, Policy policy) throws Exception {
    // A row that is replaced may have been in another part, and other databases name parts
    // otherwise.
    changed =
        ground instanceof DuckDbTestBed && tables.before().isEmpty()
            ? policy.table(HostileTables.NAMES.get(tables.changed()))
            : Optional.empty();
    key = tables.after().getFirst();
    x = new Side(ground, 0, tables, policy);
    try {
      y = new Side(ground, 1, tables, policy);
    } catch (Exception e) {
      x.close();
      throw e;
    }
  }

  /** Whether a question is refused by its text alone; what goes wrong otherwise is asked to see. */
  boolean binds(String sql) {
    try {
      x.plan(sql);
      return true;
    } catch (Rejection e) {
      return false;
    } catch (RuntimeException | StackOverflowError e) {
      return true;
    }
  }

  /** What a question gives away; nothing when it keeps the promise. */
  Optional<String> leak(String sql) {
    Outcome here = x.asked(sql);
    Outcome there = y.asked(sql);
    if (here.broke() || there.broke()) {
      failed++;
    }
    if (!here.status().equals(there.status())) {
      return Optional.of("x: " + shown(here) + "\ny: " + shown(there));
    }
    if (here.broke()) {
      Outcome explained = x.explained(sql);
      return Optional.of((explained.answered() ? "accepted, but both " : "both ") + shown(here));
    }
    if (!here.answered()) {
      return Optional.empty();
    }
    accepted++;
    if (!here.columns().equals(there.columns())) {
      return Optional.of("columns " + here.columns() + " and " + there.columns());
    }
    return change(sql, here, there);
  }

  /** What a question that proposes enough for both gives away: it has to end alike. */
  Optional<String> proposed(String sql) {
    Outcome here = x.proposed(sql);
    Outcome there = y.proposed(sql);
    boolean alike = here.status().equals(there.status()) && here.columns().equals(there.columns());
    boolean confirmed = !here.status().equals("PROPOSAL_NOT_CONFIRMED");
    return alike && confirmed && !here.broke()
        ? Optional.empty()
        : Optional.of("proposed, x: " + shown(here) + "\ny: " + shown(there));
  }

  /**
   * What comparing a number with a threshold gives away: the number may move as far as its noise
   * was made for, and only the way that its noise relies on.
   */
  Optional<String> compared(String sql, boolean watched) {
    Outcome here = x.compared(sql, watched);
    Outcome there = y.compared(sql, watched);
    if (!here.status().equals(there.status()) || here.broke()) {
      return Optional.of("compared, x: " + shown(here) + "\ny: " + shown(there));
    }
    if (!here.answered()) {
      return Optional.empty();
    }
    compared++;
    PlannedMeasurement planned = x.plan(sql).measurements().getFirst();
    BigDecimal bound = bound(planned).min(bound(y.plan(sql).measurements().getFirst()));
    BigDecimal change = number(there).subtract(number(here));
    BigDecimal slack = slack(bound, planned.measurement().grid(), 8, 1);
    MonotoneDirection direction = x.direction(planned, x.plan(sql).neighbors());
    boolean wrong =
        change.abs().compareTo(bound.add(slack)) > 0
            || direction.onlyUp() && change.compareTo(slack.negate()) < 0
            || direction.onlyDown() && change.compareTo(slack) > 0;
    return wrong
        ? Optional.of("compared: bound " + bound + ", " + direction + ", change " + change)
        : Optional.empty();
  }

  private static BigDecimal number(Outcome outcome) {
    return (BigDecimal) outcome.rows().getFirst().getFirst();
  }

  /**
   * What noise can do; nothing when it is smaller than a step.
   *
   * @param parts how many parts of ε there are, or more
   * @param labels how many numbers are added up
   */
  private static BigDecimal slack(BigDecimal bound, BigDecimal grid, int parts, int labels) {
    BigDecimal noise =
        bound
            .multiply(BigDecimal.valueOf(parts))
            .multiply(SCALES.add(BigDecimal.valueOf(4L * labels)))
            .divide(HostileComparisons.EPSILON);
    return noise.add(noise).compareTo(grid) < 0 ? BigDecimal.ZERO : noise.add(grid);
  }

  /** What many questions at one price give away. */
  Optional<String> together(List<String> statements, StrategyChoice strategy) {
    List<Outcome> here = x.together(statements, strategy);
    List<Outcome> there = y.together(statements, strategy);
    boolean alike =
        here.size() == there.size()
            && here.getFirst().status().equals(there.getFirst().status())
            && !here.getFirst().broke();
    if (!alike) {
      return Optional.of(
          strategy + ", x: " + shown(here.getFirst()) + "\ny: " + shown(there.getFirst()));
    }
    if (!here.getFirst().answered()) {
      return Optional.empty();
    }
    together++;
    for (int i = 0; i < here.size(); i++) {
      Optional<String> what =
          together(statements.get(i), here.get(i), there.get(i), strategy, 8 * here.size());
      if (what.isPresent()) {
        return what.map(w -> strategy + ", " + w);
      }
    }
    return Optional.empty();
  }

  private Optional<String> together(
      String sql, Outcome here, Outcome there, StrategyChoice strategy, int parts) {
    Plan plan = x.plan(sql);
    boolean open =
        plan.query().releases().stream().anyMatch(r -> r.labels() instanceof Labels.Thresholded);
    SortedSet<Integer> last = new TreeSet<>(List.of(here.columns().size() - 1));
    Map<List<String>, List<BigDecimal>> one = cells(here, last);
    Map<List<String>, List<BigDecimal>> two = cells(there, last);
    if (open || plan.measurements().size() != 1) {
      return Optional.empty();
    }
    if (!one.keySet().equals(two.keySet())) {
      return Optional.of(sql + ": labels " + one.keySet() + " and " + two.keySet());
    }
    PlannedMeasurement planned = plan.measurements().getFirst();
    if (strategy == StrategyChoice.MWEM
        || !planned.noise().filter(noise -> noise.isPublic()).isPresent()) {
      return Optional.empty(); // what it says is a guess, or its noise has heavy tails
    }
    BigDecimal bound = bound(planned).min(bound(y.plan(sql).measurements().getFirst()));
    BigDecimal change = BigDecimal.ZERO;
    for (List<String> label : one.keySet()) {
      change = change.add(difference(one.get(label), two.get(label), 0, BigDecimal.ZERO));
    }
    BigDecimal slack = slack(bound, planned.measurement().grid(), parts, one.size());
    return change.compareTo(bound.add(slack)) > 0
        ? Optional.of(sql + ": bound " + bound + ", change " + change + "\nx " + one + "\ny " + two)
        : Optional.empty();
  }

  /**
   * How many numbers both compared, how many lots of questions both answered together, how many did
   * not read the part of the row, and how many picked a value.
   */
  List<Integer> others() {
    return List.of(compared, together, outsiders, picked);
  }

  /** How many questions both answered. */
  int accepted() {
    return accepted;
  }

  /** How many were run and went wrong. */
  int failed() {
    return failed;
  }

  private static String shown(Outcome outcome) {
    return outcome.status() + " " + outcome.log();
  }

  /** How far the rows of each value, and what stands beside them, are from the neighbour's. */
  private Optional<String> moved(String sql) {
    picked++;
    return x.unnoised(sql).against(y.unnoised(sql)).stream()
        .filter(NeighborDistance::isTooFar)
        .findFirst()
        .map(NeighborDistance::toString);
  }

  private Optional<String> change(String sql, Outcome here, Outcome there) {
    Plan ours = x.plan(sql);
    Plan theirs = y.plan(sql);
    boolean open =
        ours.query().releases().stream().anyMatch(r -> r.labels() instanceof Labels.Thresholded);
    if (ours.measurements().stream()
        .anyMatch(p -> p.measurement() instanceof Measurement.Selected)) {
      return moved(sql); // a value that is picked may be far from the neighbour's
    }
    SortedSet<Integer> measured = new TreeSet<>();
    for (PlannedMeasurement planned : ours.measurements()) {
      Optional<String> column = planned.measurement().origin().column();
      if (column.isEmpty()) {
        return Optional.empty(); // its columns are neither labels nor the measurements themselves
      }
      measured.add(here.columns().indexOf(column.get()));
    }
    Optional<String> outside =
        changed.flatMap(
            table ->
                HostileParts.outside(
                    ours, table, (column, part) -> y.part(table, column, part, key)));
    outsiders += outside.isPresent() ? 1 : 0;
    Map<List<String>, List<BigDecimal>> one = cells(here, measured);
    Map<List<String>, List<BigDecimal>> two = cells(there, measured);
    if (!open && !one.keySet().equals(two.keySet())) {
      return Optional.of("labels " + one.keySet() + " and " + two.keySet());
    }
    Set<List<String>> labels = new LinkedHashSet<>(one.keySet());
    labels.addAll(two.keySet());
    for (int i = 0; i < ours.measurements().size(); i++) {
      PlannedMeasurement planned = ours.measurements().get(i);
      Optional<String> column = planned.measurement().origin().column();
      BigDecimal bound = bound(planned).min(bound(theirs.measurements().get(i)));
      BigDecimal scale =
          bound.multiply(BigDecimal.valueOf(ours.measurements().size())).divide(Side.EPSILON);
      BigDecimal noise = scale.multiply(SCALES.add(BigDecimal.valueOf(4L * labels.size())));
      BigDecimal grid = planned.measurement().grid();
      // A label that is missing on one side may have been just below where labels show.
      BigDecimal hidden = open ? bound(planned).add(noise).add(grid) : BigDecimal.ZERO;
      int place = new ArrayList<>(measured).indexOf(here.columns().indexOf(column.get()));
      BigDecimal change = BigDecimal.ZERO;
      for (List<String> label : labels) {
        change = change.add(difference(one.get(label), two.get(label), place, hidden));
      }
      // Noise that is far smaller than a step of the grid is none.
      BigDecimal slack = noise.add(noise).compareTo(grid) < 0 ? BigDecimal.ZERO : noise.add(grid);
      if (change.compareTo(outside.isPresent() ? slack : bound.add(slack)) > 0) {
        return Optional.of(
            outside.map(o -> o + ": ").orElse("")
                + column.get()
                + ": bound "
                + bound.toPlainString()
                + ", change "
                + change.toPlainString()
                + (labels.size() > 9 ? "" : "\nx " + one + "\ny " + two));
      }
    }
    return Optional.empty();
  }

  private static BigDecimal bound(PlannedMeasurement planned) {
    return new BigDecimal(planned.bound().elastic(0)).multiply(planned.unit());
  }

  private static BigDecimal difference(
      List<BigDecimal> one, List<BigDecimal> two, int place, BigDecimal hidden) {
    if (one == null || two == null) {
      BigDecimal shown = (one == null ? two : one).get(place);
      return shown.abs().subtract(hidden).max(BigDecimal.ZERO);
    }
    return one.get(place).subtract(two.get(place)).abs();
  }

  /** The numbers of each label; a label that stands there twice is told from the first. */
  private static Map<List<String>, List<BigDecimal>> cells(Outcome outcome, Set<Integer> measured) {
    Map<List<String>, List<BigDecimal>> cells = new LinkedHashMap<>();
    for (List<Object> row : outcome.rows()) {
      List<String> label = new ArrayList<>();
      List<BigDecimal> numbers = new ArrayList<>();
      for (int c = 0; c < row.size(); c++) {
        if (measured.contains(c)) {
          numbers.add(row.get(c) == null ? BigDecimal.ZERO : new BigDecimal(row.get(c).toString()));
        } else {
          label.add(String.valueOf(row.get(c)));
        }
      }
      while (cells.containsKey(label)) {
        label.add("again");
      }
      cells.put(label, numbers);
    }
    return cells;
  }

  @Override
  public void close() throws Exception {
    x.close();
    y.close();
  }
}
