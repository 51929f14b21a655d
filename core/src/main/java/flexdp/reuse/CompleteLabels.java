package flexdp.reuse;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Conversions;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.Relation;
import flexdp.policy.Type;
import flexdp.properties.DateRanges;
import flexdp.properties.Lineage;
import flexdp.properties.NullabilityOracle;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Which labels hold every value that a row can have, so that their cells add up to all rows. A
 * declared domain or range does not: rows outside of it are dropped without a word. What a type or
 * an expression cannot leave does: truth values, the constants of a CASE, months of a year, rows of
 * the public table that the key is read from.
 */
public final class CompleteLabels {
  private final NoisyAggregate release;
  private final NotNullProof proof;

  private CompleteLabels(NoisyAggregate release, NullabilityOracle columns) {
    this.release = release;
    this.proof = new NotNullProof(columns);
  }

  /** Groups of keys, each the keys of one source of labels. */
  public static List<List<Integer>> of(NoisyAggregate release, NullabilityOracle columns) {
    if (!(release.labels() instanceof Labels.Enumerated labels)) {
      return List.of();
    }
    Set<Integer> filtered = new HashSet<>();
    labels.filters().forEach(f -> filtered.addAll(AlgebraWalker.references(f)));
    CompleteLabels complete = new CompleteLabels(release, columns);
    List<List<Integer>> groups = new ArrayList<>();
    for (LabelSource source : labels.sources()) {
      boolean whole =
          source.keys().stream().noneMatch(k -> filtered.contains(release.keys().get(k).id()));
      if (whole && complete.isComplete(source)) {
        groups.add(List.copyOf(source.keys()));
      }
    }
    return List.copyOf(groups);
  }

  private boolean isComplete(LabelSource source) {
    return switch (source) {
      case LabelSource.FromPublic table ->
          table.keys().stream().allMatch(k -> isReadFromPublic(release.keys().get(k)));
      case LabelSource.Constants constants -> {
        Column key = release.keys().get(constants.keys().getFirst());
        List<Object> values = constants.rows().stream().map(List::getFirst).toList();
        Lineage lineage = Lineage.of(release.input(), key.id());
        // NULL is a label where the key can be NULL, unless a declared domain decided otherwise.
        yield constants.keys().size() == 1 && isComplete(lineage, values);
      }
    };
  }

  /** Not for references to another table, which are not assumed to hold. */
  private boolean isReadFromPublic(Column key) {
    Lineage lineage = Lineage.of(release.input(), key.id());
    return lineage.isPublic() || lineage.relation() instanceof Relation.Project;
  }

  private boolean isComplete(Lineage lineage, List<Object> values) {
    return switch (lineage.relation()) {
      case Relation.Scan scan ->
          lineage.domain().isEmpty()
              && lineage.column().type().kind() == Type.Kind.BOOLEAN
              && hasNullOr(!lineage.padded(), lineage.column().ref(), scan, values);
      case Relation.Project project ->
          project.outputs().stream()
              .filter(o -> o.column().id() == lineage.column().id())
              .findFirst()
              .map(
                  o ->
                      hasNullOr(!lineage.padded(), o.expr(), project.input(), values)
                          && isComplete(o.expr(), values))
              .orElse(false);
      case Relation.Values ignored -> false;
      case Relation.Filter ignored -> false;
      case Relation.Join ignored -> false;
      case Relation.Where ignored -> false;
      case Relation.Attach ignored -> false;
      case Relation.Distinct ignored -> false;
      case Relation.Aggregate ignored -> false;
      case Relation.SetOperation ignored -> false;
      case Relation.Limit ignored -> false;
      case Relation.TopRows ignored -> false;
      case Relation.Window ignored -> false;
      case Relation.Released ignored -> false;
    };
  }

  /** NULL is a label, or no row has it. */
  private boolean hasNullOr(boolean unpadded, Expr expr, Relation over, List<Object> values) {
    return values.contains(null) || unpadded && proof.holds(expr, over);
  }

