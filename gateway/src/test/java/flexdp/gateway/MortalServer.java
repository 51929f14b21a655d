package flexdp.gateway;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/** A real database server that can be killed outright and started again at the same address. */
interface MortalServer extends AutoCloseable {
  String url();

  /** A connection that may write. */
  Connection writer() throws SQLException;

  /** Counts the statements that are being run and are like a pattern. */
  String running(String like);

  long pid() throws Exception;

  /** Starts it again; it repairs itself from its log. */
  void restart() throws Exception;

  default void execute(String... statements) throws SQLException {
    try (Connection connection = writer();
        Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** Waits until some statement of this kind is being run for work that is not done. */
  default void awaitRunning(String like, Future<?> work) throws Exception {
    try (Connection connection = writer();
        Statement statement = connection.createStatement()) {
      Await.until(
          () -> {
            if (work.isDone()) {
              throw new AssertionError("it was done too soon");
            }
            try (ResultSet row = statement.executeQuery(running(like))) {
              row.next();
              return row.getInt(1) > 0;
            }
          },
          "a statement like " + like + " is being run");
    }
  }

  /** kill -9 of the server and everything it had started. */
  default void kill() throws Exception {
    ProcessHandle main = ProcessHandle.of(pid()).orElseThrow();
    List<ProcessHandle> all = Stream.concat(Stream.of(main), main.descendants()).toList();
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      process.onExit().join();
    }
  }

  @Override
  void close() throws Exception;
}
