package flexdp.experiments.people;

import flexdp.experiments.triangles.Graph;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Who wrote with whom: an author is protected with every row that names her. */
final class Authors {
  private static final String POLICY =
      """
      people: {author: {key: author.id}}
      tables:
        author:
          owners: {author: id}
          columns: {id: {type: integer, nullable: false, unique: true}}
        wrote:
          owners: {author: [source, dest]}
          columns:
            source: {type: integer, nullable: false, individual: false}
            dest: {type: integer, nullable: false, individual: false}
          unique: [[source, dest]]
      """;

  /**
   * A question about the graph.
   *
   * @param owners the authors of a result
   * @param published error of the race as the design note has it, in percent at ε = 0.8
   * @param design what the design of our mechanism promised
   */
  record Shape(String name, List<String> owners, String from, double published, double design) {
    String sql() {
      return "SELECT COUNT(*) FROM " + from;
    }
  }

  static final List<Shape> SHAPES =
      List.of(
          new Shape("edges", List.of("source", "dest"), "wrote WHERE source < dest", 7.6, 2.0),
          new Shape(
              "two-paths",
              List.of("a.source", "a.dest", "b.dest"),
              "wrote a JOIN wrote b ON a.dest = b.source WHERE a.source < b.dest",
              24.5,
              9.1),
          new Shape(
              "triangles",
              List.of("a.source", "b.source", "c.source"),
              "wrote a JOIN wrote b ON a.dest = b.source JOIN wrote c ON b.dest = c.source AND"
                  + " c.dest = a.source WHERE a.source < b.source AND b.source < c.source",
              40,
              19.5));

  private Authors() {}

  static Policy policy() {
    return PolicyReader.read(YamlText.tree(POLICY, Code.BAD_POLICY));
  }

  /** Every so many edges of ca-HepTh, in a database of its own. */
  static Connection open(int share) throws IOException, SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    try (Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE author (id INTEGER NOT NULL)");
      statement.execute("CREATE TABLE wrote (source INTEGER NOT NULL, dest INTEGER NOT NULL)");
      try (PreparedStatement insert =
          connection.prepareStatement("INSERT INTO wrote VALUES (?, ?)")) {
        for (Graph.Edge edge : Graph.caHepTh().edges()) {
          if ((edge.source() + edge.dest()) % share == 0 && edge.source() != edge.dest()) {
            insert.setInt(1, edge.source());
            insert.setInt(2, edge.dest());
            insert.addBatch();
          }
        }
        insert.executeBatch();
      }
      statement.execute("INSERT INTO author SELECT DISTINCT source FROM wrote");
    }
    return connection;
  }

  /** Q(τ) of a shape. */
  static RacePrograms truncated(Connection connection, Shape shape) throws SQLException {
    return new RacePrograms(results(connection, shape), shape.owners().size());
  }

  /** The people of each result, numbered; nobody twice. */
  private static List<int[]> results(Connection connection, Shape shape) throws SQLException {
    Map<Integer, Integer> numbers = new HashMap<>();
    List<int[]> results = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows =
            statement.executeQuery(
                "SELECT " + String.join(", ", shape.owners()) + " FROM " + shape.from())) {
      while (rows.next()) {
        int[] people = new int[shape.owners().size()];
        for (int i = 0; i < people.length; i++) {
          people[i] = numbers.computeIfAbsent(rows.getInt(i + 1), id -> numbers.size());
        }
        results.add(Arrays.stream(people).distinct().toArray());
      }
    }
    return results;
  }
}
