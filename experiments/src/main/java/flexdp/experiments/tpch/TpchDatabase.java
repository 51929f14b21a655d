package flexdp.experiments.tpch;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.demo.TpchTables;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Clock;

/** TPC-H in a DuckDB file, generated once and kept. */
public final class TpchDatabase {
  private static final String JOINED =
      "partsupp.ps_suppkey, partsupp.ps_partkey, lineitem.l_suppkey, lineitem.l_orderkey,"
          + " lineitem.l_partkey, lineitem.(l_partkey, l_suppkey), lineitem.(l_orderkey,"
          + " l_suppkey), orders.o_custkey, customer.c_nationkey, supplier.s_nationkey,"
          + " supplier.s_name";

  private final Path file;
  private final double scale;

  /** At that scale factor, in a file of this folder. */
  public TpchDatabase(Path folder, double scale) {
    this.file = folder.resolve("tpch-sf" + scale + ".duckdb");
    this.scale = scale;
  }

  static Policy policy() throws IOException {
    try (InputStream in = TpchDatabase.class.getResourceAsStream("tpch.yaml")) {
      String text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      return PolicyReader.read(YamlText.tree(text, Code.BAD_POLICY));
    }
  }

  /** The database, made first if it is not there. The file appears when it is complete. */
  public Connection open() throws IOException, SQLException {
    if (!Files.exists(file)) {
      Files.createDirectories(file.getParent());
      Path draft = Files.createTempDirectory(file.getParent(), "tpch").resolve("draft.duckdb");
      try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + draft)) {
        TpchTables.load(connection, scale);
      }
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING);
      Files.deleteIfExists(draft.getParent());
    }
    return DriverManager.getConnection("jdbc:duckdb:" + file);
  }

  /** What the owner's collect measures. */
  static Metrics measure(Connection connection, Policy policy) {
    RequiredFrequencies wanted =
        RequiredFrequencies.of(policy).and(ColumnNames.parse(JOINED, policy));
    return new Collector(policy, wanted, Progress.NONE, Clock.systemUTC())
        .collect(connection)
        .metrics();
  }
}
