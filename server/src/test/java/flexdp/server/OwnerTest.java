package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.server.connection.Tls;
import flexdp.server.engine.Charge;
import flexdp.server.engine.GatewayEngine;
import flexdp.server.login.Users;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the owner does while the server runs, and what is on record. */
class OwnerTest {
  @TempDir Path folder;

  @Test
  void anotherAddressThanLoopbackNeedsTlsAndUsers() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      ServiceOptions open =
          new ServiceOptions(
              List.of(demo.policy),
              demo.users,
              Optional.empty(),
              "0.0.0.0",
              0,
              Optional.empty(),
              Duration.ofMinutes(5));
      assertTrue(
          assertThrows(ConfigurationError.class, () -> Service.start(open, s -> {}))
              .message()
              .contains("no certificate"));
      ServiceOptions nobody =
          new ServiceOptions(
              List.of(demo.policy),
              folder.resolve("none.json"),
              Optional.empty(),
              "127.0.0.1",
              0,
              Optional.empty(),
              Duration.ofMinutes(5));
      assertTrue(
          assertThrows(ConfigurationError.class, () -> Service.start(nobody, s -> {}))
              .message()
              .contains("no users"));
    }
  }

  @Test
  void changedUsersAndPoliciesAreTakenAndBadOnesAreNot() throws Exception {
    try (Demo demo = Demo.start(folder);
        Connection ben = demo.connect("ben");
        Statement statement = ben.createStatement()) {
      Users.read(demo.users).without("ann").write(demo.users);
      demo.service().reload();
      assertThrows(SQLException.class, () -> demo.connect("ann").close());
      String policy = Files.readString(demo.policy);
      Files.writeString(demo.policy, policy.replace("tables:", "tabels:"));
      demo.service().reload();
      statement.executeQuery("SELECT COUNT(*) FROM users").close();
      Files.writeString(demo.policy, policy.replace("  cities:\n", "  towns:\n"));
      demo.service().reload();
      statement.executeQuery("SELECT COUNT(*) FROM users").close();
      Files.writeString(demo.policy, policy.replace("epsilon: 0.1", "epsilon: 0.2"));
      demo.service().reload();
      statement.executeQuery("SELECT COUNT(*) FROM drivers").close();
      assertTrue(statement.getWarnings().getMessage().contains("epsilon 0.2"));
      Users.read(demo.users).without("ben").write(demo.users);
      demo.service().reload();
      assertEquals(
          "57P01",
          assertThrows(
                  SQLException.class, () -> statement.executeQuery("SELECT COUNT(*) FROM users"))
              .getSQLState());
    }
  }

  @Test
  void filesAreTheOwnersAloneAndHoldNoSecrets() throws Exception {
    try (Demo demo = Demo.start(folder, Optional.of(Tls.selfSigned()), "1000");
        Connection ann = demo.connect("ann");
        Statement statement = ann.createStatement()) {
      statement.executeQuery("SELECT COUNT(*) FROM users").close();
      assertThrows(SQLException.class, () -> statement.executeQuery("SELECT * FROM users"));
      assertThrows(
          SQLException.class, () -> demo.connect("ann", "password", "a wrong secret").close());
    }
    for (String name : List.of("flexdp-users.json", "flexdp-audit.log")) {
      Path file = folder.resolve(name);
      assertEquals(
          "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)), name);
      String text = Files.readString(file);
      assertFalse(text.contains(Demo.PASSWORD), name);
      assertFalse(text.contains("a wrong secret"), name);
    }
    String audit = Files.readString(folder.resolve("flexdp-audit.log"));
    for (String event : List.of("\"login\"", "\"refused login\"", "\"answered\"", "\"RAW_ROWS\"")) {
      assertTrue(audit.contains(event), event);
    }
  }

  @Test
  void everyChargeBeforeAStopHasItsAnswerDelivered() throws Exception {
    Demo demo = Demo.start(folder);
    Connection ann = demo.connect("ann");
    AtomicInteger delivered = new AtomicInteger();
    CompletableFuture<String> ended =
        CompletableFuture.supplyAsync(
            () -> {
              try (Statement statement = ann.createStatement()) {
                statement.execute("SET flexdp.fresh = on");
                while (true) {
                  statement.executeQuery("SELECT COUNT(*) FROM trips").close();
                  delivered.incrementAndGet();
                }
              } catch (SQLException e) {
                return e.getSQLState();
              }
            });
    Await.until(() -> delivered.get() >= 3, "answers come");
    demo.close();
    assertTrue(List.of("57P01", "08006").contains(ended.get()), ended.get());
    try (GatewayEngine engine =
        GatewayEngine.open(demo.policy, Optional.empty(), Duration.ofMinutes(5))) {
      List<Charge> charges = engine.history(Optional.empty());
      assertEquals(delivered.get(), charges.size());
      assertTrue(charges.stream().allMatch(c -> c.outcome().equals("released")));
    }
  }
}
