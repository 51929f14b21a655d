package flexdp.experiments.report;

import flexdp.experiments.report.Passage.Data;
import flexdp.experiments.report.Passage.Figure;
import flexdp.experiments.report.Passage.Prose;
import flexdp.experiments.report.Passage.Table;
import flexdp.experiments.report.Passage.Verbatim;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A folder with index.html and its CSV files. Each section is kept in sections/NAME.html too, under
 * a first line that says what it was made of, so that a run can go on where another ended.
 */
public final class ReportFolder {
  private final Path folder;

  public ReportFolder(Path folder) {
    this.folder = folder;
  }

  public Path index() {
    return folder.resolve("index.html");
  }

  /** Whether a section of that name was finished for the same mark, such as a scale. */
  public boolean has(String name, String mark) throws IOException {
    Path file = stored(name);
    if (!Files.exists(file)) {
      return false;
    }
    try (var lines = Files.lines(file)) {
      return lines.findFirst().equals(Optional.of(heading(mark)));
    }
  }

  /** Keeps a section: its CSV files first, then itself, so that a kept section is complete. */
  public void keep(Section section, Stamp stamp, String mark) throws IOException {
    Files.createDirectories(folder.resolve("sections"));
    for (Passage block : section.blocks()) {
      switch (block) {
        case Table t -> csv(t.name(), t.columns(), t.rows());
        case Data d -> csv(d.name(), d.columns(), d.rows());
        case Prose p -> {}
        case Verbatim v -> {}
        case Figure f -> {}
      }
    }
    String kept = heading(mark) + "\n" + section.title() + "\n" + Html.section(section, stamp);
    replace(stored(section.name()), kept);
  }

  /** Writes index.html anew from the sections of those names that are kept, in that order. */
  public void write(String title, String introduction, List<String> names) throws IOException {
    List<Page.Part> parts = new ArrayList<>();
    for (String name : names) {
      Path file = stored(name);
      if (Files.exists(file)) {
        String[] lines = Files.readString(file).split("\n", 3);
        parts.add(new Page.Part(name, lines[1], lines[2]));
      }
    }
    Files.createDirectories(folder);
    replace(index(), Page.of(title, introduction, parts));
  }

  private void csv(String name, List<String> columns, List<List<Object>> rows) throws IOException {
    replace(folder.resolve(name + ".csv"), Csv.of(columns, rows));
  }

  private Path stored(String name) {
    return folder.resolve("sections").resolve(name + ".html");
  }

  private static String heading(String mark) {
    return "<!-- " + mark + " -->";
  }

  private static void replace(Path file, String text) throws IOException {
    Path draft = file.resolveSibling(file.getFileName() + ".tmp");
    Files.writeString(draft, text);
    Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
  }
}
