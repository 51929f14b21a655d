package flexdp.experiments.workload;

import flexdp.experiments.study.Relationship;
import flexdp.sql.anatomy.QueryAnatomy.Condition;
import flexdp.sql.anatomy.QueryAnatomy.Kind;

/**
 * The shares of the paper's section 2 that concern joins, and what was chosen where the paper shows
 * a figure without numbers. Words like "28 % of queries" are taken as of all queries.
 */
final class JoinShares {
  static final double QUERIES_WITH_JOIN = 0.621;
  static final double ONLY_EQUIJOINS = 0.659;
  static final double SELF_JOIN = 0.28 / QUERIES_WITH_JOIN;

  /** Joins whose keys are all columns of tables. */
  static final double BASE_KEYS = 0.985;

  static final int MOST_JOINS = 95;

  /** From so many joins on, six tables are not enough. */
  static final int ALWAYS_SELF = 5;

  /** "A majority of queries use multiple joins": one join alone is what is left. */
  private static final double ONE_JOIN = 0.185;

  private static final double LONG_TAIL = 0.004;
  private static final double MORE = 0.68;

  /**
   * The probability that a join of a query with other conditions is itself no equijoin, chosen so
   * that 76 % of all joins are; a query of this kind has at least one.
   */
  static final double OTHER_CONDITION = 0.61;

  /** The probability of a self join below ALWAYS_SELF joins, so that the whole is SELF_JOIN. */
  static final double SELF_BELOW =
      (SELF_JOIN - (1 - ONE_JOIN) * Math.pow(MORE, ALWAYS_SELF - 2))
          / (1 - (1 - ONE_JOIN) * Math.pow(MORE, ALWAYS_SELF - 2));

  static final Choice<Kind> KINDS =
      new Choice<Kind>()
          .or(69.2, Kind.INNER)
          .or(29, Kind.LEFT)
          .or(1, Kind.CROSS)
          .or(0.5, Kind.RIGHT)
          .or(0.3, Kind.FULL);

  static final Choice<Condition> OTHER_CONDITIONS =
      new Choice<Condition>()
          .or(19, Condition.COMPOUND)
          .or(3, Condition.COLUMN_COMPARISON)
          .or(2, Condition.LITERAL_COMPARISON);

  /** What is aimed at for each join; where the tables have no such keys, another is taken. */
  static final Choice<Relationship> RELATIONSHIPS =
      new Choice<Relationship>()
          .or(64.5, Relationship.ONE_TO_MANY)
          .or(27.5, Relationship.ONE_TO_ONE)
          .or(8, Relationship.MANY_TO_MANY);

  private JoinShares() {}

  /** How many joins a query with joins has: most few, some up to the 95 of the paper. */
  static int joins(Draw draw) {
    if (draw.chance(ONE_JOIN)) {
      return 1;
    }
    if (draw.chance(LONG_TAIL)) {
      return draw.between(20, MOST_JOINS);
    }
    int joins = 2;
    while (joins < MOST_JOINS && draw.chance(MORE)) {
      joins++;
    }
    return joins;
  }
}
