package flexdp.gateway.agree;

import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.AnalystView;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What FlexDP answers where ε leaves hardly any noise, with error bars, and what the database
 * itself says. A bar without width holds the truth; of one that has some, ten times it does: the
 * chance that noise is beyond that is below 10⁻¹².
 */
final class AskedAgreement implements AutoCloseable {
  private static final BigDecimal BARS = BigDecimal.TEN;

  /** How much more may be cut off than is likely. */
  private static final BigDecimal CUTS = BigDecimal.valueOf(3);

  private static final Pattern CUT = Pattern.compile("likely at most (\\d+(?:\\.\\d+)?)");

  private final String name;
  private final FlexDp flexdp;
  private final Connection own;
  private final TreeMap<String, Integer> refused = new TreeMap<>();
  private int agreed;
  private int unknown;
  private String last = "";
  private boolean uncut = true;

  /**
   * @param url where FlexDP asks
   * @param own asks the same rows by itself
   */
  AskedAgreement(String name, String policy, String url, Connection own) throws IOException {
    this.name = name;
    this.own = own;
    Path folder = Files.createTempDirectory("asked");
    Path file = folder.resolve("policy.yaml");
    Files.writeString(file, policy);
    this.flexdp = Setup.of(file).database(url).open();
  }

  /** People may have more rows than they count for. */
  AskedAgreement ofPeople() {
    uncut = false;
    return this;
  }

  int agreed() {
    return agreed;
  }

  /** How many questions were refused, or not known to the database. */
  int left() {
    return unknown + refused.values().stream().mapToInt(n -> n).sum();
  }

  String summary() {
    return name
        + ": asked "
        + agreed
        + ", unknown "
        + unknown
        + " ("
        + last
        + "), refused "
        + refused;
  }

  /** Of several aggregates in one question, or in several where one of them cannot be asked. */
  List<String> together(List<String> aggregates) {
    if (aggregates.isEmpty()) {
      return List.of();
    }
    StringBuilder sql = new StringBuilder("SELECT ");
    for (int i = 0; i < aggregates.size(); i++) {
      sql.append(i == 0 ? "" : ", ").append(aggregates.get(i)).append(" AS v").append(i);
    }
    sql.append(" FROM t");
    Optional<List<List<String>>> truth = truth(sql.toString());
    Optional<AnalystView> view = Optional.empty();
    if (truth.isPresent()) {
      try {
        view = Optional.of(asked(sql.toString()));
      } catch (Rejection e) {
        if (aggregates.size() == 1) {
          refused.merge(e.codeName(), 1, Integer::sum);
          return List.of();
        }
      } catch (Failure e) {
        if (aggregates.size() == 1) {
          return List.of(name + ": " + sql + " fails: " + e.message());
        }
      }
    } else if (aggregates.size() == 1) {
      unknown++;
      return List.of();
    }
    if (view.isEmpty()) {
      int half = aggregates.size() / 2;
      List<String> wrong = new ArrayList<>(together(aggregates.subList(0, half)));
      wrong.addAll(together(aggregates.subList(half, aggregates.size())));
      return wrong;
    }
    List<String> wrong = new ArrayList<>();
    for (int i = 0; i < aggregates.size(); i++) {
      different(aggregates.get(i), view.get(), 0, i, truth.get().getFirst().get(i))
          .ifPresent(wrong::add);
    }
    return wrong;
  }

  /** Of a whole question, row by row; what explain accepts is answered, and nothing else. */
  List<String> whole(String sql) {
    return whole(sql, sql);
  }

