package flexdp.gateway.plan;

import flexdp.question.ReleasePoint;

/**
 * A release point by what its statements are made of, and that by identity: comparing the contents
 * would take longer than rendering them. A plan that is kept has the same rows and measurements,
 * though it puts them together anew.
 */
record SamePoint(ReleasePoint point) {
  @Override
  public boolean equals(Object other) {
    return other instanceof SamePoint same
        && same.point.input() == point.input()
        && same.point.measurements() == point.measurements()
        && same.point.keys() == point.keys()
        && same.point.groupingSets().equals(point.groupingSets());
  }

  @Override
  public int hashCode() {
    return 31 * System.identityHashCode(point.input())
        + System.identityHashCode(point.measurements());
  }
}