  private static boolean isComplete(Expr expr, List<Object> values) {
    return switch (expr) {
      case Expr.Literal ignored -> true;
      case Expr.Case c -> hasConstantResults(c);
      case Expr.Call call when call.type().kind() == Type.Kind.BOOLEAN -> true;
      // NaN has no sign.
      case Expr.Call call when call.function() == Function.SIGN ->
          call.arguments().getFirst().type().isExact();
      case Expr.Call call when call.function() == Function.EXTRACT -> isWholeCycle(call, values);
      case Expr.Call ignored -> false;
      case Expr.Ref ignored -> false;
      case Expr.Cast ignored -> false;
    };
  }

  private static boolean hasConstantResults(Expr.Case c) {
    return c.branches().stream().allMatch(b -> b.value() instanceof Expr.Literal)
        && c.otherwise().stream().allMatch(o -> o instanceof Expr.Literal);
  }

  /** Every month of the year, every day of the week, and so on. */
  private static boolean isWholeCycle(Expr.Call call, List<Object> values) {
    Optional<IntStream> cycle =
        switch (DateRanges.unit(call.arguments().getFirst())) {
          case "QUARTER" -> Optional.of(IntStream.rangeClosed(1, 4));
          case "MONTH" -> Optional.of(IntStream.rangeClosed(1, 12));
          case "WEEK" -> Optional.of(IntStream.rangeClosed(1, 53));
          case "DAY" -> Optional.of(IntStream.rangeClosed(1, 31));
          case "DOW" -> Optional.of(IntStream.rangeClosed(0, 6));
          case "DOY" -> Optional.of(IntStream.rangeClosed(1, 366));
          case "HOUR" -> Optional.of(IntStream.rangeClosed(0, 23));
          case "MINUTE", "SECOND" -> Optional.of(IntStream.rangeClosed(0, 59));
          default -> Optional.empty();
        };
    return cycle
        .map(
            all ->
                all.allMatch(
                    i ->
                        values.stream()
                            .anyMatch(
                                v ->
                                    v instanceof BigDecimal d
                                        && d.compareTo(BigDecimal.valueOf(i)) == 0)))
        .orElse(false);
  }

  /**
   * Shows that an expression is never NULL, from what the database proves of its columns. Stricter
   * than {@link NullRejection}, which believes declarations and takes days to be those of the
   * calendar: the labels that rest on this proof are said to be complete, whatever the rows hold.
   * The month of an infinite date is NULL, and so is a conversion that would overflow.
   */
  private static final class NotNullProof {
    private final NullabilityOracle columns;

    public NotNullProof(NullabilityOracle columns) {
      this.columns = columns;
    }

    public boolean holds(Expr expr, Relation over) {
      return switch (expr) {
        case Expr.Literal literal -> !literal.isNull();
        case Expr.Ref ref -> holds(Lineage.of(over, ref.column()));
        // A day beyond all timestamps has none; numbers have no such surprises.
        case Expr.Cast cast ->
            cast.type().isNumeric()
                && Conversions.isInjective(cast.operand().type(), cast.type())
                && holds(cast.operand(), over);
        case Expr.Case c ->
            c.otherwise().isPresent()
                && holds(c.otherwise().get(), over)
                && c.branches().stream().allMatch(b -> holds(b.value(), over));
        case Expr.Call call -> holds(call, over);
      };
    }

    private boolean holds(Lineage lineage) {
      if (lineage.padded()) {
        return false;
      }
      if (lineage.relation() instanceof Relation.Scan scan) {
        return lineage
            .spec()
            .filter(spec -> !spec.nullable() && columns.isProven(scan.table(), spec))
            .isPresent();
      }
      return lineage.relation() instanceof Relation.Project project
          && project.outputs().stream()
              .filter(o -> o.column().id() == lineage.column().id())
              .anyMatch(o -> holds(o.expr(), project.input()));
    }

    private boolean holds(Expr.Call call, Relation over) {
      return switch (call.function().nulls()) {
        case ASKED, AS_VALUE -> true;
        case LOGIC -> call.arguments().stream().allMatch(a -> holds(a, over));
        case STRICT, FIRST ->
            isComparison(call.function())
                && call.arguments().stream().allMatch(a -> holds(a, over));
        case FALLBACK, PASSED_OVER, UNSTATED -> false;
      };
    }

    /** Defined for all values there are, also for those beyond every calendar. */
    private static boolean isComparison(Function function) {
      return function == Function.NOT
          || function == Function.IN_LIST
          || function.mirrored().isPresent();
    }
  }
}
