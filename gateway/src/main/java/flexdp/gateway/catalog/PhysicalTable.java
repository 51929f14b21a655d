package flexdp.gateway.catalog;

import flexdp.gateway.catalog.PhysicalCatalog.PolicyNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A table, view or other relation of a database.
 *
 * @param catalog where the connection sees several and it is not the connection's own; else empty
 * @param schema as the database spells it
 * @param inDefaultSchema whether a bare name finds it
 * @param keys column sets that the database keeps unique under the equality that joins use
 * @param doubtfulKeys column sets that it keeps unique under some other equality only, such as a
 *     UNIQUE constraint that ignores the column's collation, or on values finer than we read them
 * @param checks validated CHECK constraints, as SQL
 * @param parted whether its rows are those of its parts
 */
public record PhysicalTable(
    String catalog,
    String schema,
    String name,
    boolean inDefaultSchema,
    Kind kind,
    List<PhysicalColumn> columns,
    List<List<String>> keys,
    List<List<String>> doubtfulKeys,
    List<String> checks,
    List<ForeignKey> foreignKeys,
    boolean parted) {

  /** A relation whose rows are its own. */
  public PhysicalTable(
      String catalog,
      String schema,
      String name,
      boolean inDefaultSchema,
      Kind kind,
      List<PhysicalColumn> columns,
      List<List<String>> keys,
      List<List<String>> doubtfulKeys,
      List<String> checks,
      List<ForeignKey> foreignKeys) {
    this(
        catalog,
        schema,
        name,
        inDefaultSchema,
        kind,
        columns,
        keys,
        doubtfulKeys,
        checks,
        foreignKeys,
        false);
  }

  /** A relation of the connection's own catalog. */
  public PhysicalTable(
      String schema,
      String name,
      boolean inDefaultSchema,
      Kind kind,
      List<PhysicalColumn> columns,
      List<List<String>> keys,
      List<List<String>> doubtfulKeys,
      List<String> checks,
      List<ForeignKey> foreignKeys) {
    this("", schema, name, inDefaultSchema, kind, columns, keys, doubtfulKeys, checks, foreignKeys);
  }

  /** What stands behind a name. */
  public enum Kind {
    TABLE("a table"),
    VIEW("a view"),
    FOREIGN("a foreign table"),
    PARENT("a table that others inherit from"),
    PARTITION("a part of another table"),
    MERGED("a union of other tables"),
    SEQUENCE("a sequence"),
    WITHOUT_SNAPSHOTS("a table of an engine that has no snapshots"),
    UNREADABLE("a table that the database user may not read; GRANT SELECT (and USAGE) would help"),
    FILTERED("a table of which row-level security shows this user a part");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    public String words() {
      return words;
    }
  }

  /** A reference that the database knows; it need not hold in neighbouring databases. */
  public record ForeignKey(List<String> columns, String table, List<String> referenced) {}

  public PhysicalTable {
    columns = List.copyOf(columns);
    keys = keys.stream().map(List::copyOf).toList();
    doubtfulKeys = doubtfulKeys.stream().map(List::copyOf).toList();
    checks = List.copyOf(checks);
    foreignKeys = List.copyOf(foreignKeys);
  }

  public Optional<PhysicalColumn> column(String column) {
    return PolicyNames.find(columns, PhysicalColumn::name, column);
  }

  /** The name by which a policy calls it. */
  public String policyName() {
    return inDefaultSchema ? name : qualifiedName();
  }

  /** The name with its schema always, and with the catalog where it is another one. */
  public String qualifiedName() {
    String inSchema = schema + "." + name;
    return catalog.isEmpty() ? inSchema : catalog + "." + inSchema;
  }

  /** One relation while what a catalog says of it is gathered from several queries. */
  public static final class TableBuilder {
    final String catalog;
    final String schema;
    public final String name;
    final boolean inDefaultSchema;
    final Kind kind;
    public final List<PhysicalColumn> columns = new ArrayList<>();
    public final List<List<String>> keys = new ArrayList<>();
    public final List<List<String>> doubtfulKeys = new ArrayList<>();
    public final List<String> checks = new ArrayList<>();
    public final List<ForeignKey> foreignKeys = new ArrayList<>();
    public boolean parted;

    public TableBuilder(String schema, String name, boolean inDefaultSchema, Kind kind) {
      this("", schema, name, inDefaultSchema, kind);
    }

    /**
     * @param catalog empty for the connection's own
     */
    public TableBuilder(
        String catalog, String schema, String name, boolean inDefaultSchema, Kind kind) {
      this.catalog = catalog;
      this.schema = schema;
      this.name = name;
      this.inDefaultSchema = inDefaultSchema;
      this.kind = kind;
    }

    public PhysicalTable table() {
      return new PhysicalTable(
          catalog,
          schema,
          name,
          inDefaultSchema,
          kind,
          columns,
          keys,
          doubtfulKeys,
          checks,
          foreignKeys,
          parted);
    }
  }
}
