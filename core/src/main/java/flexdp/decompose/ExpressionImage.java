package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.compute.EvaluableExpressions;
import flexdp.compute.Evaluator;
import flexdp.compute.ValueConversion;
import flexdp.compute.ValueOrdering;
import flexdp.failure.TimeBudget;
import flexdp.policy.Type;
import flexdp.properties.DateRanges;
import flexdp.properties.Interval;
import flexdp.properties.Lineage;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;

/**
 * The values of an expression, found by computing it for every value of what it is made of: columns
 * whose values are listed or bounded, and whole numbers computed from columns that are not. Only
 * the policy and the question are read, never a row; a label that the database would spell in
 * another way is shown as empty, and no label is ever left out because of what rows hold.
 */
final class ExpressionImage {
  /** How often an expression is computed, at most. */
  private static final int MOST = 100_000;

  private static final Set<String> BY_DAY =
      Set.of("YEAR", "ISOYEAR", "QUARTER", "MONTH", "WEEK", "DAY", "DOW", "DOY");

  private final BiFunction<Expr, Relation, Optional<List<Object>>> listed;
  private final BiFunction<Expr, Relation, Interval> bounds;
  private final Set<Expr> neverNull = new HashSet<>();
  private final Set<Expr> tried = new HashSet<>();

  /**
   * @param listed the values of a column, where something lists them
   * @param bounds of an expression
   */
  ExpressionImage(
      BiFunction<Expr, Relation, Optional<List<Object>>> listed,
      BiFunction<Expr, Relation, Interval> bounds) {
    this.listed = listed;
    this.bounds = bounds;
  }

  /** All values but NULL, in order; empty when they are not known or too many. */
  Optional<List<Object>> of(Expr expr, Relation over) {
    TimeBudget.step();
    tried.add(expr);
    Map<Expr, List<Object>> atoms = new LinkedHashMap<>();
    if (!EvaluableExpressions.is(expr) || !atoms(expr, expr, over, atoms) || atoms.isEmpty()) {
      return Optional.empty();
    }
    long product = 1;
    for (List<Object> values : atoms.values()) {
      product *= values.size();
      if (product > MOST) {
        return Optional.empty();
      }
    }
    List<Column> columns = new ArrayList<>();
    Map<Expr, Expr> named = new LinkedHashMap<>();
    for (Expr atom : atoms.keySet()) {
      Column column = new Column(columns.size(), "a" + columns.size(), atom.type(), true);
      columns.add(column);
      named.put(atom, column.ref());
    }
    Expr rewritten = AlgebraWalker.rewrite(expr, part -> Optional.ofNullable(named.get(part)));
    Evaluator.Value value = new Evaluator(columns).compile(rewritten);
    Set<Object> seen = new LinkedHashSet<>();
    List<Object> found = new ArrayList<>();
    neverNull.add(expr);
    for (List<Object> row : rows(List.copyOf(atoms.values()), columns)) {
      Object result = value.on(row);
      if (result == null) {
        neverNull.remove(expr);
      } else if (seen.add(ValueOrdering.canonical(result))) {
        found.add(result);
      }
    }
    found.sort(ValueOrdering::compare);
    return Optional.of(found);
  }

  /** Whether an expression can be computed for every value of its parts and always has one. */
  boolean isNeverNull(Expr expr, Relation over) {
    if (!tried.contains(expr)) {
      of(expr, over);
    }
    return neverNull.contains(expr);
  }

  /**
   * What several expressions over one column are together: a row for each combination that some
   * value of it gives, NULL among the others; empty when its values are not known or too many.
   */
  Optional<List<List<Object>>> together(List<Expr> exprs, Column of, Relation over) {
    if (!exprs.stream().allMatch(EvaluableExpressions::is)) {
      return Optional.empty();
    }
    Evaluator evaluator = new Evaluator(List.of(of));
    List<Evaluator.Value> values = exprs.stream().map(evaluator::compile).toList();
    return column(of.ref(), exprs, over)
        .filter(all -> all.size() <= MOST)
        .map(
            all -> {
              Map<List<Object>, List<Object>> found = new LinkedHashMap<>();
              for (Object value : all) {
                List<Object> row = new ArrayList<>();
                values.forEach(v -> row.add(v.on(Collections.singletonList(value))));
                found.putIfAbsent(ValueOrdering.canonical(row), row);
              }
              List<List<Object>> rows = new ArrayList<>(found.values());
              rows.sort((one, two) -> ValueOrdering.rows(one, two, exprs.size()));
              return rows;
            });
  }

  /** What an expression is made of; false when a part of it could be anything. */
  private boolean atoms(Expr expr, Expr whole, Relation over, Map<Expr, List<Object>> found) {
    if (expr instanceof Expr.Literal || found.containsKey(expr)) {
      return true;
    }
    if (expr instanceof Expr.Ref ref) {
      Optional<List<Object>> values = column(ref, List.of(whole), over);
      values.ifPresent(v -> found.put(ref, v));
      return values.isPresent();
    }
    Map<Expr, List<Object>> below = new LinkedHashMap<>(found);
    if (expr.children().stream().allMatch(child -> atoms(child, whole, over, below))) {
      found.putAll(below);
      return true;
    }
    Optional<List<Object>> values = computed(expr, over);
    values.ifPresent(v -> found.put(expr, v));
    return values.isPresent();
  }

