package flexdp.gateway.agree;

import flexdp.Analyzer;
import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.compute.Evaluator;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.gateway.ExactAnswer;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a database says to its own words, and what FlexDP says to them: computed by the database
 * from the SQL that is written for it, and by FlexDP itself as above the noise.
 */
final class Agreement implements AutoCloseable {
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);

  private final AgreeTestBed ground;
  private final Policy policy;
  private final Connection own;
  private final JdbcDatabase database;
  private Analyzer analyzer;
  private Analyzer hidden;
  private final List<List<Object>> rows;
  private final List<Column> columns;
  private int agreed;
  private final Map<String, Integer> refused = new TreeMap<>();
  private int unknown;
  private boolean askable;

  Agreement(AgreeTestBed ground) throws SQLException {
    this.ground = ground;
    this.policy = AgreeTable.policy(true).in(ground.wording());
    own = ground.writer();
    ground.inUtc(own);
    AgreeTable.create(ground, own);
    database = ground.open(own, policy);
    forget();
    Relation all = new SqlBinder(policy, NOW).bind("SELECT * FROM t");
    columns = all.columns();
    rows = ExactAnswer.of(analyzer, database, "SELECT * FROM t ORDER BY id").rows();
  }

  /** Plans are made anew. */
  void forget() {
    Metrics none = new Metrics(Map.of(), Map.of());
    analyzer = new Analyzer(policy, none, NOW);
    hidden = new Analyzer(AgreeTable.policy(false).in(ground.wording()), none, NOW);
  }

  /** The connection that asks by itself. */
  Connection own() {
    return own;
  }

  /** Whether what was looked at last was known to both. */
  boolean isAskable() {
    return askable;
  }

  int agreed() {
    return agreed;
  }

  /** How it went, in words. */
  String summary() {
    return ground.wording() + ": " + agreed + " agree, " + unknown + " unknown, refused " + refused;
  }

  /** What is said otherwise of an expression; nothing where all agree or it cannot be asked. */
  List<String> differences(String expression) {
    askable = false;
    List<String> wrong = new ArrayList<>();
    String sql = "SELECT id, " + expression + " AS v FROM t ORDER BY id";
    List<List<Object>> ours;
    try {
      ours = ExactAnswer.of(analyzer, database, sql).rows();
    } catch (Rejection e) {
      refused.merge(e.codeName(), 1, Integer::sum);
      return List.of();
    } catch (Failure e) {
      return List.of(ground.wording() + ": " + expression + " fails: " + e.message());
    }
    List<String> theirs = theirs(expression);
    if (theirs.isEmpty()) {
      unknown++;
      return List.of();
    }
    askable = true;
    List<String> above = above(expression);
    for (int i = 0; i < theirs.size(); i++) {
      Object value = ours.get(i).get(1);
      String below = shown(value);
      boolean failed = theirs.get(i).equals("fails");
      String right = failed ? "NULL" : theirs.get(i);
      if (!same(below, right) && !failed) {
        wrong.add(
            "%s: %s of row %d is %s and not %s"
                .formatted(ground.wording(), expression, i + 1, below, right));
      } else if (!above.isEmpty() && !same(above.get(i), below)) {
        wrong.add(
            "%s: %s of row %d is %s above and %s below"
                .formatted(ground.wording(), expression, i + 1, above.get(i), below));
      } else {
        agreed++;
      }
    }
    return wrong;
  }

  /** What is said otherwise of an aggregate of some of the rows. */
  List<String> aggregated(String aggregate, String condition) {
    return one(analyzer, "SELECT " + aggregate + " AS v FROM t WHERE " + condition);
  }

  /** How many rows make a condition true, counted as among rows that nobody may see. */
  List<String> counted(String condition) {
    return one(hidden, "SELECT COUNT(*) AS v FROM t WHERE " + condition);
  }

  private List<String> one(Analyzer how, String sql) {
    try {
      String theirs = read(sql).getFirst();
      String ours = shown(ExactAnswer.of(how, database, sql).rows().getFirst().getFirst());
      agreed++;
      return same(ours, theirs)
          ? List.of()
          : List.of(ground.wording() + ": " + sql + " is " + ours + " and not " + theirs);
    } catch (SQLException e) {
      unknown++;
    } catch (Rejection e) {
      refused.merge(e.codeName(), 1, Integer::sum);
    }
    return List.of();
  }

  /** In which order the rows come, of which the first ones are taken. */
  List<String> orderings(String by) {
    String sql = "SELECT id FROM t ORDER BY " + by + ", id LIMIT 5";
    List<String> ours = new ArrayList<>();
    for (List<Object> row : ExactAnswer.of(analyzer, database, sql).rows()) {
      ours.add(shown(row.getFirst()));
    }
    List<String> theirs = new ArrayList<>();
    try (Statement statement = own.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        theirs.add(shown(result, 1));
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    agreed += ours.equals(theirs) ? 1 : 0;
    return ours.equals(theirs)
        ? List.of()
        : List.of(ground.wording() + ": " + sql + " gives " + ours + " and not " + theirs);
  }

  /** Of every row; "fails" where the database does, which is NULL here. Empty if none is read. */
  private List<String> theirs(String expression) {
    try {
      return read("SELECT " + expression + " FROM t ORDER BY id");
    } catch (SQLException e) {
      List<String> each = new ArrayList<>();
      boolean any = false;
      for (int id = 1; id <= AgreeTable.SIZE; id++) {
        try {
          each.addAll(read("SELECT " + expression + " FROM t WHERE id = " + id));
          any = true;
        } catch (SQLException failed) {
          each.add("fails");
        }
      }
      return any ? each : List.of();
    }
  }

  private List<String> read(String sql) throws SQLException {
    List<String> values = new ArrayList<>();
    try (Statement statement = own.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      while (result.next()) {
        values.add(shown(result, 1));
      }
    }
    return values;
  }

  /** As it is computed of noisy values and labels; empty where that is not done. */
  private List<String> above(String expression) {
    Relation bound = new SqlBinder(policy, NOW).bind("SELECT " + expression + " AS v FROM t");
    if (!(bound instanceof Relation.Project project)
        || !flexdp.compute.EvaluableExpressions.is(project.outputs().getFirst().expr())) {
      return List.of();
    }
    List<Column> read = new ArrayList<>();
    for (Column column : project.input().columns()) {
      read.add(column);
    }
    Evaluator.Value value = new Evaluator(read).compile(project.outputs().getFirst().expr());
    List<String> values = new ArrayList<>();
    for (List<Object> row : rows) {
      List<Object> picked = new ArrayList<>();
      for (Column column : read) {
        picked.add(row.get(index(column.name())));
      }
      values.add(shown(value.on(picked)));
    }
    return values;
  }

  private int index(String name) {
    for (int i = 0; i < columns.size(); i++) {
      if (columns.get(i).name().equals(name)) {
        return i;
      }
    }
    throw new IllegalStateException(name);
  }

  /**
   * Moments as the database has them: drivers read them in the gateway's zone, and DuckDB's takes
   * one hour for another where clocks there are set back.
   */
  static String shown(ResultSet result, int column) throws SQLException {
    Object value = result.getObject(column);
    return switch (value) {
      case java.sql.Timestamp ignored -> moment(result.getObject(column, LocalDateTime.class));
      case java.sql.Date ignored -> shown(result.getObject(column, LocalDate.class));
      case OffsetDateTime ignored -> {
        try (Elsewhere utc = new Elsewhere("UTC", Locale.getDefault().toLanguageTag())) {
          OffsetDateTime time = result.getObject(column, OffsetDateTime.class);
          yield moment(LocalDateTime.ofInstant(time.toInstant(), ZoneOffset.UTC));
        }
      }
      case byte[] text -> new String(text, StandardCharsets.UTF_8);
      case null, default -> shown(value);
    };
  }

  static String shown(Object value) {
    return switch (value) {
      case null -> "NULL";
      case Boolean truth -> truth ? "1" : "0";
      case BigDecimal number -> number.stripTrailingZeros().toPlainString();
      case Double number when !Double.isFinite(number) -> "NULL";
      case Number number -> new BigDecimal(number.toString()).stripTrailingZeros().toPlainString();
      case LocalDateTime time -> moment(time);
      default -> value.toString();
    };
  }

  /** At midnight like a day: some databases make moments of days, others days of moments. */
  private static String moment(LocalDateTime time) {
    boolean midnight = time.toLocalTime().toNanoOfDay() == 0;
    return midnight ? time.toLocalDate().toString() : time.toString().replace('T', ' ');
  }

  /** Floats agree to nine digits; text that shows a moment agrees with it. */
  static boolean same(String a, String b) {
    if (a.equals(b) || time(a).equals(time(b))) {
      return true;
    }
    try {
      double one = Double.parseDouble(a);
      double two = Double.parseDouble(b);
      return Math.abs(one - two) <= 1e-9 * Math.max(Math.abs(one), Math.abs(two));
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private static String time(String text) {
    return text.matches("\\d{4}-\\d\\d-\\d\\d[ T].*")
        ? text.replace('T', ' ')
            .replaceFirst("([+]00(:00)?|Z)$", "")
            .replaceFirst("\\.0*$", "")
            .replaceFirst(" 00:00(:00)?$", "")
            .replaceFirst("( \\d\\d:\\d\\d):00$", "$1")
        : text;
  }

  @Override
  public void close() throws Exception {
    database.close();
    own.close();
    ground.close();
  }
}
