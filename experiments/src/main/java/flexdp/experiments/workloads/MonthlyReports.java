package flexdp.experiments.workloads;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.budget.ChargedPartitions;
import flexdp.budget.Cost;
import flexdp.budget.PartitionSpending;
import flexdp.budget.TotalCost;
import flexdp.experiments.report.Finding;
import flexdp.gateway.prepare.QueryPartitions;
import flexdp.metrics.Metrics;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.time.YearMonth;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Two years of monthly reports on a table that is partitioned by the month: what a row pays. */
final class MonthlyReports {
  private static final int MONTHS = 24;
  private static final BigDecimal EPSILON = new BigDecimal("0.5");
  private static final Map<String, Object> POLICY =
      Map.of(
          "tables",
          Map.of(
              "trips",
              Map.of(
                  "partition",
                  Map.of("by", "requested_at", "each", "month"),
                  "columns",
                  Map.of(
                      "requested_at",
                      Map.of("type", "timestamp"),
                      "status",
                      Map.of(
                          "type",
                          "varchar",
                          "domain",
                          List.of("requested", "completed", "cancelled"))))));

  private MonthlyReports() {}

  /** The most that a row of the table has lost after all reports. */
  static BigDecimal spent() {
    AnalysisOptions d = AnalysisOptions.DEFAULT;
    AnalysisOptions options =
        new AnalysisOptions(
            d.rules(), d.mechanism(), Optional.of(EPSILON), d.delta(), d.distances(), d.bins());
    Analyzer analyzer =
        new Analyzer(
            PolicyReader.read(POLICY),
            new Metrics(Map.of(), Map.of()),
            LocalDateTime.of(2026, 1, 1, 0, 0));
    TotalCost cost = TotalCost.NOTHING.plus(Cost.pure(EPSILON));
    PartitionSpending parts = new PartitionSpending();
    TotalCost whole = TotalCost.NOTHING;
    YearMonth month = YearMonth.of(2024, 1);
    for (int i = 0; i < MONTHS; i++, month = month.plusMonths(1)) {
      String sql =
          "SELECT status, COUNT(*) FROM trips WHERE requested_at >= TIMESTAMP '"
              + month
              + "-01 00:00:00' AND requested_at < TIMESTAMP '"
              + month.plusMonths(1)
              + "-01 00:00:00' GROUP BY status";
      ChargedPartitions read = QueryPartitions.of(analyzer.plan(sql, options)).get("trips");
      if (read == null) {
        whole = whole.plus(cost);
      } else {
        parts.add(read, cost);
      }
    }
    return whole.plus(parts.most()).epsilon();
  }

  static Finding finding() {
    return new Finding(
        "24 monthly reports at ε = 0.5, one after the other "
            + EPSILON.multiply(BigDecimal.valueOf(MONTHS)).stripTrailingZeros().toPlainString(),
        "0.5",
        spent().toPlainString(),
        "");
  }
}
