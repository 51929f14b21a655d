package flexdp.wasm;

import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.failure.Rejection;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.database.Database;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.program.ProgramMachine;
import flexdp.gateway.program.ProgramPlanning;
import flexdp.gateway.program.ProgramPlanning.PlannedProgram;
import flexdp.metrics.Metrics;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import org.duckdb.DuckDBConnection;

/** A policy and its database, without noise. */
final class ExactPrograms implements AutoCloseable {
  private final Connection writer;
  private final Policy policy;
  private final ProgramPlanning planning;
  private final Database database;
  private final RenderedStatements rendered;
  private final List<PlannedProgram> planned = new ArrayList<>();

  ExactPrograms(TripsPrograms trips) throws SQLException {
    this(trips, new ChicoryMachine());
  }

  ExactPrograms(TripsPrograms trips, ProgramMachine machine) throws SQLException {
    Path place = trips.place();
    writer = trips.connection();
    policy =
        PolicyReader.read(TextFiles.tree(place, flexdp.failure.ConfigurationError.Code.BAD_POLICY));
    Metrics metrics = Metrics.NONE;
    planning =
        new ProgramPlanning(
            policy,
            metrics,
            new Planning(policy, metrics, new Analyzer(policy, metrics, LocalDateTime::now)),
            LocalDateTime::now,
            () -> machine);
    database =
        JdbcDatabase.over(
            ((DuckDBConnection) writer).duplicate(), policy, Duration.ofMinutes(10), ErrorLog.NONE);
    rendered = new RenderedStatements(database);
  }

  List<List<ExactHistogram>> cells(List<String> rows, List<ProgramRequest> questions)
      throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute("DELETE FROM trips");
      statement.execute("DELETE FROM drivers");
      for (String row : rows) {
        statement.execute(row);
      }
    }
    if (planned.isEmpty()) {
      questions.forEach(question -> planned.add(planning.plan(question)));
    }
    List<List<ExactHistogram>> all = new ArrayList<>();
    try (Session session = database.session()) {
      for (PlannedProgram program : planned) {
        List<ExactHistogram> cells = new ArrayList<>();
        Plan plan = program.plan();
        for (NoisyAggregate point : plan.query().releases()) {
          ExactHistogram bins = ExactHistogram.open(point);
          program.reading().fill(plan.read(point), session, rendered.renderer(), bins);
          cells.add(bins);
        }
        all.add(cells);
      }
    }
    return all;
  }

  boolean isAccepted(ProgramRequest question) {
    try {
      planning.plan(question);
      return true;
    } catch (Rejection e) {
      return false;
    }
  }

  /** How far the first measurement of a question moves at most. */
  BigDecimal sensitivity(int question) {
    return planned
        .get(question)
        .plan()
        .measurements()
        .getFirst()
        .noise()
        .orElseThrow()
        .sensitivity();
  }

  /** The most that a measurement of a question changed, as a part of its bound. */
  double worst(int question, List<ExactHistogram> one, List<ExactHistogram> other) {
    return Moved.worst(planned.get(question).plan(), one.getFirst(), other.getFirst());
  }

  @Override
  public void close() throws SQLException {
    database.close();
    writer.close();
  }
}
