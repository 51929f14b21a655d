package flexdp.server.catalogue;

import flexdp.gateway.database.OwnerLog;
import flexdp.gateway.database.Stop;
import flexdp.policy.Policy;
import flexdp.server.session.AboutServer;
import flexdp.server.session.SqlError;
import flexdp.server.sql.Token;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The catalogue of a policy: a file of DuckDB that is made once, and that workers, which are
 * processes of their own, read. No statement of a client is looked at more closely here than its
 * words are counted.
 */
public final class DuckCatalogue implements AboutServer {
  private final Path folder;
  private final CompletableFuture<Path> file;
  private final WorkerPool workers;
  private final OwnerLog log;
  private final RecentLooks recent = new RecentLooks();

  /**
   * @param folder that is made for it
   */
  DuckCatalogue(Path folder, Policy policy, WorkerPool workers, OwnerLog log) {
    this.folder = folder;
    this.file = CompletableFuture.supplyAsync(() -> made(folder, policy));
    this.workers = workers;
    this.log = log;
  }

  /** The file's name is that of the database in every statement. */
  private static Path made(Path folder, Policy policy) {
    Properties properties = new Properties();
    properties.setProperty("memory_limit", "512MB");
    properties.setProperty("threads", "1");
    try {
      Path file = Files.createDirectory(folder).resolve("memory.duckdb");
      try (Connection made = DriverManager.getConnection("jdbc:duckdb:" + file, properties)) {
        CatalogueTables.create(made, policy);
      }
      return file;
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public Found find(
      List<Token> tokens, List<Object> values, Visitor visitor, boolean describe, Stop stop) {
    boolean lasts = RecentLooks.lasts(tokens);
    RecentLooks.Look look = RecentLooks.Look.of(tokens, values, visitor, describe);
    Optional<Found> known = lasts ? recent.find(look) : Optional.empty();
    if (known.isPresent()) {
      return known.get();
    }
    Found found = asked(tokens, values, visitor, describe, stop);
    if (lasts) {
      recent.keep(look, found);
    }
    return found;
  }

  private Found asked(
      List<Token> tokens, List<Object> values, Visitor visitor, boolean describe, Stop stop) {
    Map<String, List<List<Object>>> tables = new LinkedHashMap<>();
    for (String table : Variables.named(tokens)) {
      tables.put(table, visitor.tables().rows(table));
    }
    Parcel.Answer answer =
        workers.ask(
            visitor.user(),
            parcel(
                new Parcel.Request(
                    ready(),
                    visitor.user(),
                    visitor.database(),
                    tokens,
                    values,
                    describe,
                    Variables.namesSettings(tokens) ? visitor.settings().all() : Map.of(),
                    tables)),
            stop);
    return switch (answer) {
      case Parcel.Rows rows -> {
        rows.set().forEach(s -> visitor.settings().set(s.getKey(), Optional.of(s.getValue())));
        yield rows.found();
      }
      case Parcel.Refused refused -> {
        if (!refused.cause().isEmpty()) {
          log.failure("catalogue", new IllegalStateException(refused.cause()));
        }
        throw refused.error();
      }
    };
  }

  private String ready() {
    try {
      return file.join().toString();
    } catch (CompletionException e) {
      log.failure("catalogue", e);
      throw SqlError.of("58000", "The catalogue could not be made.");
    }
  }

  private static byte[] parcel(Parcel.Request request) {
    try {
      return Parcel.of(request);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Nobody waits for one that is not made yet. */
  @Override
  public void close() {
    file.whenComplete(
        (made, failed) -> {
          try {
            if (made != null) {
              Files.deleteIfExists(made);
            }
            Files.deleteIfExists(folder);
          } catch (IOException e) {
            log.failure("catalogue: its file stays", e);
          }
        });
  }
}
