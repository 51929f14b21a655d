package flexdp.gateway.policydraft;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.EnforcedKeys;
import flexdp.gateway.collect.PolicyCheck;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.files.YamlText;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Kinds of people and their paths, proposed from foreign keys and checked on the data. */
class PeopleDraftTest {
  private Connection connection;

  @BeforeEach
  void hospital() throws SQLException {
    connection = DriverManager.getConnection("jdbc:duckdb:");
    execute(
        "CREATE TABLE patient (id INTEGER PRIMARY KEY, sex VARCHAR)",
        "CREATE TABLE doctor (id INTEGER PRIMARY KEY)",
        "CREATE TABLE visit (id BIGINT PRIMARY KEY, patient_id INTEGER REFERENCES patient(id),"
            + " doctor_id INTEGER REFERENCES doctor(id))",
        "CREATE TABLE prescription (visit_id BIGINT REFERENCES visit(id), cost DECIMAL(9,2))");
  }

  @AfterEach
  void close() throws SQLException {
    connection.close();
  }

  @Test
  void withoutAWordOfTheOwnerPeopleStandInAComment() throws SQLException {
    String text = draft();
    assertTrue(read(text).people().isEmpty());
    assertTrue(
        text.contains("#   patient own prescription.visit_id.patient_id, visit.patient_id\n")
            || text.contains(
                "#   patient own visit.patient_id, prescription.visit_id.patient_id\n"),
        text);
    assertTrue(text.contains("#   doctor own "), text);
    assertFalse(text.contains("owners:"), text);
  }

  @Test
  void peopleWhoAreNamedOwnWhatReferencesLeadToThem() throws SQLException {
    Policy policy = read(draft("patient").replace("# unit: row", "unit: row"));
    assertEquals("patient_id", path(policy, "visit"));
    assertEquals("visit_id.patient_id", path(policy, "prescription"));
    assertEquals("id", path(policy, "patient"));
    assertTrue(policy.table("doctor").orElseThrow().ownership().owners().isEmpty());
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
  }

  /** A forgotten owner would silently protect less. */
  @Test
  void aTableThatNoReferenceLeadsFromIsLeftOpen() throws SQLException {
    String text = draft("patient");
    ConfigurationError refused = assertThrows(ConfigurationError.class, () -> read(text));
    assertTrue(refused.message().contains("does not say whose the rows"), refused.message());
  }

  @Test
  void pathsInheritEveryKindThatWasNamed() throws SQLException {
    Policy policy = read(draft("patient", "Doctor"));
    assertEquals(
        List.of("patient visit_id.patient_id", "doctor visit_id.doctor_id"),
        policy.table("prescription").orElseThrow().ownership().owners().stream()
            .map(o -> o.kind() + " " + o.path())
            .toList());
    assertEquals(
        """
          who owns what  patient              doctor
          doctor                              id
          patient        id
          prescription   visit_id.patient_id  visit_id.doctor_id
          visit          patient_id           doctor_id
        """
            .strip(),
        OwnersText.of(policy).strip());
  }

  @Test
  void twoReferencesToOneKindAreTwoOwners() throws SQLException {
    execute(
        "CREATE TABLE message (sender INTEGER REFERENCES patient(id), receiver INTEGER REFERENCES"
            + " patient(id))");
    String text = draft("patient");
    assertTrue(text.contains("owners: {patient: [sender, receiver]}   # several owners"), text);
  }

  /** Whether it is so no value is read to see. */
  @Test
  void idsThatMayStandForOnePersonsRowsAreProposedInAComment() throws SQLException {
    execute(
        "CREATE TABLE click (id BIGINT PRIMARY KEY, patient_id INTEGER REFERENCES patient(id),"
            + " session_id BIGINT NOT NULL, kind VARCHAR NOT NULL, device_id INTEGER)",
        "CREATE TABLE lab (patient_id INTEGER REFERENCES patient(id), visit_id BIGINT NOT NULL"
            + " REFERENCES visit(id))",
        "CREATE TABLE message (sender_id INTEGER NOT NULL REFERENCES patient(id), receiver_id INTEGER"
            + " NOT NULL REFERENCES patient(id))");
    String text = draft("patient");
    String meant = "   # where rows with the same value are always one person's";
    assertEquals(
        List.of(
            "# sameOwner: [session_id]" + meant,
            "# sameOwner: [visit_id]" + meant + "; then one owner is enough: patient_id"),
        text.lines().map(String::strip).filter(l -> l.startsWith("# sameOwner")).sorted().toList(),
        text);
  }

