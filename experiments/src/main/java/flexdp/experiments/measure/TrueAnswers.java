package flexdp.experiments.measure;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Arrays;

/**
 * True answers, by plain SQL. An experiment sees them because it runs on the owner's side, on data
 * that anybody can generate; nothing that serves analysts does.
 */
public final class TrueAnswers {
  private TrueAnswers() {}

  /** The cells of the last column that are not zero. */
  public static double[] cells(Connection connection, String sql) throws SQLException {
    double[] cells = new double[16];
    int size = 0;
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int last = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        double value = rows.getDouble(last);
        if (value != 0) {
          cells = size == cells.length ? Arrays.copyOf(cells, 2 * size) : cells;
          cells[size++] = value;
        }
      }
    }
    return Arrays.copyOf(cells, size);
  }

  public static long number(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      rows.next();
      return rows.getLong(1);
    }
  }
}
