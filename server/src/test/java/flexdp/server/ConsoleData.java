package flexdp.server;

import flexdp.gateway.FlexDp;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.Statement;

/** Databases that the console has to show well. */
final class ConsoleData {
  private static final String HOSTILE =
      """
      flexdp: 1
      database: "jdbc:duckdb:FILE"
      privacy: {epsilon: 1, delta: 1e-10, budget: {epsilon: 100, delta: 1e-6, composition: basic}}
      tables:
        "<img src=x onerror=alert(1)>":
          columns:
            "<script>alert(2)</script>":
              {type: varchar, domain: ["<b onmouseover=alert(4)>x</b>", "\\"><iframe src=//example.org>"]}
      """;

  private static final String CLINIC =
      """
      flexdp: 1
      database: "jdbc:duckdb:FILE"
      privacy: {epsilon: 1, delta: 1e-10, budget: {epsilon: 100, delta: 1e-6, composition: basic}}
      people:
        patient: {key: patient.id}
        doctor: {key: doctor.id}
      tables:
        patient:
          owners: {patient: id}
          columns: {id: {type: integer, nullable: false, unique: true, trusted: true}}
        doctor:
          owners: {doctor: id}
          columns: {id: {type: integer, nullable: false, unique: true, trusted: true}}
        visit:
          owners: {patient: patient_id, doctor: doctor_id}
          columns:
            patient_id: {type: integer, nullable: false, references: patient.id}
            doctor_id: {type: integer, nullable: false, references: doctor.id}
            ward: {type: varchar, nullable: false, domain: [a, b, c]}
      """;

  private ConsoleData() {}

  /** Everything that has a name is called as a script would like it. */
  static Path hostile(Path folder) throws Exception {
    return make(
        folder,
        "hostile",
        HOSTILE,
        "CREATE TABLE \"<img src=x onerror=alert(1)>\" AS SELECT '<b onmouseover=alert(4)>x</b>'"
            + " AS \"<script>alert(2)</script>\" FROM range(100)");
  }

  /** People are protected, and a visit is of two. */
  static Path clinic(Path folder) throws Exception {
    Path file =
        make(
            folder,
            "clinic",
            CLINIC,
            "CREATE TABLE patient AS SELECT n::INTEGER AS id FROM range(300) t(n)",
            "CREATE TABLE doctor AS SELECT n::INTEGER AS id FROM range(40) t(n)",
            "CREATE TABLE visit AS SELECT (n % 300)::INTEGER AS patient_id, (n % 40)::INTEGER AS"
                + " doctor_id, chr((97 + n % 3)::INTEGER) AS ward FROM range(900) t(n)");
    try (FlexDp flexdp = FlexDp.open(file)) {
      flexdp.releaseProfiles(flexdp.question("").at(BigDecimal.ONE));
    }
    return file;
  }

  private static Path make(Path folder, String name, String policy, String... statements)
      throws Exception {
    Path database = folder.resolve(name + ".duckdb");
    try (Connection connection = DriverManager.getConnection("jdbc:duckdb:" + database);
        Statement statement = connection.createStatement()) {
      for (String each : statements) {
        statement.execute(each);
      }
    }
    Path file = folder.resolve(name + ".yaml");
    Files.writeString(file, policy.replace("FILE", database.toString()));
    Demo.measure(file);
    return file;
  }
}
