package flexdp.gateway.livedata;

import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.collect.TrackedTables;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Does something to the notes of live data while rows are written, and asks for a bound. */
public final class NotesAttack {
  private static final String JOIN = "SELECT COUNT(*) FROM t JOIN u ON t.a = u.a";
  private static final String TRUTH =
      "SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM %s.t WHERE a IS NOT NULL GROUP BY a) x";
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              """
              privacy: {epsilon: 1, delta: 1e-9, budget: {epsilon: 100, delta: 1e-6}}
              tables:
                t: {columns: {a: {type: integer, references: u.a}}}
                u: {static: true, columns: {a: {type: integer, unique: true}}}
              """,
              Code.BAD_POLICY));

  /** A database with t, whose values of a stand there once each, and u, which has them too. */
  public interface Access {
    Connection connect() throws SQLException;
  }

  private final Access access;
  private final String schema;

  /**
   * @param schema where the tables are
   */
  public NotesAttack(Access access, String schema) {
    this.access = access;
    this.schema = schema;
  }

  /**
   * The bound, if it is below the truth.
   *
   * @param steps statements of one writer, with {log} for the table of notes
   */
  public Optional<String> leak(List<String> steps) throws Exception {
    Path file = Files.createTempFile("notes", ".json");
    Files.delete(file);
    try (Connection writer = access.connect();
        Statement statement = writer.createStatement()) {
      Connector connector = Connectors.of(writer);
      PhysicalCatalog catalog = PhysicalCatalog.of(POLICY, connector, connector.tables(writer));
      TrackedTables trackedTables =
          new TrackedTables(connector, catalog, connector.changeLog().orElseThrow());
      if (trackedTables.install(POLICY, RequiredFrequencies.of(POLICY), writer).containsKey("t")) {
        throw new AssertionError("no notes are taken of t");
      }
      writer.setAutoCommit(true);
      MetricsFile.write(
          file,
          POLICY,
          new Collector(POLICY, RequiredFrequencies.of(POLICY), Progress.NONE, Clock.systemUTC())
              .collect(writer),
          Map.of());
      writer.setAutoCommit(true);
      String log = log(statement);
      for (String step : steps) {
        statement.execute(step.replace("{log}", log));
      }
      return below(new Asker(POLICY, MetricsFile.read(file, POLICY), opened()));
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private JdbcDatabase opened() throws SQLException {
    return JdbcDatabase.over(access.connect(), POLICY, Duration.ofMinutes(10), ErrorLog.NONE);
  }

  private Optional<String> below(Asker asker) {
    Asker.Asked asked = asker.ask(JOIN, TRUTH.formatted(schema));
    return asked.bound().compareTo(BigInteger.valueOf(asked.truth())) < 0
        ? Optional.of("bound " + asked.bound() + " of what is " + asked.truth())
        : Optional.empty();
  }

  private static String log(Statement statement) throws SQLException {
    try (ResultSet row =
        statement.executeQuery(
            "SELECT table_name FROM information_schema.tables WHERE table_schema = 'flexdp'"
                + " AND table_name LIKE 'log%'")) {
      row.next();
      return "flexdp." + row.getString(1);
    }
  }
}
