package flexdp.gateway.engine;

import flexdp.budget.ChargedPartitions;
import flexdp.budget.Cost;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.prepare.CostComposition;
import flexdp.gateway.prepare.MarginalsPlanning;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.gateway.prepare.QueryPartitions;
import flexdp.marginals.MeasurementStrategy;
import flexdp.marginals.StrategyChoice;
import flexdp.marginals.WorkloadGroup;
import flexdp.marginals.WorkloadQuery;
import flexdp.partition.PartitionPruning;
import flexdp.plan.ErrorModel;
import flexdp.plan.EstimateNoise;
import flexdp.release.ReleasePlan;
import flexdp.workload.BudgetNorm;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeSet;

/**
 * Prepared statements of a workload, and the frames that answer some of them. A statement is
 * answered from frames as a whole, or by itself at its own share.
 */
record PreparedWorkload(List<One> statements, List<WorkloadGroup> frames) {
  /** A statement at its share. */
  record One(QueryRequest request, PreparedQuery prepared, double weight) {}

  static PreparedWorkload of(
      List<One> statements, MarginalsPlanning marginals, BudgetNorm norm, StrategyChoice choice) {
    Set<Integer> outside = new HashSet<>();
    while (true) {
      List<WorkloadQuery> members = new ArrayList<>();
      Map<Integer, Integer> wanted = new HashMap<>();
      for (int i = 0; i < statements.size(); i++) {
        One one = statements.get(i);
        List<WorkloadQuery> own =
            outside.contains(i) ? List.of() : marginals.members(one.prepared(), i, one.weight());
        if (!own.isEmpty() && own.size() == one.prepared().plan().measurements().size()) {
          members.addAll(own);
          wanted.put(i, own.size());
        }
      }
      if (members.isEmpty()) {
        return new PreparedWorkload(statements, List.of());
      }
      List<WorkloadGroup> frames =
          marginals.shared(
              members, statements.getFirst().prepared().plan().neighbors(), norm, choice);
      Map<Integer, Integer> found = new HashMap<>();
      frames.forEach(
          f -> f.answers().forEach(a -> found.merge(a.member().statement(), 1, Integer::sum)));
      Set<Integer> partly = new HashSet<>();
      wanted.forEach(
          (i, count) -> {
            if (found.getOrDefault(i, 0) < count) {
              partly.add(i);
            }
          });
      // Frames whose members all stay are frames as they are.
      if (frames.stream()
          .allMatch(
              f -> f.answers().stream().noneMatch(a -> partly.contains(a.member().statement())))) {
        return new PreparedWorkload(statements, frames);
      }
      outside.addAll(partly);
    }
  }

  /** The frame that answers a measurement, and how. */
  Optional<WorkloadGroup> frame(int statement, int release, int place) {
    return frames.stream()
        .filter(f -> answer(f, statement, release, place).isPresent())
        .findFirst();
  }

  static Optional<WorkloadGroup.Answer> answer(
      WorkloadGroup frame, int statement, int release, int place) {
    return frame.answers().stream()
        .filter(
            a ->
                a.member().statement() == statement
                    && a.member().point().id() == release
                    && a.member().place() == place)
        .findFirst();
  }

  boolean isFramed(int statement) {
    return frames.stream()
        .anyMatch(f -> f.answers().stream().anyMatch(a -> a.member().statement() == statement));
  }

  /** Whether it has measurements of its own: those of public rows have none. */
  private boolean isByItself(int statement) {
    return !isFramed(statement)
        && !statements.get(statement).prepared().plan().measurements().isEmpty();
  }

  /** What all of it costs. */
  Cost cost() {
    List<Cost> costs = new ArrayList<>();
    for (WorkloadGroup frame : frames) {
      costs.add(
          frame.isNormal()
              ? PreparedQuery.cost(frame.mechanisms(), BigDecimal.ZERO)
              : Cost.pure(frame.epsilons(), BigDecimal.ZERO));
    }
    for (int i = 0; i < statements.size(); i++) {
      if (isByItself(i)) {
        costs.add(statements.get(i).prepared().cost());
      }
    }
    return CostComposition.sum(costs);
  }

