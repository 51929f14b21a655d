package flexdp.gateway.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.trino.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tables of Trino that become something else while a gateway is open. */
class TrinoMovedTest {
  private static final String POLICY =
      """
      flexdp: 1
      database: %s
      privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 1000000, delta: 0.1}}
      tables:
        members:
          static: true
          trusted: true
          columns:
            id: {type: bigint, unique: true, nullable: false}
        tpch.tiny.customer:
          static: true
          trusted: true
          columns:
            c_custkey: {type: bigint, unique: true, nullable: false}
      """;
  private static final QueryRequest JOIN =
      new QueryRequest(
          "SELECT COUNT(*) FROM members m JOIN tpch.tiny.customer c ON m.id = c.c_custkey",
          QueryOptions.DEFAULT,
          "ann",
          Set.of(),
          true);

  @TempDir Path folder;

  private static String refused(FlexDp flexdp) {
    return assertThrows(ConfigurationError.class, () -> flexdp.ask(JOIN)).message();
  }

  @Test
  void aTableThatBecomesAViewOrLosesNotNullIsRefused() throws Exception {
    try (Connection writer = Cluster.writer(Cluster.singleUrl("memory/moved"))) {
      Cluster.execute(writer, "CREATE SCHEMA memory.moved");
      Cluster.execute(writer, "CREATE TABLE memory.moved.members (id bigint NOT NULL)");
      Path policy = folder.resolve("moved.yaml");
      Files.writeString(policy, POLICY.formatted(Cluster.singleUrl("MEMORY/moved")));
      try (FlexDp flexdp = Setup.of(policy).open()) {
        flexdp.ask(JOIN);
        Cluster.execute(writer, "DROP TABLE memory.moved.members");
        assertTrue(refused(flexdp).contains("gone"), refused(flexdp));
        Cluster.execute(
            writer,
            "CREATE VIEW memory.moved.members AS SELECT custkey AS id FROM (SELECT o_custkey AS"
                + " custkey FROM tpch.tiny.orders)");
        assertTrue(refused(flexdp).contains("a view now"), refused(flexdp));
        Cluster.execute(writer, "DROP VIEW memory.moved.members");
        Cluster.execute(writer, "CREATE TABLE memory.moved.members (id bigint)");
        assertTrue(refused(flexdp).contains("may be NULL now"), refused(flexdp));
        Cluster.execute(writer, "DROP TABLE memory.moved.members");
        Cluster.execute(writer, "CREATE TABLE memory.moved.members (id bigint NOT NULL)");
        assertEquals(1, flexdp.ask(JOIN).rows().size());
      }
    }
  }
}
