package flexdp.cli;

import flexdp.gateway.collect.Collected;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.metrics.Frequency;
import flexdp.metrics.Profile;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Policy;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Metrics for the terminal. */
final class CollectedText {
  private CollectedText() {}

  /** Private values, for the owner's eyes. */
  static void measured(PrintWriter out, Policy policy, Collected collected) {
    for (String table : policy.tables().keySet()) {
      print(out, table, collected.metrics().table(table));
    }
  }

  /** Public values. */
  static void released(PrintWriter out, Policy policy, Map<String, ReleasedTable> released) {
    for (String table : policy.tables().keySet()) {
      ReleasedTable one = released.get(table);
      if (one != null) {
        print(out, table, one.release().values());
        out.printf(
            "  released for epsilon %s, delta %s%n",
            one.release().epsilon().toPlainString(), one.release().delta());
      }
    }
  }

  /** Public, too: they foretell answers. */
  static void profiles(PrintWriter out, List<Profile> profiles) {
    BigDecimal sum = BigDecimal.ZERO;
    for (Profile profile : profiles) {
      out.printf(
          Locale.ROOT,
          "profile of %s%s: about %,.0f people with about %,.0f%s in all%n",
          profile.table(),
          profile.column().map(c -> "." + c).orElse(""),
          profile.count(),
          profile.total(),
          profile.column().isEmpty() ? " rows" : "");
      sum = sum.add(profile.epsilon());
    }
    out.printf(
        "  released for epsilon %s, each its share%n", sum.stripTrailingZeros().toPlainString());
  }

  private static void print(PrintWriter out, String table, TableMetrics metrics) {
    out.println(table + metrics.rows().map(n -> ": " + n + " rows").orElse(""));
    Map<String, Frequency> byName = new TreeMap<>();
    metrics.frequencies().forEach((columns, f) -> byName.put(name(columns), f));
    byName.forEach(
        (name, f) ->
            out.printf(
                Locale.ROOT,
                "  %-32s %s%n",
                name,
                f.max().map(n -> "at most " + n + " rows share a value").orElse("")
                    + withNull(f.max().isPresent(), f)));
  }

  private static String withNull(boolean follows, Frequency frequency) {
    return frequency
        .maxWithNull()
        .filter(n -> !follows || !n.equals(frequency.max().orElse(BigInteger.ZERO)))
        .map(n -> (follows ? ", " : "at most ") + n + " with NULL as a value")
        .orElse("");
  }

  private static String name(Set<String> columns) {
    return String.join(", ", new TreeSet<>(columns));
  }
}
