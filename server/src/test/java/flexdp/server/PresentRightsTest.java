package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.connection.Tls;
import flexdp.server.login.SecretVerifier;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Every request looks at the users and rights of the moment, and nothing waits for a reload. */
@Timeout(1_200)
class PresentRightsTest {
  /** Runs for hours: the cities of the demo in all combinations. */
  private static final String ENDLESS =
      "SELECT COUNT(*) FROM trips t CROSS JOIN cities a CROSS JOIN cities b CROSS JOIN cities c"
          + " CROSS JOIN cities d CROSS JOIN cities e CROSS JOIN cities f WHERE a.name < b.name"
          + " AND c.name < d.name AND e.name < f.name";

  @TempDir Path folder;

  private static void change(Demo demo, String name, UnaryOperator<User> change) {
    Users users = Users.read(demo.users);
    users.with(change.apply(users.user(name).orElseThrow())).write(demo.users);
    demo.service().reload();
  }

  private static String refused(Connection connection, String sql) {
    return assertThrows(
            SQLException.class,
            () -> {
              try (Statement statement = connection.createStatement()) {
                statement.execute(sql);
              }
            })
        .getSQLState();
  }

  @Test
  void connectionsEndWithTheSecretOrTheRightsThatOpenedThem() throws Exception {
    try (Demo demo = Demo.start(folder);
        Connection ann = demo.connect("ann");
        Connection ben = demo.connect("ben");
        Connection owner = demo.connect("owner")) {
      change(
          demo,
          "ann",
          u -> {
            Map<String, SecretVerifier> secrets = new HashMap<>(u.secrets());
            secrets.put(User.PASSWORD, SecretVerifier.of("another-password", u.salt()));
            return new User(u.name(), u.right(), u.salt(), secrets, u.databases());
          });
      assertEquals("57P01", refused(ann, "SELECT COUNT(*) FROM trips"));
      change(
          demo, "ben", u -> new User(u.name(), u.right(), u.salt(), u.secrets(), Set.of("other")));
      assertEquals("57P01", refused(ben, "SELECT COUNT(*) FROM trips"));
      change(
          demo,
          "owner",
          u -> new User(u.name(), User.Right.ANALYST, u.salt(), u.secrets(), u.databases()));
      assertEquals("57P01", refused(owner, "SELECT analyst FROM flexdp.history"));
    }
  }

  /** A client that never says that its request is over. */
  @Test
  void aRequestWithoutAnEndDoesNotOutliveItsUser() throws Exception {
    try (Demo demo = Demo.start(folder);
        Login ann = Login.of(demo.port(), "ann")) {
      parse(ann);
      ann.raw.send('H', new byte[0]);
      assertEquals('1', ann.raw.next());
      Users.read(demo.users).without("ann").write(demo.users);
      demo.service().reload();
      parse(ann);
      assertEquals('E', ann.raw.next());
      assertEquals("57P01", ann.raw.fields().get('C'));
      assertTrue(ann.raw.isClosed());
    }
  }

  private static void parse(Login login) throws IOException {
    byte[] parse = "\0SELECT COUNT(*) FROM trips\0\0\0".getBytes(StandardCharsets.UTF_8);
    login.raw.send('P', parse);
  }

  @Test
  void aReloadWaitsForNoQuestionAndNobodyForTheReload() throws Exception {
    try (Demo demo = Demo.start(folder);
        Connection ann = demo.connect("ann");
        Statement endless = ann.createStatement();
        Connection ben = demo.connect("ben");
        Statement statement = ben.createStatement()) {
      FutureTask<SQLException> asking =
          new FutureTask<>(() -> assertThrows(SQLException.class, () -> endless.execute(ENDLESS)));
      Thread.ofPlatform().start(asking);
      Await.until(
          () -> {
            try (Connection owner = demo.connect("owner");
                Statement look = owner.createStatement();
                ResultSet open =
                    look.executeQuery(
                        "SELECT count(*) FROM flexdp.history WHERE outcome = 'open'")) {
              return open.next() && open.getInt(1) == 1;
            }
          },
          "the endless question has begun");
      for (int i = 1; i <= 3; i++) {
        String policy = Files.readString(demo.policy);
        Files.writeString(demo.policy, policy + "\n# changed " + i + "\n");
        demo.service().reload();
        try (ResultSet rows = statement.executeQuery("SELECT COUNT(*) FROM drivers")) {
          assertTrue(rows.next());
        }
        assertFalse(asking.isDone());
      }
      endless.cancel();
      assertEquals("57014", asking.get().getSQLState());
    }
  }

  /** What the owner is told goes nowhere, as when a terminal is gone. */
  @Test
  void theWatchGoesOnWhateverFails() throws Exception {
    AtomicBoolean begun = new AtomicBoolean();
    Consumer<String> gone =
        said -> {
          if (begun.get()) {
            throw new IllegalStateException(said);
          }
        };
    try (Demo demo = Demo.start(folder, Optional.of(Tls.selfSigned()), "10000", gone)) {
      begun.set(true);
      for (String name : List.of("ann", "ben")) {
        demo.connect(name).close();
        Users.read(demo.users).without(name).write(demo.users);
        Await.until(() -> isRefused(demo, name), name + " is refused");
      }
    }
  }

  private static boolean isRefused(Demo demo, String name) {
    try (Connection connection = demo.connect(name)) {
      return !connection.isValid(0);
    } catch (SQLException e) {
      return true;
    }
  }

  @Test
  void identityIsNotSetUnderNamesThatFoldToIt() throws Exception {
    try (Demo demo = Demo.start(folder);
        Connection ann = demo.connect("ann")) {
      for (String set :
          List.of(
              "SET \"\u017fession_authorization\" = 'owner'",
              "SET \"\u0131s_superuser\" = 'on'",
              "SET \"i\u017f_superuser\" = 'on'",
              "SELECT set_config('\u017fession_authorization', 'owner', false)")) {
        assertEquals("42704", refused(ann, set), set);
      }
      try (Statement statement = ann.createStatement();
          ResultSet rows = statement.executeQuery("SHOW session_authorization")) {
        assertTrue(rows.next());
        assertEquals("ann", rows.getString(1));
      }
    }
  }

  @Test
  void theAuditHasWhatWasAskedUnderANameAndBehindAComment() throws Exception {
    try (Demo demo = Demo.start(folder);
        Connection ann = demo.connect("ann", "preferQueryMode", "simple");
        Statement statement = ann.createStatement()) {
      statement.execute("PREPARE q AS SELECT COUNT(*) FROM trips WHERE fare > 13");
      statement.execute("EXECUTE q");
      refused(ann, "PREPARE b AS SELECT id FROM trips WHERE fare > 14");
      statement.execute(
          "/* " + "x ".repeat(1_500) + "*/ SELECT COUNT(*) FROM trips WHERE fare > 15");
      String log = Files.readString(folder.resolve("flexdp-audit.log"));
      for (int i = 13; i <= 15; i++) {
        assertTrue(log.contains("fare > " + i), "fare > " + i + " in " + log);
      }
    }
  }
}
