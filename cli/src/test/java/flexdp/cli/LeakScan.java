package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.FlexDp;
import flexdp.metrics.TableMetrics;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Looks for what was measured, and for the database's words, in what analysts are shown. */
final class LeakScan {
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d+(\\.\\d+)?(?![\\w.])");
  private static final List<String> DATABASE_WORDS =
      List.of(
          "Conversion Error",
          "Out of Range",
          "Catalog Error",
          "Binder Error",
          "Parser Error",
          "Invalid Input",
          "SQLException",
          "Exception",
          "duckdb");

  private final Set<String> forbidden;
  private final List<String> leaks = new ArrayList<>();

  private LeakScan(Set<String> forbidden) {
    this.forbidden = forbidden;
  }

  static LeakScan of(QuestionOptions options) {
    return new LeakScan(metrics(options));
  }

  List<String> leaks() {
    return leaks;
  }

  void scan(String sql, String shown) {
    Matcher numbers = NUMBER.matcher(shown);
    while (numbers.find()) {
      if (forbidden.contains(numbers.group())) {
        leaks.add(sql + " shows " + numbers.group() + " in " + shown);
      }
    }
    words(sql, shown);
  }

  /** The database's words alone, where numbers are the server's own. */
  void words(String sql, String shown) {
    for (String words : DATABASE_WORDS) {
      // What the question itself says is the analyst's own word.
      if (shown.contains(words) && !sql.contains(words)) {
        leaks.add(sql + " shows the database's words: " + shown);
      }
    }
  }

  private static Set<String> metrics(QuestionOptions options) {
    Set<String> values = new TreeSet<>();
    try (FlexDp open = options.open()) {
      open.policy().tables().values().stream()
          .filter(table -> table.isProtected())
          .forEach(
              table -> {
                TableMetrics metrics = open.metrics().table(table.name());
                metrics.rows().map(BigInteger::toString).ifPresent(values::add);
                metrics
                    .frequencies()
                    .values()
                    .forEach(f -> f.max().map(BigInteger::toString).ifPresent(values::add));
              });
    }
    values.removeIf(v -> v.length() < 3);
    assertTrue(values.size() >= 3, values::toString);
    return values;
  }
}
