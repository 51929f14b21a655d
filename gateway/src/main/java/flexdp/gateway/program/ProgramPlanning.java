package flexdp.gateway.program;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.decompose.QueryDecomposer;
import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.prepare.Planning;
import flexdp.marginals.StrategyChoice;
import flexdp.metrics.Metrics;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.ContributionBounding;
import flexdp.plan.EnforcedCaps;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.policy.Policy.RegisteredProgram;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import flexdp.release.HistogramRelease;
import flexdp.release.Interpreter;
import flexdp.sql.bind.SqlBinder;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** From a program and the rows that it is run over to a plan. Touches no data. */
public final class ProgramPlanning {
  private final Policy policy;
  private final Metrics metrics;
  private final Planning planning;
  private final Supplier<LocalDateTime> now;
  private final Supplier<ProgramMachine> machine;

  /** With the machine that is installed. */
  public ProgramPlanning(
      Policy policy, Metrics metrics, Planning planning, Supplier<LocalDateTime> now) {
    this(policy, metrics, planning, now, InstalledPrograms::find);
  }

  /**
   * @param machine that is asked for when there is a program to run
   */
  public ProgramPlanning(
      Policy policy,
      Metrics metrics,
      Planning planning,
      Supplier<LocalDateTime> now,
      Supplier<ProgramMachine> machine) {
    this.machine = machine;
    this.policy = policy;
    this.metrics = metrics;
    this.planning = planning;
    this.now = now;
  }

  /**
   * @throws Rejection when the program or its rows are refused
   */
  public PlannedProgram plan(ProgramRequest asked) {
    QueryRequest request = plainly(asked);
    RegisteredProgram limits = registered(asked);
    Relation over = new SqlBinder(policy, now.get()).bind(asked.over());
    ReadColumns columns = ReadColumns.of(over, asked.shape());
    RunnableProgram program =
        machine
            .get()
            .load(
                asked.module().bytes(),
                columns.read().size(),
                asked.outputs().stream().map(ProgramOutput::name).toList(),
                limits);
    ProgramRelation relation = relation(asked, limits, over, columns);
    DpQuery query = question(relation, asked);
    Plan plan = planning.planned(request, query);
    Interpreter.check(query.top());
    query.releases().forEach(HistogramRelease::check);
    requirePublic(plan);
    ProgramReading reading = new ProgramReading(asked, relation, program);
    query.releases().forEach(reading::require);
    return new PlannedProgram(request, plan, reading);
  }

