package flexdp.gateway.database;

import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.render.TargetDialect;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/** A database that questions are put to. It is never written to. */
public interface Database extends AutoCloseable {
  TargetDialect dialect();

  /** How the policy's names are spelled in it. */
  PhysicalCatalog catalog();

  /** Which tables the policy's names are, for the ledger. */
  TableIdentities identities();

  Connector vendor();

  /** Names the state of all the data, where that cannot change while this is open. */
  Optional<String> version();

  /** Whether what it rests on, such as its file, is what it was when it was opened. */
  default boolean stands() {
    return true;
  }

  /** Whether it can be reached, without asking it anything about the data. */
  default boolean isReachable() {
    return true;
  }

  /** How long the owner lets one statement run, and a question be planned. */
  Duration timeout();

  /** Begins to read one state of the data. */
  default Session session() {
    return session(List.of());
  }

  /** A session with tables that nobody redefines until it ends, where the database sees to that. */
  Session session(Collection<PhysicalTable> held);

  @Override
  void close();
}
