package flexdp.gateway;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Questions about users over paths, of whom one, two or three own a row. */
final class OwnerQuestions {
  private OwnerQuestions() {}

  static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy:
                epsilon: 1
                delta: 1e-6
                budget: {epsilon: 1000000, delta: 0.1}
                thresholding: {delta: 1e-6}
              people: {user: {key: users.id, nobody: [3]}}
              tables:
                users:
                  owners: {user: id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
                orders:
                  owners: {user: user_id}
                  columns:
                    id: {type: integer, unique: true, nullable: false}
                    user_id: {type: integer, references: users.id}
                    a: {type: integer, range: [-3, 3], domain: [0, 1, 2, null]}
                    word: {type: varchar}
                items:
                  owners: {user: order_id.user_id}
                  columns:
                    order_id: {type: integer, references: orders.id}
                    v: {type: integer, range: [-2, 4], domain: [0, 1, 2, null]}
                follows:
                  owners: {user: [src, dst]}
                  columns:
                    src: {type: integer}
                    dst: {type: integer}
                    a: {type: integer, range: [0, 3], domain: [0, 1]}
                logs:
                  owners: {user: who}
                  rowsPerPerson: 2
                  columns:
                    who: {type: integer}
                    a: {type: integer}
              """,
              ConfigurationError.Code.BAD_POLICY));

  static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM users",
          "SELECT a, COUNT(*), SUM(a) FROM users GROUP BY GROUPING SETS ((a), ())",
          "SELECT COUNT(DISTINCT user_id) FROM orders",
          "SELECT a, COUNT(DISTINCT user_id) FROM orders GROUP BY a",
          "SELECT word, COUNT(*) FROM orders GROUP BY word",
          "SELECT word, SUM(a), COUNT(*) FROM orders GROUP BY word",
          "SELECT a, SUM(a), COUNT(*) FROM orders GROUP BY CUBE(a)",
          "SELECT MODE(v), COUNT(*), MEDIAN(v) FROM items",
          "SELECT v, COUNT(*), MAX(v) FROM items GROUP BY v",
          "SELECT COUNT(*) FROM follows",
          "SELECT a, COUNT(*), SUM(a) FROM follows GROUP BY a",
          "SELECT COUNT(*) FROM follows f JOIN orders o ON f.a = o.a",
          "SELECT COUNT(*) FROM (SELECT a, COUNT(*) AS n FROM logs GROUP BY a) x WHERE n > 1");

  static void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql :
          List.of(
              "CREATE TABLE users AS SELECT i::INTEGER AS id, (i % 4)::INTEGER AS a"
                  + " FROM range(60) t(i)",
              "CREATE TABLE orders AS SELECT i::INTEGER AS id, (i * 7 % 61)::INTEGER AS user_id,"
                  + " (i % 5 - 1)::INTEGER AS a, CASE WHEN i % 3 = 0 THEN 'one' ELSE 'two' END AS"
                  + " word FROM range(150) t(i)",
              "CREATE TABLE items AS SELECT (i * 3 % 170)::INTEGER AS order_id, (i % 6 -"
                  + " 1)::INTEGER AS v FROM range(300) t(i)",
              "CREATE TABLE follows AS SELECT (i % 11)::INTEGER AS src, (i * 5 % 13)::INTEGER AS"
                  + " dst, (i % 3)::INTEGER AS a FROM range(40) t(i)",
              "CREATE TABLE logs AS SELECT (i % 9)::INTEGER AS who, (i % 4)::INTEGER AS a"
                  + " FROM range(50) t(i)")) {
        statement.execute(sql);
      }
    }
  }
}