  private Optional<List<Object>> column(Expr.Ref ref, List<Expr> wholes, Relation over) {
    Lineage lineage = Lineage.of(over, ref.column());
    if (lineage.isPublic()) {
      return Optional.empty(); // the table lists them better
    }
    Interval interval = bounds.apply(ref, over);
    Optional<List<Object>> values = listed.apply(ref, over);
    if (values.isEmpty()) {
      values =
          switch (ref.type().kind()) {
            case SMALLINT, INTEGER, BIGINT -> steps(interval, 0);
            case DATE -> DateRanges.truncated("DAY", Type.DATE, interval, MOST);
            case TIMESTAMP ->
                unit(ref, wholes)
                    .flatMap(u -> DateRanges.truncated(u, Type.TIMESTAMP, interval, MOST));
            default -> Optional.empty();
          };
    }
    boolean nullable = !DeclaredNotNull.is(ref, over);
    return values.map(v -> converted(v, ref.type(), nullable && lineage.domain().isEmpty()));
  }

  private static List<Object> converted(List<Object> values, Type type, boolean orNull) {
    Set<Object> all = new LinkedHashSet<>();
    values.forEach(v -> all.add(v == null ? null : ValueConversion.to(type, v)));
    if (orNull) {
      all.add(null);
    }
    return new ArrayList<>(all);
  }

  /** What is computed from a column that could be anything, but has few values itself. */
  private Optional<List<Object>> computed(Expr expr, Relation over) {
    if (expr.type().kind() == Type.Kind.BOOLEAN) {
      return Optional.of(
          converted(List.of(true, false), Type.BOOLEAN, !DeclaredNotNull.is(expr, over)));
    }
    Optional<List<Object>> values = Optional.empty();
    if (expr instanceof Expr.Call call && call.type().isNumeric()) {
      values =
          switch (call.function()) {
            case FLOOR, CEIL -> steps(bounds.apply(call, over), 0);
            case ROUND -> digits(call).flatMap(d -> steps(bounds.apply(call, over), d));
            default -> Optional.empty();
          };
    }
    if (values.isEmpty() && isWhole(expr)) {
      values = steps(bounds.apply(expr, over), 0);
    }
    boolean nullable = !DeclaredNotNull.is(expr, over);
    return values.map(v -> converted(v, expr.type(), nullable));
  }

  /** Whether every value is a whole number, whatever its type. */
  private static boolean isWhole(Expr expr) {
    if (expr.type().isExact() && expr.type().scale() == 0) {
      return true;
    }
    return expr.type().isNumeric()
        && switch (expr) {
          case Expr.Call call ->
              switch (call.function()) {
                case FLOOR, CEIL, SIGN -> true;
                case PLUS, MINUS, TIMES ->
                    call.arguments().stream().allMatch(ExpressionImage::isWhole);
                default -> false;
              };
          case Expr.Cast cast -> isWhole(cast.operand());
          case Expr.Ref ignored -> false;
          case Expr.Literal ignored -> false;
          case Expr.Case ignored -> false;
        };
  }

  private static Optional<Integer> digits(Expr.Call round) {
    if (round.arguments().size() == 1) {
      return Optional.of(0);
    }
    return round.arguments().get(1) instanceof Expr.Literal l && l.value() instanceof BigDecimal n
        ? Optional.of(Math.clamp(n.longValue(), -30, 30))
        : Optional.empty();
  }

  /** Multiples of a power of ten within bounds. */
  private static Optional<List<Object>> steps(Interval interval, int digits) {
    if (!interval.isBounded()) {
      return Optional.empty();
    }
    BigDecimal step = BigDecimal.ONE.movePointLeft(digits);
    BigDecimal first = interval.low().get().divide(step, 0, RoundingMode.CEILING);
    BigDecimal last = interval.high().get().divide(step, 0, RoundingMode.FLOOR);
    if (last.subtract(first).compareTo(BigDecimal.valueOf(MOST)) >= 0) {
      return Optional.empty();
    }
    List<Object> values = new ArrayList<>();
    for (BigDecimal n = first; n.compareTo(last) <= 0; n = n.add(BigDecimal.ONE)) {
      values.add(n.multiply(step));
    }
    return Optional.of(values);
  }

  /** In which steps a timestamp has to be tried, when it is read in parts only. */
  private static Optional<String> unit(Expr.Ref ref, List<Expr> wholes) {
    Set<String> units = new TreeSet<>();
    boolean[] bare = {wholes.contains(ref)};
    for (Expr whole : wholes) {
      AlgebraWalker.parts(
          whole,
          part -> {
            boolean reads = part.children().contains(ref);
            if (reads && part instanceof Expr.Call call && isCut(call)) {
              units.add(DateRanges.unit(call.arguments().getFirst()));
            } else if (reads && part instanceof Expr.Cast cast && isDay(cast)) {
              units.add("DAY");
            } else {
              bare[0] |= reads;
            }
          });
    }
    if (bare[0]) {
      return Optional.empty();
    }
    if (BY_DAY.containsAll(units)) {
      return Optional.of("DAY");
    }
    units.removeAll(BY_DAY);
    return Optional.of(units.contains("MINUTE") ? "MINUTE" : "HOUR")
        .filter(u -> Set.of("HOUR", "MINUTE").containsAll(units));
  }

  private static boolean isCut(Expr.Call call) {
    return call.function() == Function.EXTRACT || call.function() == Function.DATE_TRUNC;
  }

  private static boolean isDay(Expr.Cast cast) {
    return cast.type().kind() == Type.Kind.DATE;
  }

  private static List<List<Object>> rows(List<List<Object>> values, List<Column> columns) {
    List<List<Object>> rows = new ArrayList<>();
    rows.add(List.of());
    for (int i = 0; i < columns.size(); i++) {
      List<List<Object>> longer = new ArrayList<>();
      for (List<Object> row : rows) {
        for (Object value : values.get(i)) {
          List<Object> one = new ArrayList<>(row);
          one.add(value);
          longer.add(one);
        }
      }
      rows = longer;
    }
    return rows;
  }
}
