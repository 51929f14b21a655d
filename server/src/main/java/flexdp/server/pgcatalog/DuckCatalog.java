package flexdp.server.pgcatalog;

import flexdp.cache.LruCache;
import flexdp.gateway.database.CancellationToken;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.MemoryGuard;
import flexdp.policy.Policy;
import flexdp.server.session.ServerFacts;
import flexdp.server.session.ServerFacts.Found;
import flexdp.server.session.ServerFacts.Visitor;
import flexdp.server.session.SqlError;
import flexdp.server.sql.Token;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/**
 * The catalogue of a policy: a file of DuckDB that is made once, and that workers, which are
 * processes of their own, read. No statement of a client is looked at more closely here than its
 * words are counted.
 */
public final class DuckCatalog implements ServerFacts {
  private final Path folder;
  private final CompletableFuture<Path> file;
  private final WorkerPool workers;
  private final ErrorLog log;
  private final CatalogAnswerCache recent = new CatalogAnswerCache();

  /**
   * @param folder that is made for it
   */
  DuckCatalog(Path folder, Policy policy, WorkerPool workers, ErrorLog log) {
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
        CatalogTables.create(made, policy);
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
      List<Token> tokens,
      List<Object> values,
      Visitor visitor,
      boolean describe,
      CancellationToken cancellation) {
    boolean lasts = CatalogAnswerCache.lasts(tokens);
    CatalogAnswerCache.Look look = CatalogAnswerCache.Look.of(tokens, values, visitor, describe);
    Optional<Found> known = lasts ? recent.find(look) : Optional.empty();
    if (known.isPresent()) {
      return known.get();
    }
    Found found = asked(tokens, values, visitor, describe, cancellation);
    if (lasts) {
      recent.keep(look, found);
    }
    return found;
  }

  private Found asked(
      List<Token> tokens,
      List<Object> values,
      Visitor visitor,
      boolean describe,
      CancellationToken cancellation) {
    Map<String, List<List<Object>>> tables = new LinkedHashMap<>();
    for (String table : SessionVariables.named(tokens)) {
      tables.put(table, visitor.tables().rows(table));
    }
    WorkerMessage.Answer answer =
        workers.ask(
            visitor.user(),
            parcel(
                new WorkerMessage.Request(
                    ready(),
                    visitor.user(),
                    visitor.database(),
                    tokens,
                    values,
                    describe,
                    SessionVariables.namesSettings(tokens) ? visitor.settings().all() : Map.of(),
                    tables)),
            cancellation);
    return switch (answer) {
      case WorkerMessage.Rows rows -> {
        rows.set().forEach(s -> visitor.settings().set(s.getKey(), Optional.of(s.getValue())));
        yield rows.found();
      }
      case WorkerMessage.Refused refused -> {
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

  private static byte[] parcel(WorkerMessage.Request request) {
    try {
      return WorkerMessage.of(request);
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

  /**
   * What was answered about the catalogue lately. It stays as it is until the policy changes, and
   * clients ask the same again each time that somebody looks; safe for several threads.
   */
  static final class CatalogAnswerCache {
    private static final long MOST_BYTES = 16L << 20;
    private static final long LARGEST = 1L << 20;
    private static final long BYTES_PER_TOKEN = 64;

    /** Words whose meaning passes, and those before the tables that do change. */
    private static final Set<String> PASSING =
        Set.of(
            ("age current_date current_setting current_time current_timestamp clock_timestamp"
                    + " flexdp localtime localtimestamp now set_config statement_timestamp today"
                    + " tomorrow transaction_timestamp yesterday")
                .split(" "));

    /**
     * A statement, and who asks.
     *
     * @param columns whether only those are wanted
     */
    record Look(
        List<Written> tokens,
        List<Object> values,
        String user,
        String database,
        boolean owner,
        boolean columns) {
      static Look of(List<Token> tokens, List<Object> values, Visitor visitor, boolean columns) {
        return new Look(
            tokens.stream().map(t -> new Written(t.kind(), t.text())).toList(),
            new ArrayList<>(values),
            visitor.user(),
            visitor.database(),
            visitor.owner(),
            columns);
      }

      private long bytes() {
        long sum = MemoryGuard.of(values);
        for (Written token : tokens) {
          sum += BYTES_PER_TOKEN + 2L * token.text().length();
        }
        return sum;
      }
    }

    /** A token wherever it stands. */
    private record Written(Token.Kind kind, String text) {}

    private record Kept(Found found, long bytes) {}

    private final LruCache<Look, Kept> recent =
        new LruCache<>(Integer.MAX_VALUE, MOST_BYTES, Kept::bytes);

    /** Whether a statement would be answered so again. */
    static boolean lasts(List<Token> tokens) {
      return tokens.stream().noneMatch(t -> PASSING.contains(t.text().toLowerCase(Locale.ROOT)));
    }

    Optional<Found> find(Look look) {
      return recent.get(look).map(Kept::found);
    }

    void keep(Look look, Found found) {
      long size = look.bytes();
      for (List<Object> row : found.rows()) {
        size += MemoryGuard.of(row);
      }
      if (size > LARGEST) {
        return;
      }
      Found fixed = new Found(found.columns(), Collections.unmodifiableList(found.rows()));
      recent.put(look, new Kept(fixed, size));
    }
  }
}
