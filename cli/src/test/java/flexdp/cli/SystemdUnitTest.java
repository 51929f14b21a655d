package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The unit of systemd that owners copy starts what there is, and stops it in time. */
class SystemdUnitTest {
  private static Map<String, String> unit() throws Exception {
    return Files.readAllLines(Path.of("../docs/flexdp.service")).stream()
        .filter(line -> line.contains("=") && !line.startsWith("#"))
        .map(line -> line.split("=", 2))
        .collect(Collectors.toMap(parts -> parts[0], parts -> parts[1], (one, two) -> one));
  }

  @Test
  void whatItStartsIsACommandWithItsOptions() throws Exception {
    List<String> words = Arrays.asList(unit().get("ExecStart").split(" "));
    assertTrue(words.getFirst().endsWith("/flexdp"));
    CommandLine.ParseResult parsed =
        FlexdpCommand.all().parseArgs(words.subList(1, words.size()).toArray(String[]::new));
    assertEquals("serve", parsed.subcommand().commandSpec().name());
  }

  /** Workers and the clients' last answers are waited for, a minute and five seconds at most. */
  @Test
  void aStopHasTimeToSettleAndFilesAreTheOwnersAlone() throws Exception {
    Duration stop = Duration.ofSeconds(Long.parseLong(unit().get("TimeoutStopSec")));
    assertTrue(stop.compareTo(Duration.ofSeconds(65)) > 0);
    assertEquals("0077", unit().get("UMask"));
    assertEquals(unit().get("WorkingDirectory"), unit().get("ReadWritePaths"));
  }
}
