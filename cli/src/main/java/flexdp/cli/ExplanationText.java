package flexdp.cli;

import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.Spent;
import flexdp.query.DpQuery;
import java.util.Locale;
import java.util.stream.Collectors;

/** An explanation as people read it. */
final class ExplanationText {
  private ExplanationText() {}

  static String of(Explanation explanation) {
    StringBuilder text = new StringBuilder("accepted\n");
    line(
        text,
        "columns",
        explanation.columns().stream()
            .map(ExplanationText::column)
            .collect(Collectors.joining(", ")));
    line(text, "labels", explanation.labels());
    line(
        text,
        "charged",
        explanation.tables().isEmpty()
            ? "nothing; only public tables are read"
            : explanation.charged());
    line(
        text,
        "cost",
        "epsilon "
            + Spent.plain(explanation.epsilon())
            + ", delta "
            + Spent.plain(explanation.delta()));
    explanation.ranges().forEach(range -> line(text, "range", range.words()));
    explanation.noise().forEach(noise -> noise(text, noise));
    if (!explanation.errors().isEmpty()) {
      text.append("\n95 % error\n");
      explanation.errors().forEach(e -> line(text, e.column(), e.words()));
    }
    explanation.warnings().forEach(w -> text.append("\nwarning: ").append(w).append('\n'));
    if (!explanation.operators().isEmpty()) {
      text.append("\nrules (docs/rules.md)\n");
      explanation.operators().forEach(line -> text.append("  ").append(line).append('\n'));
    }
    if (!explanation.hint().isEmpty()) {
      text.append("\nhint: ").append(explanation.hint()).append('\n');
    }
    return text.toString();
  }

  private static String column(DpQuery.ResultColumn column) {
    return column.column().name() + " (" + column.kind().name().toLowerCase(Locale.ROOT) + ")";
  }

  private static void noise(StringBuilder text, Explanation.Aggregate noise) {
    text.append('\n').append(noise.aggregate()).append(", ").append(noise.part());
    noise.column().ifPresent(c -> text.append(", shown as ").append(c));
    text.append('\n');
    line(text, "sensitivity", noise.formula());
    line(text, "mechanism", noise.mechanism().orElse("none usable yet"));
    if (noise.mechanism().isPresent()) {
      line(text, "epsilon", Spent.plain(noise.epsilon()));
      // A measurement that a column shows has that column's error, which is said once, below.
      noise
          .error()
          .filter(e -> noise.column().isEmpty())
          .ifPresent(e -> line(text, "noise", "± " + Spent.plain(e) + ", by 95 %"));
    }
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "  %-12s %s%n", name, value));
  }
}
