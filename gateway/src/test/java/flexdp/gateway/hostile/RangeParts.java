package flexdp.gateway.hostile;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.engine.InstalledSolver;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.RangeSearch;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.Range;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * All that is drawn for one question: itself, or where its ranges are found the noisy counts that
 * say them, and for ranges of every kind that can come out those outside and the answer.
 */
public final class RangeParts {
  private static final int RANGES = 6;

  private RangeParts() {}

  /**
   * @param random by which ranges are chosen; equal ones choose the same
   * @throws Rejection when the question is refused
   */
  public static Map<String, Plan> of(
      Planning planning, String sql, Random random, RenderedStatements rendered) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO, Optional.of(BigDecimal.TEN), Optional.empty(), Optional.empty());
    QueryRequest request = new QueryRequest(sql, options, "ann", Set.of());
    try {
      return Map.of("itself", planning.plan(request));
    } catch (Rejection e) {
      if (e.code() != RejectionCode.MISSING_RANGE) {
        throw e;
      }
      return found(planning.search(request, e), random, rendered, e);
    }
  }

  private static Map<String, Plan> found(
      RangeSearch whole, Random random, RenderedStatements rendered, Rejection missing) {
    RangeSearch search = whole;
    while (!isPlanned(search, rendered)) {
      search = search.narrower().orElseThrow(() -> missing);
    }
    search = search.settled(false, missing);
    Map<String, Plan> plans = new LinkedHashMap<>();
    search
        .histograms()
        .forEach(h -> plans.put("counts of " + h.of().name() + plans.size(), h.plan()));
    for (int i = 0; i < RANGES; i++) {
      List<Range> ranges = new ArrayList<>();
      for (Range widest : search.widest()) {
        ranges.add(i == 0 ? widest : some(widest, i, random));
      }
      plans.put("the answer in " + ranges, Planning.releasable(search.plan(ranges, false)));
      plans.put(
          "outside of " + ranges.getFirst(),
          search.outside(search.sought().getFirst(), ranges.getFirst(), false));
    }
    return plans;
  }

  private static boolean isPlanned(RangeSearch search, RenderedStatements rendered) {
    try {
      Plan plan = Planning.releasable(search.plan(search.widest(), false));
      ReleasePlan.Means means = new ReleasePlan.Means(Optional.empty(), InstalledSolver.lazily());
      for (NoisyAggregate point : plan.query().releases()) {
        ReleasePlan.of(plan, point, means).readings().forEach(rendered::check);
      }
      return true;
    } catch (Rejection e) {
      return false;
    }
  }

  /** No range that is found has a width of nothing. */
  private static Range some(Range within, int kind, Random random) {
    BigDecimal one = BigDecimal.ONE.scaleByPowerOfTen(random.nextInt(12) - 2).min(within.high());
    BigDecimal less = one.negate().max(within.low());
    List<BigDecimal> ends =
        switch (kind) {
          case 1 -> List.of(BigDecimal.ZERO, one);
          case 2 -> List.of(less, one);
          case 3 -> List.of(one.movePointLeft(1), one);
          case 4 -> List.of(less, BigDecimal.ZERO);
          default -> List.of(within.low(), one);
        };
    boolean proper =
        ends.getFirst().compareTo(ends.getLast()) < 0
            && ends.getFirst().compareTo(within.low()) >= 0
            && ends.getLast().compareTo(within.high()) <= 0;
    return proper ? new Range(ends.getFirst(), ends.getLast()) : within;
  }
}
