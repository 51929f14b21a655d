package flexdp.experiments.workloads;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.workload.BudgetNorm;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** RangeTasks, CUBEs, marginals and a dashboard as workloads, against today's way at equal ε. */
public final class Workloads implements Experiment {
  private static final List<String> COLUMNS =
      List.of(
          "workload",
          "questions",
          "before",
          "even split, least squares",
          "our split, least squares",
          "times better",
          "Ding: cuboids",
          "Ding: best ancestor",
          "Ding: least squares",
          "squares: before",
          "squares: ours, Laplace",
          "squares: ours, Gaussian",
          "times better by squares");

  @Override
  public String name() {
    return "workloads";
  }

  @Override
  public String title() {
    return "Many questions at one price (data cubes and the matrix mechanism, section 6)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(3L, 15L, 30L));
  }

  @Override
  public Section run(Run run) {
    List<Task> tasks = new ArrayList<>(RangeTasks.all(run.scale().of(499, 37, 1)));
    List<Task> halved = RangeTasks.halved(run.scale().of(499, 37, 1));
    tasks.addAll(Cubes.all());
    Dashboard dashboard = new Dashboard(run.seed());
    tasks.add(dashboard.task());
    List<List<Object>> rows = new ArrayList<>();
    List<Finding> findings = new ArrayList<>();
    for (Task task : tasks) {
      double before = task.before();
      double ours = task.error(task.fit(BudgetNorm.SUM));
      Task fine =
          halved.stream().filter(t -> t.name().equals(task.name())).findFirst().orElse(task);
      double squares = fine.error(fine.fit(BudgetNorm.SQUARES));
      double count = task.measured().size() == 1 ? 1 : task.measured().size();
      double beforeBySquares =
          before / Math.sqrt(count == 1 && isPaid(task) ? dashboard.paid() : count);
      boolean sets = task.measured().size() > 1;
      DingCuboids ding = sets ? DingCuboids.of(task) : null;
      double gaussian = squares / Math.sqrt(2);
      rows.add(
          Passage.row(
              task.name(),
              task.shares().size(),
              rounded(before),
              isPaid(task) ? null : rounded(task.error(task.even())),
              rounded(ours),
              rounded(before / ours),
              sets ? ding.chosen().size() : null,
              sets ? rounded(ding.error()) : null,
              sets ? rounded(ding.repaired()) : null,
              rounded(beforeBySquares),
              rounded(squares),
              rounded(gaussian),
              rounded(beforeBySquares / gaussian)));
      findings.add(
          new Finding(
              task.name(), expected(task), String.format(Locale.ROOT, "%.2f", before / ours), ""));
      findings.add(
          new Finding(
              task.name() + ", zCDP",
              expectedBySquares(task),
              String.format(Locale.ROOT, "%.2f", beforeBySquares / gaussian),
              ""));
      run.say(task.name());
    }
    CalendarTask calendar = new CalendarTask();
    Map<String, Double> before = calendar.before();
    Map<String, Double> after = calendar.ours(BudgetNorm.SUM);
    List<List<Object>> families = new ArrayList<>();
    before.forEach(
        (family, error) ->
            families.add(
                Passage.row(
                    family,
                    rounded(error),
                    rounded(after.get(family)),
                    rounded(error / after.get(family)))));
    findings.add(
        new Finding(
            "days, weeks, months, quarters, years, total, running totals (geometric mean)",
            "2.2",
            String.format(Locale.ROOT, "%.2f", CalendarTask.gain(before, after)),
            ""));
    CappedJoin capped = new CappedJoin(run.seed());
    for (double epsilon : new double[] {0.1, 1}) {
      findings.add(
          new Finding(
              "enforced cap on a skewed join, best N in hindsight, ε = " + epsilon,
              epsilon < 1 ? "11" : "1.6",
              String.format(Locale.ROOT, "%.1f", capped.best(epsilon)),
              "Other draws of the same law."));
    }
    findings.add(MonthlyReports.finding());
    return new Section(
        name(),
        title(),
        findings,
        List.of(
            new Passage.Prose(
                "Root mean square errors at ε = 1, one row moving the data by 1, computed exactly."
                    + " Before: ranges are sums of the finest histogram, every grouping set is a"
                    + " histogram with an even share, and of the dashboard "
                    + dashboard.paid()
                    + " of 1,000 questions share ε, the others being free sums of earlier ones. By"
                    + " squares ranges have a level for every halving. The figures beside ours are"
                    + " those of the prototypes that the design was made with."),
            new Passage.Table("workloads", "Errors, and how many times smaller", COLUMNS, rows),
            new Passage.Table(
                "workloads-calendar",
                "Two years: months of 31 places, the split that makes the product of all errors"
                    + " small",
                List.of("family", "before", "ours", "times better"),
                families),
            new Passage.Prose(
                "Trips joined with the tags of their riders, by tag. Without a cap the noise"
                    + " follows the most trips of one rider ("
                    + capped.mostTrips()
                    + "), taken as known; with one, rows beyond N are lost, and that is in the"
                    + " error."),
            new Passage.Table(
                "workloads-caps",
                "An enforced cap",
                List.of("ε", "N", "without", "with", "times better"),
                capped.rows())));
  }

  private static boolean isPaid(Task task) {
    return task.name().contains("dashboard");
  }

  private static String expected(Task task) {
    return switch (task.name()) {
      case "all 524,800 ranges over 1,024 labels" -> "2.1";
      case "1,024 running totals" -> "2.9";
      case "CUBE of 4 keys (20·12·3·4)" -> "1.95";
      case "CUBE of 6 truth values" -> "19";
      case "ROLLUP of 4 keys (8·10·12·3)" -> "1.2";
      case "all 2-way marginals of 6 keys" -> "1.2";
      case "with 1-way marginals and the total" -> "1.6";
      default -> "7.5";
    };
  }

  private static String expectedBySquares(Task task) {
    return switch (task.name()) {
      case "all 524,800 ranges over 1,024 labels" -> "6.2";
      case "1,024 running totals" -> "9.0";
      case "CUBE of 4 keys (20·12·3·4)" -> "2.0";
      case "CUBE of 6 truth values" -> "5.0";
      case "ROLLUP of 4 keys (8·10·12·3)" -> "1.6";
      case "all 2-way marginals of 6 keys" -> "1.6";
      case "with 1-way marginals and the total" -> "1.9";
      default -> "4.2";
    };
  }

  private static double rounded(double value) {
    return Math.round(value * 100) / 100.0;
  }
}
