package flexdp.gateway.demo;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RideSharingTest {
  @Test
  void sameSeedGivesTheSameRows() throws SQLException {
    List<String> once = prints(new RideSharing(3_000, 7));
    assertEquals(once, prints(new RideSharing(3_000, 7)));
    assertNotEquals(once, prints(new RideSharing(3_000, 8)));
  }

  @Test
  void peopleAndCitiesAreSkewedAndSomethingIsMissing() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      RideSharing.usual().fill(connection);
      assertEquals(100_000, number(connection, "SELECT COUNT(*) FROM trips"));
      assertEquals(50, number(connection, "SELECT COUNT(*) FROM cities"));
      long mean = 100_000 / number(connection, "SELECT COUNT(*) FROM drivers");
      long busiest = number(connection, most("driver_id"));
      assertTrue(busiest > 3 * mean && busiest < 1000, "busiest driver: " + busiest);
      assertTrue(number(connection, most("city_id")) > 10_000);
      assertTrue(number(connection, most("rider_id")) > 10);
      assertTrue(number(connection, "SELECT COUNT(*) FROM trips WHERE fare IS NULL") > 10_000);
      assertTrue(number(connection, "SELECT COUNT(*) FROM users WHERE city_id IS NULL") > 100);
      assertEquals(
          366, number(connection, "SELECT COUNT(DISTINCT CAST(requested_at AS DATE)) FROM trips"));
      assertEquals(
          number(connection, "SELECT COUNT(*) FROM trips WHERE status = 'completed'"),
          number(connection, "SELECT SUM(completed_trips) FROM analytics"));
    }
  }

  @Test
  void everyQuestionOfThePaperHasSomebodyInIt() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      RideSharing.usual().fill(connection);
      for (String sql :
          List.of(
              "SELECT COUNT(DISTINCT d.id) FROM trips t JOIN drivers d ON t.driver_id = d.id"
                  + " JOIN cities c ON t.city_id = c.id WHERE c.name = 'San Francisco'"
                  + " AND t.status = 'completed' AND d.city_id <> t.city_id",
              "SELECT COUNT(*) FROM users u JOIN user_tags g ON g.user_id = u.id"
                  + " WHERE u.role = 'driver' AND u.active AND g.tag = 'duplicate'"
                  + " AND g.tagged_at > DATE '2016-06-06'",
              "SELECT COUNT(*) FROM drivers d JOIN analytics a ON a.driver_id = d.id"
                  + " JOIN cities c ON d.city_id = c.id WHERE c.name = 'Hanoi'"
                  + " AND d.vehicle = 'motorbike' AND d.status = 'active'"
                  + " AND a.completed_trips >= 10",
              "SELECT COUNT(*) FROM trips WHERE CAST(requested_at AS DATE) = DATE '2016-10-24'",
              "SELECT COUNT(*) FROM users u JOIN users r ON u.referrer_id = r.id")) {
        assertTrue(number(connection, sql) > 10, sql);
      }
    }
  }

  @Test
  void aFileIsNeverReplaced(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("demo/rides.duckdb");
    new RideSharing(100, 1).create(file);
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + file)) {
      assertEquals(100, number(connection, "SELECT COUNT(*) FROM trips"));
    }
    assertThrows(FileAlreadyExistsException.class, () -> new RideSharing(100, 1).create(file));
    try (var left = Files.list(file.getParent())) {
      assertEquals(List.of(file), left.toList());
    }
  }

  @Test
  void noTripsAtAllIsADatabaseToo() throws SQLException {
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      new RideSharing(0, 1).fill(connection);
      assertEquals(0, number(connection, "SELECT COUNT(*) FROM trips"));
    }
  }

  private static String most(String column) {
    return "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM trips GROUP BY " + column + ")";
  }

  private static List<String> prints(RideSharing rides) throws SQLException {
    List<String> prints = new ArrayList<>();
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:")) {
      rides.fill(connection);
      for (String table : RideSharing.TABLES) {
        String sql =
            "SELECT COUNT(*) || ' ' || COALESCE(md5(string_agg(CAST(t AS VARCHAR), ';'"
                + " ORDER BY CAST(t AS VARCHAR))), '') FROM "
                + table
                + " t";
        try (Statement statement = connection.createStatement();
            ResultSet result = statement.executeQuery(sql)) {
          result.next();
          prints.add(table + " " + result.getString(1));
        }
      }
    }
    return prints;
  }

  private static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      result.next();
      return result.getLong(1);
    }
  }
}
