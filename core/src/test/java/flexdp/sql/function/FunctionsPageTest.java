package flexdp.sql.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/functions.md names no function that is not there, and says how many arguments they take. */
class FunctionsPageTest {
  private static final Pattern NAME = Pattern.compile("`([a-z_0-9]+)`");

  /** One way to call it, plainly: {@code x, y [, z]}, {@code x, y, …}. */
  private static final Pattern PLAIN =
      Pattern.compile("(?<least>[^\\[;…]*?)(?<more> \\[, [^\\[;…]*])?(?<many>, …)?");

  /** The names and arguments of a line. */
  private record Row(List<String> names, String arguments) {}

  private static List<Row> rows() throws IOException {
    List<Row> rows = new ArrayList<>();
    boolean inside = false;
    for (String line : Files.readAllLines(Path.of("../docs/functions.md"))) {
      String[] cells = line.split("\\|", -1);
      if (line.startsWith("| names | arguments |")) {
        inside = true;
      } else if (!line.startsWith("|")) {
        inside = false;
      } else if (inside && !line.startsWith("|---")) {
        List<String> names = new ArrayList<>();
        Matcher name = NAME.matcher(cells[1]);
        while (name.find()) {
          names.add(name.group(1));
        }
        rows.add(new Row(names, cells[2].strip()));
      }
    }
    return rows;
  }

  @Test
  void whatStandsThereIsThere() throws IOException {
    Set<String> gone = new TreeSet<>();
    rows().forEach(row -> gone.addAll(row.names()));
    gone.removeAll(FunctionCatalog.names());
    gone.remove("patindex"); // read as LIKE where it is compared
    assertEquals(Set.of(), gone);
  }

  @Test
  void argumentsAreAsManyAsTheyAre() throws IOException {
    int compared = 0;
    List<String> wrong = new ArrayList<>();
    for (Row row : rows()) {
      Matcher cell = PLAIN.matcher(row.arguments());
      boolean refused = row.arguments().isEmpty() && row.names().contains("regexp_count");
      if (!cell.matches()
          || refused
          || row.names().contains("interval")
          || row.arguments().matches(".* (or|as|only) .*")) {
        continue;
      }
      int least = count(cell.group("least"));
      int most = cell.group("many") != null ? 1_000 : least + (cell.group("more") == null ? 0 : 1);
      for (String name : row.names()) {
        FunctionCatalog.Entry entry = FunctionCatalog.find(name.toUpperCase(Locale.ROOT));
        if (entry != null && (entry.least() > least || entry.most() < most)) {
          wrong.add(name + "(" + row.arguments() + ") takes " + entry.least() + "-" + entry.most());
        }
        compared++;
      }
    }
    assertEquals(List.of(), wrong);
    assertTrue(compared > 80, "only " + compared);
  }

  private static int count(String arguments) {
    return arguments.isBlank() ? 0 : arguments.split(",").length;
  }
}
