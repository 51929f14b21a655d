package flexdp.gateway.catalog;

import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import java.util.Map;

/**
 * Tells whether tables are still defined as they were. Keys and NOT NULL that a database enforces
 * bound what a question can tell; somebody may drop one while we are connected.
 */
public interface Definitions {
  /**
   * What shows by table when a definition changes, by a quick look: equal marks mean equal
   * definitions, other marks may mean anything. Nothing of a table that is gone.
   */
  Map<Name, List<String>> marks(Statements statements, Collection<PhysicalTable> tables)
      throws SQLException;

  /** Every table as it is defined in the state that is read. */
  List<PhysicalTable> tables(Statements statements) throws SQLException;

  /** A table as the database spells it. */
  record Name(String schema, String table) {
    public static Name of(PhysicalTable table) {
      return new Name(table.schema(), table.name());
    }
  }
}
