package flexdp.bench;

import flexdp.Analyzer;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.LinkedHashMap;
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
    Results results = new Results("analysis", "Text to noise scale");
    results.say(
        "Java "
            + System.getProperty("java.version")
            + ", "
            + Runtime.getRuntime().availableProcessors()
            + " processors. Microseconds of processor time, medians. The first analysis is compared"
            + " with Calcite's parse, that of the long chain with parse, validate and toRel.");
    results.say("");
    results.table(
        "question", "Calcite parse", "Calcite toRel", "FlexDP", "of parse", "of toRel", "again");
    // All of them first: what the compiler makes of our code depends on which questions it has
    // seen.
    for (Subject subject : Subjects.all()) {
      Timing.warm(works(subject));
    }
    for (Subject subject : Subjects.all()) {
      if (args.length < 2 || subject.name().contains(args[1])) {
        row(results, subject);
      }
    }
    results.write(Path.of(args.length > 0 ? args[0] : "benchmarks/results"));
  }

  private static Map<String, Timing.Work> works(Subject subject) throws Exception {
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
    return works;
  }

  private static void row(Results results, Subject subject) throws Exception {
    Map<String, Double> medians = Timing.medians(works(subject));
    double parse = medians.get(PARSE);
    double toRel = medians.get(TO_REL);
    double first = medians.get(FIRST);
    Aim aim =
        subject.name().equals(Subjects.CHAIN)
            ? new Aim("≤ 1.5 × of toRel", first <= 1.5 * toRel)
            : new Aim("≤ 4 × of parse", first <= 4 * parse);
    results.row(
        subject.name(),
        aim,
        Math.round(parse),
        Math.round(toRel),
        Math.round(first),
        first / parse,
        first / toRel,
        medians.get(AGAIN));
    results.figure(subject.name(), first, first, 1.1);
  }
}
