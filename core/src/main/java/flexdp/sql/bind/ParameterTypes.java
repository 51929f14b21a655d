package flexdp.sql.bind;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.sql.parse.ParameterSubstitution;
import flexdp.sql.parse.SqlParameters;
import flexdp.sql.parse.SqlParameters.Place;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Collectors;

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

  /** More are looked at together: long lists are of one type. */
  private static final int MOST_ALONE = 50;

  /** What is not found by then is text: one question must not keep others waiting. */
  private static final int MOST_TRIES = 2_000;

  private static final long MOST_READ = 4_000_000;

  private final SqlParameters parameters;
  private final SqlBinder binder;
  private int tries;
  private long read;
  private final Map<String, Parameter> found = new LinkedHashMap<>();

  private ParameterTypes(SqlParameters parameters, SqlBinder binder) {
    this.parameters = parameters;
    this.binder = binder;
  }

  /**
   * @param declared types that the caller has decided, by name
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
    List<String> open =
        parameters.names().stream().filter(name -> !types.found.containsKey(name)).toList();
    if (open.size() > MOST_ALONE) {
      types.together(open);
    }
    Set<String> standing =
        parameters.places().stream().map(Place::name).collect(Collectors.toSet());
    List<Parameter> all = new ArrayList<>();
    for (String name : parameters.names()) {
      all.add(types.parameter(name, standing.contains(name)));
    }
    return all;
  }

  /** All of them as texts, as numbers or as moments, if that is understood. */
  private void together(List<String> names) {
    Map<String, Object> marks = new HashMap<>();
    names.forEach(name -> marks.put(name, MARK + marks.size()));
    if (bound(name -> "a").isPresent()) {
      names.forEach(name -> found.put(name, Parameter.of(name, Type.VARCHAR)));
      return;
    }
    Optional<Relation> numbers = bound(marks::get);
    Optional<Relation> moments = numbers.isPresent() ? Optional.empty() : bound(name -> MOMENT);
    Map<Object, Type> types =
        numbers.or(() -> moments).map(ParameterTypes::compared).orElse(Map.of());
    if (numbers.isPresent() || moments.isPresent()) {
      for (String name : names) {
        Type type =
            numbers.isPresent()
                ? types.getOrDefault(form(marks.get(name)), NUMBER)
                : types.getOrDefault(MOMENT, Type.TIMESTAMP);
        found.put(name, Parameter.of(name, type));
      }
    }
  }

  private Parameter parameter(String name, boolean stands) {
    Parameter known = found.get(name);
    if (known == null) {
      Optional<Parameter> one = stands ? tried(name) : Optional.empty();
      known = one.orElseGet(() -> Parameter.of(name, Type.VARCHAR));
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
      Type type = compared(number.get()).getOrDefault(form(MARK), otherwise);
      return Optional.of(Parameter.of(name, type));
    }
    if (bound(name, HALF, others).isPresent()) {
      return Optional.of(new Parameter(name, NUMBER, HALF));
    }
    Optional<Relation> moment = bound(name, MOMENT, others);
    if (moment.isPresent()) {
      Type type = compared(moment.get()).getOrDefault(MOMENT, Type.TIMESTAMP);
      return Optional.of(Parameter.of(name, type));
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
    return bound(one -> one.equals(name) ? value : others.orElse(null));
  }

  /**
   * @param value of a parameter that was not found yet
   */
  private Optional<Relation> bound(Function<String, Object> value) {
    if (tries++ > MOST_TRIES || read > MOST_READ) {
      return Optional.empty();
    }
    ParameterSubstitution text =
        ParameterSubstitution.of(
            parameters,
            name -> found.containsKey(name) ? found.get(name).sample() : value.apply(name));
    read += text.sql().length();
    try {
      return Optional.of(binder.bind(text.sql()));
    } catch (Rejection e) {
      if (NOT_ABOUT_TYPES.contains(e.code())) {
        throw e.at().map(at -> e.movedTo(text.original(at))).orElse(e);
      }
      return Optional.empty();
    }
  }

  /** By constants, the types of what they are compared with, before that was converted. */
  private static Map<Object, Type> compared(Relation relation) {
    Map<Object, Type> types = new HashMap<>();
    AlgebraWalker.visit(
        relation,
        each ->
            AlgebraWalker.expressions(
                each, whole -> AlgebraWalker.parts(whole, part -> compared(part, types))));
    return types;
  }

  private static void compared(Expr part, Map<Object, Type> types) {
    if (!(part instanceof Expr.Call call) || call.type().kind() != Type.Kind.BOOLEAN) {
      return;
    }
    List<Expr> bare = call.arguments().stream().map(ParameterTypes::bare).toList();
    Optional<Expr> other = bare.stream().filter(a -> !(a instanceof Expr.Literal)).findFirst();
    for (Expr expr : bare) {
      if (other.isPresent() && expr instanceof Expr.Literal literal && !literal.isNull()) {
        types.putIfAbsent(form(literal.value()), other.get().type());
      }
    }
  }

  private static Expr bare(Expr expr) {
    return expr instanceof Expr.Cast cast ? cast.operand() : expr;
  }

  /** Numbers are the same in all types. */
  private static Object form(Object value) {
    return value instanceof Number number
        ? new BigDecimal(number.toString()).stripTrailingZeros()
        : value;
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
