package flexdp.gateway;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/**
 * Writes the values of the suite's data file anew, for review by git diff: PostgreSQL answers the
 * analysts' own texts. What is marked as worked out by hand stays. Run it as a program, with the
 * data file as its argument.
 */
final class SuiteWriter {
  private SuiteWriter() {}

  static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]);
    List<String> blocks = new ArrayList<>();
    try (FreshPostgres server = FreshPostgres.create();
        Connection connection = server.connect()) {
      SharedSuite.prepare(new PostgreSqlSuiteTest.Server(), connection);
      for (String block : Files.readString(file).strip().split("\n\\s*\n")) {
        List<String> lines = block.lines().toList();
        int head = lines.indexOf("----");
        if (lines.contains("hand") || lines.stream().allMatch(l -> l.startsWith("#"))) {
          blocks.add(block);
          continue;
        }
        List<String> kept = new ArrayList<>(head < 0 ? lines : lines.subList(0, head));
        SuiteCase asked = SuiteCase.of(kept.stream().filter(l -> !l.startsWith("#")).toList());
        kept.add("----");
        kept.addAll(rows(connection, asked));
        blocks.add(String.join("\n", kept));
      }
    }
    Files.writeString(file, String.join("\n\n", blocks) + "\n");
  }

  private static List<String> rows(Connection connection, SuiteCase asked) {
    List<String> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(asked.original().orElse(asked.sql()))) {
      while (rows.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
          row.add(rows.getObject(i));
        }
        all.add(SuiteText.row(row));
      }
    } catch (SQLException e) {
      System.err.println(asked.name() + ": " + e.getMessage());
      return List.of("? " + e.getMessage().lines().findFirst().orElse(""));
    }
    all.sort(null);
    return all;
  }
}
