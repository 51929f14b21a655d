package flexdp.trino;

import static io.trino.testing.TestingSession.testSessionBuilder;

import io.airlift.log.Level;
import io.airlift.log.Logging;
import io.trino.plugin.memory.MemoryPlugin;
import io.trino.plugin.tpch.TpchPlugin;
import io.trino.testing.DistributedQueryRunner;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;

/** A coordinator and two workers that every test of one run shares, and a server on its own. */
public final class Cluster {
  private static DistributedQueryRunner servers;
  private static DistributedQueryRunner single;

  private Cluster() {}

  /** The address of a schema: of tpch, whose rows are computed, or of memory. */
  public static synchronized String url(String place) throws Exception {
    if (servers == null) {
      servers = start(2);
    }
    return url(servers, place);
  }

  /**
   * A cluster of one node. Most of the time of a cluster goes into what its nodes tell each other,
   * which many small questions need not wait for.
   */
  public static synchronized String singleUrl(String place) throws Exception {
    if (single == null) {
      single = start(0);
    }
    return url(single, place);
  }

  private static String url(DistributedQueryRunner some, String place) {
    return "jdbc:trino://" + some.getCoordinator().getBaseUrl().getAuthority() + "/" + place;
  }

  /** Starts a coordinator and so many workers; without any it does their work too. */
  private static DistributedQueryRunner start(int workers) throws Exception {
    Logging logging = Logging.initialize();
    logging.setLevel("", Level.WARN);
    // Calls it an error that a statement with a LIMIT ended before all pages were fetched.
    logging.setLevel("io.trino.operator.HttpPageBufferClient", Level.OFF);
    DistributedQueryRunner started =
        DistributedQueryRunner.builder(
                testSessionBuilder().setCatalog("tpch").setSchema("tiny").build())
            .setWorkerCount(workers)
            .build();
    started.installPlugin(new TpchPlugin());
    started.createCatalog(
        "tpch",
        "tpch",
        Map.of("tpch.column-naming", "STANDARD", "tpch.double-type-mapping", "DECIMAL"));
    started.installPlugin(new MemoryPlugin());
    started.createCatalog("memory", "memory", Map.of());
    // Closing removes the folders of the nodes.
    Runtime.getRuntime().addShutdownHook(new Thread(started::close, "close the cluster"));
    return started;
  }

  /** A connection that may write. */
  public static Connection connect(String place) throws Exception {
    return writer(url(place));
  }

  /** A connection that may write to some address. */
  public static Connection writer(String url) throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", "test");
    return DriverManager.getConnection(url, properties);
  }

  /** The rows of a statement, as text. */
  public static List<List<String>> rows(Connection connection, String sql) throws SQLException {
    List<List<String>> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      int width = rows.getMetaData().getColumnCount();
      while (rows.next()) {
        List<String> row = new ArrayList<>();
        for (int i = 1; i <= width; i++) {
          row.add(rows.getString(i));
        }
        all.add(row);
      }
    }
    return all;
  }

  public static void execute(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }
}
