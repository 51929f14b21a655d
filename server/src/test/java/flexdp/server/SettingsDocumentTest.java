package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.server.session.SessionSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/clients.md lists the settings of a connection that decide how it is answered. */
class SettingsDocumentTest {
  private static final Pattern ROW = Pattern.compile("(?m)^\\| `(flexdp\\.\\w+)` \\| ([^|]*) \\|");

  @Test
  void everySettingHasItsRowAndDefault() throws IOException {
    Map<String, String> known = new TreeMap<>();
    new SessionSettings("ann")
        .all()
        .forEach(
            (name, value) -> {
              if (name.startsWith("flexdp.")) {
                known.put(name, value.isEmpty() ? "none" : "`" + value + "`");
              }
            });
    Map<String, String> listed = new TreeMap<>();
    Matcher rows = ROW.matcher(Files.readString(Path.of("../docs/clients.md")));
    while (rows.find()) {
      listed.put(rows.group(1), rows.group(2));
    }
    assertEquals(known, listed);
  }
}
