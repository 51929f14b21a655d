package flexdp.gateway.prepare;

import flexdp.budget.ChargedPartitions;
import flexdp.partition.PartitionPruning;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.query.NoisyAggregate;
import java.util.SortedMap;

/**
 * The parts of tables that a plan is charged to. Everything counts that decides what comes out:
 * noise that is scaled to private frequencies reads all rows, and so does what is made for people.
 */
public final class QueryPartitions {
  private QueryPartitions() {}

  /** By table; one that is missing is charged as a whole. */
  public static SortedMap<String, ChargedPartitions> of(Plan plan) {
    PartitionPruning all = new PartitionPruning();
    add(plan, all);
    return all.parts();
  }

  public static void add(Plan plan, PartitionPruning into) {
    for (NoisyAggregate point : plan.query().releases()) {
      boolean rows = !plan.routes().get(point.id()).readsOtherRows();
      boolean isPublic =
          plan.of(point).stream()
              .allMatch(p -> p.noise().filter(CalibratedMechanism::isPlain).isPresent());
      if (rows && isPublic) {
        into.add(point.input());
      } else {
        into.addWhole(point.input());
        into.addWhole(plan.read(point).input());
      }
    }
  }
}
