package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import flexdp.server.connection.Tls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that are many, slow, greedy or gone; somebody else asks all the while. */
@Timeout(1_200)
class CrowdTest {
  /** Runs for hours: the cities of the demo in all combinations. */
  private static final String ENDLESS =
      "SELECT COUNT(*) FROM trips t CROSS JOIN cities a CROSS JOIN cities b CROSS JOIN cities c"
          + " CROSS JOIN cities d CROSS JOIN cities e CROSS JOIN cities f WHERE a.name < b.name"
          + " AND c.name < d.name AND e.name < f.name AND t.fare > %d";

  @TempDir static Path folder;
  private static Demo demo;
  private Neighbour neighbour;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder, Optional.of(Tls.selfSigned()), "100000");
  }

  @AfterAll
  static void stop() throws Exception {
    demo.close();
    Path log = folder.resolve("flexdp-server.log");
    assertTrue(
        !Files.exists(log) || !Files.readString(log).contains("request"),
        () -> "unexpected: " + read(log));
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  @BeforeEach
  void comes() {
    neighbour = Neighbour.of(demo);
  }

  @AfterEach
  void isContent() throws Exception {
    neighbour.close();
  }

  @Test
  void whoeverWritesSlowlyOrNotAtAllKeepsNobodyOut() throws Exception {
    List<RawClient> slow = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) { // twice as many as there is room for
      slow.add(new RawClient(demo.port()));
    }
    byte[] greeting = {0, 0, 0, 80, 0, 3, 0, 0, 'u', 's', 'e', 'r', 0};
    for (byte next : greeting) {
      for (RawClient client : slow) {
        trickle(client, next);
      }
      Pause.of(Duration.ofMillis(50));
    }
    neighbour.goesOn();
    for (RawClient client : slow) {
      client.close();
    }
  }

  private static void trickle(RawClient client, byte next) {
    try {
      client.out.writeByte(next);
      client.out.flush();
    } catch (IOException e) {
      return; // it was sent away
    }
  }

  @Test
  void aFloodOfGreetingsKeepsNobodyOut() throws Exception {
    for (int i = 0; i < 3_000; i++) {
      try (RawClient client = new RawClient(demo.port())) {
        client.startup(i % 2 == 0 ? "ann" : "nobody" + i);
      }
    }
    neighbour.goesOn();
  }

  @Test
  void aClientThatIsGoneLeavesNothingBehind() throws Exception {
    for (int i = 0; i < 16; i++) {
      try (Login client = Login.of(demo.port(), "ann")) {
        client.query(
            i % 2 == 0
                ? "SELECT * FROM cities a, cities b, cities c" // far more than a socket takes
                : "SELECT COUNT(*) FROM trips WHERE fare > " + i);
        if (i % 4 < 2) {
          client.raw.next();
        }
        client.raw.socket.setSoLinger(true, 0); // a reset
      }
    }
    neighbour.goesOn();
  }

  @Test
  void whoeverDoesNotReadWaitsAlone() throws Exception {
    List<Login> readers = new ArrayList<>();
    for (int i = 0; i < 16; i++) {
      Login reader = Login.of(demo.port(), "ann");
      reader.query("SELECT * FROM cities a, cities b, cities c");
      readers.add(reader);
    }
    neighbour.goesOn();
    for (Login reader : readers) {
      reader.close();
    }
  }

  @Test
  void aCancelledQuestionStopsInTheDatabaseAndStaysCharged() throws Exception {
    List<CompletableFuture<String>> ended = new ArrayList<>();
    List<Statement> statements = new ArrayList<>();
    List<Connection> connections = new ArrayList<>();
    for (int i = 0; i < 12; i++) {
      Connection connection = demo.connect("ann");
      Statement statement = connection.createStatement();
      String sql = ENDLESS.formatted(i);
      connections.add(connection);
      statements.add(statement);
      ended.add(
          CompletableFuture.supplyAsync(() -> state(statement, sql), Thread::startVirtualThread));
    }
    neighbour.goesOn();
    try (Connection other = demo.connect("owner");
        Statement looking = other.createStatement()) {
      Await.until(() -> outcomes(looking).contains("open"), "one of them is charged");
    }
    for (int i = 0; i < ended.size(); i++) {
      Statement statement = statements.get(i);
      CompletableFuture<String> end = ended.get(i);
      // One that the server has not got yet cannot be cancelled.
      Await.until(
          () -> {
            statement.cancel();
            return end.isDone();
          },
          "it is cancelled");
      assertEquals("57014", end.get());
    }
    // Whoever cancels hears of it at once; that the statement has stopped is settled after that.
    Statement first = statements.getFirst();
    Await.until(() -> outcomes(first).equals(List.of("cancelled")), "nothing runs any more");
    for (Connection connection : connections) {
      connection.close();
    }
  }

  private static List<String> outcomes(Statement statement) throws SQLException {
    List<String> outcomes = new ArrayList<>();
    try (ResultSet rows =
        statement.executeQuery(
            "SELECT outcome, count(*), sum(epsilon) FROM flexdp.history"
                + " WHERE query LIKE '%CROSS JOIN%' GROUP BY outcome")) {
      while (rows.next()) {
        outcomes.add(rows.getString(1));
        assertTrue(rows.getInt(2) >= 1);
        assertTrue(rows.getDouble(3) > 0);
      }
    }
    return outcomes;
  }

  private static String state(Statement statement, String sql) {
    return assertThrows(SQLException.class, () -> statement.executeQuery(sql)).getSQLState();
  }

  @Test
  void nobodyTakesMoreMemoryThanThereIs() throws Exception {
    try (Connection greedy = demo.connect("ann");
        Statement statement = greedy.createStatement()) {
      String product =
          "SELECT a.name, b.name, c.name, d.name, e.name FROM cities a, cities b, cities c,"
              + " cities d, cities e, cities f, cities g, cities h";
      assertEquals("54001", state(statement, product));
      assertEquals(
          "54000",
          state(statement, "SELECT a.relname FROM pg_catalog.pg_class a, pg_catalog.pg_proc b"));
    }
  }

  @Test
  void keptAnswersOfOneClientDoNotFillTheMemory() throws Exception {
    String state = null;
    try (Connection greedy = demo.connect("ann");
        Statement statement = greedy.createStatement()) {
      greedy.setAutoCommit(false);
      for (int i = 0; i < 1_000 && state == null; i++) {
        try {
          statement.execute(
              "DECLARE c"
                  + i
                  + " CURSOR FOR SELECT a.name, b.name, c.name FROM cities a, cities b,"
                  + " cities c");
        } catch (SQLException e) {
          state = e.getSQLState();
        }
      }
    }
    assertTrue(state == null || state.equals("53200"), state);
    neighbour.goesOn();
  }

  @Test
  void largeMessagesShareTheRoom() throws Exception {
    List<Login> senders = new ArrayList<>();
    // A fifth of the memory is for all connections, and text takes four times its bytes: together
    // they ask for twice what there is, and never finish.
    long count = 2 * (Runtime.getRuntime().maxMemory() / 5) / (4L * (15 << 20)) + 1;
    int refused = 0;
    for (int i = 0; i < count; i++) {
      Login sender = Login.of(demo.port(), "ann");
      try {
        sender.raw.out.writeByte('Q');
        sender.raw.out.writeInt(16 << 20);
        sender.raw.out.write(new byte[15 << 20]);
        sender.raw.out.flush();
      } catch (IOException e) {
        sender.close(); // there was no room for it
        refused++;
        continue;
      }
      senders.add(sender);
    }
    assertTrue(refused > 0, "there was room for " + count);
    neighbour.goesOn();
    for (Login sender : senders) {
      sender.close();
    }
  }

  @Test
  @Tag("slow")
  void nobodyTakesAllConnections() throws Exception {
    List<Login> many = new ArrayList<>();
    String refused = null;
    for (int i = 0; i < 1_300 && refused == null; i++) {
      try {
        many.add(Login.of(demo.port(), "ann"));
      } catch (Login.Refused e) {
        refused = e.getMessage();
      }
    }
    assertEquals("53300", refused);
    neighbour.goesOn();
    for (Login one : many) {
      one.close();
    }
  }

  @Test
  void textThatIsNotUtf8IsRefusedAndNothingElse() throws Exception {
    try (Login client = Login.of(demo.port(), "ann")) {
      client.raw.send('Q', new byte[] {'S', 'E', 'L', (byte) 0xc3, 0x28, 0});
      assertEquals('E', client.raw.next());
      assertEquals("22021", client.raw.fields().get('C'));
      assertEquals('Z', client.raw.next());
      client.query("SELECT 1");
      assertEquals('T', client.raw.next());
    }
    try (Connection connection = demo.connect("ann");
        PreparedStatement question =
            connection.prepareStatement("SELECT COUNT(*) FROM trips WHERE status = ?")) {
      question.setString(1, "a\u0000b");
      assertThrows(SQLException.class, question::executeQuery);
    }
  }
}
