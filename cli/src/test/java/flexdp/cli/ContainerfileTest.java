package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** No engine is at hand to build the image; what its file names is at least what there is. */
class ContainerfileTest {
  private static List<String> of(String instruction) throws Exception {
    return Files.readString(Path.of("../Containerfile"))
        .replace("\\\n", "")
        .lines()
        .filter(line -> line.startsWith(instruction + " "))
        .map(line -> line.substring(instruction.length() + 1).strip())
        .toList();
  }

  @Test
  void itUnpacksTheArchiveThatIsMadeAndStartsWhatIsInIt() throws Exception {
    String made = Files.readString(Path.of("../scripts/dist"));
    assertTrue(made.contains("out=$root/target/dist") && made.contains("name=flexdp-$version-"));
    assertTrue(made.contains("\"$home/bin/flexdp\"") && made.contains("$name.tar.gz"));
    assertEquals(List.of("target/dist/flexdp-*.tar.gz /tmp/"), of("COPY"));
    String unpacked = of("RUN").getFirst();
    assertTrue(unpacked.contains("tar xzf /tmp/flexdp-*.tar.gz -C /opt"), unpacked);
    assertTrue(unpacked.contains("mv /opt/flexdp-* /opt/flexdp"), unpacked);
    assertEquals(List.of("[\"/opt/flexdp/bin/flexdp\"]"), of("ENTRYPOINT"));
  }

  @Test
  void itsPortsAreThoseOfTheServerAndItIsNobodySpecial() throws Exception {
    CommandLine.Model.CommandSpec serve =
        new CommandLine(new FlexdpCommand()).getSubcommands().get("serve").getCommandSpec();
    Set<String> ports = new TreeSet<>();
    for (String option : List.of("--pg-port", "--http-port")) {
      ports.add(String.valueOf(serve.findOption(option).initialValue()));
    }
    assertEquals(ports, new TreeSet<>(List.of(of("EXPOSE").getFirst().split(" "))));
    assertNotEquals("root", of("USER").getLast());
  }
}
