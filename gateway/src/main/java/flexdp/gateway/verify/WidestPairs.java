package flexdp.gateway.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * The neighbours that moved most, or some of them where many moved as much; and some of all that
 * moved, for what moves most need not be what tells most.
 */
final class WidestPairs {
  /** So many of each are kept. */
  private static final int KEPT = 3;

  /** What two neighbours were, and what was read of them. */
  record Pair(
      Trial trial,
      MadeUp data,
      State state,
      Neighbour neighbour,
      ExactResults here,
      ExactResults there) {}

  /** A few of many, each as likely as any other. */
  private static final class Sample {
    private final List<Pair> pairs = new ArrayList<>();
    private int seen;

    void add(Pair pair, Random random) {
      seen++;
      if (pairs.size() < KEPT) {
        pairs.add(pair);
      } else {
        int place = random.nextInt(seen);
        if (place < KEPT) {
          pairs.set(place, pair);
        }
      }
    }
  }

  private final Random random;
  private final Sample moved = new Sample();
  private Sample widest = new Sample();
  private double most;

  WidestPairs(long seed) {
    this.random = new Random(seed);
  }

  /**
   * @param all by how much everything moved
   */
  void consider(Pair pair, double all) {
    if (all <= 0) {
      return;
    }
    moved.add(pair, random);
    if (all > most) {
      most = all;
      widest = new Sample();
    }
    if (all >= most) {
      widest.add(pair, random);
    }
  }

  List<Pair> pairs() {
    return Stream.concat(widest.pairs.stream(), moved.pairs.stream()).distinct().toList();
  }
}
