package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import flexdp.server.api.Suggestion;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.File;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/**
 * Chromium walks the console; scripts/clients installs it. The steps are in src/test/node/console,
 * the pictures that they take are in target/console. Classes share them, so that two processes can.
 */
abstract class ConsoleWalk {
  /** Steps whose name contains this, while one of them is being written. */
  private static final String ONLY = System.getProperty("flexdp.console.only", "");

  private final List<String> files;
  private final int least;
  private Service service;

  /**
   * @param files where the steps are
   * @param least how many there are of them
   */
  ConsoleWalk(List<String> files, int least) {
    this.files = files;
    this.least = least;
  }

  @BeforeEach
  void start(@TempDir Path folder) throws Exception {
    Path rides = Demo.rides(folder, "10");
    Path hostile = ConsoleData.hostile(folder);
    Path clinic = ConsoleData.clinic(folder);
    Path users = ServiceOptions.usersBeside(rides);
    new Users(
            List.of(
                Demo.user("ann", User.Right.ANALYST, Set.of("rides")),
                Demo.user("ben", User.Right.ANALYST, Set.of("rides")),
                Demo.user("dora", User.Right.ANALYST, Set.of("clinic", "rides")),
                Demo.user("mallory", User.Right.ANALYST, Set.of("hostile")),
                Demo.user("owner", User.Right.OWNER, Set.of())))
        .write(users);
    List<Suggestion> suggestions =
        List.of(
            new Suggestion("How many trips were completed?", completed()),
            new Suggestion("Which <em>drivers</em> exist?", "SELECT id FROM drivers"));
    service =
        Service.start(
            new ServiceOptions(
                List.of(rides, hostile, clinic),
                users,
                Optional.empty(),
                "127.0.0.1",
                0,
                Optional.empty(),
                Duration.ofMinutes(10),
                new ServiceOptions.Web(Optional.of(0), false, Map.of("rides", suggestions))),
            ignored -> {});
  }

  private static String completed() {
    return "SELECT COUNT(*) AS completed FROM trips WHERE status = 'completed'";
  }

  @AfterEach
  void stop() {
    service.close();
  }

  @TestFactory
  Stream<DynamicTest> everyPageAndState() throws Exception {
    Path pictures = Path.of("target", "console");
    ProcessBuilder builder =
        new ProcessBuilder(
                "node",
                String.join(File.separator, "src", "test", "node", "console", "walk.js"),
                service.page().orElseThrow().toString(),
                pictures.toString(),
                Demo.PASSWORD,
                String.join(",", files),
                ONLY)
            .redirectError(ProcessBuilder.Redirect.INHERIT);
    Process process = builder.start();
    process.getOutputStream().close();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals(0, process.waitFor(), output);
    List<DynamicTest> steps = new ArrayList<>();
    for (String line : output.lines().toList()) {
      boolean good = line.startsWith("ok ");
      String name = good ? line.substring(3) : line.replaceFirst("^not ok ([^:]*):.*", "$1");
      steps.add(
          DynamicTest.dynamicTest(
              name,
              () -> {
                if (!good) {
                  fail(line.replace("\\n", "\n"));
                }
              }));
    }
    assertTrue(!ONLY.isEmpty() || steps.size() >= least, output);
    return steps.stream();
  }
}
