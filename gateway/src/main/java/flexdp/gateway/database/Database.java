package flexdp.gateway.database;

import flexdp.gateway.catalog.Identities;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.render.Dialect;
import java.util.Optional;

/** A database that questions are put to. It is never written to. */
public interface Database extends AutoCloseable {
  Dialect dialect();

  /** How the policy's names are spelled in it. */
  PhysicalCatalog catalog();

  /** Which tables the policy's names are, for the ledger. */
  Identities identities();

  Vendor vendor();

  /** Names the state of all the data, where that cannot change while this is open. */
  Optional<String> version();

  /** Whether what it rests on, such as its file, is what it was when it was opened. */
  default boolean stands() {
    return true;
  }

  /** Begins to read one state of the data. */
  Session session();

  @Override
  void close();
}
