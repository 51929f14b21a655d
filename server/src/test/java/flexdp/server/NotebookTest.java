package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.server.login.UsersFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The notebook of the documentation runs as it stands, with pandas and a token, and prints what it
 * shows but for noise. {@code -Dflexdp.golden.write=true} writes what it printed into it.
 */
class NotebookTest {
  private static final Path NOTEBOOK = Path.of("../docs/notebook.ipynb");
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String END = "=== end of a cell ===";

  @TempDir Path folder;

  @Test
  void theNotebookPrintsWhatItShowsButForNoise() throws Exception {
    ObjectNode notebook = (ObjectNode) JSON.readTree(NOTEBOOK.toFile());
    List<ObjectNode> cells = new ArrayList<>();
    StringBuilder script = new StringBuilder();
    for (JsonNode cell : notebook.path("cells")) {
      if (cell.path("cell_type").asText().equals("code")) {
        cells.add((ObjectNode) cell);
        script.append(text(cell.path("source"))).append("\nprint('").append(END).append("')\n");
      }
    }
    String[] printed = run(script.toString()).split(END + "\n", -1);
    assertEquals(cells.size() + 1, printed.length, String.join("", printed));
    for (int i = 0; i < cells.size(); i++) {
      if (Boolean.getBoolean("flexdp.golden.write")) {
        write(cells.get(i), printed[i]);
      }
      String shown = text(cells.get(i).path("outputs").path(0).path("text"));
      assertEquals(masked(shown), masked(printed[i]), "cell " + (i + 1));
    }
    if (Boolean.getBoolean("flexdp.golden.write")) {
      Files.writeString(
          NOTEBOOK, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(notebook) + "\n");
    }
  }

  private String run(String script) throws Exception {
    try (Demo demo = Demo.start(folder)) {
      String token = new UsersFile(demo.users).token("ann", "notebook");
      demo.service().reload();
      Path file = Files.writeString(folder.resolve("notebook.py"), script);
      ProcessBuilder python = new ProcessBuilder("/usr/bin/python3", file.toString());
      python.redirectErrorStream(true);
      python.environment().put("FLEXDP_URL", demo.web().root.resolve("/").toString().strip());
      python.environment().put("FLEXDP_TOKEN", token);
      python.environment().put("LC_ALL", "C.UTF-8");
      Process process = python.start();
      process.getOutputStream().close();
      String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
      assertEquals(0, process.waitFor(), output);
      return output;
    }
  }

  private static void write(ObjectNode cell, String printed) {
    ArrayNode outputs = cell.putArray("outputs");
    if (!printed.isEmpty()) {
      ObjectNode output = outputs.addObject().put("name", "stdout").put("output_type", "stream");
      ArrayNode lines = output.putArray("text");
      for (String line : printed.split("(?<=\n)")) {
        lines.add(line);
      }
    }
  }

  private static String text(JsonNode lines) {
    StringBuilder text = new StringBuilder();
    lines.forEach(line -> text.append(line.asText()));
    return text.toString();
  }

  /** Noisy numbers have other digits each time, and so rows have another order and width. */
  private static List<String> masked(String text) {
    return text.lines()
        .map(
            line ->
                line.replaceAll("(card|cash|wallet|NaN)( +-?\\d+(\\.\\d+)?){3}", "a label # # #")
                    .replaceAll(" +", " ")
                    .strip())
        .toList();
  }
}
