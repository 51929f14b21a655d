package flexdp.gateway.engine;

import flexdp.gateway.database.JdbcDatabase;
import flexdp.policy.Policy;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.TreeMap;

/**
 * Rows of a shop whose buyers, or buyers and sellers, own what they own over paths. Owners may be
 * NULL and lead nowhere.
 *
 * @param users id, a
 * @param orders id, user_id, seller, a
 * @param items order_id, v, id
 * @param sellers id
 */
record Shop(
    List<Integer[]> users, List<Integer[]> orders, List<Integer[]> items, List<Integer[]> sellers) {
  private static Integer or(SplittableRandom random, int most) {
    int value = random.nextInt(most + 1);
    return value == most ? null : value;
  }

  static Shop draw(SplittableRandom random) {
    List<Integer[]> users = new ArrayList<>();
    List<Integer[]> orders = new ArrayList<>();
    List<Integer[]> items = new ArrayList<>();
    List<Integer[]> sellers = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      if (random.nextInt(10) < 7) {
        users.add(new Integer[] {i, or(random, 3)});
      }
      sellers.add(new Integer[] {i});
    }
    int count = random.nextInt(12);
    for (int i = 0; i < count; i++) {
      orders.add(new Integer[] {i, or(random, 4), or(random, 4), or(random, 3)});
    }
    int lines = random.nextInt(25);
    for (int i = 0; i < lines; i++) {
      items.add(new Integer[] {or(random, 13), or(random, 3), i});
    }
    return new Shop(users, orders, items, sellers);
  }

  /** This shop with its rows in another order. */
  Shop shuffled(long seed) {
    return new Shop(
        shuffled(users, seed),
        shuffled(orders, seed),
        shuffled(items, seed),
        shuffled(sellers, seed));
  }

  private static List<Integer[]> shuffled(List<Integer[]> rows, long seed) {
    List<Integer[]> other = new ArrayList<>(rows);
    Collections.shuffle(other, new Random(seed));
    return other;
  }

  /** Everything but what a person of a kind owns, in this database. */
  Shop without(int person, boolean seller) {
    int by = seller ? 2 : 1;
    Map<Integer, Integer> owners = new TreeMap<>();
    orders.forEach(o -> owners.put(o[0], o[by]));
    return new Shop(
        seller ? users : kept(users, r -> r[0], person),
        kept(orders, r -> r[by], person),
        kept(items, r -> r[0] == null ? null : owners.get(r[0]), person),
        seller ? kept(sellers, r -> r[0], person) : sellers);
  }

  private interface Owner {
    Integer of(Integer[] row);
  }

  private static List<Integer[]> kept(List<Integer[]> rows, Owner owner, int person) {
    return rows.stream().filter(r -> owner.of(r) == null || owner.of(r) != person).toList();
  }

  /** The rows in a database, asked about under a policy. */
  static final class Asked implements AutoCloseable {
    private final Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    private final List<JdbcDatabase> opened = new ArrayList<>();

    Asked(Shop data) throws SQLException {
      try (Statement statement = connection.createStatement()) {
        statement.execute("CREATE TABLE users(id INTEGER PRIMARY KEY, a INTEGER)");
        statement.execute(
            "CREATE TABLE orders(id INTEGER, user_id INTEGER, seller INTEGER, a INTEGER)");
        statement.execute("CREATE TABLE items(order_id INTEGER, v INTEGER, id INTEGER)");
        statement.execute("CREATE TABLE sellers(id INTEGER PRIMARY KEY)");
        statement.execute("CREATE TABLE colours(v INTEGER, name VARCHAR)");
        statement.execute("INSERT INTO colours VALUES (0, 'red'), (1, 'red'), (1, 'blue')");
        insert(statement, "users", data.users());
        insert(statement, "orders", data.orders());
        insert(statement, "items", data.items());
        insert(statement, "sellers", data.sellers());
      }
    }

    JdbcDatabase under(Policy policy) throws SQLException {
      Connection own = ((org.duckdb.DuckDBConnection) connection).duplicate();
      JdbcDatabase database =
          JdbcDatabase.over(own, policy, Duration.ofMinutes(10), (what, cause) -> {});
      opened.add(database);
      return database;
    }

    /** How often each row comes. */
    Map<List<Object>, Integer> rows(String sql) throws SQLException {
      Map<List<Object>, Integer> counted = new HashMap<>();
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        int width = rows.getMetaData().getColumnCount();
        while (rows.next()) {
          List<Object> row = new ArrayList<>();
          for (int i = 1; i <= width; i++) {
            row.add(rows.getObject(i));
          }
          counted.merge(row, 1, Integer::sum);
        }
      }
      return counted;
    }

    long number(String sql) throws SQLException {
      try (Statement statement = connection.createStatement();
          ResultSet rows = statement.executeQuery(sql)) {
        rows.next();
        return rows.getLong(1);
      }
    }

    private static void insert(Statement statement, String table, List<Integer[]> rows)
        throws SQLException {
      for (Integer[] row : rows) {
        List<String> values = new ArrayList<>();
        for (Integer value : row) {
          values.add(String.valueOf(value).replace("null", "NULL"));
        }
        statement.execute("INSERT INTO " + table + " VALUES (" + String.join(", ", values) + ")");
      }
    }

    @Override
    public void close() throws SQLException {
      opened.forEach(JdbcDatabase::close);
      connection.close();
    }
  }
}
