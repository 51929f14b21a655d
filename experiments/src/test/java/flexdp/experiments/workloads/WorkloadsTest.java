package flexdp.experiments.workloads;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.workload.Norm;
import org.junit.jupiter.api.Test;

/** What workloads are worth, in figures that must not get worse. */
class WorkloadsTest {
  private static double better(Task task) {
    return task.before() / task.error(task.fit(Norm.SUM));
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
  void aDashboardIsSixAndAHalfTimesAsGood() {
    Task task = new Dashboard(7).task();
    assertTrue(better(task) >= 6.5, "times " + better(task));
  }
}
