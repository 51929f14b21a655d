package flexdp.gateway.policydraft;

import flexdp.gateway.collect.OwnedRows;
import flexdp.policy.OwnerPath;
import flexdp.policy.PersonKind;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Who owns what, drawn as a table: a line for each table, a column for each kind of people. */
public final class OwnersText {
  private final Policy policy;
  private final List<OwnedRows> counted;

  private OwnersText(Policy policy, List<OwnedRows> counted) {
    this.policy = policy;
    this.counted = counted;
  }

  /** As the policy says it; nothing when it names no people. */
  public static String of(Policy policy) {
    return of(policy, List.of());
  }

  /**
   * With numbers, for owners only.
   *
   * @param counted how rows fall to people
   */
  public static String of(Policy policy, List<OwnedRows> counted) {
    return policy.people().isEmpty() ? "" : new OwnersText(policy, counted).text();
  }

  private String text() {
    List<List<String>> lines = new ArrayList<>();
    List<String> head = new ArrayList<>(List.of("who owns what"));
    policy.people().keySet().forEach(head::add);
    lines.add(head);
    for (Table table : policy.tables().values()) {
      lines.addAll(lines(table));
    }
    StringBuilder text = new StringBuilder();
    for (List<String> line : lines) {
      StringBuilder one = new StringBuilder();
      for (int i = 0; i < line.size(); i++) {
        boolean last = i == line.size() - 1;
        String gap = last ? "" : " ".repeat(width(lines, i) - line.get(i).length());
        one.append("  ").append(line.get(i)).append(gap);
      }
      text.append(one.toString().stripTrailing()).append('\n');
    }
    return text.append('\n').toString();
  }

  /** A cell at the end of its line may be as wide as it likes. */
  private static int width(List<List<String>> lines, int column) {
    return lines.stream()
        .filter(line -> column < line.size() - 1)
        .mapToInt(line -> line.get(column).length())
        .max()
        .orElse(0);
  }

  /** As many lines as the kind with the most paths needs, and one with numbers for each. */
  private List<List<String>> lines(Table table) {
    if (table.ownership().owners().isEmpty()) {
      return List.of(
          List.of(
              table.name(),
              table.isPublic() ? "public, known to everyone" : "each row stands for itself"));
    }
    List<List<String>> cells = new ArrayList<>();
    for (PersonKind kind : policy.people().values()) {
      List<String> cell = new ArrayList<>();
      for (OwnerPath owner : table.ownership().owners()) {
        if (owner.kind().equals(kind.name())) {
          cell.add(owner.path());
          counted(table, owner).ifPresent(rows -> cell.add(numbers(rows)));
        }
      }
      cells.add(cell);
    }
    List<List<String>> lines = new ArrayList<>();
    int height = cells.stream().mapToInt(List::size).max().orElse(0);
    for (int i = 0; i < height; i++) {
      List<String> line = new ArrayList<>(List.of(i == 0 ? table.name() : ""));
      for (List<String> cell : cells) {
        line.add(i < cell.size() ? cell.get(i) : "");
      }
      lines.add(line);
    }
    return lines;
  }

  private Optional<OwnedRows> counted(Table table, OwnerPath owner) {
    return counted.stream()
        .filter(r -> r.table().equals(table.name()) && r.owner().equals(owner))
        .findFirst();
  }

  private static String numbers(OwnedRows rows) {
    return String.format(
        Locale.ROOT,
        "  %,d rows of %,d, at most %,d each",
        rows.rows() - rows.unowned(),
        rows.people(),
        rows.most());
  }
}
