package flexdp.sql.bind;

import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.sql.function.NameMatching;
import flexdp.sql.function.Rejections;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import org.apache.calcite.sql.SqlIdentifier;

/** The tables of a policy by name; no other table exists. */
final class PolicyTables {
  /** Schemas in which a table without a schema of its own may be sought. */
  private static final java.util.Set<String> DEFAULT_SCHEMAS =
      java.util.Set.of("public", "main", "dbo", "default");

  private static final Table SEVERAL =
      new Table("", true, java.util.List.of(), java.util.List.of(), java.util.List.of());

  private final Map<String, Table> exact;
  private final Map<String, Table> folded = new HashMap<>();
  private final Map<String, Table> byLastPart = new HashMap<>();

  /** What the database is called; empty where the policy names none. */
  private final String database;

  PolicyTables(Policy policy) {
    exact = policy.tables();
    database = policy.database().map(PolicyTables::nameOf).orElse("");
    for (Table table : policy.tables().values()) {
      String name = table.name().toLowerCase(Locale.ROOT);
      folded.merge(name, table, (a, b) -> SEVERAL);
      byLastPart.merge(name.substring(name.lastIndexOf('.') + 1), table, (a, b) -> SEVERAL);
    }
  }

  boolean has(SqlIdentifier name) {
    return find(name) != null;
  }

  Table resolve(SqlIdentifier name) {
    String written = String.join(".", name.names);
    Table table = find(name);
    if (table == SEVERAL) {
      throw Rejections.of(
          RejectionCode.UNKNOWN_TABLE,
          "Several tables are called '" + written + "'.",
          "Write the schema too, or quote the name exactly as the policy writes it.",
          name);
    }
    if (table == null) {
      throw Rejections.of(
          RejectionCode.UNKNOWN_TABLE,
          "The table '" + written + "' does not exist.",
          NameMatching.didYouMean(
              written, exact.keySet(), "Only the tables of the policy can be asked about."),
          name);
    }
    return table;
  }

  private Table find(SqlIdentifier name) {
    String written = String.join(".", name.names);
    Table table = exact.get(written);
    if (table == null) {
      table = folded.get(written.toLowerCase(Locale.ROOT));
    }
    return table == null ? withoutSchema(name) : table;
  }

  private Table withoutSchema(SqlIdentifier name) {
    int parts = name.names.size();
    String last = name.names.get(parts - 1).toLowerCase(Locale.ROOT);
    if (parts == 1) {
      return byLastPart.get(last);
    }
    String first = name.names.get(0).toLowerCase(Locale.ROOT);
    String schema = name.names.get(parts - 2).toLowerCase(Locale.ROOT);
    boolean here = !database.isEmpty() && first.equals(database);
    if (parts > 3 || parts == 3 && !here) {
      return null; // of another database, for all that is known
    }
    boolean usual = DEFAULT_SCHEMAS.contains(schema) || parts == 2 && here;
    return usual ? folded.get(last) : parts == 3 ? folded.get(schema + "." + last) : null;
  }

  /** The last word of a database's URL or file, without what follows ? or a point. */
  private static String nameOf(String url) {
    String place = url.split("[?;]", 2)[0];
    String last = place.substring(Math.max(place.lastIndexOf('/'), place.lastIndexOf(':')) + 1);
    return (last.indexOf('.') > 0 ? last.substring(0, last.indexOf('.')) : last)
        .toLowerCase(Locale.ROOT);
  }
}
