package flexdp.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.Map;

/** Who wrote with whom (ca-HepTh), in a DuckDB file of its own: every row has two owners. */
record CoAuthors(String url, AskedPolicy policy) {
  private static final String POLICY =
      """
      flexdp: 1
      privacy:
        epsilon: 0.8
      people: {author: {key: author.id}}
      tables:
        author:
          owners: {author: id}
          columns:
            id: {type: integer, nullable: false, unique: true}
        wrote:
          owners: {author: [source, dest]}
          columns:
            source: {type: integer, nullable: false, individual: false}
            dest: {type: integer, nullable: false, individual: false}
          unique: [[source, dest]]
      """;

  static final Map<String, String> QUESTIONS = questions();

  private static Map<String, String> questions() {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("edges", "SELECT COUNT(*) FROM wrote WHERE source < dest");
    all.put(
        "two-paths",
        "SELECT COUNT(*) FROM wrote a JOIN wrote b ON a.dest = b.source WHERE a.source < b.dest");
    all.put(
        "triangles",
        "SELECT COUNT(*) FROM wrote a JOIN wrote b ON a.dest = b.source JOIN wrote c"
            + " ON b.dest = c.source AND c.dest = a.source"
            + " WHERE a.source < b.source AND b.source < c.source");
    return all;
  }

  /**
   * @param csv with the columns source and dest
   */
  static CoAuthors load(Path csv, Path folder) throws SQLException, IOException {
    String url = "jdbc:duckdb:" + folder.resolve("wrote.duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE author (id INTEGER NOT NULL)");
      statement.execute("CREATE TABLE wrote (source INTEGER NOT NULL, dest INTEGER NOT NULL)");
      statement.execute(
          "INSERT INTO wrote SELECT source, dest FROM read_csv('"
              + csv
              + "', header = true) WHERE source <> dest");
      statement.execute("INSERT INTO author SELECT DISTINCT source FROM wrote");
    }
    return new CoAuthors(url, AskedPolicy.write(POLICY, folder.resolve("wrote.yaml")));
  }
}
