package flexdp.gateway.ledger;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import flexdp.failure.LedgerError.Code;
import flexdp.gateway.FreshPostgres;
import flexdp.gateway.catalog.TableIdentities;
import flexdp.gateway.ledger.entry.ChargeOutcome;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A table keeps its account, whatever policies call it and whatever became of it. */
class TableAccountsTest {
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic("3", "0"));

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void name() {
    file = folder.resolve("p.ledger");
  }

  private Ledger open(TableIdentities tables) {
    Ledger ledger = LedgerOpening.file(file, ALLOWANCES, false);
    try {
      ledger.bind(tables);
      return ledger;
    } catch (RuntimeException e) {
      ledger.close();
      throw e;
    }
  }

  private void charge(TableIdentities tables, String epsilon, String... names) {
    try (Ledger ledger = open(tables)) {
      ledger.settle(ledger.reserve(Requests.pure(epsilon, names)), ChargeOutcome.RELEASED);
    }
  }

  private void assertSpent(String epsilon, TableIdentities tables, String name) {
    try (Ledger ledger = open(tables)) {
      BigDecimal spent = ledger.standing(new Account.Table(name)).spent().epsilon();
      assertEquals(0, new BigDecimal(epsilon).compareTo(spent), name + " spent " + spent);
    }
  }

  private LedgerError assertRefused(TableIdentities tables) {
    LedgerError error = assertThrows(LedgerError.class, () -> open(tables).close());
    assertEquals(Code.LEDGER_POLICY, error.code(), error::getMessage);
    assertTrue(error.hint().contains("budget adopt"), error::hint);
    return error;
  }

  private Adoption adopt(TableIdentities tables, Adoption.Choice choice) {
    return LedgerRepair.of(file).adopt(ALLOWANCES, Optional.of(tables), choice, "owner", "", true);
  }

  private static Connection duckDb(String... statements) throws SQLException {
    Connection connection = DriverManager.getConnection("jdbc:duckdb:");
    KnownTables.sql(connection, statements);
    return connection;
  }

  @Test
  void spellingsOfOneNameAreOneAccount() throws Exception {
    try (Connection duck = duckDb("CREATE TABLE t (id BIGINT)")) {
      charge(KnownTables.in(duck, "t"), "1", "t");
      charge(KnownTables.in(duck, "T"), "1", "T");
      charge(KnownTables.in(duck, "main.t"), "1", "main.t");
      for (String spelling : List.of("t", "T", "main.t", "Main.T", "MAIN.t")) {
        assertSpent("3", KnownTables.in(duck, spelling), spelling);
        try (Ledger ledger = open(KnownTables.in(duck, spelling))) {
          assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", spelling)));
        }
      }
    }
    try (Connection lite = DriverManager.getConnection("jdbc:sqlite:")) {
      KnownTables.sql(lite, "CREATE TABLE \"T\" (id BIGINT)");
      assertSpent("3", KnownTables.in(lite, "t"), "t");
    }
  }

  @Test
  void aTableMadeAnewKeepsItsAccount() throws Exception {
    try (Connection duck = duckDb("CREATE TABLE t (id BIGINT)")) {
      charge(KnownTables.in(duck, "t"), "3", "t");
      KnownTables.sql(duck, "DROP TABLE t", "CREATE TABLE T (id BIGINT, more BIGINT)");
      assertSpent("3", KnownTables.in(duck, "t"), "t");
    }
    try (Connection copy = duckDb("CREATE TABLE t (id BIGINT)")) {
      assertSpent("3", KnownTables.in(copy, "t"), "t");
    }
  }

  @Test
  void tablesOfOneNameInTwoSchemasAreTwo() throws Exception {
    try (Connection duck =
        duckDb("CREATE TABLE t (id BIGINT)", "CREATE SCHEMA s", "CREATE TABLE s.t (id BIGINT)")) {
      charge(KnownTables.in(duck, "t", "s.t"), "1", "t");
      charge(KnownTables.in(duck, "t", "s.t"), "2", "s.t");
      assertSpent("1", KnownTables.in(duck, "t"), "t");
      assertSpent("2", KnownTables.in(duck, "s.t"), "s.t");
      duck.setSchema("s"); // now the bare name is the other table
      assertSpent("2", KnownTables.in(duck, "t"), "t");
      assertSpent("1", KnownTables.in(duck, "main.t"), "main.t");
    }
  }

  @Test
  void aNewTableIsRefusedWhileOneThatWasChargedIsGone() throws Exception {
    try (Connection duck = duckDb("CREATE TABLE t (id BIGINT)", "CREATE TABLE u (id BIGINT)")) {
      charge(KnownTables.in(duck, "t"), "2", "t");
      assertSpent("0", KnownTables.in(duck, "t", "u"), "u");
      KnownTables.sql(duck, "ALTER TABLE t RENAME TO t2");
      assertSpent("0", KnownTables.in(duck, "u"), "u");
      LedgerError error = assertRefused(KnownTables.in(duck, "t2"));
      assertTrue(error.getMessage().contains("'t2'"), error::getMessage);
      Adoption adoption = adopt(KnownTables.in(duck, "t2"), Adoption.Choice.NONE);
      assertTrue(adoption.isNeeded());
      assertSpent("2", KnownTables.in(duck, "t2"), "t2");
      charge(KnownTables.in(duck, "t2"), "1", "t2");
      KnownTables.sql(duck, "ALTER TABLE t2 RENAME TO t");
      assertSpent("3", KnownTables.in(duck, "t"), "t");
    }
  }

  @Test
  void theOwnerKnowsBetter() throws Exception {
    try (Connection duck = duckDb("CREATE TABLE a (id BIGINT)", "CREATE TABLE b (id BIGINT)")) {
      charge(KnownTables.in(duck, "a", "b"), "1", "a");
      charge(KnownTables.in(duck, "a", "b"), "2", "b");
    }
    try (Connection duck = duckDb("CREATE TABLE c (id BIGINT)", "CREATE TABLE d (id BIGINT)")) {
      TableIdentities both = KnownTables.in(duck, "c", "d");
      assertRefused(both);
      Adoption.Choice wrong = new Adoption.Choice(Map.of("c", "nothing"), Set.of());
      assertThrows(IllegalArgumentException.class, () -> adopt(both, wrong));
      Adoption.Choice nobody = new Adoption.Choice(Map.of(), Set.of("e"));
      assertThrows(IllegalArgumentException.class, () -> adopt(both, nobody));
      assertRefused(both);
      adopt(both, new Adoption.Choice(Map.of("c", "a"), Set.of("d")));
      assertSpent("1", both, "c");
      assertSpent("0", both, "d");
    }
  }

  @Test
  void withoutAChoiceEverythingThatIsGoneCounts() throws Exception {
    try (Connection duck = duckDb("CREATE TABLE a (id BIGINT)", "CREATE TABLE b (id BIGINT)")) {
      charge(KnownTables.in(duck, "a", "b"), "1", "a");
      charge(KnownTables.in(duck, "a", "b"), "1.5", "b");
    }
    try (Connection duck = duckDb("CREATE TABLE c (id BIGINT)")) {
      adopt(KnownTables.in(duck, "c"), Adoption.Choice.NONE);
      assertSpent("2.5", KnownTables.in(duck, "c"), "c");
    }
  }

  @Test
  void aCopyCountsWithItsOriginalWhenTheOwnerSaysSo() throws Exception {
    try (Connection duck = duckDb("CREATE TABLE t (id BIGINT)")) {
      charge(KnownTables.in(duck, "t"), "2", "t");
      KnownTables.sql(duck, "CREATE TABLE copy AS SELECT * FROM t");
      TableIdentities both = KnownTables.in(duck, "t", "copy");
      assertSpent("0", both, "copy");
      adopt(both, new Adoption.Choice(Map.of("copy", "t"), Set.of()));
      charge(both, "1", "copy");
      assertSpent("3", both, "t");
      assertSpent("3", both, "copy");
    }
  }

  @Test
  void grantsBeforeTheFirstQuestionReachTheTable() throws Exception {
    try (Ledger ledger = LedgerOpening.file(file, ALLOWANCES, false)) {
      ledger.grant(new Account.Table("T"), BigDecimal.ONE, BigDecimal.ZERO, "owner", "");
    }
    try (Connection duck = duckDb("CREATE TABLE t (id BIGINT)")) {
      charge(KnownTables.in(duck, "t"), "4", "t");
      assertSpent("4", KnownTables.in(duck, "t"), "t");
    }
    // Without the database a word that was never bound is only shown as what it seems to be.
    try (Ledger ledger = LedgerOpening.file(file, ALLOWANCES, false)) {
      assertEquals(
          1,
          ledger.standings(Set.of(new Account.Table("Main.T"))).stream()
              .filter(TableAccountsTest::isTable)
              .count());
      ledger.grant(new Account.Table("Main.T"), BigDecimal.ONE, BigDecimal.ZERO, "owner", "");
      assertLeft("0", ledger, "t");
    }
    try (Connection duck = duckDb("CREATE TABLE t (id BIGINT)");
        Ledger ledger = open(KnownTables.in(duck, "t"))) {
      assertLeft("1", ledger, "t");
    }
  }

  private static void assertLeft(String epsilon, Ledger ledger, String table) {
    BigDecimal left = ledger.standing(new Account.Table(table)).largestNext().orElseThrow();
    assertEquals(0, new BigDecimal(epsilon).compareTo(left), table + " has " + left + " left");
  }

  private static boolean isTable(Balance balance) {
    return balance.account() instanceof Account.Table;
  }

  @Test
  void postgresKnowsARenamedTable() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection postgres = server.connect()) {
      KnownTables.sql(
          postgres,
          "CREATE TABLE t (id BIGINT)",
          "CREATE TABLE \"T\" (id BIGINT)",
          "DROP ROLE IF EXISTS reader",
          "CREATE ROLE reader",
          "GRANT SELECT ON ALL TABLES IN SCHEMA public TO reader");
      charge(KnownTables.in(postgres, "t"), "1", "t");
      charge(KnownTables.in(postgres, "public.t"), "1", "public.t");
      assertSpent("0", KnownTables.in(postgres, "T"), "T");
      KnownTables.sql(postgres, "ALTER TABLE t RENAME TO old", "CREATE TABLE t (id BIGINT)");
      assertSpent("2", KnownTables.in(postgres, "t"), "t");
      charge(KnownTables.in(postgres, "old"), "1", "old");
      assertSpent("3", KnownTables.in(postgres, "t", "old"), "t");
      KnownTables.sql(
          postgres,
          "ALTER SCHEMA public RENAME TO prod",
          "DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET search_path = prod',"
              + " current_database()); END $$");
      try (Connection moved = server.connect()) {
        assertSpent("3", KnownTables.in(moved, "old"), "old");
        // Swapped: what either of them lost counts for both.
        charge(KnownTables.in(moved, "T"), "0.5", "T");
        KnownTables.sql(
            moved,
            "ALTER TABLE \"T\" RENAME TO x",
            "ALTER TABLE old RENAME TO \"T\"",
            "ALTER TABLE x RENAME TO old",
            "SET ROLE reader");
        assertSpent("3.5", KnownTables.in(moved, "old"), "old");
        assertSpent("3.5", KnownTables.in(moved, "T"), "T");
      }
    }
  }

  /** What is attached brings what was told of it; what is detached goes on with it. */
  @Test
  void partitionsBelongToTheAccountOfTheirRoot() throws Exception {
    try (FreshPostgres server = FreshPostgres.create();
        Connection postgres = server.connect()) {
      KnownTables.sql(
          postgres,
          "CREATE TABLE p (id BIGINT, m INT) PARTITION BY LIST (m)",
          "CREATE TABLE p1 PARTITION OF p FOR VALUES IN (1)",
          "CREATE TABLE deep PARTITION OF p FOR VALUES IN (8, 9) PARTITION BY LIST (m)",
          "CREATE TABLE deep9 PARTITION OF deep FOR VALUES IN (9)",
          "CREATE TABLE t (id BIGINT, m INT)",
          "CREATE TABLE u (id BIGINT, m INT)");
      charge(KnownTables.in(postgres, "p", "t"), "1", "t");
      charge(KnownTables.in(postgres, "p", "u"), "0.5", "u");
      charge(KnownTables.in(postgres, "p"), "0.5", "p");
      KnownTables.sql(postgres, "ALTER TABLE p ATTACH PARTITION t FOR VALUES IN (2)");
      assertSpent("1.5", KnownTables.in(postgres, "p"), "p");
      assertSpent("0.5", KnownTables.in(postgres, "u"), "u");
      charge(KnownTables.in(postgres, "p"), "0.5", "p");
      KnownTables.sql(
          postgres,
          "ALTER TABLE p DETACH PARTITION p1",
          "ALTER TABLE p DETACH PARTITION t",
          "ALTER TABLE deep DETACH PARTITION deep9",
          "ALTER TABLE p1 RENAME TO another");
      for (String part : List.of("another", "t", "deep9")) {
        assertSpent("2", KnownTables.in(postgres, part), part);
      }
      assertSpent("2", KnownTables.in(postgres, "p", "u"), "p");
      long entries = entries();
      assertSpent("2", KnownTables.in(postgres, "p", "u"), "p");
      assertEquals(entries, entries(), "what is known is not written again");
      // Partitions come and go every day.
      KnownTables.sql(
          postgres,
          "CREATE TABLE p3 PARTITION OF p FOR VALUES IN (3)",
          "DROP TABLE another",
          "DROP TABLE deep9");
      charge(KnownTables.in(postgres, "p"), "0.5", "p");
      KnownTables.sql(postgres, "DROP TABLE p3");
      assertSpent("2.5", KnownTables.in(postgres, "p", "u"), "p");
    }
  }

  private long entries() {
    long[] count = {0};
    try (Ledger ledger = LedgerOpening.file(file, ALLOWANCES, false)) {
      ledger.read(entry -> count[0]++);
    }
    return count[0];
  }
}
