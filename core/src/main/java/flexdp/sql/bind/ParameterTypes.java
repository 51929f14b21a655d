package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Tree;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.sql.text.BoundText;
import flexdp.sql.text.SqlParameters;
import flexdp.sql.text.SqlParameters.Place;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;

/**
 * Finds the types of parameters before any value is known. A cast says one. Otherwise constants of
 * every type are tried in a parameter's place until one is understood there; its type is that of
 * what it is compared with, if it is compared.
 */
public final class ParameterTypes {
  /** These are wrong whatever a parameter is. */
  private static final Set<RejectionCode> NOT_ABOUT_TYPES =
      Set.of(
          RejectionCode.UNKNOWN_TABLE,
          RejectionCode.UNKNOWN_COLUMN,
          RejectionCode.AMBIGUOUS_COLUMN,
          RejectionCode.UNKNOWN_FUNCTION,
          RejectionCode.NOT_A_SELECT,
          RejectionCode.MULTIPLE_STATEMENTS);

  /** The type of numbers that nothing says more about. */
  private static final Type NUMBER = Type.decimal(38, 10);

  private static final int MARK = 7_340_033;
  private static final LocalDateTime MOMENT = LocalDateTime.of(2000, 1, 2, 3, 4, 5);
  private static final BigDecimal HALF = new BigDecimal("0.5");

  /** What stands for the other parameters while one is looked at. */
  private static final List<Optional<Object>> OTHERS =
      List.of(Optional.empty(), Optional.of(1), Optional.of("day"), Optional.of(HALF));

  /**
   * A parameter of a question.
   *
   * @param name a number counted from one, or a name
   * @param sample a value that is understood in its place
   */
  public record Parameter(String name, Type type, Object sample) {
    /** One whose type is known. */
    public static Parameter of(String name, Type type) {
      return new Parameter(name, type, ParameterTypes.sample(type));
    }
  }

  private final SqlParameters parameters;
  private final SqlBinder binder;
  private final Map<String, Parameter> found = new LinkedHashMap<>();

  private ParameterTypes(SqlParameters parameters, SqlBinder binder) {
    this.parameters = parameters;
    this.binder = binder;
  }

  /**
   * @param declared types that whoever asks has decided, by name
   * @throws Rejection when the question is refused whatever the types are
   */
  public static List<Parameter> of(
      SqlParameters parameters, Map<String, Type> declared, Policy policy, LocalDateTime now) {
    ParameterTypes types = new ParameterTypes(parameters, new SqlBinder(policy, now));
    for (String name : parameters.names()) {
      Optional.ofNullable(declared.get(name))
          .or(() -> types.said(name))
          .ifPresent(type -> types.found.put(name, Parameter.of(name, type)));
    }
    List<Parameter> all = new ArrayList<>();
    for (String name : parameters.names()) {
      all.add(types.parameter(name));
    }
    return all;
  }

  private Parameter parameter(String name) {
    Parameter known = found.get(name);
    if (known == null) {
      known = tried(name).orElseGet(() -> Parameter.of(name, Type.VARCHAR));
      found.put(name, known);
    }
    return known;
  }

  /** The type that the text names; its first word is enough to tell one from another. */
  private Optional<Type> said(String name) {
    return parameters.places().stream()
        .filter(place -> place.name().equals(name))
        .flatMap(place -> place.said().stream())
        .findFirst()
        .flatMap(
            type -> {
              try {
                Relation cast = binder.bind("SELECT CAST(NULL AS " + type + ")");
                return Optional.of(cast.columns().getFirst().type());
              } catch (Rejection e) {
                return Optional.empty();
              }
            });
  }

  private Optional<Parameter> tried(String name) {
    if (parameters.places().stream().map(Place::name).noneMatch(name::equals)) {
      return Optional.empty();
    }
    for (Optional<Object> others : OTHERS) {
      Optional<Parameter> one = tried(name, others);
      if (one.isPresent()) {
        return one;
      }
    }
    return Optional.empty();
  }

