package flexdp.gateway.watch;

import flexdp.gateway.api.ParameterizedQuery;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.engine.Charging;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.noise.BitSource;
import flexdp.noise.SecureBits;
import java.nio.file.Path;
import java.time.Clock;
import java.util.function.Function;
import java.util.function.Supplier;

/** What compares numbers with thresholds, made of what answers questions. */
public final class ThresholdComparison {
  private final WatchEvaluation evaluation;
  private final Ledger ledger;
  private final ErrorLog log;
  private final Clock clock;
  private final Watches.Place place;
  private final Supplier<BitSource> bits;

  ThresholdComparison(
      WatchEvaluation evaluation,
      Ledger ledger,
      ErrorLog log,
      Clock clock,
      Watches.Place place,
      Supplier<BitSource> bits) {
    this.evaluation = evaluation;
    this.ledger = ledger;
    this.log = log;
    this.clock = clock;
    this.place = place;
    this.bits = bits;
  }

  /**
   * @param place of the ledger, beside which the noise of watches is kept
   */
  public static ThresholdComparison of(
      WatchEvaluation evaluation, Ledger ledger, ErrorLog log, Clock clock, LedgerPlace place) {
    String anchor = place.anchor().getFileName().toString();
    Path file = place.anchor().resolveSibling(anchor.replaceFirst("\\.anchor$", "") + ".watches");
    return new ThresholdComparison(
        evaluation,
        ledger,
        log,
        clock,
        new Watches.Place(file, place.url().isPresent()),
        SecureBits::new);
  }

  /** Many numbers, once. */
  public ThresholdAnswers above() {
    return new ThresholdAnswers(evaluation, new Charging(ledger, log), bits);
  }

  /** One number, again and again. */
  public Watches watches(Function<QueryRequest, ParameterizedQuery> preparing) {
    return new Watches(evaluation, ledger.watches(), place, log, clock, preparing, bits);
  }
}
