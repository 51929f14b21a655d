package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A policy that grows under a server that runs, on PostgreSQL: what a reload takes, a start takes.
 */
class GrowingPolicyTest {
  private static final String BEFORE =
      """
      flexdp: 1
      database: "%s"
      privacy: {epsilon: 0.5, budget: {epsilon: 1000}%s}
      people: {patient: {key: patient.id}}
      tables:
        patient:
          owners: {patient: id}
          columns:
            id: {type: bigint, nullable: false, unique: true}
            sex: {type: varchar, domain: [f, m]}%s
      """;
  private static final String COLUMN = "\n      born: {type: integer, range: [1900, 2030]}";
  private static final String TABLE =
      """
        visit:
          owners: {patient: patient_id}
          columns:
            id: {type: bigint, nullable: false, unique: true}
            patient_id: {type: bigint, references: patient.id}
            minutes: {type: integer, range: [0, 120]}
      """;

  @TempDir Path folder;
  private final List<String> said = new CopyOnWriteArrayList<>();
  private Path policy;
  private String url;

  private Service start() {
    return Service.start(
        new ServiceOptions(
            List.of(policy),
            ServiceOptions.usersBeside(policy),
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(5)),
        said::add);
  }

  private void write(String accounts, String columns, String tables) throws Exception {
    Files.writeString(policy, BEFORE.formatted(url, accounts, columns) + tables);
  }

  private static void ask(Service service, String sql) throws Exception {
    Properties properties = new Properties();
    properties.setProperty("user", "ann");
    properties.setProperty("password", Demo.PASSWORD);
    try (Connection connection =
            DriverManager.getConnection(
                "jdbc:postgresql://127.0.0.1:" + service.port() + "/ward", properties);
        Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      assertTrue(rows.next());
    }
  }

  private void taken(Service service) {
    service.reload();
    assertEquals("reloaded " + policy, said.getLast(), said.toString());
  }

  @Test
  void whatAddsATableAColumnAnAnalystOrARoleNeedsNothing() throws Exception {
    try (MortalPostgres postgres = new MortalPostgres(folder.resolve("data"))) {
      url = postgres.data();
      try (Connection owner = DriverManager.getConnection(url);
          Statement statement = owner.createStatement()) {
        statement.execute("CREATE TABLE patient (id bigint PRIMARY KEY, sex text, born int)");
        statement.execute("INSERT INTO patient SELECT i, 'f', 1980 FROM generate_series(1, 50) i");
        statement.execute(
            "CREATE TABLE visit (id bigint PRIMARY KEY, patient_id bigint REFERENCES patient,"
                + " minutes int)");
        statement.execute(
            "INSERT INTO visit SELECT i, i % 50 + 1, 10 FROM generate_series(1, 99) i");
      }
      policy = folder.resolve("ward.yaml");
      write("", "", "");
      new Users(List.of(Demo.user("ann", User.Right.ANALYST, Set.of())))
          .write(ServiceOptions.usersBeside(policy));
      String patients = "SELECT count(*) FROM patient WHERE length(sex) < ";
      try (Service service = start()) {
        ask(service, patients + 1);
        write("", "", TABLE);
        taken(service);
        ask(service, "SELECT count(*) FROM visit");
        write("", COLUMN, TABLE);
        taken(service);
        ask(service, "SELECT sum(born) FROM patient");
        write(
            ", roles: {desk: {budget: {epsilon: 50}}}, analysts: {ann: {roles: [desk]}}",
            COLUMN,
            TABLE);
        taken(service);
        ask(service, patients + 2);
        service.reloadAll();
        assertEquals("reloaded " + policy, said.getLast(), said.toString());
      }
      try (Service service = start()) {
        ask(service, "SELECT count(*) FROM visit WHERE minutes > 5");
        write("", "", TABLE);
        taken(service);
        ask(service, patients + 3);
        // Whose the visits were would be forgotten: refused with the command, and the old one
        // stays.
        write("", "", "");
        service.reload();
        assertTrue(said.getLast().contains("budget adopt --dry-run"), said.getLast());
        ask(service, "SELECT count(*) FROM visit WHERE minutes > 6");
        write("", "", TABLE);
        taken(service);
      }
      try (Service service = start();
          Connection owner = DriverManager.getConnection(url);
          Statement statement = owner.createStatement()) {
        ask(service, patients + 4);
        statement.execute("ALTER TABLE patient DROP COLUMN sex");
        assertThrows(SQLException.class, () -> ask(service, patients + 5));
        service.reload();
        assertTrue(said.getLast().startsWith("questions about ward are refused: "), said.getLast());
        String still = policy + " did not change and cannot be opened anew (";
        Await.until(
            () -> said.stream().anyMatch(line -> line.startsWith(still)), "the file is not new");
        statement.execute("ALTER TABLE patient ADD COLUMN sex text");
        Await.until(() -> said.getLast().equals("reloaded " + policy), "taken again by itself");
        ask(service, patients + 6);
      }
    }
  }
}
