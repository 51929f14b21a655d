package flexdp.experiments.report;

import flexdp.experiments.report.Passage.Data;
import flexdp.experiments.report.Passage.Figure;
import flexdp.experiments.report.Passage.Prose;
import flexdp.experiments.report.Passage.Table;
import flexdp.experiments.report.Passage.Verbatim;
import java.util.ArrayList;
import java.util.List;

/** A section as a terminal shows it: its findings and tables, without the plots. */
public final class Plain {
  private static final int WIDEST = 64;

  private Plain() {}

  public static String of(Section section) {
    StringBuilder text = new StringBuilder(section.title()).append("\n\n");
    boolean reasons = section.findings().stream().anyMatch(f -> !f.why().isEmpty());
    List<List<Object>> rows = new ArrayList<>();
    for (Finding f : section.findings()) {
      rows.add(
          reasons
              ? Passage.row(f.what(), f.paper(), f.ours(), f.why())
              : Passage.row(f.what(), f.paper(), f.ours()));
    }
    List<String> columns = List.of("", "the paper", "ours", "why they differ");
    if (!rows.isEmpty()) {
      table(text, reasons ? columns : columns.subList(0, 3), rows);
    }
    for (Passage block : section.blocks()) {
      switch (block) {
        case Prose prose -> text.append('\n').append(prose.text()).append('\n');
        case Verbatim verbatim -> text.append('\n').append(verbatim.text()).append('\n');
        case Table table -> {
          text.append('\n').append(table.caption()).append('\n');
          table(text, table.columns(), table.rows());
        }
        case Data data -> {}
        case Figure figure -> {}
      }
    }
    return text.toString();
  }

  private static void table(StringBuilder text, List<String> columns, List<List<Object>> rows) {
    int[] widths = new int[columns.size()];
    List<List<String>> cells = new ArrayList<>();
    cells.add(columns);
    rows.forEach(row -> cells.add(row.stream().map(Plain::cell).toList()));
    for (List<String> row : cells) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (int r = 0; r < cells.size(); r++) {
      StringBuilder line = new StringBuilder("  ");
      for (int i = 0; i < widths.length; i++) {
        String cell = cells.get(r).get(i);
        boolean number = r > 0 && rows.get(r - 1).get(i) instanceof Number;
        String space = " ".repeat(widths[i] - cell.length());
        line.append(number ? space + cell : cell + space).append("  ");
      }
      text.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private static String cell(Object cell) {
    String text =
        cell == null ? "" : cell instanceof Number number ? Html.number(number) : cell.toString();
    return text.length() <= WIDEST ? text : text.substring(0, WIDEST - 1) + "…";
  }
}
