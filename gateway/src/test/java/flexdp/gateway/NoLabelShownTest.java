package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Where nobody shares a label, or nobody has any, an answer has no rows. It is an answer all the
 * same: a failure in its place, after the charge, would say what the threshold hides.
 */
class NoLabelShownTest {
  private static final String POLICY =
      """
      flexdp: 1
      database: "DATABASE"
      privacy:
        delta: 1e-9
        budget: {epsilon: 1e6, delta: 0.5, composition: COMPOSITION}
        thresholding: {delta: 1e-13}
      people: {user: {}}
      tables:
        hit:
          owners: {user: who}
          columns:
            who: {type: bigint}
            url: {type: varchar}
            x: {type: integer, range: [0, 9]}
      """;

  private static final List<String> QUESTIONS =
      List.of(
          "SELECT url, COUNT(*) FROM hit GROUP BY url",
          "SELECT url, SUM(x), COUNT(*) FROM hit GROUP BY url",
          "SELECT url, AVG(x), COUNT(*) FROM hit GROUP BY url",
          "SELECT url, COUNT(DISTINCT who) FROM hit GROUP BY url",
          "SELECT url, x, COUNT(*), MEDIAN(x) FROM hit GROUP BY url, x");

  @TempDir Path folder;

  private Path policy(String name, String composition, List<String> rows)
      throws SQLException, IOException {
    String url = "jdbc:duckdb:" + folder.resolve(name + ".duckdb");
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE hit(who BIGINT, url VARCHAR, x INTEGER)");
      for (String row : rows) {
        statement.execute("INSERT INTO hit VALUES (" + row + ")");
      }
    }
    return Files.writeString(
        folder.resolve(name + ".yaml"),
        POLICY.replace("DATABASE", url).replace("COMPOSITION", composition));
  }

  @Test
  void answersWithoutLabelsAreAnswers() throws SQLException, IOException {
    List<List<String>> worlds = List.of(List.of(), List.of("1, 'a', 1", "1, 'b', 2", "2, 'c', 3"));
    for (String composition : List.of("basic", "adaptive", "zcdp")) {
      for (List<String> rows : worlds) {
        Path policy = policy(composition + rows.size(), composition, rows);
        try (FlexDp flexdp = FlexDp.open(policy)) {
          for (String sql : QUESTIONS) {
            QueryRequest request =
                new QueryRequest(sql, QueryOptions.DEFAULT.at(BigDecimal.ONE), "ann", Set.of())
                    .withIntervals(true);
            assertEquals(List.of(), flexdp.ask(request).rows(), composition + " " + sql);
          }
        }
      }
    }
  }
}
