package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * How many labels are shown of those that 20,000 people have, with a quarter of the share of one in
 * ten questions from (10, 1e-6): the figures that the design promised, from simulations.
 */
class VotesTableTest {
  private static final int PEOPLE = 20_000;
  private static final int MOST = 128;
  private static final BigDecimal DELTA = new BigDecimal("1e-8");
  private static final LabelVotes VOTES =
      new LabelVotes(Gaussian.ofZcdp(new BigDecimal("0.032575"), DELTA), MOST, BigInteger.ZERO);

  private record Shape(String name, int labels, double zipf, double mean, int shown) {}

  private static final List<Shape> SHAPES =
      List.of(
          new Shape("300 pages", 300, 1.1, 25, 300),
          new Shape("3,000 pages", 3000, 0.9, 25, 543),
          new Shape("500 codes, 5 a person", 500, 1.3, 5, 130),
          new Shape("1,000 weeks and countries, even", 1000, 0, 20, 1000));

  /** What the people of a shape have: for each label by how many labels the voters have. */
  private static void vote(Shape shape, Random random, BigInteger[] votes, int[] people) {
    double[] up = new double[shape.labels()];
    double sum = 0;
    for (int i = 0; i < up.length; i++) {
      sum += 1 / Math.pow(i + 1, shape.zipf());
      up[i] = sum;
    }
    for (int person = 0; person < PEOPLE; person++) {
      double rows = Math.exp(Math.log(shape.mean()) - 0.5 + random.nextGaussian());
      Set<Integer> labels = new TreeSet<>();
      for (int row = 0; row < Math.min(2000, (int) rows + 1); row++) {
        int found = Arrays.binarySearch(up, random.nextDouble() * sum);
        labels.add(Math.min(up.length - 1, found < 0 ? -found - 1 : found));
      }
      labels.forEach(label -> people[label]++);
      List<Integer> some = new ArrayList<>(labels);
      Collections.shuffle(some, random);
      int k = Math.min(some.size(), MOST);
      some.subList(0, k).forEach(label -> votes[label] = votes[label].add(LabelVotes.vote(k)));
    }
  }

  @Test
  void asManyLabelsAreShownAsSimulationsPromised() {
    BigInteger threshold = VOTES.threshold(DELTA, 1);
    for (Shape shape : SHAPES) {
      BigInteger[] votes = new BigInteger[shape.labels()];
      Arrays.fill(votes, BigInteger.ZERO);
      int[] people = new int[shape.labels()];
      vote(shape, new Random(5), votes, people);
      Supplier<BigInteger> noise = VOTES.drawn(new SeededBits(17));
      boolean[] shown = new boolean[votes.length];
      for (int label = 0; label < votes.length; label++) {
        shown[label] = people[label] > 0 && votes[label].add(noise.get()).compareTo(threshold) > 0;
      }
      long all = IntStream.range(0, shown.length).filter(i -> shown[i]).count();
      long largest =
          IntStream.range(0, shown.length)
              .boxed()
              .sorted(Comparator.comparing(i -> -people[i]))
              .limit(20)
              .filter(i -> shown[i])
              .count();
      assertEquals(20, largest, shape.name());
      assertTrue(all >= 0.95 * shape.shown(), shape.name() + ": " + all);
    }
  }
}
