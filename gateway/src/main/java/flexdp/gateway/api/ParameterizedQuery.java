package flexdp.gateway.api;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.sql.bind.ParameterTypes.Parameter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.BiFunction;

/**
 * A question whose constants are left open: {@code $1}, {@code $2} … or {@code :name} may stand
 * wherever a constant may. It was accepted with values of the types that it wants. A value can
 * still make it unacceptable, and asking then refuses it.
 *
 * <pre>{@code
 * ParameterizedQuery trips = flexdp.prepare("SELECT COUNT(*) FROM trips WHERE status = :status");
 * AnalystView completed = flexdp.ask(trips.bind(Map.of("status", "completed")));
 * }</pre>
 */
public final class ParameterizedQuery {
  private final QueryRequest request;
  private final InputDialect dialect;
  private final List<Parameter> parameters;
  private final List<DpQuery.ResultColumn> columns;

  public ParameterizedQuery(
      QueryRequest request,
      InputDialect dialect,
      List<Parameter> parameters,
      List<DpQuery.ResultColumn> columns) {
    this.request = request;
    this.dialect = dialect;
    this.parameters = List.copyOf(parameters);
    this.columns = List.copyOf(columns);
  }

  /** The columns that an answer will have. */
  public List<DpQuery.ResultColumn> columns() {
    return columns;
  }

  /** What values are wanted, by number, or by name in the order of the text. */
  public List<Parameter> parameters() {
    return parameters;
  }

  /**
   * What may be asked, with a value for each parameter in their order: null, Boolean, a number,
   * String, LocalDate, LocalTime, LocalDateTime or UUID. It means what the text means that has
   * these constants written out, so an answer to that one is an answer to this.
   *
   * @throws ConfigurationError when values are missing, left over or of another type
   */
  public QueryRequest bind(Object... values) {
    return bind(Arrays.asList(values));
  }

  /** The question with values in the order of its parameters. */
  public QueryRequest bind(List<?> values) {
    if (values.size() != parameters.size()) {
      throw ConfigurationError.of(
          Code.BAD_REQUEST,
          "the question has "
              + parameters.size()
              + " parameters. Provided values: "
              + values.size());
    }
    Map<String, Object> named = new LinkedHashMap<>();
    for (int i = 0; i < values.size(); i++) {
      named.put(parameters.get(i).name(), values.get(i));
    }
    return bound(named, ParameterValue::checked);
  }

  /** The question with values by the parameters' names; a number is a name too. */
  public QueryRequest bind(Map<String, ?> values) {
    return bound(values, ParameterValue::checked);
  }

  /**
   * The question with values read from text, as the types that are wanted: 2024-05-01, 12.50, true.
   */
  public QueryRequest parse(Map<String, ?> values) {
    return bound(
        values,
        (parameter, value) ->
            value instanceof String text
                ? ParameterValue.parsed(parameter, text)
                : ParameterValue.checked(parameter, value));
  }

  private <T> QueryRequest bound(Map<String, T> values, BiFunction<Parameter, T, Object> reader) {
    Map<String, Object> read = new HashMap<>();
    for (Parameter parameter : parameters) {
      String name = parameter.name();
      if (!values.containsKey(name)) {
        throw ConfigurationError.of(
            Code.BAD_REQUEST, "there is no value for the parameter " + shown(name));
      }
      T value = values.get(name);
      read.put(name, value == null ? null : reader.apply(parameter, value));
    }
    for (String name : values.keySet()) {
      if (!read.containsKey(name)) {
        throw ConfigurationError.of(
            Code.BAD_REQUEST, "the question has no parameter " + shown(name));
      }
    }
    return request.with(read::get, dialect);
  }

  static String shown(String name) {
    return (!name.isEmpty() && Character.isDigit(name.charAt(0)) ? "$" : ":") + name;
  }

  /** Values of parameters, which have to be of the type that is wanted. NULL is of every type. */
  private static final class ParameterValue {
    private static final int LONGEST_NUMBER = 1_000;

    private ParameterValue() {}

    /** The value itself, when it fits. */
    static Object checked(Parameter parameter, Object value) {
      if (value == null || fits(parameter.type(), value)) {
        return value;
      }
      throw wrong(parameter, "Provided value: " + kind(value));
    }

    private static boolean fits(Type type, Object value) {
      return switch (type.kind()) {
        case BOOLEAN -> value instanceof Boolean;
        case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> isNumber(value);
        case DATE, TIMESTAMP -> value instanceof LocalDate || value instanceof LocalDateTime;
        case TIME -> value instanceof LocalTime;
        case UUID -> value instanceof UUID;
        case VARCHAR, INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE, NULL -> value instanceof String;
      };
    }

    private static boolean isNumber(Object value) {
      return switch (value) {
        case Byte ignored -> true;
        case Short ignored -> true;
        case Integer ignored -> true;
        case Long ignored -> true;
        case BigInteger ignored -> true;
        // Written out, a number with a large exponent would fill the memory.
        case BigDecimal n -> Math.abs((long) n.scale()) + n.precision() <= LONGEST_NUMBER;
        case Float n -> Float.isFinite(n);
        case Double n -> Double.isFinite(n);
        default -> false;
      };
    }

    /** A value as people type it. */
    static Object parsed(Parameter parameter, String text) {
      try {
        return switch (parameter.type().kind()) {
          case BOOLEAN ->
              switch (text) {
                case "true" -> true;
                case "false" -> false;
                default -> throw new IllegalArgumentException();
              };
          case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> {
            if (text.length() > LONGEST_NUMBER) {
              throw new IllegalArgumentException();
            }
            yield checked(parameter, new BigDecimal(text));
          }
          case DATE, TIMESTAMP ->
              text.length() <= 10
                  ? LocalDate.parse(text)
                  : LocalDateTime.parse(text.replace(' ', 'T'));
          case TIME -> LocalTime.parse(text);
          case UUID -> UUID.fromString(text);
          case VARCHAR, INTERVAL_MONTHS, INTERVAL_MICROS, OPAQUE, NULL -> text;
        };
      } catch (IllegalArgumentException | DateTimeException e) {
        throw wrong(parameter, "Provided value: " + (text.length() > 40 ? "…" : text));
      }
    }

    private static ConfigurationError wrong(Parameter parameter, String provided) {
      return ConfigurationError.of(
          Code.BAD_REQUEST,
          "the parameter "
              + ParameterizedQuery.shown(parameter.name())
              + " must be of type "
              + parameter.type()
              + ". "
              + provided,
          "Give a value of that type, or write a cast into the question, as in CAST("
              + ParameterizedQuery.shown(parameter.name())
              + " AS varchar).");
    }

    private static String kind(Object value) {
      return "a " + value.getClass().getSimpleName();
    }
  }
}
