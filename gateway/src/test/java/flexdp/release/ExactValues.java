package flexdp.release;

import flexdp.people.packing.PackingValues;
import flexdp.release.ReleasePlan.Exact;
import java.util.List;

/** What exact values are. Only tests may know it. */
public final class ExactValues {
  private ExactValues() {}

  /** Of rows with several owners, by measurement and bin. */
  public static List<List<PackingValues>> packed(Exact exact) {
    return ((PackedRelease.Shares) exact).values();
  }
}
