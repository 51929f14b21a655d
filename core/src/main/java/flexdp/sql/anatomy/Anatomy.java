package flexdp.sql.anatomy;

import flexdp.failure.Rejection;
import flexdp.sql.text.ParsedQuery;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What a query is made of, by its text alone: the figures of the paper's study of query logs. No
 * policy is needed, and no name has to exist.
 *
 * @param operators of SELECT, JOIN, UNION, EXCEPT, INTERSECT, those that occur
 * @param joins every join in the text, commas in FROM included
 * @param selfJoin whether a join has one table on both sides, in subqueries of FROM too
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
   * One side of an equality between columns.
   *
   * @param table the table it is a column of, where the text tells, in lower case
   * @param base whether it is a column of some table, also through subqueries, and not computed
   */
  public record Key(Optional<String> table, String column, boolean base) {}

  /** Two columns that must be equal. */
  public record Equality(Key left, Key right) {}

  /**
   * One join. That of a comma has its condition in WHERE.
   *
   * @param equalities the terms of its condition that are equalities of two columns
   */
  public record Join(Kind kind, Condition condition, List<Equality> equalities) {
    public Join {
      equalities = List.copyOf(equalities);
    }

    /** Whether no key of it is computed, such as a count of a subquery. */
    public boolean baseKeys() {
      return equalities.stream().allMatch(e -> e.left().base() && e.right().base());
    }
  }

  public Anatomy {
    operators = Set.copyOf(operators);
    joins = List.copyOf(joins);
    aggregates = List.copyOf(aggregates);
  }

  /** Reads a query; throws {@link Rejection} when it is not one SELECT that we can parse. */
  public static Anatomy of(String sql) {
    return of(ParsedQuery.of(sql));
  }

  /** What a query is made of. */
  public static Anatomy of(ParsedQuery query) {
    return new Anatomist().examine(query.tree());
  }
}
