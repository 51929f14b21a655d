package flexdp.experiments.djoin;

import flexdp.experiments.Experiment;
import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Finding;
import flexdp.experiments.report.Passage;
import flexdp.experiments.report.Section;
import flexdp.noise.DiscreteLaplace;
import flexdp.noise.Rational;
import flexdp.noise.SecureBits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** DJoin: two parties count the keys that both have, neither seeing the other's. */
public final class Djoin implements Experiment {
  private static final BigDecimal EPSILON = BigDecimal.ONE;
  private static final double DELTA = 1e-6;
  private static final int PUBLIC_SIZE = 64;
  private static final int COMMON = 20;

  @Override
  public String name() {
    return "djoin";
  }

  @Override
  public String title() {
    return "A join of two parties without a trusted one (DJoin, section 6)";
  }

  @Override
  public Duration estimate(Scale scale) {
    return Duration.ofSeconds(scale.of(4L, 15L, 60L));
  }

  @Override
  public Section run(Run run) {
    Set<String> ours = keys(0, 60);
    Set<String> theirs = keys(40, 90);
    HiddenPairs hidden = HiddenPairs.of(EPSILON, DELTA);
    Exchanged exchange = new Exchanged(Squares.STANDARD, hidden, new SecureRandom());
    SecureBits bits = new SecureBits();
    List<List<Object>> rows = new ArrayList<>();
    double far = 0;
    int times = run.scale().of(1, 5, 25);
    for (int i = 0; i < times; i++) {
      long begun = System.nanoTime();
      SecureRandom random = new SecureRandom();
      BigInteger a = Squares.STANDARD.exponent(random);
      BigInteger b = Squares.STANDARD.exponent(random);
      Exchanged.Request request = exchange.request(ours, PUBLIC_SIZE, a);
      Exchanged.Reply reply = exchange.reply(request, theirs, PUBLIC_SIZE, b, hidden.draw(bits));
      int answer = exchange.count(reply, a);
      BigInteger shown = BigInteger.valueOf(answer).add(own().sample(bits));
      rows.add(
          Passage.row(
              i + 1,
              answer,
              shown.longValueExact(),
              request.keys().size(),
              reply.own().size(),
              Math.round((System.nanoTime() - begun) / 1e6)));
      far += Math.abs(answer - COMMON) / (double) times;
      run.say("exchange " + (i + 1) + " of " + times);
    }
    return new Section(
        name(),
        title(),
        List.of(
            new Finding(
                "what A learns: mean distance from the " + COMMON + " common keys",
                "about 1/ε",
                String.format(Locale.ROOT, "%.2f", far),
                ""),
            new Finding(
                "δ of the cut law at ε = 1, s₀ = " + hidden.most(),
                "3.84e-07",
                String.format(Locale.ROOT, "%.2e", hidden.delta()),
                "")),
        List.of(
            new Passage.Prose(ASSUMPTIONS),
            new Passage.Table(
                "djoin",
                "Exchanges of 60 and 50 keys, 20 of them common",
                List.of("run", "A learns", "A shows", "A sends", "B sends of its own", "ms"),
                rows)));
  }

  /** What A adds before anybody hears of the count. */
  private static DiscreteLaplace own() {
    return new DiscreteLaplace(Rational.ONE.over(Rational.of(EPSILON)));
  }

  private static Set<String> keys(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> "key " + i).collect(Collectors.toSet());
  }

  private static final String ASSUMPTIONS =
      "What is assumed: both parties follow the protocol (semi-honest). An A that sends a false"
          + " generator learns the exact count, since no hidden pair matches any more. Discrete"
          + " logarithms are hard to tell apart in the squares modulo the prime of 2,048 bits of"
          + " RFC 3526 (DDH), and SHA-512 is a random oracle: the guarantee is computational. Keys"
          + " are declared unique, and no party has more of them than the size that it made public."
          + " What is promised: A's view is (ε, δ)-private for each key of B, what A shows is"
          + " ε-private for each of its own. B learns nothing but the public size. Each party"
          + " would charge ε to its ledger, B also δ. For joins through a gateway that both trust,"
          + " name several catalogs in one policy (docs/databases.md): no cryptography, and every"
          + " kind of join.";
}