  /** A row whose path came back to its own table would have no end. */
  @Test
  void circlesAreLeftToTheOwner() throws SQLException {
    execute(
        "CREATE TABLE stay (id INTEGER PRIMARY KEY, before_id INTEGER REFERENCES stay(id),"
            + " patient_id INTEGER REFERENCES patient(id))",
        "CREATE TABLE nurse (id INTEGER PRIMARY KEY, chief_id INTEGER REFERENCES nurse(id),"
            + " patient_id INTEGER REFERENCES patient(id))");
    String text = draft("patient", "doctor", "nurse");
    Policy policy = read(text);
    assertEquals("patient_id", path(policy, "stay"));
    assertTrue(text.contains("# before_id also leads to stay; are they owners, too?"), text);
    assertEquals("id", path(policy, "nurse"));
    assertTrue(text.contains("# chief_id also leads to nurse; are they owners, too?"), text);
    assertTrue(text.contains("# patient_id also leads to patient; are they owners, too?"), text);
  }

  @Test
  void whatDoesNotCloseIsSaid() throws SQLException {
    execute(
        "CREATE TABLE ward (name VARCHAR, floor INTEGER, patient_id INTEGER REFERENCES patient(id),"
            + " PRIMARY KEY (name, floor), code VARCHAR UNIQUE)",
        "CREATE TABLE bed (ward VARCHAR, floor INTEGER, FOREIGN KEY (ward, floor) REFERENCES"
            + " ward(name, floor))",
        "CREATE TABLE chair (code VARCHAR REFERENCES ward(code))");
    String text = draft("patient", "doctor");
    assertTrue(text.contains("# a path goes over single columns, not over (ward, floor)"), text);
    assertTrue(text.contains("# ward.code is not enforced as unique and NOT NULL"), text);
  }

  @Test
  void onlyTablesWithAKeyArePeople() {
    ConfigurationError none = assertThrows(ConfigurationError.class, () -> draft("patients"));
    assertTrue(none.message().contains("Did you mean 'patient'?"), none.message());
    ConfigurationError keyless =
        assertThrows(ConfigurationError.class, () -> draft("prescription"));
    assertTrue(keyless.message().contains("unique and NOT NULL"), keyless.message());
  }

  /** A table of events with a user_id, and no table of users. */
  @Test
  void aColumnNamesPeopleOfWhomThereIsNoTable() throws SQLException {
    execute(
        "CREATE TABLE events (id BIGINT PRIMARY KEY, user_id BIGINT, page VARCHAR)",
        "CREATE TABLE orders (USER_ID BIGINT, event_id BIGINT REFERENCES events(id))",
        "CREATE TABLE clicks (event_id BIGINT REFERENCES events(id), x INTEGER)");
    String text = draft("user_id");
    assertTrue(text.contains("  user: {}   # whoever has the same user_id is the same"), text);
    assertTrue(text.contains("# event_id also leads to events; are they owners, too?"), text);
    Policy policy = read(text.replace("# unit: row", "unit: row"));
    assertEquals("user_id", path(policy, "events"));
    assertEquals("USER_ID", path(policy, "orders"));
    assertEquals("event_id.user_id", path(policy, "clicks"));
    assertEquals(List.of(), PolicyCheck.run(policy, connection));
    assertTrue(
        PolicyText.of(policy).contains("people       user by the columns that name owners\n"),
        PolicyText.of(policy));
  }

  @Test
  void columnsOfOtherTypesDoNotNameTheSamePeople() throws SQLException {
    execute(
        "CREATE TABLE events (userId VARCHAR)", "CREATE TABLE orders (userId INTEGER, n INTEGER)");
    String text = draft("userid");
    assertTrue(text.contains("  userid: {}"), text);
    assertTrue(
        text.contains("# userId is stored as INTEGER here and as VARCHAR elsewhere; make"), text);
    assertThrows(ConfigurationError.class, () -> read(text), "orders is left open");
    execute("CREATE TABLE odd (flag BOOLEAN)");
    ConfigurationError odd = assertThrows(ConfigurationError.class, () -> draft("flag"));
    assertTrue(odd.message().contains("cannot name people"), odd.message());
  }

  /** Under a collation that holds letters alike somebody may be spelt in two ways. */
  @Test
  void theCheckRefusesNamesThatAreStoredInTwoWays() throws SQLException {
    execute(
        "CREATE TABLE events (u VARCHAR)",
        "CREATE TABLE orders (u VARCHAR COLLATE NOCASE)",
        "CREATE TABLE calls (u UUID)");
    Policy policy =
        read(
            """
            people: {user: {}}
            tables:
              events: {owners: {user: u}, columns: {u: {type: varchar}}}
              orders: {owners: {user: u}, columns: {u: {type: varchar}}}
              calls: {owners: {user: u}, columns: {u: {type: varchar}}}
            """);
    List<String> broken =
        PolicyCheck.run(policy, connection).stream()
            .filter(PolicyCheck.Finding::breaksGuarantee)
            .map(PolicyCheck.Finding::text)
            .toList();
    assertEquals(
        List.of(
            "the people 'user' are named by events.u, stored as VARCHAR, and by orders.u, stored as"
                + " VARCHAR COLLATE; a person who is spelt in two ways would be two",
            "the people 'user' are named by events.u, stored as VARCHAR, and by calls.u, stored as"
                + " UUID; a person who is spelt in two ways would be two"),
        broken);
    Connector connector = Connectors.of(connection);
    PhysicalCatalog catalog =
        PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
    assertThrows(ConfigurationError.class, () -> EnforcedKeys.counting(policy, Map.of(), catalog));
  }

