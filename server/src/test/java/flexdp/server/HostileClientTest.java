package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import flexdp.server.connection.Tls;
import flexdp.server.login.Scram;
import flexdp.server.login.User;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clients that keep to no rules: others notice nothing, and nothing leaks. */
@Timeout(1_200)
class HostileClientTest {
  @TempDir static Path folder;
  private static Demo demo;
  private static Neighbour neighbour;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder, Optional.of(Tls.selfSigned()), "100000");
    neighbour = Neighbour.of(demo);
  }

  @AfterAll
  static void stop() throws Exception {
    neighbour.goesOn().close();
    demo.close();
  }

  private static void othersAreServed() throws Exception {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM users")) {
      assertTrue(rows.next());
    }
  }

  @Test
  void garbageEndsTheConnection() throws Exception {
    Random random = new Random(3);
    for (int i = 0; i < 200; i++) {
      try (RawClient client = new RawClient(demo.port())) {
        byte[] garbage = new byte[1 + random.nextInt(300)];
        random.nextBytes(garbage);
        client.out.write(garbage);
        client.out.flush();
        client.socket.shutdownOutput();
        assertTrue(client.isClosed());
      } catch (java.net.SocketException e) {
        continue; // it was closed while we still wrote
      }
    }
    othersAreServed();
  }

  @Test
  void aLengthOfTwoGigabytesAllocatesNothing() throws Exception {
    long before = used();
    List<RawClient> clients = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      RawClient client = new RawClient(demo.port());
      client.out.writeInt(Integer.MAX_VALUE);
      client.out.writeInt(3 << 16);
      client.out.flush();
      clients.add(client);
    }
    for (RawClient client : clients) {
      assertEquals('E', client.next());
      assertEquals("08P01", client.fields().get('C'));
      client.close();
    }
    // Others allocate meanwhile; what was allocated for these would stay.
    Await.until(() -> used() - before < 200L << 20, "nothing is allocated");
  }

  private static long used() {
    System.gc();
    return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
  }

  @Test
  void aMessageThatIsTooLongForALoginIsRefused() throws Exception {
    try (RawClient client = new RawClient(demo.port()).startup("ann")) {
      assertEquals('R', client.next());
      client.out.writeByte('p');
      client.out.writeInt(5_000);
      client.out.flush();
      assertEquals('E', client.next());
      assertTrue(client.isClosed());
    }
  }

  @Test
  void questionsBeforeTheLoginAreRefused() throws Exception {
    for (char type : "QPBESX".toCharArray()) {
      try (RawClient client = new RawClient(demo.port()).startup("ann")) {
        assertEquals('R', client.next());
        client.send(type, "SELECT 1\0".getBytes(StandardCharsets.US_ASCII));
        assertEquals('E', client.next());
        assertTrue(client.isClosed());
      }
    }
  }

  @Test
  void aProofThatWasSeenBeforeIsWorthNothing() throws Exception {
    String first = "n=,r=abcdefghijkl";
    String proof;
    try (RawClient client = new RawClient(demo.port()).startup("ann")) {
      client.next();
      proof = Login.proof(first, Login.first(client, "n,," + first), Demo.PASSWORD);
      client.send('p', proof.getBytes(StandardCharsets.US_ASCII));
      assertEquals('R', client.next()); // it was a good one
    }
    for (String replayed : List.of(proof, proof.replaceAll("r=[^,]*", "r=NONCE"))) {
      try (RawClient client = new RawClient(demo.port()).startup("ann")) {
        client.next();
        String challenge = Login.first(client, "n,," + first);
        String nonce = challenge.substring(2, challenge.indexOf(','));
        client.send('p', replayed.replace("NONCE", nonce).getBytes(StandardCharsets.US_ASCII));
        assertEquals('E', client.next());
        assertEquals(replayed.equals(proof) ? "28000" : "28P01", client.fields().get('C'));
        assertTrue(client.isClosed());
      }
    }
  }

  private static byte[] sasl(String message) throws IOException {
    java.io.ByteArrayOutputStream bytes = new java.io.ByteArrayOutputStream();
    java.io.DataOutputStream data = new java.io.DataOutputStream(bytes);
    data.write((Scram.PLAIN + "\0").getBytes(StandardCharsets.US_ASCII));
    data.writeInt(message.length());
    data.write(message.getBytes(StandardCharsets.US_ASCII));
    return bytes.toByteArray();
  }

  @Test
  void aNameThatIsNotKnownAlwaysHasTheSameSalt() throws Exception {
    List<String> salts = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      try (RawClient client = new RawClient(demo.port()).startup("stranger")) {
        client.next();
        client.send('p', sasl("n,,n=,r=abcdefghijkl"));
        client.next();
        String challenge = new String(client.body, StandardCharsets.US_ASCII);
        salts.add(challenge.replaceAll(".*,s=([^,]*),.*", "$1"));
      }
    }
    assertEquals(salts.get(0), salts.get(1));
    assertEquals(24, salts.get(0).length());
  }

  @Test
  void aClientThatCouldBindIsNotTalkedOutOfIt() {
    User user = Demo.user("x", User.Right.ANALYST, Set.of());
    Scram scram =
        new Scram(Optional.of(user), new byte[16], Optional.of(new byte[32]), Scram.PLAIN);
    org.junit.jupiter.api.Assertions.assertThrows(
        Scram.Malformed.class,
        () -> scram.first("y,,n=,r=abcdef".getBytes(StandardCharsets.US_ASCII)));
  }

  @Test
  void encryptionByGssIsDeclinedAndTlsAccepted() throws Exception {
    try (RawClient client = new RawClient(demo.port())) {
      client.out.writeInt(8);
      client.out.writeInt(80877104);
      client.out.flush();
      assertEquals('N', (char) client.in.readByte());
      client.out.writeInt(8);
      client.out.writeInt(80877103);
      client.out.flush();
      assertEquals('S', (char) client.in.readByte());
      client.startup("ann"); // in the clear: no TLS record, so nothing of it is believed
      assertTrue(client.isClosed());
    }
  }

  @Test
  void halfOpenStartsHoldNobodyUp() throws Exception {
    List<RawClient> half = new ArrayList<>();
    for (int i = 0; i < 150; i++) {
      RawClient client = new RawClient(demo.port());
      client.out.writeByte(0);
      client.out.flush();
      half.add(client);
    }
    othersAreServed();
    for (RawClient client : half) {
      client.close();
    }
  }

  @Test
  void aGuessedCancelKeyDoesNothingSaysNothingAndIsSlowedDown() throws Exception {
    try (Login victim = Login.of(demo.port(), "ann")) {
      victim.query("SELECT count(*) FROM pg_catalog.pg_class a, pg_catalog.pg_class b");
      List<RawClient> guesses = new ArrayList<>();
      long begun = System.nanoTime();
      for (int i = 0; i < 8; i++) {
        RawClient client = new RawClient(demo.port());
        client.out.writeInt(16);
        client.out.writeInt(80877102);
        client.out.writeInt(victim.process);
        client.out.writeInt(victim.secret + 1 + i);
        client.out.flush();
        guesses.add(client);
        if (i < 5) { // one after the other
          assertArrayEquals(new byte[0], client.in.readAllBytes());
        }
      }
      assertTrue(
          System.nanoTime() - begun > 1_000_000_000L * Pause.pace(), "guesses are not slowed down");
      assertEquals('T', victim.raw.next());
      assertEquals('D', victim.raw.next());
      for (RawClient guess : guesses) {
        guess.close();
      }
    }
  }

  @Test
  void whereEncryptionIsRequiredALoginInTheClearIsRefusedBeforeItBegins() throws Exception {
    ServiceOptions options =
        new ServiceOptions(
            List.of(demo.policy),
            demo.users,
            Optional.empty(),
            "0.0.0.0",
            0,
            Optional.of(Tls.selfSigned()),
            java.time.Duration.ofMinutes(5));
    try (Service open = Service.start(options, ignored -> {});
        RawClient client = new RawClient(open.port()).startup("ann")) {
      assertEquals('E', client.next());
      assertEquals("28000", client.fields().get('C'));
      assertTrue(client.isClosed());
    }
  }
}
