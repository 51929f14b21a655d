package flexdp.people.packing;

import java.math.BigInteger;
import java.util.Arrays;

/**
 * The value of results with at most two heavy owners each, by one maximal flow.
 *
 * <p>With two kinds and at most one owner of each, people of one kind stand on the left and those
 * of the other on the right: the value is the flow. Otherwise everybody stands on both sides and
 * every result twice, once in either direction: averaging a flow with its mirror image gives
 * weights u_i that meet the constraints, and weights that do give a flow of 2·Σu_i, so the value is
 * half the flow.
 */
final class HalfIntegralMatching {
  private HalfIntegralMatching() {}

  /** Twice the value. */
  static BigInteger twice(ResidualPacking touched) {
    return isBipartite(touched) ? bipartite(touched).shiftLeft(1) : cover(touched);
  }

  private static boolean isBipartite(ResidualPacking touched) {
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

  private static BigInteger bipartite(ResidualPacking touched) {
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

  private static BigInteger cover(ResidualPacking touched) {
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

  /** Dinic's algorithm in whole numbers, without recursion: paths may be long. */
  private static final class MaxFlow {
    private final int[] first;
    private int[] next = new int[64];
    private int[] to = new int[64];
    private long[] room = new long[64];
    private int arcs;

    MaxFlow(int nodes) {
      this.first = new int[nodes];
      Arrays.fill(first, -1);
    }

    void arc(int from, int to, long capacity) {
      half(from, to, capacity);
      half(to, from, 0);
    }

    private void half(int from, int end, long capacity) {
      if (arcs == to.length) {
        next = Arrays.copyOf(next, 2 * arcs);
        to = Arrays.copyOf(to, 2 * arcs);
        room = Arrays.copyOf(room, 2 * arcs);
      }
      to[arcs] = end;
      room[arcs] = capacity;
      next[arcs] = first[from];
      first[from] = arcs++;
    }

    /** The largest flow; uses up the room of the arcs. */
    BigInteger run(int source, int sink) {
      OwnerSets.Total flow = new OwnerSets.Total();
      int[] depth = new int[first.length];
      int[] current = new int[first.length];
      int[] queue = new int[first.length];
      int[] path = new int[first.length];
      while (layers(source, sink, depth, queue)) {
        System.arraycopy(first, 0, current, 0, first.length);
        block(source, sink, depth, current, path, flow);
      }
      return flow.value();
    }

    private boolean layers(int source, int sink, int[] depth, int[] queue) {
      Arrays.fill(depth, -1);
      depth[source] = 0;
      queue[0] = source;
      int end = 1;
      for (int at = 0; at < end && depth[sink] < 0; at++) {
        for (int arc = first[queue[at]]; arc >= 0; arc = next[arc]) {
          if (room[arc] > 0 && depth[to[arc]] < 0) {
            depth[to[arc]] = depth[queue[at]] + 1;
            queue[end++] = to[arc];
          }
        }
      }
      return depth[sink] >= 0;
    }

    /**
     * Sends along shortest paths until none is left; {@code path} holds the arcs from the source.
     */
    private void block(
        int source, int sink, int[] depth, int[] current, int[] path, OwnerSets.Total flow) {
      int node = source;
      int length = 0;
      while (true) {
        if (node == sink) {
          long least = Long.MAX_VALUE;
          for (int i = 0; i < length; i++) {
            least = Math.min(least, room[path[i]]);
          }
          flow.add(least);
          int full = length;
          for (int i = length - 1; i >= 0; i--) {
            room[path[i]] -= least;
            room[path[i] ^ 1] += least;
            full = room[path[i]] == 0 ? i : full;
          }
          length = full;
          node = to[path[full] ^ 1];
          continue;
        }
        int arc = current[node];
        while (arc >= 0 && (room[arc] == 0 || depth[to[arc]] != depth[node] + 1)) {
          arc = next[arc];
        }
        current[node] = arc;
        if (arc >= 0) {
          path[length++] = arc;
          node = to[arc];
        } else if (length > 0) {
          depth[node] = -1;
          node = to[path[--length] ^ 1];
        } else {
          return;
        }
      }
    }
  }
}
