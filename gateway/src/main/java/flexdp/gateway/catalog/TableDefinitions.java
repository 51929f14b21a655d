package flexdp.gateway.catalog;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Tells whether tables are still defined as they were. Keys and NOT NULL that a database enforces
 * bound what a question can tell; somebody may drop one while we are connected.
 */
public interface TableDefinitions {
  /**
   * What shows by table when a definition changes, by a quick look: equal marks mean equal
   * definitions, other marks may mean anything. Nothing of a table that is gone.
   */
  Map<Name, List<String>> marks(StatementRunner statements, Collection<PhysicalTable> tables)
      throws SQLException;

  /**
   * Whether tables that are held stood still since marks were taken, by a quick look at what is
   * there now, be the state that is read older.
   */
  default boolean stands(
      StatementRunner statements, Collection<PhysicalTable> tables, Map<Name, List<String>> marks)
      throws SQLException {
    return marks(statements, tables).equals(marks);
  }

  /**
   * Tables as they are defined in the state that is read; at least those of these that are there.
   */
  List<PhysicalTable> tables(StatementRunner statements, Collection<PhysicalTable> asked)
      throws SQLException;

  /** A table as the database spells it. */
  record Name(String schema, String table) {
    public static Name of(PhysicalTable table) {
      return new Name(table.schema(), table.name());
    }
  }

  /**
   * Tables were redefined while they were looked at. What was read is thrown away, and read once
   * more.
   */
  final class TableRedefined extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public TableRedefined() {
      super("a table was redefined while it was read", null, false, false);
    }
  }
}
