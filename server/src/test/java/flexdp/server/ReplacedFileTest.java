package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.demo.RideSharing;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The owner puts another DuckDB file in the place of one that a server has open. */
class ReplacedFileTest {
  private static final String COUNT = "SELECT COUNT(*) FROM trips";

  @TempDir Path folder;

  private static Path data(Demo demo) throws Exception {
    String address =
        Files.readAllLines(demo.policy).stream()
            .filter(line -> line.startsWith("database:"))
            .findFirst()
            .orElseThrow();
    return Path.of(address.replaceAll(".*jdbc:duckdb:([^\"]*)\"?.*", "$1").strip());
  }

  private static double count(Statement statement) throws SQLException {
    try (ResultSet row = statement.executeQuery(COUNT)) {
      row.next();
      return row.getDouble(1);
    }
  }

  @Test
  void theServerOpensTheNewFileByItself() throws Exception {
    try (Demo demo = Demo.start(folder);
        Connection ann = demo.connect("ann");
        Statement statement = ann.createStatement()) {
      statement.execute("SET flexdp.fresh = on");
      statement.execute("SET flexdp.epsilon = 0.5");
      double before = count(statement);
      Path file = data(demo);
      Path other = folder.resolve("other.duckdb");
      new RideSharing((int) before * 3, 7).create(other);
      Path aside = folder.resolve("aside.duckdb");
      Files.move(file, aside);
      // There is none for a while: nothing is answered from the one that is gone.
      assertThrows(SQLException.class, () -> count(statement));
      demo.service().reload();
      SQLException refused = assertThrows(SQLException.class, () -> count(statement));
      assertTrue(refused.getMessage().contains("replaced"), refused.getMessage());
      Files.move(other, file, StandardCopyOption.REPLACE_EXISTING);
      demo.service().reload();
      assertEquals(before * 3, count(statement), before, "of the new file, measured again");
      Files.write(file, Files.readAllBytes(aside)); // in place, as cp does it
      demo.service().reload();
      assertEquals(before, count(statement), before / 2);
    }
  }
}