  @Test
  void theCheckCountsValuesThatAreNotOnePersons() throws SQLException {
    execute(
        "CREATE TABLE stay (id INTEGER, of_id INTEGER)",
        "INSERT INTO stay VALUES (1, 7), (2, 8), (3, 9)",
        "CREATE TABLE lab (visit_id INTEGER, of_id INTEGER, batch INTEGER)",
        "INSERT INTO lab VALUES (1, 7, 1), (1, 7, 2), (2, 9, 3), (3, 9, 3), (3, 8, 4), (NULL, 7, 5),"
            + " (4, 0, 5), (4, 7, NULL), (5, NULL, 1)");
    Policy policy =
        read(
            """
            people: {person: {nobody: [0]}}
            tables:
              stay:
                owners: {person: of_id}
                columns: {id: {type: integer, unique: true, nullable: false, trusted: true}, of_id: {type: integer}}
              lab:
                owners: {person: of_id}
                sameOwner: [visit_id, batch]
                columns:
                  visit_id: {type: integer, references: stay.id}
                  of_id: {type: integer}
                  batch: {type: integer}
            """);
    List<String> found =
        PolicyCheck.run(policy, connection).stream()
            .filter(f -> !f.breaksGuarantee())
            .map(PolicyCheck.Finding::text)
            .filter(text -> text.contains("sameOwner"))
            .toList();
    String words =
        " stand in rows of several people, though sameOwner says of one; each is counted";
    assertEquals(List.of("lab.visit_id: 2 values" + words + " as several"), found);
  }

  @Test
  void theCheckCountsRowsThatNameNobody() throws SQLException {
    execute(
        "CREATE TABLE person (id INTEGER, name VARCHAR)",
        "INSERT INTO person VALUES (1, 'a'), (2, 'b')",
        "CREATE TABLE deed (id INTEGER, by_id INTEGER)",
        "INSERT INTO deed VALUES (1, 1), (2, 1), (3, NULL), (4, 0), (5, 77), (6, 0)",
        "CREATE TABLE trace (deed_id BIGINT)",
        "INSERT INTO trace VALUES (1), (1), (3), (4), (9), (NULL), (5)");
    Policy policy =
        read(
            """
            people: {person: {key: person.id, nobody: [0]}}
            tables:
              person: {owners: {person: id}, columns: {id: {type: integer, unique: true, nullable: false}}}
              deed:
                owners: {person: by_id}
                columns: {id: {type: integer, unique: true, nullable: false}, by_id: {type: integer}}
              trace: {owners: {person: deed_id.by_id}, columns: {deed_id: {type: integer, references: deed.id}}}
            """);
    PolicyCheck.Found found = PolicyCheck.whole(policy, connection);
    assertEquals(
        List.of(
            "deed, person: by_id: 3 of 6 rows name no owner (1 NULL, 2 of ids that stand for"
                + " nobody); they are left out of answers",
            "trace, person: deed_id.by_id: 4 of 7 rows name no owner (1 NULL, 2 leading nowhere,"
                + " 1 of ids that stand for nobody); they are left out of answers",
            "trace.deed_id leads to owners and is read as integer, but stored as BIGINT; what does"
                + " not fit names nobody"),
        found.findings().stream().map(PolicyCheck.Finding::text).toList());
    assertEquals(
        """
          who owns what  person
          person         id
                           2 rows of 2, at most 1 each
          deed           by_id
                           3 rows of 2, at most 2 each
          trace          deed_id.by_id
                           3 rows of 2, at most 2 each
        """
            .strip(),
        OwnersText.of(policy, found.owned()).strip());
    execute("INSERT INTO deed VALUES (1, 2)");
    assertTrue(
        PolicyCheck.run(policy, connection).stream()
            .anyMatch(
                f ->
                    f.breaksGuarantee()
                        && f.text().equals("deed.id is declared unique, but values repeat")));
  }

  private static String path(Policy policy, String table) {
    return policy.table(table).orElseThrow().ownership().only().map(OwnerPath::path).orElseThrow();
  }

  private String draft(String... people) throws SQLException {
    return PolicyDraft.of(
        "jdbc:duckdb:x", Connectors.of(connection).tables(connection), List.of(people));
  }

  private static Policy read(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  private void execute(String... statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }
}
