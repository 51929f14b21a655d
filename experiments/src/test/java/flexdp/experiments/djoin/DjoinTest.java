package flexdp.experiments.djoin;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.noise.BitSource;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What A learns is the number of common keys plus the cut noise, and nothing else of it. */
class DjoinTest {
  private static final HiddenPairs HIDDEN = HiddenPairs.of(BigDecimal.ONE, 1e-3);
  private static final SecureRandom RANDOM = new SecureRandom();

  /** Small, so that many exchanges take moments; the algebra is the same. */
  private static final Squares SMALL = new Squares(safePrime(), 60);

  private static BigInteger safePrime() {
    BigInteger half = BigInteger.ONE.shiftLeft(62);
    while (true) {
      half = half.nextProbablePrime();
      BigInteger prime = half.shiftLeft(1).add(BigInteger.ONE);
      if (prime.isProbablePrime(60)) {
        return prime;
      }
    }
  }

  private static Set<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "k" + i).collect(Collectors.toSet());
  }

  private static int learnt(Squares group, Set<String> ours, Set<String> theirs, int z) {
    Exchanged exchange = new Exchanged(group, HIDDEN, RANDOM);
    BigInteger a = group.exponent(RANDOM);
    Exchanged.Request request = exchange.request(ours, 40, a);
    Exchanged.Reply reply = exchange.reply(request, theirs, 40, group.exponent(RANDOM), z);
    assertEquals(40, request.keys().size());
    assertEquals(40 + 2 * HIDDEN.most(), reply.theirs().size());
    assertEquals(40 + 2 * HIDDEN.most(), reply.own().size());
    return exchange.count(reply, a);
  }

  /** For every draw, so the law of what A learns is that of the draw, moved by the truth. */
  @Test
  void whatIsLearntIsTheTruthPlusTheDrawWhateverTheKeys() {
    for (int z = -HIDDEN.most(); z <= HIDDEN.most(); z++) {
      assertEquals(8 + z, learnt(SMALL, keys(0, 30), keys(22, 60), z));
      assertEquals(z, learnt(SMALL, keys(0, 30), Set.of(), z));
      assertEquals(5 + z, learnt(SMALL, keys(0, 5), keys(0, 40), z));
    }
    assertEquals(3 + 2, learnt(Squares.STANDARD, keys(0, 4), keys(1, 9), 2));
  }

  @Test
  void theDrawHasTheCutLaw() {
    SplittableRandom random = new SplittableRandom(17);
    BitSource bits =
        new BitSource() {
          @Override
          protected long next() {
            return random.nextLong();
          }
        };
    int times = 200_000;
    int[] seen = new int[2 * HIDDEN.most() + 1];
    for (int i = 0; i < times; i++) {
      seen[HIDDEN.draw(bits) + HIDDEN.most()]++;
    }
    double sum = 0;
    double chi = 0;
    for (int z = -HIDDEN.most(); z <= HIDDEN.most(); z++) {
      double expected = HIDDEN.chance(z) * times;
      sum += HIDDEN.chance(z);
      chi += Math.pow(seen[z + HIDDEN.most()] - expected, 2) / expected;
    }
    assertEquals(1, sum, 1e-12);
    assertTrue(chi < 40, "15 values: " + chi);
  }

  @Test
  void theCutLawIsAsPrivateAsItSays() {
    for (String epsilon : new String[] {"0.3", "1", "2"}) {
      for (double delta : new double[] {1e-3, 1e-6, 1e-9}) {
        double real = HiddenPairs.of(new BigDecimal(epsilon), delta).delta();
        assertTrue(real <= delta && real > delta / 1000, epsilon + " " + delta + ": " + real);
      }
    }
    assertEquals(3.84e-7, HiddenPairs.of(BigDecimal.ONE, 1e-6).delta(), 0.01e-7);
    HiddenPairs narrow = new HiddenPairs(BigDecimal.ONE, 3);
    assertTrue(narrow.delta() > 0.01, "a cut without regard to delta tells more");
  }

  /** That both follow the protocol is an assumption, and this is what rests on it. */
  @Test
  void aFalseGeneratorLearnsTheExactCount() {
    Exchanged exchange = new Exchanged(SMALL, HIDDEN, RANDOM);
    BigInteger a = SMALL.exponent(RANDOM);
    Exchanged.Request honest = exchange.request(keys(0, 30), 40, a);
    Exchanged.Request lying = new Exchanged.Request(honest.keys(), SMALL.any(RANDOM));
    for (int z = -2; z <= 2; z++) {
      Exchanged.Reply reply = exchange.reply(lying, keys(22, 60), 40, SMALL.exponent(RANDOM), z);
      assertEquals(8 - HIDDEN.most(), exchange.count(reply, a), "whatever was hidden");
    }
  }

  @Test
  void whoHasMoreKeysThanItsPublicSizeTakesNoPart() {
    Exchanged exchange = new Exchanged(SMALL, HIDDEN, RANDOM);
    BigInteger a = SMALL.exponent(RANDOM);
    assertThrows(IllegalArgumentException.class, () -> exchange.request(keys(0, 41), 40, a));
    Exchanged.Request request = exchange.request(keys(0, 40), 40, a);
    assertThrows(
        IllegalArgumentException.class,
        () -> exchange.reply(request, keys(0, 41), 40, SMALL.exponent(RANDOM), 0));
  }

  /** Numbers that are no squares stay such under odd powers, and would tell how many keys are. */
  @Test
  void everythingSentIsInOneGroupOfPrimeOrder() {
    assertTrue(Squares.STANDARD.prime().isProbablePrime(40));
    assertTrue(Squares.STANDARD.prime().shiftRight(1).isProbablePrime(40));
    Exchanged exchange = new Exchanged(SMALL, HIDDEN, RANDOM);
    BigInteger a = SMALL.exponent(RANDOM);
    Exchanged.Request request = exchange.request(keys(0, 30), 40, a);
    assertTrue(request.keys().stream().allMatch(SMALL::holds));
    Exchanged.Reply reply = exchange.reply(request, keys(9, 40), 40, SMALL.exponent(RANDOM), 1);
    assertTrue(reply.own().stream().allMatch(SMALL::holds));
    assertTrue(reply.theirs().stream().allMatch(SMALL::holds));
    BigInteger odd = SMALL.prime().subtract(BigInteger.ONE);
    assertFalse(SMALL.holds(odd));
    assertFalse(SMALL.holds(SMALL.power(odd, a)), "no power hides it, as a is odd");
  }
}
