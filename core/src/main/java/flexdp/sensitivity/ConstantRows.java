package flexdp.sensitivity;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * F-VALUES: how many of some constant rows share a value. Values that some database might take for
 * equal are taken for equal here.
 */
final class ConstantRows {
  private ConstantRows() {}

  static long mostEqual(Relation.Values values, FrequencyKey key) {
    List<Integer> positions = new ArrayList<>();
    for (int i = 0; i < values.columns().size(); i++) {
      if (key.columns().contains(values.columns().get(i).id()) && isPlain(values, i)) {
        positions.add(i);
      }
    }
    Map<List<String>, Long> counts = new HashMap<>();
    for (List<Expr.Literal> row : values.rows()) {
      counts.merge(positions.stream().map(i -> form(row.get(i))).toList(), 1L, Long::sum);
    }
    return counts.values().stream().mapToLong(count -> count).max().orElse(0);
  }

  private static String form(Expr.Literal literal) {
    return switch (literal.value()) {
      case null -> "NULL";
      case BigDecimal number -> "n" + number.stripTrailingZeros().toPlainString();
      case String text -> "s" + text.strip().toLowerCase(Locale.ROOT);
      case Object other -> "o" + other;
    };
  }

  /** Text beyond ASCII and floating point have equalities of their own. */
  private static boolean isPlain(Relation.Values values, int position) {
    return values.rows().stream()
        .map(row -> row.get(position).value())
        .allMatch(
            value ->
                !(value instanceof Double)
                    && (!(value instanceof String text)
                        || StandardCharsets.US_ASCII.newEncoder().canEncode(text)));
  }
}
