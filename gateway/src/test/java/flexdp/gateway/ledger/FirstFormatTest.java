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
import flexdp.policy.Neighbors;
import java.io.InputStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A ledger that the first version wrote: t charged 2, 0.5 and 0.25, u charged 0.5, t granted 1. It
 * says nothing of tables but the policy's word, and nothing of neighbours.
 */
class FirstFormatTest {
  private static final Allowances ALLOWANCES = Allowances.eachTable(Allowance.basic("5", "1e-6"));
  private static final Account T = new Account.Table("t");

  @TempDir Path folder;
  private Path file;

  @BeforeEach
  void write() throws Exception {
    file = folder.resolve("p.ledger");
    try (Connection connection = DriverManager.getConnection("jdbc:sqlite:" + file);
        Statement statement = connection.createStatement()) {
      for (String line : dump()) {
        statement.execute(line);
      }
    }
  }

  private static List<String> dump() throws Exception {
    try (InputStream in = FirstFormatTest.class.getResourceAsStream("/ledger/first-format.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static void assertSpent(String epsilon, Ledger ledger, Account account) {
    BigDecimal spent = ledger.standing(account).spent().epsilon();
    assertEquals(0, new BigDecimal(epsilon).compareTo(spent), account + " spent " + spent);
  }

  @Test
  void nothingSpentIsLost() throws Exception {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:")) {
      KnownTables.sql(duck, "CREATE TABLE T (id BIGINT)", "CREATE TABLE u (id BIGINT)");
      try (Ledger ledger = LedgerOpening.file(file, ALLOWANCES, false)) {
        assertSpent("2.75", ledger, T);
        ledger.bind(KnownTables.in(duck, "T", "main.u"));
        assertSpent("2.75", ledger, new Account.Table("T"));
        assertSpent("0.5", ledger, new Account.Table("main.u"));
        assertSpent("2.75", ledger, new Account.Analyst("ann"));
        assertEquals(
            0,
            new BigDecimal("3.25")
                .compareTo(ledger.standing(new Account.Table("T")).largestNext().orElseThrow()));
        ledger.reserve(Requests.pure("3.25", "T"));
        assertThrows(BudgetExhausted.class, () -> ledger.reserve(Requests.pure("0.1", "T")));
      }
      try (Ledger ledger = LedgerOpening.file(file, ALLOWANCES, false)) {
        assertSpent("6", ledger, T);
        assertEquals(4, Audit.of(ledger).charges());
      }
    }
  }

  @Test
  void aWordThatNoTableHasAnyMoreIsNotForgotten() throws Exception {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Ledger ledger = LedgerOpening.file(file, ALLOWANCES, false)) {
      KnownTables.sql(duck, "CREATE TABLE renamed (id BIGINT)", "CREATE TABLE u (id BIGINT)");
      LedgerError error =
          assertThrows(LedgerError.class, () -> ledger.bind(KnownTables.in(duck, "renamed", "u")));
      assertEquals(Code.LEDGER_POLICY, error.code());
      LedgerRepair.of(file)
          .adopt(
              ALLOWANCES,
              Optional.of(KnownTables.in(duck, "renamed", "u")),
              Adoption.Choice.NONE,
              "owner",
              "",
              true);
      ledger.bind(KnownTables.in(duck, "renamed", "u"));
      assertSpent("2.75", ledger, new Account.Table("renamed"));
    }
  }

  @Test
  void underReplaceOneItCountsTwiceOnceTheOwnerAgrees() {
    Allowances replace = ALLOWANCES.under(Neighbors.REPLACE_ONE);
    LedgerError error =
        assertThrows(LedgerError.class, () -> LedgerOpening.file(file, replace, false).close());
    assertEquals(Code.LEDGER_POLICY, error.code());
    assertTrue(error.getMessage().contains("not recorded"), error::getMessage);
    LedgerRepair.of(file).acceptPolicy(replace, "owner");
    try (Ledger ledger = LedgerOpening.file(file, replace, false)) {
      assertSpent("5.5", ledger, T);
    }
  }

  @Test
  void onPostgresToo() throws Exception {
    List<String> statements =
        new ArrayList<>(List.of("CREATE SCHEMA flexdp", "SET search_path = flexdp"));
    for (String line : dump()) {
      if (line.startsWith("CREATE TABLE entry")) {
        statements.add(line.replace("INTEGER", "BIGINT").replace(") STRICT", ")"));
        statements.add("COMMENT ON TABLE entry IS 'flexdp-ledger-1'");
      } else if (line.startsWith("INSERT")) {
        statements.add(line);
      }
    }
    try (FreshPostgres server = FreshPostgres.durable()) {
      try (Connection connection = server.connect()) {
        KnownTables.sql(connection, statements.toArray(String[]::new));
      }
      String url = server.url();
      LedgerOpening opening =
          new LedgerOpening(ALLOWANCES, Clock.systemUTC(), folder.resolve("p.anchor"), false);
      try (Ledger ledger = opening.postgres(url, new Properties())) {
        assertSpent("2.75", ledger, T);
        ledger.reserve(Requests.pure("1", "t"));
      }
      try (Ledger ledger = opening.postgres(url, new Properties())) {
        assertSpent("3.75", ledger, T);
      }
    }
  }
}
