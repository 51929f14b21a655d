package flexdp.gateway.sql;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;

/**
 * How the names of a policy are spelled in one database. Metrics are collected through the same
 * catalog as questions are asked, so that both see the same values under the same equality.
 */
public interface Catalog {
  /** The fully qualified, quoted name of a table. */
  String table(Table table);

  /**
   * The expression that reads a column. Where the database's type is not the policy's it converts,
   * and a value that cannot be converted is NULL.
   */
  String column(Table table, ColumnSpec column);

  /** Names taken as they stand, columns of exactly the declared types. */
  static Catalog plain(Dialect dialect) {
    return new Catalog() {
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
