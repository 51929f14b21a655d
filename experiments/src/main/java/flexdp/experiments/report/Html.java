package flexdp.experiments.report;

import flexdp.experiments.report.Passage.Data;
import flexdp.experiments.report.Passage.Figure;
import flexdp.experiments.report.Passage.Prose;
import flexdp.experiments.report.Passage.Table;
import flexdp.experiments.report.Passage.Verbatim;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.util.List;
import java.util.Locale;

/** Sections as HTML that is also well-formed XML. */
public final class Html {
  private static final MathContext SHOWN = new MathContext(4);

  private Html() {}

  /** One section, without the page around it. */
  public static String section(Section section, Stamp stamp) {
    StringBuilder html = new StringBuilder();
    html.append("<section id='").append(text(section.name())).append("'>\n");
    html.append("<h2>").append(text(section.title())).append("</h2>\n");
    html.append("<p class='stamp'>").append(text(stamp.toString())).append("</p>\n");
    if (!section.findings().isEmpty()) {
      findings(html, section.findings());
    }
    section.blocks().forEach(block -> block(html, block));
    return html.append("</section>\n").toString();
  }

  private static void findings(StringBuilder html, List<Finding> findings) {
    List<List<Object>> rows =
        findings.stream().map(f -> Passage.row(f.what(), f.paper(), f.ours(), f.why())).toList();
    table(html, List.of("", "the paper", "ours", "why they differ"), rows, "findings");
  }

  private static void block(StringBuilder html, Passage block) {
    switch (block) {
      case Prose prose -> html.append("<p>").append(text(prose.text())).append("</p>\n");
      case Verbatim verbatim ->
          html.append("<pre>").append(text(verbatim.text())).append("</pre>\n");
      case Table table -> {
        caption(html, table.caption(), table.name());
        table(html, table.columns(), table.rows(), "data");
      }
      case Data data -> caption(html, data.caption(), data.name());
      case Figure figure ->
          html.append("<figure>\n")
              .append(Drawing.of(figure.chart(), figure.caption()))
              .append("\n<figcaption>")
              .append(text(figure.caption()))
              .append("</figcaption>\n</figure>\n");
    }
  }

  private static void caption(StringBuilder html, String caption, String name) {
    html.append("<p class='caption'>").append(text(caption));
    html.append(" <a href='").append(text(name)).append(".csv'>CSV</a></p>\n");
  }

  private static void table(
      StringBuilder html, List<String> columns, List<List<Object>> rows, String kind) {
    html.append("<div class='wide'><table class='").append(kind).append("'>\n<thead><tr>");
    columns.forEach(c -> html.append("<th>").append(text(c)).append("</th>"));
    html.append("</tr></thead>\n<tbody>\n");
    for (List<Object> row : rows) {
      html.append("<tr>");
      row.forEach(cell -> html.append(cell(cell)));
      html.append("</tr>\n");
    }
    html.append("</tbody></table></div>\n");
  }

  private static String cell(Object cell) {
    return switch (cell) {
      case null -> "<td></td>";
      case Number number -> "<td class='number'>" + number(number) + "</td>";
      default -> "<td>" + text(cell.toString()) + "</td>";
    };
  }

  /** A number for people: whole ones with thousands apart, others to four digits. */
  static String number(Number number) {
    if (number instanceof Long || number instanceof Integer || number instanceof BigInteger) {
      return String.format(Locale.ROOT, "%,d", number);
    }
    if (!(number instanceof BigDecimal) && !Double.isFinite(number.doubleValue())) {
      return Double.isNaN(number.doubleValue()) ? "" : number.doubleValue() > 0 ? "∞" : "−∞";
    }
    BigDecimal exact =
        number instanceof BigDecimal decimal ? decimal : new BigDecimal(number.toString());
    if (exact.abs().compareTo(BigDecimal.valueOf(10_000)) >= 0
        && exact.abs().compareTo(BigDecimal.valueOf(1e15)) < 0) {
      return String.format(Locale.ROOT, "%,.0f", exact);
    }
    BigDecimal rounded = exact.round(SHOWN).stripTrailingZeros();
    boolean plain = rounded.precision() - rounded.scale() > -4 && rounded.precision() < 15;
    return plain && rounded.scale() > -15 ? rounded.toPlainString() : rounded.toString();
  }

  /** Text that HTML and XML take as text, also between quotes. */
  static String text(String raw) {
    StringBuilder safe = new StringBuilder(raw.length() + 16);
    raw.codePoints()
        .forEach(
            c -> {
              switch (c) {
                case '<' -> safe.append("&lt;");
                case '>' -> safe.append("&gt;");
                case '&' -> safe.append("&amp;");
                case '"' -> safe.append("&quot;");
                case '\'' -> safe.append("&#39;");
                default -> safe.appendCodePoint(isAllowed(c) ? c : 0xFFFD);
              }
            });
    return safe.toString();
  }

  private static boolean isAllowed(int c) {
    return c == '\n' || c == '\t' || c >= 0x20 && c != 0xFFFE && c != 0xFFFF && !isSurrogate(c);
  }

  private static boolean isSurrogate(int c) {
    return c >= 0xD800 && c <= 0xDFFF;
  }
}