  private Optional<Parameter> tried(String name, Optional<Object> others) {
    if (bound(name, "a", others).isPresent()) {
      return Optional.of(Parameter.of(name, Type.VARCHAR));
    }
    Optional<Relation> number = bound(name, MARK, others);
    if (number.isPresent()) {
      Type otherwise = bound(name, HALF, others).isPresent() ? NUMBER : Type.BIGINT;
      Type type = compared(number.get(), BigDecimal.valueOf(MARK)).orElse(otherwise);
      return Optional.of(Parameter.of(name, type));
    }
    if (bound(name, HALF, others).isPresent()) {
      return Optional.of(new Parameter(name, NUMBER, HALF));
    }
    Optional<Relation> moment = bound(name, MOMENT, others);
    if (moment.isPresent()) {
      return Optional.of(Parameter.of(name, compared(moment.get(), MOMENT).orElse(Type.TIMESTAMP)));
    }
    for (Type type : List.of(Type.BOOLEAN, Type.TIME, Type.UUID)) {
      if (bound(name, sample(type), others).isPresent()) {
        return Optional.of(Parameter.of(name, type));
      }
    }
    // A unit of time, and a length of it.
    for (String text : List.of("day", "1 day")) {
      if (bound(name, text, others).isPresent()) {
        return Optional.of(new Parameter(name, Type.VARCHAR, text));
      }
    }
    return Optional.empty();
  }

  /** What the question means with a value for one parameter; nothing when it is refused. */
  private Optional<Relation> bound(String name, Object value, Optional<Object> others) {
    BoundText text =
        BoundText.of(
            parameters,
            one ->
                one.equals(name)
                    ? value
                    : found.containsKey(one) ? found.get(one).sample() : others.orElse(null));
    try {
      return Optional.of(binder.bind(text.sql()));
    } catch (Rejection e) {
      if (NOT_ABOUT_TYPES.contains(e.code())) {
        throw e.at().map(at -> e.movedTo(text.original(at))).orElse(e);
      }
      return Optional.empty();
    }
  }

  /** The type of what a constant is compared with, before that was converted. */
  private static Optional<Type> compared(Relation relation, Object value) {
    List<Type> types = new ArrayList<>();
    Tree.visit(
        relation,
        each ->
            Tree.expressions(
                each,
                whole ->
                    Tree.parts(
                        whole,
                        part -> {
                          if (part instanceof Expr.Call call
                              && call.type().kind() == Type.Kind.BOOLEAN
                              && call.arguments().stream().anyMatch(a -> is(a, value))) {
                            call.arguments().stream()
                                .filter(a -> !(a instanceof Expr.Literal))
                                .map(a -> a instanceof Expr.Cast c ? c.operand() : a)
                                .map(Expr::type)
                                .forEach(types::add);
                          }
                        })));
    return types.stream().findFirst();
  }

  private static boolean is(Expr expr, Object value) {
    return expr instanceof Expr.Cast cast
        ? is(cast.operand(), value)
        : expr instanceof Expr.Literal literal
            && (literal.value() instanceof BigDecimal number && value instanceof BigDecimal other
                ? number.compareTo(other) == 0
                : literal.value() instanceof Double real && value instanceof BigDecimal mark
                    ? real == mark.doubleValue()
                    : value.equals(literal.value()));
  }

  private static Object sample(Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> true;
      case SMALLINT, INTEGER, BIGINT, DECIMAL -> BigDecimal.ONE;
      case DOUBLE -> 1.0;
      case DATE -> MOMENT.toLocalDate();
      case TIME -> LocalTime.NOON;
      case TIMESTAMP -> LocalDate.of(2000, 1, 1).atStartOfDay();
      case UUID -> new UUID(0, 0);
      case INTERVAL_MONTHS, INTERVAL_MICROS -> "1 day";
      case VARCHAR, OPAQUE, NULL -> "a";
    };
  }
}
