package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.door.Tls;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** What an operator does with a server that runs. */
class SecondDayTest {
  @TempDir Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();

  private Demo start() throws Exception {
    return Demo.start(folder, Optional.of(Tls.selfSigned()), "10000", said::add);
  }

  @Test
  void theAuditGoesToAFileOfTheNameAfterItWasRotated() throws Exception {
    try (Demo demo = start()) {
      demo.connect("ann").close();
      Path audit = folder.resolve("flexdp-audit.log");
      Path old = folder.resolve("flexdp-audit.log.1");
      Files.move(audit, old);
      long before = Files.size(old);
      demo.connect("ben").close();
      assertEquals(before, Files.size(old));
      assertTrue(Files.readString(audit).contains("\"user\":\"ben\""));
      WebClient owner = demo.web().signIn("owner");
      assertTrue(owner.get("/v1/owner/audit").body().contains("\"ben\""));
    }
  }

  @Test
  void aClientThatWaitsForNothingIsToldThatTheServerStops() throws Exception {
    Connection connection;
    try (Demo demo = start()) {
      connection = demo.connect("ann", "sslmode", "disable");
    }
    SQLException told =
        assertThrows(
            SQLException.class,
            () -> connection.unwrap(PGConnection.class).getNotifications(1_000));
    assertEquals("57P01", told.getSQLState(), told.getMessage());
  }

  @Test
  void whoHasSpentABudgetOfAMonthIsToldWhenItComesBack() throws Exception {
    try (Demo demo = start()) {
      Files.writeString(
          demo.policy,
          Files.readString(demo.policy)
              .replace(
                  "privacy:\n",
                  "privacy:\n  analysts: {ann: {budget: {epsilon: 1,"
                      + " window: {calendar: month, guarantee: per-window}}}}\n"));
      demo.service().reload();
      assertEquals("reloaded " + demo.policy, said.getLast());
      try (Connection connection = demo.connect("ann");
          Statement statement = connection.createStatement()) {
        String mine =
            "SELECT per, comes_back FROM flexdp.budget WHERE account = 'analyst:ann'"
                + " AND (comes_back IS NULL OR comes_back = date_trunc('month', comes_back))";
        assertEquals("calendar month null", row(statement, mine));
        row(statement, "SELECT count(*), 1 FROM drivers");
        String told = row(statement, mine);
        assertTrue(told.matches("calendar month \\d{4}-\\d\\d-01 00:00:00"), told);
        String day = told.substring(15, 25);
        WebClient.Reply accounts = demo.web().signIn("ann").get("/v1/budget?database=rides");
        assertTrue(accounts.body().contains("\"comesBack\":\"" + day), accounts.body());
      }
    }
  }

  @Test
  void theOwnerSeesTheBudgetsOfThoseWhoHaveNotAsked() throws Exception {
    try (Demo demo = start()) {
      String budgets = demo.web().signIn("owner").get("/v1/owner/budgets").body();
      assertTrue(budgets.contains("\"analyst:ben\""), budgets);
      assertTrue(!budgets.contains("\"analyst:eve\""), "another database's");
      assertTrue(!budgets.contains("\"analyst:owner\""), budgets);
    }
  }

  private static String row(Statement statement, String sql) throws SQLException {
    try (ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next(), sql);
      return rows.getString(1) + " " + rows.getString(2);
    }
  }

  @Test
  void aPolicyThatWasRefusedIsTriedAgainAndTheOldOneIsUsedMeanwhile() throws Exception {
    try (Demo demo = start()) {
      String before = Files.readString(demo.policy);
      Files.writeString(demo.policy, before + "\nnonsense: 1\n");
      demo.service().reload();
      assertTrue(said.getLast().contains("the old stays"), said.toString());
      String ready = demo.web().get("/readyz").body();
      assertEquals("ready\nreload of rides: refused, the old one is used\n", ready);
      Files.writeString(demo.policy, before);
      demo.service().reload();
      assertTrue(said.getLast().startsWith("reloaded"), said.toString());
      assertEquals("ready\n", demo.web().get("/readyz").body());
      int lines = said.size();
      demo.service().reloadAll();
      assertTrue(said.size() >= lines + 2, said.toString()); // users and policy, changed or not
    }
  }
}
