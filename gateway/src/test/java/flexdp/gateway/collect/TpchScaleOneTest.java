package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.demo.TpchTables;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.policydraft.PolicyDraft;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import io.trino.tpch.TpchTable;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;
import org.postgresql.copy.PGCopyOutputStream;

/** The metrics of TPC-H at scale 1, where the max frequencies are known. */
@Tag("slow")
class TpchScaleOneTest {
  private static final Map<String, Integer> KNOWN =
      Map.of(
          "partsupp.ps_suppkey", 80,
          "partsupp.ps_partkey", 4,
          "orders.o_custkey", 41,
          "lineitem.l_orderkey", 7,
          "supplier.s_nationkey", 438,
          "lineitem.l_suppkey", 694);

  @Test
  void onDuckDb(@TempDir Path folder) throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve("tpch.duckdb");
    try (Connection connection = DriverManager.getConnection(url)) {
      TpchTables.load(connection, 1);
      check(connection, url);
    }
  }

  @Test
  void onPostgres() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection connection = server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(Files.readString(Path.of("../scripts/tpch/tables.sql")));
      for (TpchTable<?> table : TpchTable.getTables()) {
        copy(connection, table);
      }
      statement.execute(Files.readString(Path.of("../scripts/tpch/keys.sql")));
      check(connection, "jdbc:postgresql://localhost/tpch");
    }
  }

  private static void copy(Connection connection, TpchTable<?> table)
      throws SQLException, IOException {
    try (Writer out =
        new OutputStreamWriter(
            new PGCopyOutputStream(
                connection.unwrap(PGConnection.class),
                "COPY " + table.getTableName() + " FROM STDIN (DELIMITER '|')"),
            StandardCharsets.UTF_8)) {
      TpchTables.write(table, 1, out);
    }
  }

  private static void check(Connection connection, String url) throws SQLException {
    Policy policy =
        PolicyReader.read(
            YamlText.tree(
                PolicyDraft.of(url, Connectors.of(connection).tables(connection)),
                ConfigurationError.Code.BAD_POLICY));
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy)
            .and(ColumnNames.parse(String.join(", ", KNOWN.keySet()), policy));
    Metrics metrics =
        new Collector(policy, wanted, Progress.NONE, Clock.systemUTC())
            .collect(connection)
            .metrics();
    KNOWN.forEach(
        (name, most) -> {
          String[] parts = name.split("\\.");
          assertEquals(
              BigInteger.valueOf(most),
              metrics.table(parts[0]).frequencies().get(Set.of(parts[1])).max().orElseThrow(),
              name);
        });
  }
}
