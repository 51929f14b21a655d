package flexdp.experiments.study;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.Rejection;
import flexdp.sql.anatomy.QueryAnatomy;
import flexdp.sql.parse.ParsedQuery;
import java.util.Optional;

/** Looks at one entry after the other. Whatever a log holds, it is counted and nothing else. */
final class Examiner {
  private final KnownKeys keys;
  private final Optional<Analyzer> analyzer;
  private final LogCounts tally = new LogCounts();

  Examiner(KnownKeys keys, Optional<Analyzer> analyzer) {
    this.keys = keys;
    this.analyzer = analyzer;
  }

  LogCounts tally() {
    return tally;
  }

  /**
   * Counts an entry.
   *
   * @param place in the log, from 1
   */
  Verdict examine(LogRecord entry, long place) {
    tally.addEntry();
    return switch (entry) {
      case LogRecord.Unreadable no -> unreadable(place, no.reason(), no.start());
      case LogRecord.Query query -> {
        tally.backends().add(query.backend().orElseGet(() -> Dialects.guess(query.sql())));
        query.rows().ifPresent(tally.resultRows()::add);
        yield query(query, place);
      }
    };
  }

  private Verdict query(LogRecord.Query query, long place) {
    ParsedQuery parsed;
    QueryAnatomy anatomy;
    try {
      parsed = ParsedQuery.of(query.sql());
      anatomy = QueryAnatomy.of(parsed);
    } catch (Rejection e) {
      return unreadable(place, e.codeName(), query.sql());
    } catch (StackOverflowError e) {
      return unreadable(place, "TOO_COMPLEX", query.sql());
    } catch (RuntimeException e) {
      return unreadable(place, "INTERNAL", query.sql());
    }
    tally.resultColumns().add(query.columns().orElse(anatomy.resultColumns()));
    tally.add(anatomy, keys);
    Verdict verdict = outcome(place, kind(anatomy), parsed, query.sql());
    if (analyzer.isPresent()) {
      tally.success().add(verdict.kind(), verdict.code(), query.sql());
    }
    return verdict;
  }

  private Verdict unreadable(long place, String reason, String text) {
    tally.unreadable().add(reason);
    tally.unreadableSamples().add(reason, text);
    if (analyzer.isPresent()) {
      tally.success().add(LogCounts.UNREADABLE, reason, text);
    }
    return new Verdict(place, LogCounts.UNREADABLE, reason, Optional.empty(), text);
  }

  private static String kind(QueryAnatomy anatomy) {
    if (!anatomy.statistical()) {
      return LogCounts.RAW;
    }
    boolean counts =
        !anatomy.aggregates().isEmpty()
            && anatomy.aggregates().stream().allMatch(a -> a.equals("COUNT"));
    return counts ? LogCounts.COUNTING : LogCounts.STATISTICAL;
  }

  private Verdict outcome(long place, String kind, ParsedQuery parsed, String sql) {
    try {
      if (analyzer.isPresent()) {
        analyzer.get().check(parsed, AnalysisOptions.DEFAULT);
      }
      return new Verdict(place, kind, Success.ACCEPTED, Optional.empty(), sql);
    } catch (Rejection e) {
      return new Verdict(place, kind, e.codeName(), Optional.of(e), sql);
    } catch (StackOverflowError e) {
      return new Verdict(place, kind, "TOO_COMPLEX", Optional.empty(), sql);
    } catch (RuntimeException e) {
      return new Verdict(place, kind, "INTERNAL", Optional.empty(), sql);
    }
  }
}
