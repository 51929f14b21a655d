package flexdp.sql;

import flexdp.Rejection;
import java.util.List;
import java.util.Set;

/**
 * What a query is made of, by its text alone: the figures of the paper's study of query logs. No
 * policy is needed, and no name has to exist.
 *
 * @param operators of SELECT, JOIN, UNION, EXCEPT, INTERSECT, those that occur
 * @param joins every join in the text, commas in FROM included
 * @param selfJoin whether one table stands twice in one FROM
 * @param statistical whether every column of the result is an aggregate, a grouping key or a
 *     constant
 * @param aggregates the aggregate functions, one entry per call, as upper-case names
 * @param clauses the size: SELECT, FROM, WHERE, JOIN, ON, GROUP BY, HAVING, ORDER BY, LIMIT, WITH,
 *     set operations, and each term of a conjunction or disjunction
 * @param resultColumns columns in the outermost select list; a star counts as one
 */
public record Anatomy(
    Set<String> operators,
    List<Join> joins,
    boolean selfJoin,
    boolean statistical,
    List<String> aggregates,
    int clauses,
    int resultColumns) {

  /** How a join is written. */
  public enum Kind {
    INNER,
    LEFT,
    RIGHT,
    FULL,
    CROSS
  }

  /** The classes of join conditions in the paper's section 2. */
  public enum Condition {
    /** One column equals one column. */
    EQUIJOIN,
    /** Functions, conjunctions, disjunctions. */
    COMPOUND,
    /** Two columns compared otherwise than by equality. */
    COLUMN_COMPARISON,
    /** A column compared with a literal. */
    LITERAL_COMPARISON,
    NONE
  }

  /**
   * One join.
   *
   * @param keys the columns that its equalities compare, as written, in pairs
   * @param baseKeys how many of those are columns of a table rather than of a subquery
   */
  public record Join(Kind kind, Condition condition, List<String> keys, int baseKeys) {
    public Join {
      keys = List.copyOf(keys);
    }
  }

  public Anatomy {
    operators = Set.copyOf(operators);
    joins = List.copyOf(joins);
    aggregates = List.copyOf(aggregates);
  }

  /** Reads a query; throws {@link Rejection} when it is not one SELECT that we can parse. */
  public static Anatomy of(String sql) {
    return new Anatomist().examine(SqlFront.parse(sql));
  }
}
