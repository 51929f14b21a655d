package flexdp.gateway.ledger;

import flexdp.gateway.ledger.store.PostgresStore;
import flexdp.gateway.ledger.store.Store;
import java.time.Clock;
import java.util.Properties;
import java.util.function.Consumer;

/** A ledger in a database: in one transaction its table is renamed and another takes its place. */
record PostgresGround(String url, Properties properties, Clock clock) implements Repair.Ground {
  @Override
  public String place() {
    return PostgresStore.withoutParameters(url);
  }

  /** The store makes what is missing. */
  @Override
  public boolean exists() {
    return true;
  }

  @Override
  public Store open() {
    return PostgresStore.open(url, properties);
  }

  @Override
  public void renew(Consumer<Store.Session> content) {
    try (PostgresStore store = PostgresStore.open(url, properties)) {
      store.renew("entry_damaged_" + clock.instant().toEpochMilli(), content);
    }
  }
}
