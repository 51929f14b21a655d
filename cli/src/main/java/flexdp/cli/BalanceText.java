package flexdp.cli;

import flexdp.budget.Allowance;
import flexdp.budget.Cost;
import flexdp.budget.TotalCost;
import flexdp.gateway.ledger.Balance;
import java.io.PrintWriter;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

/** Accounts as lines with a bar that shows what is left. */
final class BalanceText {
  private static final int CELLS = 20;
  private static final long MANY = 1_000_000;
  private static final int MOST_PARTS = 5;

  private BalanceText() {}

  static void print(PrintWriter out, List<Balance> standings, BigDecimal epsilon) {
    int width = standings.stream().mapToInt(s -> s.account().toString().length()).max().orElse(0);
    for (Balance balance : standings) {
      String name = String.format(Locale.ROOT, "%-" + Math.max(1, width) + "s", balance.account());
      out.println(name + "  " + line(balance, epsilon));
      balance.parts().forEach((by, own) -> parts(out, by, own));
    }
  }

  /** What was spent on single parts of a table, the fullest ones first. */
  private static void parts(PrintWriter out, String by, SortedMap<String, TotalCost> own) {
    out.println("  parts by " + by + ": " + own.size() + " charged, each for itself");
    own.entrySet().stream()
        .sorted(
            Map.Entry.<String, TotalCost>comparingByValue(Comparator.comparing(TotalCost::epsilon))
                .reversed())
        .limit(MOST_PARTS)
        .forEach(
            e ->
                out.println(
                    "    "
                        + e.getKey()
                        + "  ε "
                        + number(e.getValue().epsilon())
                        + " in "
                        + e.getValue().answers()
                        + (e.getValue().answers() == 1 ? " answer" : " answers")));
    if (own.size() > MOST_PARTS) {
      out.println("    and " + (own.size() - MOST_PARTS) + " with no more than these");
    }
  }

  private static String line(Balance balance, BigDecimal epsilon) {
    if (balance.allowance().isEmpty()) {
      return "no limit; spent ε " + number(balance.spent().epsilon());
    }
    Allowance allowance = balance.allowance().get();
    BigDecimal left = balance.epsilonLeft().orElseThrow();
    StringBuilder line = new StringBuilder();
    line.append(bar(left, allowance.epsilon()));
    line.append(" ε ").append(number(left)).append(" of ").append(number(allowance.epsilon()));
    line.append(" left");
    if (allowance.delta().signum() > 0) {
      line.append(", δ ").append(number(balance.deltaLeft().orElse(BigDecimal.ZERO)));
      line.append(" of ").append(number(allowance.delta()));
    }
    line.append(", ").append(answers(balance, epsilon));
    line.append(" (").append(allowance.composition().name().toLowerCase(Locale.ROOT));
    allowance.window().ifPresent(w -> line.append(", per ").append(w.words()));
    balance
        .comesBack()
        .ifPresent(
            at -> line.append("; some comes back at ").append(at.truncatedTo(ChronoUnit.SECONDS)));
    return line.append(")").toString();
  }

  private static String answers(Balance balance, BigDecimal epsilon) {
    long answers = balance.answersLeft(Cost.pure(epsilon)).orElse(0);
    String count = answers >= MANY ? "more than a million" : "about " + answers;
    return count + " more answer" + (answers == 1 ? "" : "s") + " at ε " + number(epsilon);
  }

  /** Full cells are rounded down: an empty bar may still hold a little, never the reverse. */
  private static String bar(BigDecimal left, BigDecimal whole) {
    int full =
        whole.signum() == 0
            ? 0
            : left.multiply(BigDecimal.valueOf(CELLS))
                .divide(whole, 0, RoundingMode.FLOOR)
                .min(BigDecimal.valueOf(CELLS))
                .intValue();
    return "█".repeat(full) + "░".repeat(CELLS - full);
  }

  static String number(BigDecimal value) {
    BigDecimal rounded = value.signum() == 0 ? BigDecimal.ZERO : value.stripTrailingZeros();
    if (rounded.precision() > 6) {
      rounded =
          rounded.round(new java.math.MathContext(6, RoundingMode.FLOOR)).stripTrailingZeros();
    }
    return rounded.scale() > 6 || rounded.scale() < -6
        ? rounded.toString()
        : rounded.toPlainString();
  }
}
