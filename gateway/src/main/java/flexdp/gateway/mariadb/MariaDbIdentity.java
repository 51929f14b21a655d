package flexdp.gateway.mariadb;

import flexdp.gateway.catalog.Statements;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The numbers that InnoDB gives to a table and to the table of its notes. A table that is emptied
 * with TRUNCATE, made anew, or given another table's rows (EXCHANGE PARTITION, IMPORT TABLESPACE)
 * has another number and looks the same otherwise. They are seen with the right PROCESS only, so a
 * function tells them that runs with the rights of whoever made it.
 */
final class MariaDbIdentity {
  private final String id;
  private final String schema;
  private final String table;

  /**
   * @param id names what belongs to the table
   * @param schema of the table, as a literal
   * @param table its name, as a literal
   */
  MariaDbIdentity(String id, String schema, String table) {
    this.id = id;
    this.schema = schema;
    this.table = table;
  }

  private String function() {
    return "flexdp.identity_" + id;
  }

  /** A partition of the notes counts as a table of its own. */
  String creation() {
    return """
    CREATE FUNCTION %s() RETURNS TEXT CHARACTER SET utf8mb4 NOT DETERMINISTIC READS SQL DATA
    SQL SECURITY DEFINER RETURN (
      SELECT CASE WHEN COUNT(*) = 2
        THEN GROUP_CONCAT(CONCAT_WS(':', name, table_id, space) ORDER BY name) END
      FROM information_schema.innodb_sys_tables
      WHERE BINARY name = CONCAT(%s, '/', %s) OR name LIKE 'flexdp/log\\_%s#P#%%')\
    """
        .formatted(function(), file(schema), file(table), id);
  }

  /** Names as InnoDB writes them. */
  private static String file(String name) {
    return "CAST(CONVERT(_utf8mb4" + name + " USING filename) AS BINARY)";
  }

  String removal() {
    return "DROP FUNCTION IF EXISTS " + function();
  }

  /** What the function says and when it was made; empty where it is not there or not granted. */
  Optional<String> read(Statements statements) throws SQLException {
    List<String> made = new ArrayList<>();
    statements.run(
        """
        SELECT CONCAT_WS(' ', created, last_altered) FROM information_schema.routines
        WHERE routine_schema = 'flexdp' AND routine_name = 'identity_%s'
          AND routine_type = 'FUNCTION' AND security_type = 'DEFINER'\
        """
            .formatted(id),
        row -> made.add(row.getString(1)));
    if (made.isEmpty()) {
      return Optional.empty();
    }
    List<String> numbers = new ArrayList<>();
    statements.run(
        "SELECT " + function() + "()",
        row -> Optional.ofNullable(row.getString(1)).ifPresent(numbers::add));
    return numbers.stream().findFirst().map(n -> made.getFirst() + " " + n);
  }
}
