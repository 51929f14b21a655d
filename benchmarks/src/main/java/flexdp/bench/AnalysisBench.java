package flexdp.bench;

import flexdp.Analyzer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * From text to noise scale, warm, on one thread, beside Calcite's own parse, and parse + validate +
 * toRel, of the same text in the same run. Writes a dated file into the folder given.
 */
public final class AnalysisBench {
  private static final String PARSE = "parse";
  private static final String TO_REL = "toRel";
  private static final String FIRST = "first";
  private static final String AGAIN = "again";

  private AnalysisBench() {}

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    List<String> lines = new ArrayList<>();
    lines.add("# Text to noise scale, " + LocalDate.now());
    lines.add("");
    lines.add(
        "Java "
            + System.getProperty("java.version")
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors. Microseconds of processor time, medians; the ratio is FlexDP / Calcite parse+validate+toRel.");
    lines.add("");
    lines.add("| question | Calcite parse | Calcite toRel | FlexDP | ratio | the same again |");
    lines.add("|---|---:|---:|---:|---:|---:|");
    lines.forEach(System.out::println);
    for (Subject subject : Subjects.all()) {
      if (args.length > 1 && !subject.name().contains(args[1])) {
        continue;
      }
      String line = row(subject);
      System.out.println(line);
      lines.add(line);
    }
    write(folder, lines);
  }

  private static String row(Subject subject) throws Exception {
    CalciteReference calcite = new CalciteReference(subject.policy());
    LocalDateTime now = LocalDateTime.now();
    Analyzer kept = new Analyzer(subject.policy(), subject.metrics(), now);
    kept.analyze(subject.sql(), subject.options());
    Map<String, Timing.Work> works = new LinkedHashMap<>();
    works.put(PARSE, () -> calcite.parse(subject.sql()));
    works.put(TO_REL, () -> calcite.toRel(subject.sql()));
    works.put(
        FIRST,
        () ->
            new Analyzer(subject.policy(), subject.metrics(), now)
                .analyze(subject.sql(), subject.options()));
    works.put(AGAIN, () -> kept.analyze(subject.sql(), subject.options()));
    Map<String, Double> medians = Timing.medians(works);
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.0f | %.2f | %.2f |",
        subject.name(),
        medians.get(PARSE),
        medians.get(TO_REL),
        medians.get(FIRST),
        medians.get(FIRST) / medians.get(TO_REL),
        medians.get(AGAIN));
  }

  private static void write(Path folder, List<String> lines) throws IOException {
    Files.createDirectories(folder);
    Path file = folder.resolve(LocalDate.now() + "-analysis.md");
    Files.write(file, lines);
    System.out.println("written to " + file);
  }
}
