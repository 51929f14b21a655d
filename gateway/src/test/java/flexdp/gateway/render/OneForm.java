package flexdp.gateway.render;

import flexdp.decompose.QueryDecomposer;
import flexdp.failure.DatabaseError;
import flexdp.failure.Rejection;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.query.DpQuery;
import flexdp.sql.bind.SqlBinder;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Equal means the same (guarantee §12), tried on a database: for any two columns of one type whose
 * values are equal, every function of them is equal too, also as text, whether rows meet by a join,
 * a group, DISTINCT or a window; and no value makes any of it fail.
 */
public final class OneForm {
  private static final int TOGETHER = 20;

  private final JdbcDatabase database;
  private final Policy policy;
  private final List<String> log;
  private final List<String> faults = new ArrayList<>();
  private int tried;

  /**
   * @param log where the database's own words about failures go
   */
  public OneForm(JdbcDatabase database, Policy policy, List<String> log) {
    this.database = database;
    this.policy = policy;
    this.log = log;
  }

  /** Faults in words. */
  public List<String> faults() {
    return List.copyOf(faults);
  }

  /** How many functions were tried on how many columns. */
  public int tried() {
    return tried;
  }

  /** Tries all functions of all columns of a table, which has a column id. */
  public void check(String name) {
    List<ColumnSpec> columns =
        policy.tables().get(name).columns().stream().filter(c -> !c.name().equals("id")).toList();
    for (ColumnSpec column : columns) {
      grouped(name, column.name());
      List<String> functions =
          FunctionsOfOne.of(column.type()).stream()
              .filter(f -> isAsked("SELECT COUNT(" + text(on(f, column.name())) + ") FROM " + name))
              .toList();
      tried += functions.size();
      for (ColumnSpec other : partners(column, columns)) {
        for (int i = 0; i < functions.size(); i += TOGETHER) {
          List<String> some = functions.subList(i, Math.min(i + TOGETHER, functions.size()));
          joined(name, column.name(), other.name(), some);
        }
      }
    }
  }

  /** The columns of its type that come after it, or itself if it is the only one. */
  private static List<ColumnSpec> partners(ColumnSpec column, List<ColumnSpec> columns) {
    List<ColumnSpec> alike = columns.stream().filter(c -> c.type().equals(column.type())).toList();
    return alike.size() == 1 ? alike : alike.subList(alike.indexOf(column) + 1, alike.size());
  }

  private boolean isAsked(String sql) {
    try {
      statement(sql);
      return true;
    } catch (Rejection e) {
      return false;
    }
  }

  private static String on(String function, String column) {
    return "(" + function.replace("$", column) + ")";
  }

  /** Rows that meet because two values are equal have the same text of every function of them. */
  private void joined(String table, String one, String two, List<String> functions) {
    String from = " FROM %s a JOIN %s b ON a.%s = b.%s".formatted(table, table, one, two);
    List<String> differences =
        functions.stream()
            .map(
                f ->
                    "COUNT(CASE WHEN %s IS DISTINCT FROM %s THEN 1 END)"
                        .formatted(text(on(f, "a." + one)), text(on(f, "b." + two))))
            .toList();
    List<String> found = all("SELECT " + String.join(", ", differences) + from);
    if (!found.stream().allMatch("0"::equals)) {
      if (functions.size() > 1) {
        functions.forEach(f -> joined(table, one, two, List.of(f)));
      } else {
        faults.add(differences.getFirst() + from + ": " + found);
      }
    }
  }

  /** However rows are grouped, there are as many groups; and none more when its text is added. */
  private void grouped(String table, String column) {
    String distinct = "SELECT COUNT(*) FROM (SELECT DISTINCT %s FROM %s) q";
    String groups = one(distinct.formatted(column, table));
    expect(
        groups,
        "SELECT COUNT(*) FROM (SELECT %s FROM %s GROUP BY %s) q".formatted(column, table, column));
    expect(
        groups,
        "SELECT COUNT(*) FROM (SELECT %s FROM %s UNION SELECT %s FROM %s) q"
            .formatted(column, table, column, table));
    expect(
        groups,
        ("SELECT COUNT(*) FROM (SELECT ROW_NUMBER() OVER (PARTITION BY %s ORDER BY id) AS r FROM"
                + " %s) q WHERE r = 1")
            .formatted(column, table));
    String both = distinct.formatted(column + ", " + text(column) + " AS y", table);
    if (isAsked(both)) {
      expect(groups, both);
    }
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
  public String one(String sql) {
    return all(sql).getFirst();
  }

  private String statement(String sql) {
    DpQuery query =
        QueryDecomposer.of(
            new SqlBinder(policy, LocalDateTime.of(2020, 1, 1, 0, 0)).bind(sql),
            policy,
            Optional.empty());
    return new SqlRenderer(database.dialect(), database.catalog())
        .statements(query.releases().getFirst())
        .getFirst()
        .sql();
  }

  private List<String> all(String sql) {
    String statement = statement(sql);
    List<String> found = new ArrayList<>();
    try (Session session = database.session()) {
      session.run(
          statement,
          row -> {
            for (int i = 1; i <= row.getMetaData().getColumnCount(); i++) {
              found.add(row.getString(i));
            }
          });
    } catch (DatabaseError e) {
      return List.of("failed: " + log + " in " + statement);
    } finally {
      log.clear();
    }
    return found;
  }
}
