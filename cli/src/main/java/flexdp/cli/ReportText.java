package flexdp.cli;

import flexdp.Report;
import flexdp.query.DpQuery;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.Locale;
import java.util.stream.Collectors;

/** A report as people read it. */
final class ReportText {
  private static final MathContext SHOWN = new MathContext(8);
  private static final int LONGEST = 12;

  private ReportText() {}

  static String of(Report report) {
    StringBuilder text = new StringBuilder("accepted\n");
    line(text, "neighbours", report.neighbors().word());
    line(text, "joins", String.valueOf(report.joins()));
    line(
        text,
        "columns",
        report.columns().stream().map(ReportText::column).collect(Collectors.joining(", ")));
    line(text, "labels", report.labels());
    report.aggregates().forEach(noise -> noise(text, noise));
    if (!report.hint().isEmpty()) {
      text.append("\nhint: ").append(report.hint()).append('\n');
    }
    return text.toString();
  }

  private static String column(DpQuery.ResultColumn column) {
    String kind = column.kind().name().toLowerCase(Locale.ROOT);
    return column.column().name() + " (" + kind + ")";
  }

  private static void noise(StringBuilder text, Report.Aggregate noise) {
    text.append('\n').append(noise.aggregate()).append(", ").append(noise.part());
    noise.column().ifPresent(c -> text.append(", shown as ").append(c));
    text.append('\n');
    line(text, "sensitivity", noise.formula());
    line(
        text,
        "at distance",
        noise.elastic().entrySet().stream()
            .map(e -> e.getKey() + ": " + e.getValue().stripTrailingZeros().toPlainString())
            .collect(Collectors.joining("   ")));
    noise
        .smooth()
        .ifPresent(
            s ->
                line(
                    text,
                    "smooth bound",
                    shown(s.value())
                        + " at distance "
                        + s.distance()
                        + " (beta "
                        + shown(s.beta())
                        + ")"));
    line(text, "mechanism", noise.mechanism().orElse("none usable yet"));
    noise.noiseScale().ifPresent(s -> line(text, "noise scale", shown(s)));
    noise
        .epsilon()
        .ifPresent(
            e -> line(text, "cost", "epsilon " + shown(e) + ", delta " + shown(noise.delta())));
  }

  private static String shown(BigDecimal number) {
    BigDecimal rounded = number.round(SHOWN).stripTrailingZeros();
    boolean plain = Math.abs(rounded.precision() - rounded.scale()) <= LONGEST;
    return plain ? rounded.toPlainString() : rounded.toString();
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "  %-13s %s%n", name, value));
  }
}
