package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.files.TableClosing;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Declared keys that no database keeps unique count where their owner vouches for them, only. */
class UnenforcedKeysTest {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";

  @TempDir Path folder;

  /** u.a is kept unique or not, and called so in some way. */
  private Path policy(boolean enforced, String key, String table) throws Exception {
    Path database = folder.resolve("rows.duckdb");
    try (Connection writer = DriverManager.getConnection("jdbc:duckdb:" + database)) {
      OpenGateway.write(
          writer,
          "CREATE TABLE t(a BIGINT NOT NULL)",
          "CREATE TABLE u(a BIGINT NOT NULL" + (enforced ? " UNIQUE)" : ")"),
          "INSERT INTO t SELECT i FROM range(100) r(i)",
          "INSERT INTO u SELECT i FROM range(100) r(i)");
    }
    Path file = folder.resolve("p.yaml");
    Files.writeString(
        file,
        """
        database: jdbc:duckdb:%s
        privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
        tables:
          t:
            columns: {a: {type: bigint, nullable: false, references: u.a}}
          u:
            %s
            columns: {a: {type: bigint, nullable: false, %s}}
        """
            .formatted(database, table, key));
    OpenGateway.collect("jdbc:duckdb:" + database, read(file), folder.resolve("p.metrics.json"));
    return file;
  }

  private static Policy read(Path file) throws Exception {
    return PolicyReader.read(
        YamlText.tree(Files.readString(file), ConfigurationError.Code.BAD_POLICY));
  }

  private static String bound(FlexDp flexdp) {
    Explanation explanation = flexdp.explain(flexdp.question(JOIN));
    return explanation.noise().getFirst().formula();
  }

  @Test
  void oneThatNobodyKeepsIsMeasuredLikeAnyFrequency() throws Exception {
    try (FlexDp flexdp = FlexDp.open(policy(false, "unique: true", ""))) {
      assertFalse(bound(flexdp).contains("min(1,"), bound(flexdp));
      assertFalse(flexdp.policy().table("u").orElseThrow().uniqueKeys().contains(Set.of("a")));
      assertEquals(1, flexdp.unenforced().size());
      assertTrue(flexdp.unenforced().getFirst().contains("does not count"));
      flexdp.ask(JOIN);
    }
  }

  @Test
  void oneThatTheDatabaseKeepsCounts() throws Exception {
    try (FlexDp flexdp = FlexDp.open(policy(true, "unique: true", ""))) {
      assertTrue(bound(flexdp).contains("min(1, mf(u.a)"), bound(flexdp));
      assertEquals(List.of(), flexdp.unenforced());
    }
  }

  /** Whole numbers that the database keeps apart may be one double. */
  @Test
  void oneThatIsReadAsAnotherTypeIsMeasured() throws Exception {
    Path file = policy(true, "unique: true", "");
    Files.writeString(file, Files.readString(file).replace("bigint", "double"));
    Files.delete(folder.resolve("p.metrics.json"));
    OpenGateway.collect(
        "jdbc:duckdb:" + folder.resolve("rows.duckdb"),
        read(file),
        folder.resolve("p.metrics.json"));
    try (FlexDp flexdp = FlexDp.open(file)) {
      assertEquals(Set.of(), Set.copyOf(flexdp.policy().table("u").orElseThrow().uniqueKeys()));
      assertFalse(bound(flexdp).contains("min(1,"), bound(flexdp));
      assertTrue(flexdp.unenforced().getFirst().contains("does not count"));
    }
  }

  @Test
  void oneThatItsOwnerVouchesForCountsAndIsNamed() throws Exception {
    try (FlexDp flexdp = FlexDp.open(policy(false, "unique: true, trusted: true", ""))) {
      assertTrue(bound(flexdp).contains("min(1, mf(u.a)"), bound(flexdp));
      assertTrue(flexdp.unenforced().getFirst().contains("on your word"));
    }
  }

  @Test
  void aTableIsVouchedForWithAllItsKeys() throws Exception {
    try (FlexDp flexdp = FlexDp.open(policy(false, "unique: true", "trusted: true"))) {
      assertTrue(bound(flexdp).contains("min(1, mf(u.a)"), bound(flexdp));
    }
  }

  /** Whose rows are whose cannot be measured instead. */
  @Test
  void peopleAreNotNamedByAKeyThatNobodyKeeps() throws Exception {
    Path file = policy(false, "unique: true", "");
    Files.writeString(
        file,
        "people: {one: {key: u.a}}\n"
            + Files.readString(file)
                .replace("  u:\n", "  u:\n    owners: {one: a}\n")
                .replace("  t:\n", "  t:\n    owners: {one: a}\n"));
    Files.delete(folder.resolve("p.metrics.json"));
    ConfigurationError refused =
        assertThrows(ConfigurationError.class, () -> FlexDp.open(file).close());
    assertTrue(refused.message().contains("'u.a' names people"), refused.message());
    assertTrue(refused.hint().contains("trusted: true"), refused.hint());
    Files.writeString(
        file, Files.readString(file).replace("unique: true", "unique: true, trusted: true"));
    FlexDp.open(file).close();
  }

  @Test
  void nothingIsAnsweredAboutATableThatItsOwnerClosed() throws Exception {
    Path file = policy(true, "unique: true", "");
    String open = Files.readString(file);
    String closed = TableClosing.in(open, "u");
    assertEquals(open, closed.replaceFirst("    closed: true\n", ""));
    Files.writeString(file, closed);
    try (FlexDp flexdp = FlexDp.open(file)) {
      ConfigurationError refused = assertThrows(ConfigurationError.class, () -> flexdp.ask(JOIN));
      assertTrue(refused.message().contains("'u' is closed"), refused.message());
      flexdp.ask("SELECT COUNT(*) FROM t");
    }
  }

  @Test
  void whatIsTrustedHasToBeAKey() throws Exception {
    ConfigurationError refused =
        assertThrows(ConfigurationError.class, () -> policy(false, "trusted: true", ""));
    assertTrue(refused.message().contains("unique: true"), refused.message());
  }
}
