package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.BufferedReader;
import java.io.PrintWriter;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The server is restarted under a page that is open in Chromium; scripts/clients installs it. */
class ConsoleRestartTest {
  @TempDir Path folder;

  private static Service start(Path policy, int port) {
    return Service.start(
        new ServiceOptions(
            List.of(policy),
            ServiceOptions.usersBeside(policy),
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(10),
            new ServiceOptions.Web(Optional.of(port), false, Map.of())),
        ignored -> {});
  }

  @Test
  @Timeout(1_200)
  void aRestartIsSaidAndLosesNothing() throws Exception {
    Path policy = Demo.rides(folder, "10");
    new Users(List.of(Demo.user("ann", User.Right.ANALYST, Set.of())))
        .write(ServiceOptions.usersBeside(policy));
    Service service = start(policy, 0);
    URI page = service.page().orElseThrow();
    Process browser =
        new ProcessBuilder(
                "node",
                Path.of("src", "test", "node", "console", "restart.js").toString(),
                page.toString(),
                Path.of("target", "console").toString(),
                Demo.PASSWORD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (BufferedReader said = browser.inputReader(StandardCharsets.UTF_8);
        PrintWriter tell = new PrintWriter(browser.outputWriter(StandardCharsets.UTF_8), true)) {
      assertEquals("stop", said.readLine());
      service.close();
      tell.println("stopped");
      assertEquals("start", said.readLine());
      service = start(policy, page.getPort());
      tell.println("started");
      assertEquals("done", said.readLine());
      assertEquals(0, browser.waitFor());
    } finally {
      service.close();
      browser.destroyForcibly();
    }
  }
}
