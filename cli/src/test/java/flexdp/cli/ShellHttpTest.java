package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jline.terminal.impl.DumbTerminal;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The prompt in front of a server. */
class ShellHttpTest {
  @TempDir Path folder;

  @Test
  void aServerIsAskedAsADatabaseIs() throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(500, 7).create(file);
    Path policy = folder.resolve("rides.yaml");
    Files.writeString(policy, RideSharing.policy("jdbc:duckdb:" + file));
    Path users = ServiceOptions.usersBeside(policy);
    new Users(List.of(UserCommand.made("ann", User.Right.ANALYST, "password", List.of())))
        .write(users);
    StringWriter token = new StringWriter();
    PrintWriter quiet = new PrintWriter(new StringWriter());
    String[] create = {"token", "create", "ann", "shell", "--users", users.toString()};
    assertEquals(0, Main.run(new PrintWriter(token), quiet, create));
    ServiceOptions options =
        new ServiceOptions(
            List.of(policy),
            users,
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(10),
            new ServiceOptions.Web(Optional.of(0), false, Map.of()));
    try (Service service = Service.start(options, ignored -> {})) {
      URI place = service.page().orElseThrow();
      assertThrows(ConfigurationError.class, () -> open(place, "wrong"));
      URI elsewhere = URI.create("http://flexdp.invalid:8433/");
      ConfigurationError told = assertThrows(ConfigurationError.class, () -> open(elsewhere, "x"));
      assertTrue(told.message().contains("no address that a secret may be sent to"));
      String shown = typed(place, token.toString().strip());
      assertTrue(shown.contains("driver_id"), shown);
      assertTrue(shown.contains("completed"), shown);
      assertTrue(shown.contains("spent epsilon 0.2"), shown);
      assertTrue(shown.contains("UNKNOWN_COLUMN: line 1:34"), shown);
      assertTrue(shown.contains("  ^^^^"), shown);
      assertTrue(shown.contains("accepted"), shown);
      assertTrue(shown.contains("table:trips"), shown);
    }
  }

  private static ShellSource open(URI place, String token) {
    return ShellHttp.open(RemoteServer.at(place, Optional.empty()).with(token), Optional.empty());
  }

  private static String typed(URI place, String token) throws Exception {
    String keys =
        "\\d trips\n\\set epsilon 0.2\nSELECT status, COUNT(*) FROM trips GROUP BY status;\n"
            + "SELECT COUNT(*) FROM trips WHERE oops = 1;\n"
            + "\\explain SELECT COUNT(*) FROM trips\n\\budget\n";
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DumbTerminal terminal =
            new DumbTerminal(new ByteArrayInputStream(keys.getBytes(StandardCharsets.UTF_8)), out);
        ShellSource source = open(place, token)) {
      new Shell(source, terminal, Optional.empty()).run();
    }
    return out.toString(StandardCharsets.UTF_8);
  }
}
