package flexdp.plan;

import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import java.math.BigDecimal;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What somebody guesses of the data: max frequencies and numbers of rows, by table. It says nothing
 * that they do not know; whether it holds is tested before an answer rests on it.
 */
public record ProposedMetrics(Map<String, TableMetrics> tables) {
  public ProposedMetrics {
    tables = Map.copyOf(tables);
  }

  /** The guesses where released numbers would stand; what is known of public tables stays. */
  Metrics over(Metrics known) {
    Map<String, Metrics.Release> guessed = new LinkedHashMap<>();
    tables.forEach(
        (name, values) ->
            guessed.put(name, new Metrics.Release(values, BigDecimal.ONE, BigDecimal.ZERO)));
    return new Metrics(known.tables(), guessed);
  }
}
