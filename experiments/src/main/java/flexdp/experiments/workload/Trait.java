package flexdp.experiments.workload;

/** What is special about a query: which part of the paper's tables it belongs to. */
public enum Trait {
  JOIN,
  SELF_JOIN,
  /** A join with a table that is public. */
  PUBLIC_TABLE,
  MANY_TO_MANY,
  /** Two protected sides joined without an equality of columns: nothing bounds it. */
  PROTECTED_NON_EQUIJOIN,
  /** Counts and nothing else. */
  COUNTING,
  HISTOGRAM,
  /** Asks about one person, by a filter or by a bin for each. */
  INDIVIDUAL
}
