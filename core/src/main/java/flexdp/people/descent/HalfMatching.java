package flexdp.people.descent;

import java.math.BigInteger;

/**
 * The value of results with at most two heavy owners each, by one maximal flow.
 *
 * <p>With two kinds and at most one owner of each, people of one kind stand on the left and those
 * of the other on the right: the value is the flow. Otherwise everybody stands on both sides and
 * every result twice, once in either direction: averaging a flow with its mirror image gives
 * weights u_i that meet the constraints, and weights that do give a flow of 2·Σu_i, so the value is
 * half the flow.
 */
final class HalfMatching {
  private HalfMatching() {}

  /** Twice the value. */
  static BigInteger twice(Touched touched) {
    return isBipartite(touched) ? bipartite(touched).shiftLeft(1) : cover(touched);
  }

  private static boolean isBipartite(Touched touched) {
    for (int kind : touched.kinds()) {
      if (kind != 0 && kind != 1) {
        return false;
      }
    }
    for (int[] set : touched.sets()) {
      if (set.length == 2 && touched.kinds()[set[0]] == touched.kinds()[set[1]]) {
        return false;
      }
    }
    return true;
  }

  private static BigInteger bipartite(Touched touched) {
    int source = touched.people();
    int sink = source + 1;
    MaxFlow flow = new MaxFlow(sink + 1);
    for (int person = 0; person < touched.people(); person++) {
      if (touched.kinds()[person] == 0) {
        flow.arc(source, person, touched.level());
      } else {
        flow.arc(person, sink, touched.level());
      }
    }
    for (int result = 0; result < touched.sets().length; result++) {
      int[] set = touched.sets()[result];
      boolean firstIsLeft = touched.kinds()[set[0]] == 0;
      int left = firstIsLeft ? set[0] : set.length == 2 ? set[1] : source;
      int right = !firstIsLeft ? set[0] : set.length == 2 ? set[1] : sink;
      flow.arc(left, right, touched.weights()[result]);
    }
    return flow.run(source, sink);
  }

  private static BigInteger cover(Touched touched) {
    int n = touched.people();
    int source = 2 * n;
    int sink = source + 1;
    MaxFlow flow = new MaxFlow(sink + 1);
    for (int person = 0; person < n; person++) {
      flow.arc(source, person, touched.level());
      flow.arc(n + person, sink, touched.level());
    }
    for (int result = 0; result < touched.sets().length; result++) {
      int[] set = touched.sets()[result];
      long weight = touched.weights()[result];
      if (set.length == 1) {
        flow.arc(set[0], sink, weight);
        flow.arc(source, n + set[0], weight);
      } else {
        flow.arc(set[0], n + set[1], weight);
        flow.arc(set[1], n + set[0], weight);
      }
    }
    return flow.run(source, sink);
  }
}
