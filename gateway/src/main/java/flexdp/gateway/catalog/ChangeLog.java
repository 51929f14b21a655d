package flexdp.gateway.catalog;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * Notes the keys of every row that is added to a table, or gets another key, in a table beside it.
 * The note is written by a trigger in the writer's own transaction, so whoever sees the row sees
 * its note: a bound for the state that a question reads is what was measured plus what was noted
 * since. Notes are only ever added, so writers never wait for each other.
 */
public interface ChangeLog {
  /**
   * Why a table cannot have one; empty when it can.
   *
   * @param columns whose frequencies are measured
   */
  Optional<String> obstacle(StatementRunner statements, PhysicalTable table, List<String> columns)
      throws SQLException;

  /** Installs it, or a new one in place of an old one. Ends what transaction there is. */
  void install(Connection connection, PhysicalTable table, List<String> columns)
      throws SQLException;

  /** Removes it, if there is one. Ends what transaction there is. */
  void remove(Connection connection, PhysicalTable table) throws SQLException;

  /**
   * Names the installation as it is in the state that is read; empty unless it is whole and noted
   * everything. Two equal names mean that it was in force from one reading to the other.
   */
  Optional<String> stamp(StatementRunner statements, PhysicalTable table, List<String> columns)
      throws SQLException;

  /**
   * Names the state that is read so that notes made later can be told from earlier ones; empty when
   * that would take too many words.
   */
  Optional<String> position(StatementRunner statements, PhysicalTable table) throws SQLException;

  /**
   * Names what of the server must not have changed between a measuring and a question, beside what
   * the data themselves tell; called before the state that is measured comes into being. Empty when
   * no mark can be left, and then no position is worth anything.
   */
  Optional<String> life(Connection connection) throws SQLException;

  /**
   * Leaves a mark on disk after the state that was measured. A state that has it comes after that
   * one, and not out of another past, as that of a copy or of a backup does. Ends what transaction
   * there is.
   */
  void mark(Connection connection, String mark) throws SQLException;

  /**
   * What was kept of a measuring.
   *
   * @param position names the state that was measured
   * @param life what the server was then
   * @param mark what was left after it
   */
  record Mark(String position, String life, String mark) {}

  /**
   * Whether the state that is read comes after the one that was measured, and what was noted since
   * is everything and unchanged.
   */
  boolean isAfter(StatementRunner statements, PhysicalTable table, List<String> columns, Mark mark)
      throws SQLException;

  /** What stands in FROM for the rows that were noted after a position. */
  String added(PhysicalTable table, String position);
}
