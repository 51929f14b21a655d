package flexdp.gateway.render;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.util.Optional;

/**
 * How the names of a policy are spelled in one database. Metrics are collected through the same
 * catalog as questions are asked, so that both see the same values under the same equality.
 */
public interface NameCatalog {
  /** What stands in FROM for a table: its fully qualified, quoted name. */
  String table(Table table);

  /**
   * The expression that reads a column. Where the database's type is not the policy's it converts,
   * and a value that cannot be converted is NULL.
   */
  String column(Table table, ColumnSpec column);

  /**
   * The column as it is stored, where it has the declared type; empty where it must be converted.
   */
  default Optional<String> stored(Table table, ColumnSpec column) {
    return Optional.empty();
  }

  /**
   * The condition under which a column that the policy declares not nullable is read as a value;
   * empty where the database proves that it always is, or where it may be NULL. Rows without are
   * left out, so that no stored value can break the declaration.
   */
  default Optional<String> presence(Table table, ColumnSpec column) {
    return Optional.empty();
  }

  /**
   * What names each row of a table within one statement, where the database has such a thing: never
   * NULL, and another one for every row.
   */
  default Optional<String> rowName(Table table) {
    return Optional.empty();
  }

  /** Names taken as they stand, columns of exactly the declared types. */
  static NameCatalog plain(TargetDialect dialect) {
    return new NameCatalog() {
      @Override
      public String table(Table table) {
        return dialect.qualified(table.name());
      }

      @Override
      public String column(Table table, ColumnSpec column) {
        return dialect.quote(column.name());
      }
    };
  }
}
