package flexdp.server.api;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;

/** A question to try. */
public record Suggestion(String title, String sql) {
  private static final int MOST = 6;

  /** Questions that a policy's own words suggest: how many, by which label, how much. */
  static List<Suggestion> of(Policy policy) {
    List<Suggestion> all = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      if (table.isPublic()) {
        continue;
      }
      String from = " FROM " + quoted(table.name());
      all.add(new Suggestion("How many " + table.name() + "?", "SELECT COUNT(*) AS n" + from));
      for (ColumnSpec column : table.columns()) {
        String name = quoted(column.name());
        if (column.domain().isPresent() && !column.individual()) {
          all.add(
              new Suggestion(
                  table.name() + " by " + column.name(),
                  "SELECT " + name + ", COUNT(*) AS n" + from + " GROUP BY " + name));
        } else if (column.range().isPresent() && column.type().isExact()) {
          all.add(
              new Suggestion(
                  "The average " + column.name() + " of " + table.name(),
                  "SELECT AVG(" + name + ") AS average" + from));
        }
      }
    }
    return all.subList(0, Math.min(MOST, all.size()));
  }

  private static String quoted(String name) {
    return name.matches("[a-z_][a-z0-9_]*") ? name : "\"" + name.replace("\"", "\"\"") + "\"";
  }
}
