package flexdp.reuse;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.compute.ValueConversion;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;

/**
 * The values that one key can have when some conditions hold, if the conditions leave finitely
 * many. Too many is safe, too few is not: the conditions are asked again of each.
 */
public final class KeyValues {
  private static final long MOST = 20_000;

  private final int key;
  private final Type type;

  public KeyValues(int key, Type type) {
    this.key = key;
    this.type = type;
  }

  public Optional<List<Object>> of(List<Expr> conditions) {
    for (Expr condition : conditions) {
      Optional<List<Object>> listed = listed(condition);
      if (listed.isPresent()) {
        return listed;
      }
    }
    return bounded(conditions);
  }

  private boolean isKey(Expr expr) {
    return expr instanceof Expr.Ref ref && ref.column() == key;
  }

  private Optional<List<Object>> listed(Expr condition) {
    if (isKey(condition)) {
      return Optional.of(List.of(true));
    }
    if (!(condition instanceof Expr.Call call)) {
      return Optional.empty();
    }
    List<Expr> arguments = call.arguments();
    return switch (call.function()) {
      case OR -> union(arguments);
      case AND -> arguments.stream().map(this::listed).flatMap(Optional::stream).findFirst();
      case IN_LIST ->
          isKey(arguments.getFirst())
              ? literals(arguments.subList(1, arguments.size()), false)
              : Optional.empty();
      case EQ, IS_NOT_DISTINCT -> {
        boolean nulls = call.function() == Function.IS_NOT_DISTINCT;
        yield isKey(arguments.get(0))
            ? literals(arguments.subList(1, 2), nulls)
            : isKey(arguments.get(1)) ? literals(arguments.subList(0, 1), nulls) : Optional.empty();
      }
      case IS_NULL ->
          isKey(arguments.getFirst())
              ? Optional.of(Collections.singletonList(null))
              : Optional.empty();
      case IS_TRUE -> isKey(arguments.getFirst()) ? Optional.of(List.of(true)) : Optional.empty();
      case NOT, IS_FALSE ->
          isKey(arguments.getFirst()) ? Optional.of(List.of(false)) : Optional.empty();
      default -> Optional.empty();
    };
  }

  private Optional<List<Object>> union(List<Expr> disjuncts) {
    List<Object> all = new ArrayList<>();
    for (Expr disjunct : disjuncts) {
      Optional<List<Object>> some = listed(disjunct);
      if (some.isEmpty()) {
        return Optional.empty();
      }
      all.addAll(some.get());
    }
    return Optional.of(all);
  }

  /** A constant that the type cannot hold equals no value of the key. */
  private Optional<List<Object>> literals(List<Expr> exprs, boolean nulls) {
    List<Object> values = new ArrayList<>();
    for (Expr expr : exprs) {
      if (!(expr instanceof Expr.Literal literal)) {
        return Optional.empty();
      }
      Object value = ValueConversion.to(type, literal.value());
      if (value != null || literal.isNull() && nulls) {
        values.add(value);
      }
    }
    return Optional.of(values);
  }

  /** Days and whole numbers between two bounds. */
  private Optional<List<Object>> bounded(List<Expr> conditions) {
    if (!type.isInteger() && type.kind() != Type.Kind.DATE) {
      return Optional.empty();
    }
    Optional<Long> low = Optional.empty();
    Optional<Long> high = Optional.empty();
    for (Expr condition : conditions) {
      if (condition instanceof Expr.Call call && call.arguments().size() == 2) {
        boolean keyFirst = isKey(call.arguments().get(0));
        Optional<Long> bound =
            keyFirst || isKey(call.arguments().get(1))
                ? number(call.arguments().get(keyFirst ? 1 : 0))
                : Optional.empty();
        boolean upper =
            switch (call.function()) {
              case LT, LE -> keyFirst;
              case GT, GE -> !keyFirst;
              default -> false;
            };
        boolean lower =
            switch (call.function()) {
              case LT, LE -> !keyFirst;
              case GT, GE -> keyFirst;
              default -> false;
            };
        high = upper ? bound.or(of(high)) : high;
        low = lower ? bound.or(of(low)) : low;
      }
    }
    return low.isPresent() && high.isPresent()
        ? between(low.get(), high.get() + 1)
        : Optional.empty();
  }

  private static java.util.function.Supplier<Optional<Long>> of(Optional<Long> known) {
    return () -> known;
  }

  private Optional<Long> number(Expr expr) {
    if (!(expr instanceof Expr.Literal literal)) {
      return Optional.empty();
    }
    return switch (literal.value()) {
      case LocalDate day -> Optional.of(day.toEpochDay());
      case LocalDateTime moment -> Optional.of(moment.toLocalDate().toEpochDay());
      case BigDecimal n when n.precision() - n.scale() < 18 ->
          Optional.of(n.setScale(0, RoundingMode.FLOOR).longValue());
      case null, default -> Optional.empty();
    };
  }

  private Optional<List<Object>> between(long low, long high) {
    if (high - low > MOST) {
      return Optional.empty();
    }
    List<Object> values = new ArrayList<>();
    for (long n = low; n <= high; n++) {
      values.add(
          type.kind() == Type.Kind.DATE
              ? LocalDate.ofEpochDay(n)
              : ValueConversion.to(type, BigDecimal.valueOf(n)));
    }
    return Optional.of(values);
  }
}
