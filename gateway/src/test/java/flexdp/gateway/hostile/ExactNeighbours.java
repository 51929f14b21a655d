package flexdp.gateway.hostile;

import flexdp.Analyzer;
import flexdp.failure.Failure;
import flexdp.failure.Rejection;
import flexdp.gateway.collect.Collector;
import flexdp.gateway.collect.Progress;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.prepare.Planning;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.gateway.verify.ExactResults;
import flexdp.metrics.Metrics;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.Plan;
import flexdp.policy.Policy;
import flexdp.release.NeighborDistance;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Clock;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;

/**
 * Two neighbours whose answers are compared before there is noise: both are refused, or read,
 * alike, and nothing moves by more than its noise is made for. Where ranges are found, every part
 * of an answer is compared.
 */
final class ExactNeighbours implements AutoCloseable {
  private final TreeMap<String, Integer> ways = new TreeMap<>();
  private final One x;
  private final One y;
  private int compared;
  private int found;

  /** Writes the tables of a side. */
  interface Filling {
    void fill(Connection writer, int side) throws SQLException;
  }

  ExactNeighbours(TestBed ground, Policy policy, List<HostileColumn> columns, Filling filling)
      throws SQLException {
    x = new One(ground, 0, policy, columns, filling);
    y = new One(ground, 1, policy, columns, filling);
  }

  /**
   * What a question gives away.
   *
   * @param seed by which ranges are chosen
   */
  Optional<String> leak(String question, long seed) {
    Optional<Map<String, Plan>> here = x.plans(question, seed);
    Optional<Map<String, Plan>> there = y.plans(question, seed);
    if (here.isEmpty() || there.isEmpty()) {
      return here.isEmpty() == there.isEmpty()
          ? Optional.empty()
          : Optional.of("refused on one side only");
    }
    if (!here.get().keySet().equals(there.get().keySet())) {
      return Optional.of("other ranges: " + here.get().keySet() + there.get().keySet());
    }
    for (String part : here.get().keySet()) {
      Optional<String> what = leak(here.get().get(part), there.get().get(part));
      if (what.isPresent()) {
        return what.map(w -> part + ": " + w);
      }
    }
    found += here.get().size() > 1 ? 1 : 0;
    return Optional.empty();
  }

  private Optional<String> leak(Plan here, Plan there) {
    if (!here.isAnswerable() || !there.isAnswerable()) {
      return Optional.empty();
    }
    ExactResults one;
    ExactResults two;
    try {
      one = x.read(here);
      two = y.read(there);
    } catch (Rejection e) {
      return Optional.empty(); // by the text alone: it is written for the database before a row is
    } catch (Failure | IllegalStateException e) {
      return Optional.of("fails: " + e + " " + x.log + y.log);
    }
    compared++;
    here.routes().values().forEach(r -> ways.merge(r.getClass().getSimpleName(), 1, Integer::sum));
    here.measurements().stream()
        .flatMap(p -> p.noise().stream())
        .map(n -> n.mechanism().name())
        .distinct()
        .forEach(name -> ways.merge(name, 1, Integer::sum));
    if (!here.votes().isEmpty()) {
      ways.merge("votes", 1, Integer::sum);
    }
    if (norms(here) > 1) {
      ways.merge("own norms", 1, Integer::sum);
    }
    List<String> otherwise = one.shownOtherwise(two);
    if (!otherwise.isEmpty()) {
      return Optional.of(otherwise.toString());
    }
    return one.against(two).stream()
        .filter(NeighborDistance::isTooFar)
        .findFirst()
        .map(NeighborDistance::toString);
  }

  /** By how many norms contributions are clipped. */
  private static long norms(Plan plan) {
    return plan.measurements().stream()
        .flatMap(p -> p.noise().stream())
        .filter(CalibratedMechanism.Clipped.class::isInstance)
        .map(n -> ((CalibratedMechanism.Clipped) n).clipping())
        .distinct()
        .count();
  }

  /** How often what was read alike was compared. */
  int compared() {
    return compared;
  }

  /** How many questions had ranges that are found. */
  int found() {
    return found;
  }

  /** How often each way of answering was taken. */
  Map<String, Integer> ways() {
    return ways;
  }

  @Override
  public void close() throws SQLException {
    x.close();
    y.close();
  }

  private static final class One {
    private final List<String> log = new ArrayList<>();
    private final Policy policy;
    private final Connection writer;
    private final JdbcDatabase database;
    private final Planning planning;

    One(TestBed ground, int side, Policy policy, List<HostileColumn> columns, Filling filling)
        throws SQLException {
      this.policy = policy;
      writer = ground.writer(side);
      filling.fill(writer, side);
      Metrics metrics =
          new Collector(
                  policy, HostilePolicy.wanted(policy, columns), Progress.NONE, Clock.systemUTC())
              .collect(writer)
              .metrics();
      database = ground.open(side, writer, policy, (what, cause) -> log.add(what + ": " + cause));
      planning =
          new Planning(
              policy, metrics, new Analyzer(policy, metrics, LocalDateTime.of(2024, 7, 1, 12, 0)));
    }

    Optional<Map<String, Plan>> plans(String sql, long seed) {
      try {
        return Optional.of(
            RangeParts.of(planning, sql, new Random(seed), new RenderedStatements(database)));
      } catch (Rejection e) {
        return Optional.empty();
      }
    }

    ExactResults read(Plan plan) {
      RenderedStatements rendered = new RenderedStatements(database);
      return ExactResults.read(
          policy, plan, ExactResults.labels(policy, plan, database, rendered), database, rendered);
    }

    void close() throws SQLException {
      database.close();
      writer.close();
    }
  }
}
