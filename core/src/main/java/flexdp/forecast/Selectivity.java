package flexdp.forecast;

import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.properties.Lineage;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * About which share of rows a condition keeps, by what the policy declares alone: as if the values
 * of a listed column were equally frequent, and those of a range lay evenly in it. What nothing is
 * declared of is taken to keep all, so that rows are rather foretold too many than too few.
 */
final class Selectivity {
  private static final double DAYS_OF_A_YEAR = 365.25;
  private static final double MICROS_OF_A_DAY = 86_400e6;

  /** No condition is taken to leave less. */
  private static final double LEAST = 1e-6;

  /** What a condition that nothing is known of keeps, where it picks some of many rows. */
  private static final double SOME = 0.25;

  /** What a condition on a column of TRUE and FALSE is taken to keep. */
  private static final double EVEN = 0.5;

  private final Relation over;
  private final double unknown;

  Selectivity(Relation over) {
    this(over, 1);
  }

  private Selectivity(Relation over, double unknown) {
    this.over = over;
    this.unknown = unknown;
  }

  /** Of conditions that are asked for their share: of rows, of what is added up. */
  static Selectivity ofShares(Relation over) {
    return new Selectivity(over, SOME);
  }

  /** A piece of a declared range, as shares of it. */
  private record Piece(double from, double to) {
    Piece and(Piece other) {
      return new Piece(Math.max(from, other.from), Math.min(to, other.to));
    }
  }

  double of(Expr condition) {
    Map<Integer, Piece> pieces = new HashMap<>();
    double share = 1;
    for (Expr term : Equalities.conjuncts(condition)) {
      Optional<Map.Entry<Integer, Piece>> piece = piece(term);
      if (piece.isPresent()) {
        pieces.merge(piece.get().getKey(), piece.get().getValue(), Piece::and);
      } else {
        share *= ofOne(term);
      }
    }
    for (Piece piece : pieces.values()) {
      share *= Math.max(0, piece.to - piece.from);
    }
    return Math.min(1, Math.max(LEAST, share));
  }

  private double ofOne(Expr term) {
    return known(term).orElse(term instanceof Expr.Ref ? unknown == 1 ? 1 : EVEN : unknown);
  }

  /** Nothing where nothing is declared that says it. */
  private Optional<Double> known(Expr term) {
    if (!(term instanceof Expr.Call call)) {
      return term instanceof Expr.Literal ? Optional.of(1.0) : Optional.empty();
    }
    List<Expr> a = call.arguments();
    return switch (call.function()) {
      case OR ->
          Optional.of(Math.min(1, Equalities.disjuncts(term).stream().mapToDouble(this::of).sum()));
      case NOT -> known(a.getFirst()).map(share -> 1 - share);
      case EQ, IS_NOT_DISTINCT -> equal(a.get(0), a.get(1));
      case NE, IS_DISTINCT -> equal(a.get(0), a.get(1)).map(share -> 1 - share);
      case IN_LIST -> equal(a.get(0), a.get(1)).map(one -> Math.min(1, one * (a.size() - 1)));
      case IS_TRUE -> known(a.getFirst());
      case IS_NOT_NULL -> Optional.of(1.0);
      default -> Optional.empty();
    };
  }

  private Optional<Double> equal(Expr one, Expr two) {
    if (one instanceof Expr.Literal) {
      return two instanceof Expr.Literal ? Optional.empty() : equal(two, one);
    }
    if (!(two instanceof Expr.Literal)) {
      return Optional.empty();
    }
    if (one instanceof Expr.Call call && call.function() == Function.EXTRACT) {
      return ofDates(call);
    }
    return spec(one).flatMap(ColumnSpec::domain).map(list -> 1.0 / list.size());
  }

  /** One year, one month and so on of a date. */
  private Optional<Double> ofDates(Expr.Call extract) {
    String unit =
        extract.arguments().getFirst() instanceof Expr.Literal literal
            ? String.valueOf(literal.value())
            : "";
    return switch (unit) {
      case "YEAR", "ISOYEAR" ->
          spec(extract.arguments().get(1))
              .flatMap(s -> s.range().map(r -> 1 / Math.max(1, Math.rint(years(s, r)))));
      case "QUARTER" -> Optional.of(1.0 / 4);
      case "MONTH" -> Optional.of(1.0 / 12);
      case "DOW" -> Optional.of(1.0 / 7);
      case "HOUR" -> Optional.of(1.0 / 24);
      default -> Optional.empty();
    };
  }

  private static double years(ColumnSpec spec, Range range) {
    double width = range.high().subtract(range.low()).doubleValue();
    boolean days = spec.type().kind() == flexdp.policy.Type.Kind.DATE;
    return width / (days ? 1 : MICROS_OF_A_DAY) / DAYS_OF_A_YEAR;
  }

  /** Of a comparison of a column with a constant. */
  private Optional<Map.Entry<Integer, Piece>> piece(Expr term) {
    if (!(term instanceof Expr.Call call) || call.arguments().size() != 2) {
      return Optional.empty();
    }
    boolean turned = call.arguments().getFirst() instanceof Expr.Literal;
    Expr column = call.arguments().get(turned ? 1 : 0);
    if (!(call.arguments().get(turned ? 0 : 1) instanceof Expr.Literal literal)) {
      return Optional.empty();
    }
    boolean above;
    switch (call.function()) {
      case GT, GE -> above = !turned;
      case LT, LE -> above = turned;
      default -> {
        return Optional.empty();
      }
    }
    Optional<Expr.Ref> ref = CardinalityEstimator.ref(column);
    Optional<Range> range = spec(column).flatMap(ColumnSpec::range);
    Optional<BigDecimal> end = spec(column).flatMap(s -> number(literal.value(), s));
    if (ref.isEmpty() || range.isEmpty() || end.isEmpty()) {
      return Optional.empty();
    }
    double low = range.get().low().doubleValue();
    double width = range.get().high().doubleValue() - low;
    if (width <= 0) {
      return Optional.empty();
    }
    double at = Math.min(1, Math.max(0, (end.get().doubleValue() - low) / width));
    return Optional.of(Map.entry(ref.get().column(), above ? new Piece(at, 1) : new Piece(0, at)));
  }

  /** A constant in the numbers of a column's range. */
  private static Optional<BigDecimal> number(Object value, ColumnSpec spec) {
    boolean days = spec.type().kind() == flexdp.policy.Type.Kind.DATE;
    return switch (value) {
      case BigDecimal n -> Optional.of(n);
      case LocalDate d when days -> Optional.of(BigDecimal.valueOf(d.toEpochDay()));
      case LocalDate d -> Optional.of(micros(d.atStartOfDay()));
      case LocalDateTime t when days ->
          Optional.of(BigDecimal.valueOf(t.toLocalDate().toEpochDay()));
      case LocalDateTime t -> Optional.of(micros(t));
      case null, default -> Optional.empty();
    };
  }

  private static BigDecimal micros(LocalDateTime at) {
    return BigDecimal.valueOf(ChronoUnit.MICROS.between(LocalDate.EPOCH.atStartOfDay(), at));
  }

  /** What the policy declares of the column that an expression is. */
  Optional<ColumnSpec> spec(Expr expr) {
    return CardinalityEstimator.ref(expr)
        .filter(r -> over.columns().stream().anyMatch(c -> c.id() == r.column()))
        .flatMap(r -> Lineage.of(over, r.column()).spec());
  }
}
