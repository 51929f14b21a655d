package flexdp.experiments.workloads;

import flexdp.workload.BudgetAllocation;
import flexdp.workload.BudgetNorm;
import flexdp.workload.CuboidLattice;
import flexdp.workload.LeastSquares;
import flexdp.workload.WorkloadGoal;
import java.time.LocalDate;
import java.time.temporal.IsoFields;
import java.time.temporal.WeekFields;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Two years by days, weeks, months, quarters, years, in all, and as running totals, every family
 * counting alike. Months have 31 places, some of them always empty; whole months take these along.
 * Before, six histograms had an even share each, and running totals were sums of days.
 */
final class CalendarTask {
  private static final LocalDate FIRST = LocalDate.of(2015, 1, 1);
  private static final int DAYS = 731;
  private static final int ROUNDS = 12;
  private static final CuboidLattice LATTICE =
      new CuboidLattice(List.of(new int[] {1, 2, 24, 744}));

  private final Map<String, double[]> families = new LinkedHashMap<>();

  CalendarTask() {
    family("days", LocalDate::toEpochDay);
    family("weeks", day -> 100L * day.get(WeekFields.ISO.weekBasedYear()) + week(day));
    family("months", day -> 100L * day.getYear() + day.getMonthValue());
    family("quarters", day -> 10L * day.getYear() + day.get(IsoFields.QUARTER_OF_YEAR));
    family("years", day -> (long) day.getYear());
    family("total", day -> 0L);
    List<double[]> running = new ArrayList<>();
    for (int last = 0; last < DAYS; last++) {
      double[] sum = new double[744];
      for (int i = 0; i <= last; i++) {
        sum[place(FIRST.plusDays(i))] = 1;
      }
      running.add(sum);
    }
    families.put("running totals", mean(running));
  }

  private static long week(LocalDate day) {
    return day.get(WeekFields.ISO.weekOfWeekBasedYear());
  }

  private static int place(LocalDate day) {
    int month = (day.getYear() - FIRST.getYear()) * 12 + day.getMonthValue() - 1;
    return month * 31 + day.getDayOfMonth() - 1;
  }

  private void family(String name, Function<LocalDate, Long> label) {
    Map<Long, double[]> sums = new LinkedHashMap<>();
    for (int i = 0; i < DAYS; i++) {
      LocalDate day = FIRST.plusDays(i);
      sums.computeIfAbsent(label.apply(day), l -> new double[744])[place(day)] = 1;
    }
    families.put(name, mean(new ArrayList<>(sums.values())));
  }

  /** The shares of components, on average over some sums of days. */
  private static double[] mean(List<double[]> sums) {
    double[] mean = new double[LATTICE.size()];
    for (double[] sum : sums) {
      double[] shares = LATTICE.product(new double[][] {whole(sum)});
      for (int r = 0; r < mean.length; r++) {
        mean[r] += shares[r] / sums.size();
      }
    }
    return mean;
  }

  /** With the empty places of months of which no day is missing. */
  private static double[] whole(double[] sum) {
    double[] filled = sum.clone();
    for (int month = 0; month < 24; month++) {
      int days = FIRST.plusMonths(month).lengthOfMonth();
      boolean all = true;
      for (int day = 0; day < days; day++) {
        all &= sum[month * 31 + day] == 1;
      }
      if (all) {
        Arrays.fill(filled, month * 31, (month + 1) * 31, 1);
      }
    }
    return filled;
  }

  /** Root mean square errors by family at ε = 1. */
  Map<String, Double> before() {
    Map<String, Double> before = new LinkedHashMap<>();
    families.keySet().forEach(name -> before.put(name, 6 * Math.sqrt(2)));
    before.put("running totals", 6 * Math.sqrt(2) * Math.sqrt((DAYS + 1) / 2.0));
    return before;
  }

  /** The errors by our split, which makes the product of all of them small. */
  Map<String, Double> ours(BudgetNorm norm) {
    double[] full = new double[LATTICE.size()];
    Arrays.fill(full, 0.5);
    double[] plain = new double[LATTICE.size()];
    Arrays.fill(plain, 1.0 / plain.length);
    Map<String, Double> weights = new LinkedHashMap<>();
    families.keySet().forEach(name -> weights.put(name, 1.0));
    Map<String, Double> errors = new LinkedHashMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      List<WorkloadGoal> goals = new ArrayList<>();
      families.forEach(
          (name, shares) ->
              goals.add(new WorkloadGoal(shares, weights.get(name), Double.POSITIVE_INFINITY)));
      LeastSquares fit = BudgetAllocation.of(LATTICE, goals, full, plain, norm).fit(LATTICE, full);
      families.forEach(
          (name, shares) -> {
            double variance = fit.variance(shares);
            errors.put(name, Math.sqrt(variance));
            weights.put(name, 1 / variance);
          });
    }
    return errors;
  }

  /** The geometric mean over families of how many times smaller errors are. */
  static double gain(Map<String, Double> before, Map<String, Double> after) {
    double sum = 0;
    for (Map.Entry<String, Double> one : before.entrySet()) {
      sum += Math.log(one.getValue() / after.get(one.getKey()));
    }
    return Math.exp(sum / before.size());
  }
}
