package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Both demos run from nothing, and every question but those that show rejections is answered. */
class DemoCommandTest {
  @TempDir Path folder;

  private String demo(String... more) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    List<String> words = new ArrayList<>(List.of("demo", "--folder", folder.toString()));
    words.addAll(List.of(more));
    int code = Main.run(new PrintWriter(out), new PrintWriter(err), words.toArray(String[]::new));
    assertEquals(0, code, err.toString());
    return out.toString();
  }

  private static long count(String text, String part) {
    return text.lines().filter(line -> line.contains(part)).count();
  }

  @Test
  void theHospitalAnswersAboutPatientsAndKeepsThemApart() {
    String out = demo("--people", "--patients", "300");
    assertEquals(
        DemoDatabase.DemoQuestion.HOSPITAL.size() - 1,
        count(out, "   spent "),
        "answered:\n" + out);
    assertTrue(out.contains("INDIVIDUAL_FILTER"), out);
    assertTrue(out.contains("people:patient"), out);
    assertTrue(Files.exists(folder.resolve("hospital.duckdb")));
  }

  @Test
  void theRidesAnswerWhatThePaperAsks() {
    String out = demo("--trips", "3000");
    assertEquals(
        DemoDatabase.DemoQuestion.RIDES.size() - 2 + 1,
        count(out, "   spent epsilon"),
        "answered:\n" + out);
    assertTrue(out.contains("drivers.yaml"), out);
  }

  @Test
  void nobodysDatabaseIsReplaced() throws Exception {
    Files.writeString(folder.resolve("hospital.duckdb"), "mine");
    StringWriter err = new StringWriter();
    int code =
        Main.run(
            new PrintWriter(new StringWriter()),
            new PrintWriter(err),
            "demo",
            "--people",
            "--folder",
            folder.toString());
    assertEquals(2, code);
    assertTrue(err.toString().contains("is there already"), err.toString());
    assertEquals("mine", Files.readString(folder.resolve("hospital.duckdb")));
  }
}
