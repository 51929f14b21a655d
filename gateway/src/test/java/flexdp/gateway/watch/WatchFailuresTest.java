package flexdp.gateway.watch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.DatabaseError;
import flexdp.gateway.Await;
import flexdp.gateway.FlexDp;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.Setup;
import flexdp.gateway.api.WatchView;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A look that fails in a real database is neither hit nor miss. */
class WatchFailuresTest {
  private static final String NAMED = "SELECT COUNT(*) FROM people WHERE name = 'Ann'";

  /** So long a question waits for a connection to a server that went away. */
  private static final Duration AWAY = Duration.ofSeconds(5);

  @TempDir Path folder;

  private static WatchView run(FlexDp flexdp) {
    return flexdp.watches().run("ann", Optional.of("many")).getFirst();
  }

  private Path policy(String url) throws IOException {
    return Files.writeString(
        folder.resolve("p.yaml"),
        """
        flexdp: 1
        database: %s
        privacy: {epsilon: 1, budget: {epsilon: 100}}
        tables:
          people:
            static: true
            columns:
              id: {type: bigint, nullable: false, unique: true}
              name: {type: varchar}
              home: {type: varchar}
        """
            .formatted(url));
  }

  @Test
  void whatFailsEndsTheWatchAndIsNotRunAgainButABrokenConnectionIsNothing() throws Exception {
    try (EmbeddedPostgres server = FreshPostgres.own().start()) {
      try (Connection owner = server.getPostgresDatabase().getConnection();
          Statement statement = owner.createStatement()) {
        statement.execute("CREATE TABLE people(id BIGINT PRIMARY KEY, name TEXT, home TEXT)");
        statement.execute("INSERT INTO people VALUES (1, 'Ann', 'x'), (2, NULL, 'y')");
        try (FlexDp flexdp =
            Setup.of(policy(server.getJdbcUrl("postgres", "postgres")))
                .analyst("ann")
                .timeout(AWAY)
                .open()) {
          flexdp.watches().add(WatchedTrips.order(NAMED, 100, 1), WatchedTrips.ask("1"));
          statement.execute("ALTER AGGREGATE pg_catalog.count(*) RENAME TO counted");
          WatchView view = run(flexdp);
          assertEquals(WatchView.State.CLOSED, view.state());
          assertEquals(WatchView.Verdict.FAILED, view.last().orElseThrow().verdict());
          assertFalse(view.note().contains("count"), view.note());
          assertThrows(DatabaseError.class, () -> flexdp.ask(NAMED + " AND TRUE"));
          assertEquals(1, flexdp.ledger().failures().get("ann").recent());
          assertThrows(
              DatabaseError.class,
              () -> flexdp.watches().add(WatchedTrips.order(NAMED, 1, 1), WatchedTrips.ask("1")));

          flexdp
              .watches()
              .add(
                  WatchedTrips.order("SELECT COUNT(*) FROM people WHERE home = 'x'", 100, 1),
                  WatchedTrips.ask("1"));
          server.close();
          WatchView away = run(flexdp);
          assertEquals(WatchView.State.ARMED, away.state());
          assertTrue(away.note().endsWith("Neither hit nor miss."), away.note());
          assertEquals(
              List.of(),
              away.turns().stream().filter(t -> t.verdict() != WatchView.Verdict.FAILED).toList());
        }
      }
    }
  }

  /** Nobody would be held to account for it, so it could be seen again and again. */
  @Test
  void ofALookThatFailsAfterTheWatchWasRemovedNothingIsTold() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection owner = server.connect();
        Statement statement = owner.createStatement();
        var threads = Executors.newSingleThreadExecutor()) {
      statement.execute("CREATE TABLE people(id BIGINT PRIMARY KEY, name TEXT, home TEXT)");
      Setup setup = Setup.of(policy(server.url())).analyst("ann").timeout(Await.LIMIT);
      try (FlexDp looking = setup.open();
          FlexDp removing = setup.open()) {
        looking.watches().add(WatchedTrips.order(NAMED, 100, 1), WatchedTrips.ask("1"));
        owner.setAutoCommit(false);
        statement.execute("REINDEX INDEX people_pkey"); // which is opened with the rows
        Future<WatchView> look = threads.submit(() -> run(looking));
        Await.until(
            () -> {
              assertFalse(look.isDone(), "it waits for the owner's lock");
              return !removing.watches().list("ann").getFirst().turns().isEmpty();
            },
            "the look has begun");
        removing.watches().remove("ann", "many");
        Await.until(
            () -> {
              statement.execute(
                  "SELECT pg_cancel_backend(pid) FROM pg_stat_activity"
                      + " WHERE datname = current_database() AND wait_event_type = 'Lock'");
              return look.isDone();
            },
            "the look failed");
        WatchView view = look.get();
        assertEquals(WatchView.State.CLOSED, view.state());
        assertEquals(WatchView.Verdict.UNFINISHED, view.last().orElseThrow().verdict());
        assertTrue(view.note().contains("closed meanwhile"), view.note());
        assertFalse(view.note().contains("database"), view.note());
      }
    }
  }
}
