package flexdp.gateway;

import flexdp.noise.Mechanism;
import flexdp.plan.Plan;
import flexdp.plan.Planned;
import flexdp.question.Question;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Error bars, where they are public: a column that shows a measurement as it is, with noise of a
 * scale that follows from the structure or from released metrics (guarantee D9).
 */
final class Intervals {
  static final BigDecimal CONFIDENCE = new BigDecimal("0.95");

  private final Plan plan;
  private String note = "";

  Intervals(Plan plan) {
    this.plan = plan;
  }

  /** Half the width of the interval around each cell, by result column. */
  List<Optional<BigDecimal>> halfWidths() {
    List<Optional<BigDecimal>> widths = new ArrayList<>();
    for (Question.ResultColumn column : plan.question().columns()) {
      widths.add(
          switch (column.kind()) {
            case KEY, CONSTANT -> Optional.empty();
            case AGGREGATE, DERIVED -> halfWidth(column);
          });
    }
    return widths;
  }

  /** Why a column has no interval; the last reason found. */
  String note() {
    return note;
  }

  private Optional<BigDecimal> halfWidth(Question.ResultColumn column) {
    String name = column.column().name();
    Optional<Planned> shown =
        plan.measurements().stream()
            .filter(p -> p.measurement().column().equals(Optional.of(name)))
            .findFirst();
    if (shown.isEmpty() || column.kind() == Question.ResultColumn.Kind.DERIVED) {
      note = "'" + name + "' is computed from several noisy numbers and has no simple error bar";
      return Optional.empty();
    }
    return of(shown.get(), name);
  }

  private Optional<BigDecimal> of(Planned planned, String name) {
    Optional<Planned.Noise> noise = planned.noise();
    if (noise.isEmpty() || !noise.get().isPublic()) {
      note =
          "the noise of '"
              + name
              + "' is scaled by private max frequencies; released metrics would give error bars";
      return Optional.empty();
    }
    Optional<BigDecimal> width = halfWidth(planned);
    if (width.isEmpty()) {
      note =
          "'" + name + "' is chosen by the exponential mechanism, whose error depends on the data";
    }
    return width;
  }

  /** Of one measurement, where it is public. */
  static Optional<BigDecimal> halfWidth(Planned planned) {
    return planned
        .noise()
        .filter(Planned.Noise::isPublic)
        .filter(noise -> noise.mechanism() instanceof Mechanism.Additive)
        .map(
            noise ->
                ((Mechanism.Additive) noise.mechanism())
                    .halfWidth(noise.sensitivity(), planned.measurement().grid(), CONFIDENCE));
  }
}
