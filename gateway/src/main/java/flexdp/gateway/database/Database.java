package flexdp.gateway.database;

import flexdp.gateway.sql.Catalog;
import flexdp.gateway.sql.Dialect;

/** A database that questions are put to. It is never written to. */
public interface Database extends AutoCloseable {
  Dialect dialect();

  /** How the policy's names are spelled in it. */
  Catalog catalog();

  /** Begins to read one state of the data. */
  Session session();

  @Override
  void close();
}