  Set<String> tables() {
    Set<String> tables = new TreeSet<>();
    statements.forEach(s -> tables.addAll(s.prepared().tables()));
    return tables;
  }

  /**
   * The parts of tables that are read. A frame reads whatever its statements have in common, the
   * rows that none of them asks for included.
   */
  SortedMap<String, ChargedPartitions> parts() {
    PartitionPruning all = new PartitionPruning();
    frames.forEach(frame -> all.add(frame.read().input()));
    for (int i = 0; i < statements.size(); i++) {
      if (isByItself(i)) {
        QueryPartitions.add(statements.get(i).prepared().plan(), all);
      }
    }
    return all.parts();
  }

  String mechanism() {
    Set<String> names = new TreeSet<>();
    for (WorkloadGroup frame : frames) {
      if (frame.mwem().isPresent()) {
        names.add(StrategyChoice.MWEM.word());
        continue;
      }
      for (MeasurementStrategy.Cuboid cuboid : frame.strategy().cuboids()) {
        names.add(cuboid.mechanism().name());
      }
    }
    for (int i = 0; i < statements.size(); i++) {
      if (isByItself(i)) {
        names.add(statements.get(i).prepared().mechanism());
      }
    }
    return String.join(", ", names);
  }

  /**
   * A statement that frames answer, as what it is: each of its measurements tells of all cuboids of
   * its frame, and costs whoever has not paid for them as much.
   */
  PreparedQuery fitted(int statement) {
    PreparedQuery prepared = statements.get(statement).prepared();
    Map<Integer, List<MeasurementStrategy>> made = new HashMap<>();
    for (WorkloadGroup frame : frames) {
      for (WorkloadGroup.Answer answer : frame.answers()) {
        WorkloadQuery member = answer.member();
        if (member.statement() == statement) {
          made.computeIfAbsent(member.point().id(), p -> new ArrayList<>())
              .add(frame.strategy().of(member));
        }
      }
    }
    return new PreparedQuery(
        prepared.plan(),
        prepared.epsilon(),
        prepared.means(),
        prepared.labels(),
        errors(statement),
        prepared.plan().query().releases().stream()
            .map(
                point ->
                    ReleasePlan.of(
                        prepared.plan(),
                        point,
                        made.getOrDefault(point.id(), List.of()),
                        List.of(),
                        prepared.means()))
            .toList());
  }

  /** Whether a statement is answered by multiplicative weights, whose errors nobody knows. */
  boolean isWeighted(int statement) {
    return frames.stream()
        .filter(f -> f.mwem().isPresent())
        .anyMatch(f -> f.answers().stream().anyMatch(a -> a.member().statement() == statement));
  }

  /** The errors of a statement that frames answer. */
  ErrorModel errors(int statement) {
    PreparedQuery prepared = statements.get(statement).prepared();
    Map<Integer, EstimateNoise> fits = new HashMap<>();
    Set<Integer> unknown = new HashSet<>();
    for (WorkloadGroup frame : frames) {
      for (WorkloadGroup.Answer answer : frame.answers()) {
        if (answer.member().statement() == statement && frame.mwem().isPresent()) {
          unknown.add(answer.member().planned().measurement().output().id());
          prepared
              .plan()
              .query()
              .readings()
              .forEach(
                  (column, of) -> {
                    if (unknown.contains(of)) {
                      unknown.add(column);
                    }
                  });
        } else if (answer.member().statement() == statement) {
          fits.put(answer.member().planned().measurement().output().id(), frame.errors(answer));
        }
      }
    }
    return prepared.errors().without(unknown).with(fits).in(prepared.plan().query());
  }
}
