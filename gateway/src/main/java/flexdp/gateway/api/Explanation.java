package flexdp.gateway.api;

import flexdp.budget.ChargedPartitions;
import flexdp.query.DpQuery;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.stream.Collectors;

/**
 * What an analyst may know before asking. It names private max frequencies without showing them.
 *
 * @param tables the protected tables that would be charged, and kinds of people as people:NAME
 * @param operators the rule applied at each operator, outermost first, indented by depth
 * @param errors how wrong each noisy column of the result will be
 * @param hint what to do when no mechanism is usable yet; empty otherwise
 * @param parts by table, the parts of it that would be charged; one that is missing is charged as a
 *     whole
 * @param ranges that will be found first, which is part of what it costs
 */
public record Explanation(
    List<DpQuery.ResultColumn> columns,
    String labels,
    Set<String> tables,
    BigDecimal epsilon,
    BigDecimal delta,
    List<String> operators,
    List<Aggregate> noise,
    List<ColumnError> errors,
    String hint,
    SortedMap<String, ChargedPartitions> parts,
    List<ToFind> ranges) {
  private static final int MOST_NAMED = 12;

  /** Of a question that has its ranges. */
  public Explanation(
      List<DpQuery.ResultColumn> columns,
      String labels,
      Set<String> tables,
      BigDecimal epsilon,
      BigDecimal delta,
      List<String> operators,
      List<Aggregate> noise,
      List<ColumnError> errors,
      String hint,
      SortedMap<String, ChargedPartitions> parts) {
    this(columns, labels, tables, epsilon, delta, operators, noise, errors, hint, parts, List.of());
  }

  /**
   * A range that nobody declared and that will be found.
   *
   * @param of what the values are called
   * @param finding the ε of the noisy counts that say it
   * @param counting the ε of how many values lie outside
   * @param moved how far one step moves the noisy counts; absent where people are protected
   */
  public record ToFind(
      String of, BigDecimal finding, BigDecimal counting, Optional<BigDecimal> moved) {
    /** The error in words. */
    public String words() {
      return of
          + " has no declared range: epsilon "
          + plain(finding)
          + " finds one from noisy counts"
          + moved.map(m -> ", which one row moves by " + plain(m) + ",").orElse("")
          + " and "
          + plain(counting)
          + " counts the values outside; or write LEAST(GREATEST("
          + (of.contains(" ") ? "x" : of)
          + ", low), high)";
    }

    private static String plain(BigDecimal number) {
      return number.stripTrailingZeros().toPlainString();
    }
  }

  /**
   * This explanation before ranges are found: what depends on them is known with the answer alone.
   *
   * @param all what the answer and its ranges cost together
   */
  public Explanation finding(BigDecimal all, List<ToFind> some) {
    List<Aggregate> unknown = noise.stream().map(Explanation::unknown).toList();
    Set<String> counted =
        columns.stream()
            .filter(c -> c.aggregate().equals("COUNT"))
            .map(c -> c.column().name())
            .collect(Collectors.toSet());
    List<ColumnError> known =
        errors.stream().map(e -> counted.contains(e.column()) ? e : unknown(e)).toList();
    return new Explanation(
        columns, labels, tables, all, delta, operators, unknown, known, hint, parts, some);
  }

  private static Aggregate unknown(Aggregate one) {
    return one.part().equals("count")
        ? one
        : new Aggregate(
            one.column(),
            one.aggregate(),
            one.part(),
            "in proportion to the range that is found",
            one.mechanism(),
            one.epsilon(),
            Optional.empty());
  }

  private static ColumnError unknown(ColumnError one) {
    return new ColumnError(
        one.column(),
        Optional.empty(),
        "known with the answer: in proportion to the range that is found; ask with --intervals");
  }

  public Explanation {
    columns = List.copyOf(columns);
    operators = List.copyOf(operators);
    noise = List.copyOf(noise);
    errors = List.copyOf(errors);
    ranges = List.copyOf(ranges);
  }

  /** What would be charged, each table with its parts; empty if nothing is. */
  public String charged() {
    return String.join(", ", charged(tables, parts));
  }

  /** Tables, each with its parts where not all of it is charged. */
  public static List<String> charged(Set<String> tables, Map<String, ChargedPartitions> parts) {
    return tables.stream()
        .map(
            table ->
                parts.containsKey(table)
                    ? table + " (" + words(parts.get(table).names()) + ")"
                    : table)
        .toList();
  }

  private static String words(Set<String> names) {
    return names.size() <= MOST_NAMED
        ? "only " + String.join(", ", names)
        : "only " + names.size() + " parts";
  }

  /**
   * How wrong a column will be, with probability 95 %.
   *
   * @param error half the width of its error bars, where that is known before the answer is
   * @param words the same for people: what it means, or why it is not known and what would help
   * @param foretold about how much of the column will be noise, where released numbers say it
   */
  public record ColumnError(
      String column, Optional<BigDecimal> error, String words, Optional<Foretold> foretold) {
    /** Of which nothing is foretold. */
    public ColumnError(String column, Optional<BigDecimal> error, String words) {
      this(column, error, words, Optional.empty());
    }
  }

  /**
   * About how much of a column will be noise, by the policy, the question and released numbers.
   *
   * @param noise about half the width of its error bars, in the middle of all cells
   * @param value about what a cell holds, if rows are spread evenly
   * @param share the one as a part of the other; absent where most cells will show no number, since
   *     nothing of them stands out of the noise
   * @param cells how many there will be
   * @param cut about which part of the value will be missing, as people have it beyond τ
   * @param warning why it will be noise, or lack much, and what would help; empty where it will not
   */
  public record Foretold(
      BigDecimal noise,
      BigDecimal value,
      Optional<BigDecimal> share,
      long cells,
      BigDecimal cut,
      String warning) {
    /** This forecast of a number of which a part will be missing. */
    public Foretold cut(BigDecimal part) {
      return new Foretold(noise, value, share, cells, part, warning);
    }

    /** This forecast with a warning, if it has none. */
    public Foretold warned(String words) {
      return warning.isEmpty() ? new Foretold(noise, value, share, cells, cut, words) : this;
    }
  }

  /** What should be known before paying: which columns will be noise, or lack much. */
  public List<String> warnings() {
    return errors.stream()
        .flatMap(
            e ->
                e.foretold().stream()
                    .filter(f -> !f.warning().isEmpty())
                    .map(f -> e.column() + ": " + f.warning()))
        .toList();
  }

  /**
   * The noise of one measurement.
   *
   * @param formula the sensitivity, with symbols such as mf(trips.driver_id)
   * @param mechanism absent when none is usable yet
   * @param error half the width of a 95 % interval, where that is public
   */
  public record Aggregate(
      Optional<String> column,
      String aggregate,
      String part,
      String formula,
      Optional<String> mechanism,
      BigDecimal epsilon,
      Optional<BigDecimal> error) {}
}
