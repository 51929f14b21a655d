package flexdp.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.connection.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyStore;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** What an operator does with a server that runs. */
class SecondDayTest {
  @TempDir Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private Demo start() throws Exception {
    return Demo.start(folder, Optional.of(Tls.selfSigned()), "10000", said::add);
  }

  @Test
  void theAuditGoesToAFileOfTheNameAfterItWasRotated() throws Exception {
    try (Demo demo = start()) {
      demo.connect("ann").close();
      Path audit = folder.resolve("flexdp-audit.log");
      Path old = folder.resolve("flexdp-audit.log.1");
      Files.move(audit, old);
      long before = Files.size(old);
      demo.connect("ben").close();
      assertEquals(before, Files.size(old));
      assertTrue(Files.readString(audit).contains("\"user\":\"ben\""));
      WebClient owner = demo.web().signIn("owner");
      assertTrue(owner.get("/v1/owner/audit").body().contains("\"ben\""));
    }
  }

  /** What the page has for logrotate, which scripts/clients --all installs. */
  @Test
  @Tag("nightly")
  void logsAreRotatedAsThePageSays() throws Exception {
    String page = Files.readString(Path.of("../docs/operations.md"));
    int from = page.indexOf("/var/lib/flexdp/*.log {");
    String user = System.getProperty("user.name");
    String rules =
        page.substring(from, page.indexOf("```", from))
            .replace("/var/lib/flexdp", folder.toString())
            .replace("create 0600 flexdp flexdp", "create 0600 " + user);
    Path rotation = Files.writeString(folder.resolve("rotation"), rules);
    Files.setPosixFilePermissions(rotation, PosixFilePermissions.fromString("rw-r--r--"));
    try (Demo demo = start()) {
      demo.connect("ann").close();
      Process logrotate =
          new ProcessBuilder(
                  "/usr/sbin/logrotate", "-f", "-s", folder.resolve("rotated") + "", rotation + "")
              .redirectErrorStream(true)
              .start();
      assertEquals("", new String(logrotate.getInputStream().readAllBytes(), UTF_8));
      assertEquals(0, logrotate.waitFor());
      demo.connect("ben").close();
    }
    String old = Files.readString(folder.resolve("flexdp-audit.log.1"));
    String present = Files.readString(folder.resolve("flexdp-audit.log"));
    assertTrue(old.contains("\"user\":\"ann\"") && !old.contains("\"user\":\"ben\""), old);
    assertTrue(present.contains("\"user\":\"ben\""), present);
  }

  @Test
  void aClientThatWaitsForNothingIsToldThatTheServerStops() throws Exception {
    Connection connection;
    try (Demo demo = start()) {
      connection = demo.connect("ann", "sslmode", "disable");
    }
    SQLException told =
        assertThrows(
            SQLException.class,
            () -> connection.unwrap(PGConnection.class).getNotifications(1_000));
    assertEquals("57P01", told.getSQLState(), told.getMessage());
  }

  @Test
  void whoHasSpentABudgetOfAMonthIsToldWhenItComesBack() throws Exception {
    try (Demo demo = start()) {
      Files.writeString(
          demo.policy,
          Files.readString(demo.policy)
              .replace(
                  "privacy:\n",
                  "privacy:\n  analysts: {ann: {budget: {epsilon: 1,"
                      + " window: {calendar: month, guarantee: per-window}}}}\n"));
      demo.service().reload();
      assertEquals("reloaded " + demo.policy, said.getLast());
      try (Connection connection = demo.connect("ann");
          Statement statement = connection.createStatement()) {
        String mine =
            "SELECT per, comes_back, epsilon_left, largest_next FROM flexdp.budget WHERE account = 'analyst:ann'"
                + " AND (comes_back IS NULL OR comes_back = date_trunc('month', comes_back))";
        assertEquals("calendar month null", row(statement, mine));
        row(statement, "SELECT count(*), 1 FROM drivers");
        String told = row(statement, mine);
        assertTrue(told.matches("calendar month \\d{4}-\\d\\d-01 00:00:00"), told);
        String day = told.substring(15, 25);
        WebClient.Reply accounts = demo.web().signIn("ann").get("/v1/budget?database=rides");
        assertTrue(accounts.body().contains("\"comesBack\":\"" + day), accounts.body());
      }
    }
  }

