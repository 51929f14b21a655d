package flexdp.experiments.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.workload.BudgetNorm;
import org.junit.jupiter.api.Test;

/** What workloads are worth, in figures that must not get worse. */
class WorkloadsTest {
  private static double better(Task task) {
    return task.before() / task.error(task.fit(BudgetNorm.SUM));
  }

  @Test
  void rangesAreNearlyTwiceAsGood() {
    RangeTasks.all(37).forEach(task -> assertTrue(better(task) >= 1.9, task.name() + better(task)));
  }

  @Test
  void cubesAreBetterToo() {
    assertTrue(better(Cubes.all().get(0)) >= 1.9);
    assertTrue(better(Cubes.all().get(1)) >= 15);
    Cubes.all().forEach(task -> assertTrue(better(task) > 1.1, task.name() + better(task)));
  }

  @Test
  void twoYearsOfMonthlyReportsCostOne() {
    assertEquals("0.5", MonthlyReports.spent().toPlainString());
  }

  @Test
  void aDashboardIsSixAndAHalfTimesAsGood() {
    Task task = new Dashboard(7).task();
    assertTrue(better(task) >= 6.5, "times " + better(task));
  }

  @Test
  void calendarsAreTwiceAsGood() {
    CalendarTask calendar = new CalendarTask();
    double gain = CalendarTask.gain(calendar.before(), calendar.ours(BudgetNorm.SUM));
    assertTrue(gain >= 2.1, "times " + gain);
  }

  /** Equal shares are a special split, so least squares with ours is at least as good. */
  @Test
  void noChoiceOfCuboidsWithEqualSharesIsBetter() {
    for (Task task : Cubes.all()) {
      DingCuboids ding = DingCuboids.of(task);
      double ours = task.error(task.fit(BudgetNorm.SUM));
      assertTrue(ours <= ding.repaired() * 1.001, task.name() + ding.repaired());
      assertTrue(ding.repaired() <= ding.error() * 1.001, task.name());
    }
  }

  @Test
  void capsHelpWhereFewKeysAreVeryFrequent() {
    CappedJoin join = new CappedJoin(3);
    assertTrue(join.best(0.1) >= 7, "times " + join.best(0.1));
    assertTrue(join.best(1) >= 1.3, "times " + join.best(1));
  }
}
