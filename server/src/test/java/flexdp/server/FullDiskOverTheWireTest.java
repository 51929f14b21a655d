package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * The disk below the ledger, the audit's record and the server's log is full, a small one of the
 * server's own: nothing is paid for, nothing is answered that would have to be, and all goes on
 * when there is room again.
 */
class FullDiskOverTheWireTest {
  private static final String WITHOUT = "flexdp.test.withoutSmallDisk";
  private static final String MOUNT = "mount -t tmpfs -o size=3m tmpfs \"$0\"";
  private static final String COPY = " && cp \"$1\"/*.yaml \"$1\"/*.json \"$0\"";

  @TempDir Path folder;
  private Path source;
  private Path disk;

  @BeforeEach
  void prepare() throws Exception {
    assumeFalse(Boolean.getBoolean(WITHOUT), "left out knowingly");
    source = Files.createDirectory(folder.resolve("source"));
    disk = Files.createDirectory(folder.resolve("disk"));
    Process tried =
        new ProcessBuilder("unshare", "-rm", "bash", "-c", MOUNT, disk.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(tried.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(
        0,
        tried.waitFor(),
        () ->
            "this machine lets nobody mount a small disk, so a full one cannot be tried: allow"
                + " unprivileged user namespaces, or leave it out knowingly with -D"
                + WITHOUT
                + "=true; it said: "
                + said);
    Path policy = Demo.rides(source, "10000");
    new Users(
            List.of(
                Demo.user("ann", User.Right.ANALYST, Set.of()),
                Demo.user("ben", User.Right.ANALYST, Set.of())))
        .write(ServiceOptions.usersBeside(policy));
  }

  private ServerProcess server() throws Exception {
    return new ServerProcess(
        disk.resolve("rides.yaml"),
        Optional.empty(),
        List.of(
            "unshare",
            "-rm",
            "bash",
            "-c",
            MOUNT + COPY + " && shift && exec \"$@\"",
            disk.toString(),
            source.toString()));
  }

  @Test
  @Timeout(1_200)
  void nothingIsLostAndItGoesOn() throws Exception {
    try (ServerProcess server = server();
        Connection ann = server.connect("ann", "rides");
        Statement asking = ann.createStatement()) {
      String known = asked(asking, "SELECT COUNT(*) FROM users");
      asking.execute("SET flexdp.fresh = on");
      int delivered = 1;
      for (int i = 0; i < 20; i++) {
        asked(asking, "SELECT COUNT(*) FROM users WHERE id > " + i);
        delivered++;
      }
      server.fill();
      for (int i = 0; i < 20; i++) {
        String sql = "SELECT COUNT(*) FROM users WHERE id > " + i;
        SQLException refused = assertThrows(SQLException.class, () -> asked(asking, sql));
        assertEquals("58030", refused.getSQLState());
        assertTrue(refused.getMessage().contains("nothing is answered"), refused.getMessage());
        assertTrue(!refused.getMessage().contains(folder.toString()), refused.getMessage());
      }
      asking.execute("RESET flexdp.fresh");
      assertEquals(known, asked(asking, "SELECT COUNT(*) FROM users"), "a repeat needs no room");
      try (Connection ben = server.connect("ben", "rides");
          Statement other = ben.createStatement()) {
        assertEquals("50", asked(other, "SELECT COUNT(*) FROM cities"), "public tables do not");
        server.free();
        asked(other, "SELECT COUNT(*) FROM drivers");
      }
      asking.execute("SET flexdp.fresh = on");
      for (int i = 0; i < 20; i++) {
        asked(asking, "SELECT COUNT(*) FROM users WHERE id > " + i);
        delivered++;
      }
      // Those that were refused have no charge, or one that stands open: never an answer without.
      String charges = asked(asking, "SELECT count(*) FROM flexdp.history");
      assertTrue(Integer.parseInt(charges) >= delivered, charges + " for " + delivered);
      assertEquals(
          Integer.toString(delivered),
          asked(asking, "SELECT count(*) FROM flexdp.history WHERE outcome = 'released'"));
    }
  }

  private static String asked(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
      return rows.getString(1);
    }
  }
}