  /**
   * Compares whole answers where the database is asked in other words.
   *
   * @param plain what it is asked
   */
  List<String> whole(String sql, String plain) {
    Optional<List<List<String>>> truth = truth(plain);
    if (truth.isEmpty()) {
      unknown++;
      return List.of();
    }
    String explained = explained(sql);
    AnalystView view;
    try {
      view = asked(sql);
    } catch (Rejection e) {
      refused.merge(e.codeName() + " " + sql, 1, Integer::sum);
      return explained.equals(e.codeName())
          ? List.of()
          : List.of(name + ": " + sql + " is " + explained + " by explain, by ask " + e.codeName());
    } catch (Failure e) {
      return List.of(name + ": " + sql + " fails: " + e.message());
    }
    if (!explained.isEmpty()) {
      return List.of(name + ": " + sql + " is " + explained + " by explain, and answered");
    }
    List<List<String>> right = uncut ? truth.get() : shown(view, truth.get());
    if (view.rows().size() != right.size()) {
      return List.of(name + ": " + sql + " gives " + view.rows() + " and not " + truth.get());
    }
    List<String> wrong = new ArrayList<>();
    for (int row = 0; row < view.rows().size(); row++) {
      for (int i = 0; i < view.columns().size(); i++) {
        different(sql, view, row, i, right.get(row).get(i)).ifPresent(wrong::add);
      }
    }
    return wrong;
  }

  /**
   * Where one person counts for fewer rows than she has, a group of few rows may be gone: those
   * that are shown.
   */
  private static List<List<String>> shown(AnalystView view, List<List<String>> truth) {
    int n = view.columns().stream().map(c -> c.column().name()).toList().indexOf("n");
    if (n <= 0 || view.rows().size() >= truth.size()) {
      return truth;
    }
    Set<List<String>> labels = new HashSet<>();
    view.rows()
        .forEach(row -> labels.add(row.subList(0, n).stream().map(Agreement::shown).toList()));
    return truth.stream()
        .filter(row -> labels.contains(row.subList(0, n)) || !row.get(n).matches("[123]"))
        .toList();
  }

  /** What stands beside an answer. */
  String noted(String sql) {
    return asked(sql).derived().orElse("");
  }

  /** Why it would be refused; empty if it would be answered. */
  private String explained(String sql) {
    try {
      flexdp.explain(flexdp.question(sql));
      return "";
    } catch (Rejection e) {
      return e.codeName();
    }
  }

  private AnalystView asked(String sql) {
    return flexdp.ask(flexdp.question(sql).withIntervals(true));
  }

  private Optional<String> different(
      String what, AnalystView view, int row, int column, String truth) {
    String ours = Agreement.shown(view.rows().get(row).get(column));
    boolean right =
        view.interval(row, column)
            .map(bar -> Agreement.same(ours, truth) || holds(bar, truth) || isCut(view, bar, truth))
            .orElseGet(() -> Agreement.same(ours, truth));
    if (right) {
      agreed++;
      return Optional.empty();
    }
    return Optional.of(
        "%s: %s, row %d: %s %s and not %s"
            .formatted(name, what, row, ours, view.interval(row, column), truth));
  }

  /** Bars of what people count for say nothing of what is cut off; the notes say how much. */
  private boolean isCut(AnalystView view, AnalystView.Bar bar, String truth) {
    String notes = view.derived().orElse("");
    if (uncut || !notes.contains("capped numbers") || !truth.matches("-?[0-9.]+")) {
      return false;
    }
    Matcher most = CUT.matcher(notes);
    BigDecimal slack = BigDecimal.ZERO;
    while (most.find()) {
      slack = slack.max(new BigDecimal(most.group(1)));
    }
    slack = slack.multiply(CUTS);
    BigDecimal value = new BigDecimal(truth);
    return value.compareTo(bar.low().subtract(slack)) >= 0
        && value.compareTo(bar.high().add(slack)) <= 0;
  }

  private static boolean holds(AnalystView.Bar bar, String truth) {
    if (!truth.matches("-?[0-9.]+")) {
      return false;
    }
    BigDecimal more = bar.high().subtract(bar.low()).multiply(BARS);
    BigDecimal value = new BigDecimal(truth);
    return value.compareTo(bar.low().subtract(more)) >= 0
        && value.compareTo(bar.high().add(more)) <= 0;
  }

  /** Empty where the database does not know the words, or fails at a row. */
  private Optional<List<List<String>>> truth(String sql) {
    try (Statement statement = own.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<String>> rows = new ArrayList<>();
      while (result.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= result.getMetaData().getColumnCount(); i++) {
          row.add(Agreement.shown(result, i));
        }
        rows.add(row);
      }
      return Optional.of(rows);
    } catch (SQLException e) {
      last = e.getMessage();
      return Optional.empty();
    }
  }

  @Override
  public void close() {
    flexdp.close();
  }
}
