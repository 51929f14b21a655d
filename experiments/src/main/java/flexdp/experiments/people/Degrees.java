package flexdp.experiments.people;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** How much the people of one kind have, and how many have that much. */
record Degrees(List<Double> amounts, List<Long> people) {
  static Degrees read(Connection connection, String sql, double unit) throws SQLException {
    List<Double> amounts = new ArrayList<>();
    List<Long> people = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        amounts.add(rows.getBigDecimal(1).doubleValue() / unit);
        people.add(rows.getLong(2));
      }
    }
    return new Degrees(amounts, people);
  }

  /** Σ min(d, τ): what there is when nobody counts for more than τ. */
  double clipped(double level) {
    double sum = 0;
    for (int i = 0; i < amounts.size(); i++) {
      sum += Math.min(amounts.get(i), level) * people.get(i);
    }
    return sum;
  }
}
