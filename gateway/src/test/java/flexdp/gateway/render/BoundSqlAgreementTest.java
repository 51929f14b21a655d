package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a text means to the binder is what it means to a database: random texts, run as they are and
 * run as rendered from the bound relation, give the same rows.
 */
public class BoundSqlAgreementTest {
  public static final Policy POLICY =
      policy(
          table("t", "id!", "a", "b", "s*"),
          table("u", "id!", "a", "c"),
          table("p", "id!", "k", "name*"));

  private static Table table(String name, String... columns) {
    List<ColumnSpec> specs = new ArrayList<>();
    for (String column : columns) {
      specs.add(
          new ColumnSpec(
              column.replace("!", "").replace("*", ""),
              column.endsWith("*") ? Type.VARCHAR : Type.INTEGER,
              !column.endsWith("!"),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
    }
    return new Table(name, name.equals("p"), specs, List.of(Set.of("id")), List.of());
  }

  private static Policy policy(Table... tables) {
    Map<String, Table> byName = new LinkedHashMap<>();
    for (Table table : tables) {
      byName.put(table.name(), table);
    }
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            1000),
        byName);
  }

  @Test
  void randomTextsMeanTheSameBoundAndAsWritten() throws Exception {
    agree(20260101L, 1_500);
  }

  @Tag("slow")
  @Test
  void manyRandomTextsMeanTheSameBoundAndAsWritten() throws Exception {
    agree(11L, 4_000);
  }

  private static void agree(long seed, int texts) throws Exception {
    Random random = new Random(seed);
    RandomSql generator = new RandomSql(random);
    SqlBinder binder = new SqlBinder(POLICY, LocalDateTime.of(2020, 1, 1, 0, 0));
    Map<String, Integer> rejected = new TreeMap<>();
    int accepted = 0;
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = connection.createStatement()) {
      create(statement);
      SqlRenderer renderer = new SqlRenderer(new DuckDb(), NameCatalog.plain(new DuckDb()));
      for (int i = 0; i < texts; i++) {
        if (i % 50 == 0) {
          fill(statement, random);
        }
        String text = generator.query();
        Relation relation;
        try {
          relation = binder.bind(text);
        } catch (Rejection rejection) {
          rejected.merge(rejection.code().name(), 1, Integer::sum);
          continue;
        }
        Optional<List<String>> asWritten = run(connection, text);
        if (asWritten.isEmpty()) {
          rejected.merge("by the database", 1, Integer::sum);
          continue;
        }
        accepted++;
        String rendered = renderer.rows(relation);
        Optional<List<String>> asBound = run(connection, rendered);
        assertEquals(asWritten, asBound, () -> text + "\n" + rendered);
      }
    }
    int least = texts * 6 / 10;
    int count = accepted;
    assertTrue(count >= least, () -> count + " accepted, " + rejected);
  }

  private static void create(Statement statement) throws SQLException {
    statement.execute("CREATE TABLE t(id INTEGER, a INTEGER, b INTEGER, s VARCHAR)");
    statement.execute("CREATE TABLE u(id INTEGER, a INTEGER, c INTEGER)");
    statement.execute("CREATE TABLE p(id INTEGER, k INTEGER, name VARCHAR)");
  }

  public static void fill(Statement statement, Random random) throws SQLException {
    for (String table : List.of("t", "u", "p")) {
      statement.execute("DELETE FROM " + table);
      int rows = random.nextInt(6);
      for (int id = 0; id < rows; id++) {
        List<String> values = new ArrayList<>();
        values.add(Integer.toString(id));
        values.add(number(random));
        values.add(table.equals("p") ? "'x" + random.nextInt(2) + "'" : number(random));
        if (table.equals("t")) {
          values.add(random.nextInt(3) == 0 ? "NULL" : "'x" + random.nextInt(2) + "'");
        }
        statement.execute("INSERT INTO " + table + " VALUES (" + String.join(",", values) + ")");
      }
    }
  }

  private static String number(Random random) {
    return random.nextInt(4) == 0 ? "NULL" : Integer.toString(random.nextInt(4));
  }

  /** The rows in some fixed order; empty when the database refuses the text. */
  private static Optional<List<String>> run(Connection connection, String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      List<String> all = new ArrayList<>();
      int columns = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        StringBuilder row = new StringBuilder();
        for (int i = 1; i <= columns; i++) {
          row.append(shown(rows.getObject(i))).append('|');
        }
        all.add(row.toString());
      }
      all.sort(null);
      return Optional.of(all);
    } catch (SQLException e) {
      return Optional.empty();
    }
  }

  private static String shown(Object value) {
    return value instanceof Number
        ? new BigDecimal(value.toString())
            .setScale(6, RoundingMode.HALF_EVEN)
            .stripTrailingZeros()
            .toPlainString()
        : String.valueOf(value);
  }
}
