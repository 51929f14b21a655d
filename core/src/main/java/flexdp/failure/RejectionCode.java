package flexdp.failure;

/**
 * Why a question cannot be answered. The names are part of the contract: they are documented in
 * docs/rejections.md with an example each, and are never renamed.
 */
public enum RejectionCode {
  /** The text is not SQL that we can read. */
  SYNTAX,
  /** The text is too long or nested too deeply. */
  TOO_COMPLEX,
  /** More than one statement. */
  MULTIPLE_STATEMENTS,
  /** Not a SELECT: DDL, DML, SET, EXPLAIN and the like. */
  NOT_A_SELECT,
  UNKNOWN_TABLE,
  UNKNOWN_COLUMN,
  AMBIGUOUS_COLUMN,
  /** A function that is not on the list, or is volatile. */
  UNKNOWN_FUNCTION,
  /** A known function that gives a different answer each time it is called. */
  VOLATILE_FUNCTION,
  /** Operands of types that the operator does not take. */
  TYPE_MISMATCH,
  /** GROUP BY, HAVING or SELECT refer to columns in a way SQL does not allow. */
  INVALID_GROUPING,
  /** A construct of SQL for which there is no rule. */
  UNSUPPORTED,
  /** The result would hold rows of a protected table. */
  RAW_ROWS,
  /** A join of two protected sides without an equality of columns. */
  JOIN_NOT_EQUI,
  /** A join of two protected sides without any condition. */
  CROSS_JOIN,
  /** A join key that is an aggregate or a computed column. */
  JOIN_KEY_COMPUTED,
  /** NOT IN where a NULL on either side could empty the answer. */
  NOT_IN_NULLABLE,
  /** IN or EXISTS where its truth value is used for something other than filtering. */
  SUBQUERY_POSITION,
  /** A protected subquery in a predicate that has no equality with the outer query. */
  SUBQUERY_UNCORRELATED,
  /** A subquery that refers to the outer query in a way other than equality. */
  SUBQUERY_CORRELATION,
  /** A scalar subquery that may return several rows. */
  SUBQUERY_NOT_SCALAR,
  /** A nested LIMIT or ROW_NUMBER whose ORDER BY can tie. */
  ORDER_NOT_TOTAL,
  /** A window function or a use of one without a rule. */
  WINDOW_UNSUPPORTED,
  RECURSIVE,
  /** No max frequency known for a join key. */
  MISSING_METRIC,
  /** No bounds known for the argument of SUM, AVG, MIN, ... */
  MISSING_RANGE,
  /** A range was looked for, which is paid for, and values did not stand out of the noise. */
  RANGE_NOT_FOUND,
  /** GROUP BY labels that are protected and cannot be enumerated. */
  LABELS_NOT_ENUMERABLE,
  /** GROUP BY labels of a type that cannot be shown: intervals, opaque columns. */
  LABEL_TYPE,
  /** Labels supplied by the analyst that do not fit the query. */
  BAD_LABELS,
  /** More labels than the public limit. */
  TOO_MANY_LABELS,
  /** A quantile whose score sensitivity would be private. */
  SENSITIVITY_NOT_PUBLIC,
  /** A column that names one person, used otherwise than to join, to count or to group. */
  INDIVIDUAL_FILTER,
  /** Rows that people own, in a shape for which no rule protects a person with all her rows. */
  PEOPLE_UNSUPPORTED,
  /** The mechanism asked for does not fit the query. */
  MECHANISM_UNSUITABLE,
  /** A proposal that leaves a metric of the formula out, or names none of it. */
  PROPOSAL_KEYS,
  /** A proposal that did not pass its test, which is paid for. */
  PROPOSAL_NOT_CONFIRMED,
  /** A program that the policy does not register. */
  PROGRAM_UNKNOWN,
  /** A program that would call something outside of itself: a clock, files, random numbers. */
  PROGRAM_IMPORTS,
  /** A module that is none, is too large, or lacks the functions that are called. */
  PROGRAM_INVALID,
  /** A workload without a statement. */
  WORKLOAD_EMPTY,
  /** An answer within an error that cannot be promised from what is public. */
  ACCURACY_UNKNOWN,
  /** An answer that is foretold to have more noise than the question allows. */
  TOO_NOISY,
  /** An error bar that is not public, or not known for what it is asked of. */
  INTERVAL_UNAVAILABLE,
  /** Above the aggregate: a function that the interpreter does not have. */
  POSTPROCESS_UNSUPPORTED,
  /** Above the aggregate: a use of protected rows. */
  PROTECTED_ABOVE_RELEASE
}
