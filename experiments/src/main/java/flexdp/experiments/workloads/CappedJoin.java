package flexdp.experiments.workloads;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Trips joined with tags of riders, by tag: 200,000 trips, few riders with very many. Root mean
 * square errors of the histogram with the max frequency of riders (known exactly, which is more
 * than a release gives), and with at most N trips of each rider.
 */
final class CappedJoin {
  private static final int TRIPS = 200_000;
  private static final int RIDERS = 20_000;
  private static final int TAGS = 20;

  private final int[] trips = new int[RIDERS];
  private final boolean[][] tags = new boolean[RIDERS][TAGS];
  private final int mostTrips;
  private final int mostTags;

  CappedJoin(long seed) {
    Random random = new Random(seed);
    double[] riders = zipf(0.75, RIDERS);
    double[] labels = zipf(0.6, TAGS);
    for (int i = 0; i < TRIPS; i++) {
      trips[drawn(riders, random)]++;
    }
    for (boolean[] own : tags) {
      int count = 2;
      while (count < 12 && random.nextDouble() >= 0.45) {
        count++;
      }
      for (int i = 0; i < count; i++) {
        own[drawn(labels, random)] = true;
      }
    }
    int most = 0;
    int many = 0;
    for (int rider = 0; rider < RIDERS; rider++) {
      most = Math.max(most, trips[rider]);
      int own = 0;
      for (boolean tag : tags[rider]) {
        own += tag ? 1 : 0;
      }
      many = Math.max(many, own);
    }
    this.mostTrips = most;
    this.mostTags = many;
  }

  private static double[] zipf(double power, int size) {
    double[] sums = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += Math.pow(i + 1, -power);
      sums[i] = sum;
    }
    for (int i = 0; i < size; i++) {
      sums[i] /= sum;
    }
    return sums;
  }

  private static int drawn(double[] sums, Random random) {
    int found = java.util.Arrays.binarySearch(sums, random.nextDouble());
    return Math.min(sums.length - 1, found >= 0 ? found : -found - 1);
  }

  int mostTrips() {
    return mostTrips;
  }

  /** A row of trips moves as many bins as its rider has tags, a tag all trips of its rider. */
  double uncapped(double epsilon) {
    return Math.sqrt(2) * Math.max(mostTrips, mostTags) / epsilon;
  }

  /** What is left out, and the noise; a row of trips moves two. */
  double capped(double epsilon, int most) {
    double squares = 0;
    for (double out : left(most)) {
      squares += out * out / TAGS;
    }
    double noise = Math.max(2 * mostTags, most) / epsilon;
    return Math.sqrt(squares + 2 * noise * noise);
  }

  private double[] left(int most) {
    double[] out = new double[TAGS];
    for (int rider = 0; rider < RIDERS; rider++) {
      int beyond = Math.max(0, trips[rider] - most);
      for (int tag = 0; tag < TAGS; tag++) {
        out[tag] += tags[rider][tag] ? beyond : 0;
      }
    }
    return out;
  }

  /** One line per ε and cap: ε, N, error without, error with, times. */
  List<List<Object>> rows() {
    List<List<Object>> rows = new ArrayList<>();
    for (double epsilon : new double[] {0.1, 1}) {
      for (int most : new int[] {20, 40, 80, 160, 320}) {
        double before = uncapped(epsilon);
        double after = capped(epsilon, most);
        rows.add(
            List.of(
                epsilon,
                most,
                (double) Math.round(before),
                (double) Math.round(after),
                Math.round(100 * before / after) / 100.0));
      }
    }
    return rows;
  }

  /** With the best of these caps, in hindsight. */
  double best(double epsilon) {
    double best = 0;
    for (int most : new int[] {20, 40, 80, 160, 320}) {
      best = Math.max(best, uncapped(epsilon) / capped(epsilon, most));
    }
    return best;
  }
}
