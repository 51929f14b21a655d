package flexdp.experiments.study;

import flexdp.sql.anatomy.QueryAnatomy;

/**
 * Everything that is counted of a log. Each worker has its own; they are added in the end. What it
 * holds does not grow with the log.
 */
public final class LogCounts {
  /** Queries whose answers are counts alone: those the paper's mechanism is for. */
  static final String COUNTING = "counting";

  static final String STATISTICAL = "statistical";
  static final String RAW = "raw";
  static final String UNREADABLE = "unreadable";

  private final Counts backends = new Counts();
  private final Counts operators = new Counts();
  private final Counts conditions = new Counts();
  private final Counts kinds = new Counts();
  private final Counts relationships = new Counts();
  private final Counts aggregates = new Counts();
  private final Counts unreadable = new Counts();
  private final Samples unreadableSamples = new Samples();
  private final Spread joins = new Spread();
  private final Spread clauses = new Spread();
  private final Spread resultRows = new Spread();
  private final Spread resultColumns = new Spread();
  private final Success success = new Success();
  private long queries;
  private long statistical;
  private long onlyEquijoins;
  private long selfJoins;
  private long joinsOfBaseKeys;
  private long joinsOfComputedKeys;

  void add(LogCounts other) {
    backends.add(other.backends);
    operators.add(other.operators);
    conditions.add(other.conditions);
    kinds.add(other.kinds);
    relationships.add(other.relationships);
    aggregates.add(other.aggregates);
    unreadable.add(other.unreadable);
    unreadableSamples.add(other.unreadableSamples);
    joins.add(other.joins);
    clauses.add(other.clauses);
    resultRows.add(other.resultRows);
    resultColumns.add(other.resultColumns);
    success.add(other.success);
    queries += other.queries;
    statistical += other.statistical;
    onlyEquijoins += other.onlyEquijoins;
    selfJoins += other.selfJoins;
    joinsOfBaseKeys += other.joinsOfBaseKeys;
    joinsOfComputedKeys += other.joinsOfComputedKeys;
  }

  /** All entries of the log, readable or not. */
  public long queries() {
    return queries;
  }

  /** The queries that could be parsed: what shares are shares of. */
  public long readable() {
    return queries - unreadable.total();
  }

  public long withJoins() {
    return joins.count(1, Long.MAX_VALUE);
  }

  public Counts backends() {
    return backends;
  }

  public Counts operators() {
    return operators;
  }

  public Counts conditions() {
    return conditions;
  }

  public Counts kinds() {
    return kinds;
  }

  public Counts relationships() {
    return relationships;
  }

  public Counts aggregates() {
    return aggregates;
  }

  public Counts unreadable() {
    return unreadable;
  }

  public Samples unreadableSamples() {
    return unreadableSamples;
  }

  public Spread joins() {
    return joins;
  }

  public Spread clauses() {
    return clauses;
  }

  public Spread resultRows() {
    return resultRows;
  }

  public Spread resultColumns() {
    return resultColumns;
  }

  public Success success() {
    return success;
  }

  public long statistical() {
    return statistical;
  }

  public long onlyEquijoins() {
    return onlyEquijoins;
  }

  public long selfJoins() {
    return selfJoins;
  }

  /** Of joins by equality, those whose keys are all columns of tables. */
  public double baseKeyShare() {
    return joinsOfBaseKeys / (double) (joinsOfBaseKeys + joinsOfComputedKeys);
  }

  /** One more entry, whatever it is. */
  void addEntry() {
    queries++;
  }

  void add(QueryAnatomy anatomy, KnownKeys keys) {
    anatomy.operators().forEach(operators::add);
    anatomy.aggregates().forEach(aggregates::add);
    joins.add(anatomy.joins().size());
    clauses.add(anatomy.clauses());
    statistical += anatomy.statistical() ? 1 : 0;
    selfJoins += anatomy.selfJoin() ? 1 : 0;
    boolean only = !anatomy.joins().isEmpty();
    for (QueryAnatomy.Join join : anatomy.joins()) {
      only &= join.condition() == QueryAnatomy.Condition.EQUIJOIN;
      join(join, keys);
    }
    onlyEquijoins += only ? 1 : 0;
  }

  private void join(QueryAnatomy.Join join, KnownKeys keys) {
    kinds.add(join.kind().name());
    if (join.condition() != QueryAnatomy.Condition.NONE) {
      conditions.add(join.condition().name());
    }
    if (!join.equalities().isEmpty()) {
      joinsOfBaseKeys += join.baseKeys() ? 1 : 0;
      joinsOfComputedKeys += join.baseKeys() ? 0 : 1;
    }
    keys.relationship(join).ifPresent(r -> relationships.add(r.name()));
  }
}