  private QueryRequest plainly(ProgramRequest asked) {
    QueryRequest request = asked.request();
    MechanismChoice choice = request.options().mechanism();
    if (choice != MechanismChoice.AUTO && choice != MechanismChoice.LAPLACE
        || request.options().bins().isPresent()
        || request.options().propose().isPresent()
        || request.within().isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "a program takes an epsilon, and no mechanism, proposal, labels or error of its own");
    }
    return new QueryRequest(
        asked.words(),
        request.options().by(StrategyChoice.EVEN),
        request.analyst(),
        request.roles(),
        request.fresh(),
        request.intervals(),
        Optional.empty());
  }

  /** What is not registered is not even looked into. */
  private RegisteredProgram registered(ProgramRequest asked) {
    return policy.programs().values().stream()
        .filter(program -> program.digest().equals(asked.module().digest()))
        .findFirst()
        .orElseThrow(
            () ->
                Rejection.of(
                    RejectionCode.PROGRAM_UNKNOWN,
                    "The policy does not register this program.",
                    "The owner registers it by its digest, under programs: "
                        + asked.module().digest()));
  }

  private static ProgramRelation relation(
      ProgramRequest asked, RegisteredProgram limits, Relation over, ReadColumns columns) {
    return switch (asked.shape()) {
      case ProgramRequest.Blocks blocks ->
          ProgramRelation.ofBlocks(asked, blocks, limits, over, columns.read(), columns.by());
      case ProgramRequest.Rows rows ->
          ProgramRelation.ofRows(asked, rows, limits, over, columns.read());
    };
  }

  private DpQuery question(ProgramRelation relation, ProgramRequest asked) {
    Optional<Bins> bins =
        relation.block().isPresent() || asked.outputs().size() == 1
            ? Optional.empty()
            : Optional.of(
                new Bins(
                    List.of(ProgramRelation.OUTPUT),
                    asked.outputs().stream().map(o -> List.<Object>of(o.name())).toList()));
    DpQuery query;
    try {
      query = QueryDecomposer.of(relation.root(), policy, bins);
    } catch (Rejection e) {
      throw e.orAt(Position.START);
    }
    if (query.releases().size() != 1) {
      throw Rejection.of(
          RejectionCode.UNSUPPORTED,
          "The program would read no protected table.",
          "Run it by yourself over rows that are public.",
          Position.START);
    }
    return EnforcedCaps.in(query, metrics, policy.privacy().neighbors());
  }

  /** What one row moves has to be public, and rows have to stand for themselves. */
  private static void requirePublic(Plan plan) {
    if (plan.routes().values().stream().anyMatch(ContributionBounding::readsOtherRows)) {
      throw Rejection.of(
          RejectionCode.PEOPLE_UNSUPPORTED,
          "Programs are not run over rows that people own.",
          "Ask in SQL, by blocks of DP_BLOCK or with the aggregates that protect people.",
          Position.START);
    }
    boolean hidden =
        plan.measurements().stream()
            .anyMatch(planned -> planned.noise().filter(ProgramPlanning::isPlain).isEmpty());
    if (hidden) {
      throw Rejection.of(
          RejectionCode.SENSITIVITY_NOT_PUBLIC,
          "How many blocks one row moves is not public.",
          "Make blocks by the key of the join, or have the owner release the metrics or enforce"
              + " maxFrequencyAtMost.",
          Position.START);
    }
  }

  private static boolean isPlain(CalibratedMechanism noise) {
    return noise.isPlain() && noise.mechanism().isPure();
  }

  /**
   * The columns of the rows that a program is run over.
   *
   * @param read what it reads, in order
   * @param by what blocks are made by, which it does not see
   */
  private record ReadColumns(List<Column> read, List<Column> by) {
    private static final int MOST = 64;

    static ReadColumns of(Relation over, ProgramRequest.Shape shape) {
      List<Column> by =
          switch (shape) {
            case ProgramRequest.Blocks blocks ->
                blocks.by().stream().map(name -> named(name, over)).toList();
            case ProgramRequest.Rows ignored -> List.of();
          };
      List<Column> read = new ArrayList<>(over.columns());
      read.removeAll(by);
      if (read.isEmpty() || read.size() > MOST) {
        throw Rejection.of(
            RejectionCode.UNSUPPORTED,
            "A program reads 1 to " + MOST + " columns beside those that blocks are made by.",
            "Select the columns that it reads after those of --by.",
            Position.START);
      }
      if (read.stream().map(Column::id).distinct().count() < read.size()) {
        throw Rejection.of(
            RejectionCode.UNSUPPORTED,
            "A program would read one column twice.",
            "Select each column once; the program can copy it.",
            Position.START);
      }
      read.forEach(ReadColumns::requireNumber);
      return new ReadColumns(List.copyOf(read), by);
    }

    private static Column named(String name, Relation over) {
      List<Column> found =
          over.columns().stream().filter(c -> c.name().equalsIgnoreCase(name.strip())).toList();
      if (found.size() != 1) {
        List<String> names = over.columns().stream().map(Column::name).toList();
        throw Rejection.of(
            found.isEmpty() ? RejectionCode.UNKNOWN_COLUMN : RejectionCode.AMBIGUOUS_COLUMN,
            "The rows have "
                + (found.isEmpty() ? "no column '" : "several columns '")
                + name.strip()
                + "' to make blocks by."
                + (found.isEmpty() ? NearestName.question(name.strip(), names) : ""),
            "Name one of the columns that --over selects.");
      }
      return found.getFirst();
    }

    private static void requireNumber(Column column) {
      boolean number =
          switch (column.type().kind()) {
            case BOOLEAN, SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE, DATE, TIME, TIMESTAMP -> true;
            case VARCHAR, INTERVAL_MONTHS, INTERVAL_MICROS, UUID, OPAQUE, NULL -> false;
          };
      if (!number) {
        throw Rejection.of(
            RejectionCode.TYPE_MISMATCH,
            "A program reads numbers; column '" + column.name() + "' is a " + column.type() + ".",
            "Make a number of it: CASE WHEN status = 'completed' THEN 1 ELSE 0 END.",
            Position.START);
      }
    }
  }

  /**
   * A program that is ready to be charged and run.
   *
   * @param request with the words of the program as its text
   * @param reading how its numbers come about
   */
  public record PlannedProgram(QueryRequest request, Plan plan, ProgramReading reading) {}
}
