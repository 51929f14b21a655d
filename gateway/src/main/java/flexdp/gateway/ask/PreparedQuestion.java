package flexdp.gateway.ask;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.Wording;
import flexdp.question.Question;
import flexdp.sql.bind.ParameterTypes.Parameter;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;

/**
 * A question whose constants are left open: {@code $1}, {@code $2} … or {@code :name} may stand
 * wherever a constant may. It was accepted with values of the types that it wants. A value can
 * still make it unacceptable, and asking then refuses it.
 *
 * <pre>{@code
 * PreparedQuestion trips = flexdp.prepare("SELECT COUNT(*) FROM trips WHERE status = :status");
 * AnalystView completed = flexdp.ask(trips.bind(Map.of("status", "completed")));
 * }</pre>
 */
public final class PreparedQuestion {
  private final Ask ask;
  private final Wording dialect;
  private final List<Parameter> parameters;
  private final List<Question.ResultColumn> columns;

  public PreparedQuestion(
      Ask ask, Wording dialect, List<Parameter> parameters, List<Question.ResultColumn> columns) {
    this.ask = ask;
    this.dialect = dialect;
    this.parameters = List.copyOf(parameters);
    this.columns = List.copyOf(columns);
  }

  /** The columns that an answer will have. */
  public List<Question.ResultColumn> columns() {
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
  public Ask bind(Object... values) {
    return bind(Arrays.asList(values));
  }

  /** The same with a list of values. */
  public Ask bind(List<?> values) {
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

  /** The same with values by the parameters' names; a number is a name too. */
  public Ask bind(Map<String, ?> values) {
    return bound(values, ParameterValue::checked);
  }

  /** The same, where texts are read as what is wanted: 2024-05-01, 12.50, true. */
  public Ask parse(Map<String, ?> values) {
    return bound(
        values,
        (parameter, value) ->
            value instanceof String text
                ? ParameterValue.parsed(parameter, text)
                : ParameterValue.checked(parameter, value));
  }

  private <T> Ask bound(Map<String, T> values, BiFunction<Parameter, T, Object> reader) {
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
    return ask.with(read::get, dialect);
  }

  static String shown(String name) {
    return (!name.isEmpty() && Character.isDigit(name.charAt(0)) ? "$" : ":") + name;
  }
}
