package flexdp.gateway;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
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
              throw new AssertionError("it was done too soon: " + work.get());
            }
            try (ResultSet row = statement.executeQuery(running(like))) {
              row.next();
              return row.getInt(1) > 0;
            }
          },
          "a statement like " + like + " is being run");
    }
  }

  private List<ProcessHandle> processes() throws Exception {
    ProcessHandle main = ProcessHandle.of(pid()).orElseThrow();
    return Stream.concat(Stream.of(main), main.descendants()).toList();
  }

  /** It answers nobody until it is killed: what it is asked now, it dies in the middle of. */
  default List<ProcessHandle> freeze() {
    try {
      List<ProcessHandle> all = processes();
      List<String> command = new ArrayList<>(List.of("kill", "-STOP"));
      all.forEach(process -> command.add(Long.toString(process.pid())));
      new ProcessBuilder(command).inheritIO().start().waitFor();
      return all;
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  /** kill -9 of the server and everything it had started. */
  default void kill() throws Exception {
    kill(processes());
  }

  static void kill(List<ProcessHandle> all) {
    all.forEach(ProcessHandle::destroyForcibly);
    for (ProcessHandle process : all) {
      process.onExit().join();
    }
  }

  @Override
  void close() throws Exception;
}
