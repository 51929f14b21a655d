package flexdp.gateway.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.trino.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * How many statements a question about Trino takes; a server needs a tenth of a second for each.
 */
class TrinoStatementsTest {
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
        visits:
          static: true
          columns:
            member: {type: bigint, nullable: false, maxFrequencyAtMost: 3}
      """;

  @TempDir Path folder;

  private final Set<String> seen = new HashSet<>();

  /** What we asked the server since the last look. */
  private List<String> asked(Connection connection) throws SQLException {
    return Cluster.rows(
            connection,
            "SELECT query_id, query FROM system.runtime.queries WHERE source = 'flexdp'"
                + " ORDER BY created")
        .stream()
        .filter(row -> seen.add(row.getFirst()))
        .map(row -> row.get(1))
        .toList();
  }

  private static long looks(List<String> statements) {
    return statements.stream().filter(sql -> sql.contains("information_schema")).count();
  }

  private static QueryRequest ask(String sql) {
    return new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of());
  }

  @Test
  void tablesAreLookedAtInOneStatementEachTime() throws Exception {
    try (Connection writer = Cluster.writer(Cluster.singleUrl("memory/counted"))) {
      Cluster.execute(writer, "CREATE SCHEMA memory.counted");
      Cluster.execute(writer, "CREATE TABLE memory.counted.members (id bigint NOT NULL)");
      Cluster.execute(writer, "CREATE TABLE memory.counted.visits (member bigint NOT NULL)");
      Path policy = folder.resolve("counted.yaml");
      Files.writeString(policy, POLICY.formatted(Cluster.singleUrl("memory/counted")));
      asked(writer);
      try (FlexDp flexdp = Setup.of(policy).open()) {
        List<String> opened = asked(writer);
        assertEquals(1, looks(opened), opened::toString);
        assertTrue(opened.size() <= 5, opened::toString);
        flexdp.ask(
            ask("SELECT COUNT(*) FROM members m JOIN visits v ON v.member = m.id WHERE id > 1"));
        List<String> first = asked(writer);
        // What is seen for the first time is read with care, between two looks.
        assertEquals(5, looks(first), first::toString);
        flexdp.ask(ask("SELECT COUNT(*) FROM members WHERE id > 2"));
        List<String> later = asked(writer);
        // Before the charge, before the reading, and after it.
        assertEquals(3, looks(later), later::toString);
        assertEquals(
            1,
            later.stream()
                .filter(sql -> !sql.contains("information_schema") && !sql.equals("SELECT 1"))
                .count(),
            later::toString);
        assertTrue(later.size() <= 6, later::toString);
      }
    }
  }
}
