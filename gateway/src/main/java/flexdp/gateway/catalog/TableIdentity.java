package flexdp.gateway.catalog;

import java.util.List;
import java.util.Locale;

/**
 * What tells a table apart from others, as the database gives it and not as a policy spells it.
 *
 * @param name schema and name in quotes. Without the database: a table that was restored, copied
 *     with its database, or dropped and made anew, holds the same people as far as we can know
 * @param mark stays when the table is renamed; empty where the database has no such thing
 * @param parts the partitions that it reads, which were or may become tables of their own
 */
public record TableIdentity(String name, String mark, List<TableIdentity> parts) {
  public TableIdentity {
    parts = List.copyOf(parts);
  }

  /** Without partitions. */
  public TableIdentity(String name, String mark) {
    this(name, mark, List.of());
  }

  /** As schema and name. */
  public static TableIdentity of(String schema, String name) {
    return new TableIdentity(quoted(schema) + "." + quoted(name), "");
  }

  /** By the names that the database spells. */
  public static TableIdentity of(PhysicalTable table) {
    return of(table.schema(), table.name());
  }

  /** Of a database that tells no cases apart. */
  public static TableIdentity folded(PhysicalTable table) {
    return new TableIdentity(of(table).name().toLowerCase(Locale.ROOT), "");
  }

  public TableIdentity marked(String with) {
    return new TableIdentity(name, with, parts);
  }

  public TableIdentity reading(List<TableIdentity> some) {
    return new TableIdentity(name, mark, some);
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }
}
