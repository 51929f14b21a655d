package flexdp.gateway.reuse;

import flexdp.meaning.Canonical;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The part of a policy that gives questions their meaning, as a hash: tables, columns, types,
 * bounds, labels, neighbours, whose rows are whose. Under another one, answers that were released
 * answer other questions. Budgets and accounts are no part of it.
 */
final class Meaning {
  private Meaning() {}

  static String of(Policy policy) {
    List<String> all = new ArrayList<>();
    all.add(policy.privacy().neighbors().name());
    new TreeMap<>(policy.people())
        .values()
        .forEach(
            kind ->
                all.add(
                    "people " + quoted(kind.name()) + kind.type() + quoted(kind.nobody() + "")));
    for (Table table : new TreeMap<>(policy.tables()).values()) {
      all.add(table.isPublic() + " " + quoted(table.name()));
      all.add(table.ownership().toString());
      table.uniqueKeys().forEach(key -> all.add("unique" + key.stream().sorted().toList()));
      for (ColumnSpec column : table.columns()) {
        all.add(
            quoted(column.name())
                + column.type()
                + column.nullable()
                + column.range()
                + column.domain()
                + column.references());
      }
    }
    return Canonical.key(String.join("\n", all)).substring(0, 16);
  }

  private static String quoted(String name) {
    return name.length() + "'" + name + "'";
  }
}
