package flexdp.gateway.ledger;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.Repairs;
import flexdp.gateway.ledger.store.SqliteStore;
import flexdp.gateway.ledger.store.Store;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Clock;
import java.util.List;
import java.util.function.Consumer;

/** A ledger in a file: its successor is written beside it and then moved into its place. */
record SqliteGround(Path file, Clock clock) implements Repair.Ground {
  @Override
  public String place() {
    return file.toString();
  }

  @Override
  public boolean exists() {
    return Files.exists(file);
  }

  @Override
  public Store open() {
    return SqliteStore.open(file);
  }

  @Override
  public void renew(Consumer<Store.Session> content) {
    Path fresh = file.resolveSibling(file.getFileName() + ".repairing");
    try {
      Files.deleteIfExists(fresh);
      try (SqliteStore store = SqliteStore.open(fresh)) {
        store.exclusively(
            session -> {
              content.accept(session);
              return null;
            });
      }
      setAside();
      Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw LedgerError.of(
          LedgerError.Code.LEDGER_READ_ONLY,
          "The folder of the ledger " + file + " cannot be written.",
          Repairs.WRITABLE,
          e);
    }
  }

  private void setAside() throws IOException {
    String first = ".damaged-" + clock.instant().getEpochSecond();
    String suffix = first;
    for (int n = 2; Files.exists(file.resolveSibling(file.getFileName() + suffix)); n++) {
      suffix = first + "-" + n;
    }
    for (String part : List.of("-wal", "-shm", "")) {
      Path from = file.resolveSibling(file.getFileName() + part);
      Path to = file.resolveSibling(file.getFileName() + suffix + part);
      if (Files.exists(from) && part.isEmpty()) {
        Files.createLink(to, from);
      } else if (Files.exists(from)) {
        Files.move(from, to, StandardCopyOption.REPLACE_EXISTING);
      }
    }
  }
}
