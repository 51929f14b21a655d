package flexdp.gateway.trino;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.FlexDp;
import flexdp.gateway.Setup;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.plan.MechanismChoice;
import flexdp.trino.Cluster;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One policy over several catalogs of Trino: joins across parties through a trusted gateway. */
class TrinoCatalogsTest {
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
        %s:
          static: true
          trusted: true
          columns:
            c_custkey: {type: bigint, unique: true, nullable: false}
            c_mktsegment: {type: varchar, domain: [BUILDING, MACHINERY]}
      """;
  private static final String BOTH = "members m JOIN tpch.tiny.customer c ON m.id = c.c_custkey";

  @TempDir static Path folder;

  @BeforeAll
  static void create() throws Exception {
    try (Connection writer = Cluster.writer(Cluster.singleUrl("memory/club"))) {
      Cluster.execute(writer, "CREATE SCHEMA memory.club");
      Cluster.execute(writer, "CREATE TABLE memory.club.members (id bigint NOT NULL)");
      Cluster.execute(
          writer, "INSERT INTO memory.club.members SELECT * FROM UNNEST(sequence(1401, 1600))");
      Cluster.execute(writer, "CREATE SCHEMA memory.tiny");
      Cluster.execute(writer, "CREATE TABLE memory.tiny.customer (c_custkey bigint)");
    }
  }

  private static FlexDp open(String place, String other) throws Exception {
    Path policy = Files.createTempDirectory(folder, "p").resolve("club.yaml");
    Files.writeString(policy, POLICY.formatted(Cluster.singleUrl(place), other));
    return Setup.of(policy).open();
  }

  private static QueryRequest ask(String sql) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            Optional.of(new BigDecimal("5000")),
            Optional.empty(),
            Optional.empty());
    return new QueryRequest(sql, options, "ann", Set.of());
  }

  /** 1,500 customers: a hundred of two hundred members are among them. */
  @Test
  void joinsAcrossCatalogsAreAnsweredByTheBoundOfTheJoin() throws Exception {
    try (FlexDp flexdp = open("memory/club", "tpch.tiny.customer")) {
      AnalystView count = flexdp.ask(ask("SELECT COUNT(*) FROM " + BOTH));
      assertEquals(new BigDecimal(100), count.rows().get(0).get(0));
      assertEquals("laplace", count.mechanism());
      assertEquals(
          "1", flexdp.explain(ask("SELECT COUNT(*) FROM " + BOTH)).noise().get(0).formula());
      AnalystView bins =
          flexdp.ask(
              ask("SELECT c.c_mktsegment, COUNT(*) FROM " + BOTH + " GROUP BY c.c_mktsegment"));
      assertEquals(2, bins.rows().size());
      assertEquals(
          2,
          flexdp.ledger().standings().stream()
              .filter(s -> s.account().toString().startsWith("table:"))
              .count(),
          "both sides are charged");
    }
  }

  @Test
  void whatMayBeOneTableUnderTwoNamesIsRefused() {
    refused("memory/tiny", "memory.club.members", "names");
    ConfigurationError twice =
        assertThrows(
            ConfigurationError.class,
            () -> {
              Path policy = Files.createTempDirectory(folder, "p").resolve("two.yaml");
              Files.writeString(
                  policy,
                  POLICY
                      .formatted(Cluster.singleUrl("memory/tiny"), "tpch.tiny.customer")
                      .replace("  members:", "  customer:")
                      .replace("id:", "c_custkey:"));
              Setup.of(policy).open().close();
            });
    assertTrue(twice.message().contains("another catalog"), twice.message());
  }

  @Test
  void whatIsNotThereIsMissed() {
    refused("memory/club", "tpch.tiny.nobody", "no table");
    refused("memory/club", "nowhere.tiny.customer", "");
  }

  /**
   * What is known of a catalog is looked up by its name: which of its relations are materialized
   * views, and whether it keeps NOT NULL.
   */
  @Test
  void anAddressInUpperCaseIsTheSameCatalog() throws Exception {
    for (String place : List.of("memory/club", "MEMORY/club", "Memory/CLUB")) {
      try (Connection connection = Cluster.writer(Cluster.singleUrl(place))) {
        assertEquals("memory", TrinoCatalogs.own(connection));
        PhysicalTable members =
            new TrinoConnector()
                .tables(connection).stream()
                    .filter(t -> t.name().equals("members"))
                    .findFirst()
                    .orElseThrow();
        assertTrue(members.inDefaultSchema(), place);
        assertTrue(members.column("id").orElseThrow().filled(), place);
      }
    }
  }

  @Test
  void anAddressThatLeadsNowhereIsNamed() {
    refused("NOWHERE/club", "tpch.tiny.customer", "no catalog 'nowhere'");
    refused("MEMORY/NOWHERE", "tpch.tiny.customer", "no schema 'nowhere'");
  }

  private static void refused(String place, String other, String words) {
    flexdp.failure.Failure e =
        assertThrows(flexdp.failure.Failure.class, () -> open(place, other).close());
    assertTrue(e.message().contains(words), e.message());
  }

  @Test
  void catalogsThatMayShareFilesAreRefused() {
    Map<String, String> connectors = new TreeMap<>(Map.of("crm", "postgresql", "lake", "iceberg"));
    TrinoCatalogs.refuseSharedFiles(connectors);
    connectors.put("archive", "a connector of which nothing is known");
    ConfigurationError e =
        assertThrows(ConfigurationError.class, () -> TrinoCatalogs.refuseSharedFiles(connectors));
    assertTrue(e.message().contains("archive and lake"), e.message());
  }
}
