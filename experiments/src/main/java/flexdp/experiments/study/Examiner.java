package flexdp.experiments.study;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.Rejection;
import flexdp.sql.Anatomy;
import flexdp.sql.ParsedQuery;
import java.util.Optional;

/** Looks at one entry after the other. Whatever a log holds, it is counted and nothing else. */
final class Examiner {
  private final KnownKeys keys;
  private final Optional<Analyzer> analyzer;
  private final Tally tally = new Tally();

  Examiner(KnownKeys keys, Optional<Analyzer> analyzer) {
    this.keys = keys;
    this.analyzer = analyzer;
  }

  Tally tally() {
    return tally;
  }

  void examine(LogRecord entry) {
    tally.addEntry();
    switch (entry) {
      case LogRecord.Unreadable no -> unreadable(no.reason(), no.start());
      case LogRecord.Query query -> {
        tally.backends().add(query.backend().orElseGet(() -> Dialects.guess(query.sql())));
        query.rows().ifPresent(tally.resultRows()::add);
        query(query);
      }
    }
  }

  private void query(LogRecord.Query query) {
    ParsedQuery parsed;
    Anatomy anatomy;
    try {
      parsed = ParsedQuery.of(query.sql());
      anatomy = parsed.anatomy();
    } catch (Rejection e) {
      unreadable(e.codeName(), query.sql());
      return;
    } catch (StackOverflowError e) {
      unreadable("TOO_COMPLEX", query.sql());
      return;
    } catch (RuntimeException e) {
      unreadable("INTERNAL", query.sql());
      return;
    }
    tally.resultColumns().add(query.columns().orElse(anatomy.resultColumns()));
    tally.add(anatomy, keys);
    analyzer.ifPresent(a -> tally.success().add(kind(anatomy), outcome(a, parsed), query.sql()));
  }

  private void unreadable(String reason, String text) {
    tally.unreadable().add(reason);
    tally.unreadableSamples().add(reason, text);
    if (analyzer.isPresent()) {
      tally.success().add(Tally.UNREADABLE, reason, text);
    }
  }

  private static String kind(Anatomy anatomy) {
    if (!anatomy.statistical()) {
      return Tally.RAW;
    }
    boolean counts =
        !anatomy.aggregates().isEmpty()
            && anatomy.aggregates().stream().allMatch(a -> a.equals("COUNT"));
    return counts ? Tally.COUNTING : Tally.STATISTICAL;
  }

  private static String outcome(Analyzer analyzer, ParsedQuery parsed) {
    try {
      analyzer.check(parsed, AnalysisOptions.DEFAULT);
      return Success.ACCEPTED;
    } catch (Rejection e) {
      return e.codeName();
    } catch (StackOverflowError e) {
      return "TOO_COMPLEX";
    } catch (RuntimeException e) {
      return "INTERNAL";
    }
  }
}