  @Test
  void theOwnerSeesTheBudgetsOfThoseWhoHaveNotAsked() throws Exception {
    try (Demo demo = start()) {
      String budgets = demo.web().signIn("owner").get("/v1/owner/budgets").body();
      assertTrue(budgets.contains("\"analyst:ben\""), budgets);
      assertTrue(!budgets.contains("\"analyst:eve\""), "another database's");
      assertTrue(!budgets.contains("\"analyst:owner\""), budgets);
    }
  }

  @Test
  void eachCertificateThatEndsSoonOrHasEndedIsSaid() throws Exception {
    Path certificate = folder.resolve("server.pem");
    Path key = folder.resolve("server.key");
    certify("-0d", 300, certificate, key);
    try (Demo demo =
        Demo.start(folder, Optional.of(Tls.of(certificate, key)), "10000", said::add)) {
      assertTrue(said.stream().noneMatch(line -> line.contains("expire")), said.toString());
      certify("-0d", 10, certificate, key);
      demo.service().reload();
      assertTrue(said.getLast().startsWith("the certificate expires at "), said.toString());
      certify("-40d", 10, certificate, key);
      demo.service().reload();
      assertTrue(said.getLast().startsWith("the certificate expired at "), said.toString());
      // Its clients look at no certificate; others would not come as far as this.
      assertTrue(demo.web().get("/readyz").body().contains("certificate: not valid now"));
      certify("-0d", 200, certificate, key);
      demo.service().reload();
      assertEquals("reloaded certificate", said.getLast());
      assertEquals("ready\n", demo.web().get("/readyz").body());
    }
  }

  /** Writes a certificate of so many days, with its key. */
  private void certify(String begins, int days, Path certificate, Path key) throws Exception {
    Path store = folder.resolve("store.p12");
    Files.deleteIfExists(store);
    Process keytool =
        new ProcessBuilder(
                (Path.of(System.getProperty("java.home"), "bin", "keytool")
                        + " -genkeypair -keyalg EC -alias a -dname CN=localhost -storetype PKCS12"
                        + " -storepass secret -startdate "
                        + begins
                        + " -validity "
                        + days
                        + " -keystore "
                        + store)
                    .split(" "))
            .redirectErrorStream(true)
            .start();
    String output = new String(keytool.getInputStream().readAllBytes(), UTF_8);
    assertEquals(0, keytool.waitFor(), output);
    char[] secret = "secret".toCharArray();
    KeyStore made = KeyStore.getInstance(store.toFile(), secret);
    write(certificate, "CERTIFICATE", made.getCertificate("a").getEncoded());
    write(key, "PRIVATE KEY", made.getKey("a", secret).getEncoded());
  }

  private static void write(Path file, String what, byte[] bytes) throws Exception {
    String text = Base64.getMimeEncoder().encodeToString(bytes);
    Files.writeString(
        file, "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n");
  }

  private static String row(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next(), sql);
      return rows.getString(1) + " " + rows.getString(2);
    }
  }

  @Test
  void aPolicyThatWasRefusedIsTriedAgainAndTheOldOneIsUsedMeanwhile() throws Exception {
    try (Demo demo = start()) {
      String before = Files.readString(demo.policy);
      Files.writeString(demo.policy, before + "\nnonsense: 1\n");
      demo.service().reload();
      assertTrue(said.getLast().contains("the old stays"), said.toString());
      String ready = demo.web().get("/readyz").body();
      assertEquals("ready\nreload of rides: refused; the server's output says why\n", ready);
      Files.writeString(demo.policy, before);
      demo.service().reload();
      assertTrue(said.getLast().startsWith("reloaded"), said.toString());
      assertEquals("ready\n", demo.web().get("/readyz").body());
      int lines = said.size();
      demo.service().reloadAll();
      assertTrue(said.size() >= lines + 2, said.toString()); // users and policy, changed or not
    }
  }
}
