package flexdp.policy;

import flexdp.tree.Node;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads after how many failures an analyst is stopped: {@code {atMost: 3, window: 24h}}. */
final class FailuresReader {
  private static final Pattern SPAN = Pattern.compile("([1-9][0-9]{0,5})(m|h|d)");
  private static final BigInteger MOST = BigInteger.valueOf(1000);

  private FailuresReader() {}

  static Policy.Failures failures(Node node) {
    Map<String, Node> fields = node.fields(Set.of("atMost", "window"));
    return new Policy.Failures(
        Node.optional(fields, "atMost")
            .map(FailuresReader::atMost)
            .orElse(Policy.Failures.USUAL.atMost()),
        Node.optional(fields, "window")
            .map(FailuresReader::span)
            .orElse(Policy.Failures.USUAL.window()));
  }

  private static int atMost(Node node) {
    BigInteger count = node.count();
    if (count.signum() == 0 || count.compareTo(MOST) > 0) {
      throw node.error("must lie between 1 and " + MOST + ". Provided value: " + count);
    }
    return count.intValueExact();
  }

  private static Duration span(Node node) {
    Matcher parts = SPAN.matcher(node.text());
    if (!parts.matches()) {
      throw node.error("must be written as in 30m, 24h or 7d. Provided value: " + node.text());
    }
    long count = Long.parseLong(parts.group(1));
    return switch (parts.group(2)) {
      case "m" -> Duration.ofMinutes(count);
      case "h" -> Duration.ofHours(count);
      default -> Duration.ofDays(count);
    };
  }
}
