package flexdp.bench;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Connections that ask at once, each one question after the other. */
final class WireCrowd {
  /** Makes a connection of its own for each. */
  interface Connections {
    Connection of(int number) throws SQLException;
  }

  /** What one connection asks, again and again; numbers never come twice. */
  interface Deed {
    void ask(Connection connection, int number) throws SQLException;
  }

  /**
   * What came of it.
   *
   * @param rate answers a second
   * @param median milliseconds for one
   * @param late 99 % took no more milliseconds
   */
  record Found(double rate, double median, double late) {}

  private static final AtomicInteger NUMBERS = new AtomicInteger();

  private final int size;

  WireCrowd(int size) {
    this.size = size;
  }

  /** Asks for some seconds, of which the first are not counted. */
  Found run(Connections connections, Deed deed, double before, double seconds) throws Exception {
    List<Connection> open = new ArrayList<>();
    try (ExecutorService threads = Executors.newFixedThreadPool(size)) {
      for (int i = 0; i < size; i++) {
        open.add(connections.of(i));
      }
      long first = System.nanoTime() + (long) (before * 1e9);
      long end = first + (long) (seconds * 1e9);
      List<Callable<double[]>> asking = new ArrayList<>();
      for (Connection connection : open) {
        asking.add(() -> times(connection, deed, first, end));
      }
      return found(threads.invokeAll(asking), seconds);
    } finally {
      for (Connection connection : open) {
        connection.close();
      }
    }
  }

  private static double[] times(Connection connection, Deed deed, long first, long end)
      throws SQLException {
    double[] times = new double[1_000_000];
    int count = 0;
    long start = System.nanoTime();
    while (start < end) {
      deed.ask(connection, NUMBERS.incrementAndGet());
      long now = System.nanoTime();
      if (now >= first && now < end) {
        times[count++] = (now - start) / 1e6;
      }
      start = now;
    }
    return Arrays.copyOf(times, count);
  }

  private static Found found(List<Future<double[]>> all, double seconds)
      throws InterruptedException, ExecutionException {
    double[] together = new double[0];
    for (Future<double[]> one : all) {
      double[] more = one.get();
      int before = together.length;
      together = Arrays.copyOf(together, before + more.length);
      System.arraycopy(more, 0, together, before, more.length);
    }
    if (together.length == 0) {
      throw new IllegalStateException("nothing was answered in " + seconds + " seconds");
    }
    return new Found(together.length / seconds, quantile(together, 0.5), quantile(together, 0.99));
  }

  static double quantile(double[] values, double share) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * share))];
  }

  /** Reads an answer of one statement whole. */
  static void read(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      read(rows);
    }
  }

  /** Asks with a value for the parameter. */
  static void read(Connection connection, String sql, long value) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      statement.setLong(1, value);
      try (ResultSet rows = statement.executeQuery()) {
        read(rows);
      }
    }
  }

  private static void read(ResultSet rows) throws SQLException {
    if (!rows.next()) {
      throw new SQLException("no answer");
    }
    do {
      rows.getObject(1);
    } while (rows.next());
  }
}
