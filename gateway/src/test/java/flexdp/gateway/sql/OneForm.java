package flexdp.gateway.sql;

import flexdp.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.question.Question;
import flexdp.question.Questions;
import flexdp.sql.SqlBinder;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Equal means the same (guarantee D13), tried on a database: for any two columns of one type whose
 * values are equal, every function of them is equal too, also as text, whether rows meet by a join,
 * a group, DISTINCT or a window; and no value makes any of it fail.
 */
final class OneForm {
  private final JdbcDatabase database;
  private final Policy policy;
  private final List<String> log;
  private final List<String> faults = new ArrayList<>();
  private final Map<String, String> values = new HashMap<>();
  private int tried;

  /**
   * @param log where the database's own words about failures go
   */
  OneForm(JdbcDatabase database, Policy policy, List<String> log) {
    this.database = database;
    this.policy = policy;
    this.log = log;
  }

  /** Faults in words. */
  List<String> faults() {
    return List.copyOf(faults);
  }

  /** How many functions were tried on how many columns. */
  int tried() {
    return tried;
  }

  /** Tries all functions of all columns of a table, which has a column id. */
  void check(String name) {
    Table table = policy.tables().get(name);
    List<ColumnSpec> columns =
        table.columns().stream().filter(c -> !c.name().equals("id")).toList();
    for (ColumnSpec column : columns) {
      for (String function : FunctionsOfOne.of(column.type())) {
        try {
          alone(name, column.name(), function);
          for (ColumnSpec other : columns) {
            if (other.type().equals(column.type()) && other.name().compareTo(column.name()) > 0) {
              joined(name, column.name(), other.name(), function);
            }
          }
          tried++;
        } catch (Rejection e) {
          // Nothing is asked then.
        }
      }
    }
  }

  private static String on(String function, String column) {
    return "(" + function.replace("$", column) + ")";
  }

  private void joined(String table, String one, String two, String function) {
    String f = text(on(function, "a." + one));
    String g = text(on(function, "b." + two));
    expect(
        "0",
        "SELECT COUNT(*) FROM %s a JOIN %s b ON a.%s = b.%s WHERE %s IS DISTINCT FROM %s"
            .formatted(table, table, one, two, f, g));
  }

  private void alone(String table, String column, String function) {
    String f = on(function, column);
    expect(
        values.computeIfAbsent(
            table + "." + column,
            c ->
                one(
                    "SELECT COUNT(*) FROM (SELECT DISTINCT %s FROM %s) q"
                        .formatted(column, table))),
        "SELECT COUNT(*) FROM (SELECT DISTINCT %s, %s AS y FROM %s) q"
            .formatted(column, text(f), table));
    expect(
        one("SELECT COUNT(*) FROM (SELECT %s AS y FROM %s GROUP BY %s) q".formatted(f, table, f)),
        ("SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY %s ORDER BY id) AS r FROM"
                + " %s) q WHERE r = 1")
            .formatted(text(f), table));
  }

  /** What a function gives, as text; texts are so already. */
  private static String text(String sql) {
    return "CAST(" + sql + " AS varchar)";
  }

  private void expect(String expected, String sql) {
    String found = one(sql);
    if (!found.equals(expected)) {
      faults.add(sql + ": " + found + ", not " + expected);
    }
  }

  /** The exact number that a question asks for. */
  String one(String sql) {
    Question question =
        Questions.of(
            new SqlBinder(policy, LocalDateTime.of(2020, 1, 1, 0, 0)).bind(sql),
            policy,
            Optional.empty());
    String statement =
        new SqlRenderer(database.dialect(), database.catalog())
            .statements(question.releases().getFirst())
            .getFirst()
            .sql();
    List<String> found = new ArrayList<>();
    try (Session session = database.session()) {
      session.run(statement, row -> found.add(row.getString(1)));
    } catch (flexdp.DatabaseError e) {
      return "failed: " + log + " in " + statement;
    } finally {
      log.clear();
    }
    return found.getFirst();
  }
}
