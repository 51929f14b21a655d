package flexdp.gateway.demo;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * An invented hospital whose patients have few visits or very many: patients, visits, diagnoses,
 * labs, and public departments. The same size gives the same rows on DuckDB and on PostgreSQL, for
 * all of it is computed by the database from the numbers of rows.
 *
 * @param patients how many; everything else grows with them
 */
public record Hospital(int patients) {
  public static final int DEFAULT_PATIENTS = 60_000;

  /** Every table, in the order in which they refer to each other. */
  public static final List<String> TABLES =
      List.of("department", "patient", "visit", "diagnosis", "lab");

  /** A prime beyond the numbers of rows that one column needs to be told apart. */
  private static final int PRIME = 999_983;

  private static final List<String> DEPARTMENTS =
      List.of(
          "cardiology",
          "dermatology",
          "dialysis",
          "emergency",
          "endocrinology",
          "gastroenterology",
          "geriatrics",
          "gynaecology",
          "haematology",
          "intensive care",
          "nephrology",
          "neurology",
          "oncology",
          "ophthalmology",
          "orthopaedics",
          "paediatrics",
          "psychiatry",
          "radiology",
          "surgery",
          "urology");

  public Hospital {
    if (patients < 1) {
      throw new IllegalArgumentException("patients must be >= 1. Provided value: " + patients);
    }
  }

  /**
   * Makes the database in a new DuckDB file, which appears when it is complete.
   *
   * @throws java.nio.file.FileAlreadyExistsException rather than to replace somebody's database
   */
  public void create(Path file) throws IOException, SQLException {
    WholeFile.make(file, this::create);
  }

  /** Fills an empty database. */
  public void create(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : statements()) {
        statement.execute(sql);
      }
    }
  }

  /** A policy that protects patients, each with everything of hers, for the database there. */
  public static String policy(String url) {
    try (InputStream in = Hospital.class.getResourceAsStream("hospital.yaml")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8).replace("DATABASE", url);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<String> statements() {
    long visits = 5L * patients;
    long diagnoses = 20L * patients / 3;
    long labs = 25L * patients / 3;
    String patient = "CAST(FLOOR(" + patients + " * POWER(" + share(7919) + ", 1.6)) AS INTEGER)";
    String admitted = "TIMESTAMP '2016-01-01 00:00:00' + " + spread(52_361, 4_207_000) + MINUTES;
    return List.of(
        "CREATE TABLE department (name VARCHAR(20) PRIMARY KEY, floor INTEGER NOT NULL)",
        "INSERT INTO department VALUES "
            + IntStream.range(0, DEPARTMENTS.size())
                .mapToObj(i -> "('" + DEPARTMENTS.get(i) + "', " + i / 4 + ")")
                .collect(Collectors.joining(", ")),
        "CREATE TABLE patient (id INTEGER PRIMARY KEY, sex VARCHAR(1) NOT NULL, born DATE NOT"
            + " NULL, insurance VARCHAR(10), city VARCHAR(10) NOT NULL)",
        "INSERT INTO patient SELECT CAST(i AS INTEGER), "
            + one(4_241, "f", "m", "f", "m", "x")
            + ", DATE '1925-01-01' + CAST("
            + spread(60_013, 34_700)
            + " AS INTEGER), "
            + one(31_337, "public", "public", "private", null)
            + ", "
            + one(10_007, "north", "east", "south", "west", "centre", "harbour")
            + rows(patients),
        "CREATE TABLE visit (id INTEGER PRIMARY KEY, patient_id INTEGER NOT NULL REFERENCES"
            + " patient(id), department VARCHAR(20) NOT NULL, kind VARCHAR(10) NOT NULL,"
            + " admitted_at TIMESTAMP NOT NULL, discharged_at TIMESTAMP, charge DECIMAL(9,2))",
        "INSERT INTO visit SELECT CAST(i AS INTEGER), "
            + patient
            + ", "
            + one(87_119, DEPARTMENTS.toArray(String[]::new))
            + ", "
            + one(15_473, "inpatient", "outpatient", "outpatient", "emergency", "day case")
            + ", "
            + admitted
            + ", CASE WHEN i % 50 > 0 THEN "
            + admitted
            + " + CAST(FLOOR(20000 * POWER("
            + share(24_071)
            + ", 4)) AS INTEGER)"
            + MINUTES
            + " END, CASE WHEN i % 20 > 0 THEN CAST(4000 * POWER("
            + share(33_391)
            + ", 3) AS DECIMAL(9,2)) END"
            + rows(visits),
        "CREATE TABLE diagnosis (id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES"
            + " visit(id), code VARCHAR(4) NOT NULL, severity INTEGER NOT NULL)",
        "INSERT INTO diagnosis SELECT CAST(i AS INTEGER), CAST("
            + spread(71_993, visits)
            + " AS INTEGER), 'D' || CAST(100 + CAST(FLOOR(500 * POWER("
            + share(45_007)
            + ", 2)) AS INTEGER) AS VARCHAR(3)), 1 + CAST("
            + spread(12_007, 5)
            + " AS INTEGER)"
            + rows(diagnoses),
        "CREATE TABLE lab (id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visit(id),"
            + " test VARCHAR(4) NOT NULL, value DOUBLE PRECISION, taken_at TIMESTAMP NOT NULL)",
        "INSERT INTO lab SELECT CAST(i AS INTEGER), CAST("
            + spread(97_001, visits)
            + " AS INTEGER), 'T' || CAST(10 + CAST("
            + spread(19_001, 30)
            + " AS INTEGER) AS VARCHAR(2)), CASE WHEN i % 30 > 0 THEN 200 * "
            + share(28_001)
            + " END, "
            + "TIMESTAMP '2016-01-01 00:00:00' + "
            + spread(61_001, 4_207_000)
            + MINUTES
            + rows(labs));
  }

  private static final String MINUTES = " * INTERVAL '1 minute'";

  private static String rows(long count) {
    return " FROM generate_series(0, " + (count - 1) + ") AS g(i)";
  }

  /** A number from 0 to below 1 that looks as if it were drawn for the row and the column. */
  private static String share(long column) {
    return "(CAST(" + mixed(column) + " AS DOUBLE PRECISION) / " + PRIME + ")";
  }

  private static String mixed(long column) {
    return "(((CAST(i AS BIGINT) % 65521) * (CAST(i AS BIGINT) % 65521) + CAST(i AS BIGINT) * "
        + column
        + ") % "
        + PRIME
        + ")";
  }

  /** A whole number from 0 to below a bound, as if drawn. */
  private static String spread(long column, long below) {
    return "CAST(FLOOR(" + below + " * " + share(column) + ") AS BIGINT)";
  }

  /** One of several words, as if drawn. */
  private static String one(long column, String... words) {
    StringBuilder cases = new StringBuilder("CASE " + spread(column, words.length));
    for (int i = 0; i < words.length; i++) {
      String word = words[i] == null ? "NULL" : "'" + words[i] + "'";
      cases.append(" WHEN ").append(i).append(" THEN ").append(word);
    }
    return cases.append(" END").toString();
  }
}
