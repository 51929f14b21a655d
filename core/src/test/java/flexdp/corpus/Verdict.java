package flexdp.corpus;

import flexdp.algebra.Relation;
import flexdp.decompose.QueryDecomposer;
import flexdp.failure.Rejection;
import flexdp.policy.Neighbors;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.RuleSet;
import flexdp.sensitivity.Sensitivity;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.Optional;
import java.util.stream.Collectors;

/** What the analysis says of one query, as lines of text that a person can check. */
final class Verdict {
  static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  private Verdict() {}

  /** The verdict, without the words of rejections: they may change, codes and places may not. */
  static String of(
      String sql, Setting setting, Optional<Bins> bins, Neighbors neighbors, RuleSet rules) {
    try {
      return accepted(sql, setting, bins, neighbors, rules);
    } catch (Rejection rejection) {
      return rejected(rejection);
    }
  }

  /** The verdict with the hint of a rejection. */
  static String withHint(
      String sql, Setting setting, Optional<Bins> bins, Neighbors neighbors, RuleSet rules) {
    try {
      return accepted(sql, setting, bins, neighbors, rules);
    } catch (Rejection rejection) {
      return rejected(rejection) + rejection.hint() + "\n";
    }
  }

  /** The verdict with the sentence of a rejection. */
  static String withMessage(String sql, Setting setting, RuleSet rules) {
    try {
      return accepted(sql, setting, Optional.empty(), Neighbors.ADD_REMOVE_ONE, rules);
    } catch (Rejection rejection) {
      return rejected(rejection) + "    " + rejection.getMessage() + "\n";
    }
  }

  private static String rejected(Rejection rejection) {
    if (rejection.getMessage().isBlank() || rejection.hint().isBlank()) {
      return "rejected " + rejection.code() + " without a sentence or a hint\n";
    }
    String at = rejection.at().map(position -> " at " + position).orElse("");
    return "rejected " + rejection.code() + at + "\n";
  }

  private static String accepted(
      String sql, Setting setting, Optional<Bins> bins, Neighbors neighbors, RuleSet rules) {
    Relation root = new SqlBinder(setting.policy(), NOW).bind(sql);
    DpQuery query = QueryDecomposer.of(root, setting.policy(), bins);
    StringBuilder text = new StringBuilder("accepted, joins " + query.joins() + "\n");
    for (NoisyAggregate point : query.releases()) {
      if (!point.keys().isEmpty()) {
        text.append("labels ").append(point.labels().word()).append(": ");
        text.append(point.keys().stream().map(k -> k.name()).collect(Collectors.joining(", ")));
        text.append('\n');
      }
      for (Measurement measurement : point.measurements()) {
        text.append(line(point, measurement, setting, neighbors, rules)).append('\n');
      }
    }
    return text.toString();
  }

  private static String line(
      NoisyAggregate point,
      Measurement measurement,
      Setting setting,
      Neighbors neighbors,
      RuleSet rules) {
    Bound bound = Sensitivity.of(point, measurement, setting.metrics(), neighbors, rules);
    BigDecimal unit = measurement.unit();
    return measurement.origin().aggregate()
        + (measurement.origin().part().equalsIgnoreCase(measurement.origin().aggregate())
            ? ""
            : " " + measurement.origin().part())
        + measurement.origin().column().map(name -> " " + name).orElse("")
        + ": "
        + bound.formula()
        + (unit.compareTo(BigDecimal.ONE) == 0 ? "" : " times " + unit.toPlainString());
  }
}
