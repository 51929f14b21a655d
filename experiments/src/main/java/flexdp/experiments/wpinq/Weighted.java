package flexdp.experiments.wpinq;

import java.util.List;

/**
 * A program of weighted PINQ (Proserpio, Goldberg, McSherry; PVLDB 7(8), 2014). Every record has a
 * weight; an operator scales weights down so that one input record of weight 1 never changes the
 * weights of the output by more than 1 together. A count is a sum of weights.
 */
sealed interface Weighted {

  /** A protected table: weight 1 for each row. Columns are SQL, as in {@code id AS driver}. */
  record Rows(String table, List<String> columns) implements Weighted {}

  /** Records that pass; weights stay. */
  record Where(Weighted input, String predicate) implements Weighted {}

  /** Other columns of the same record; weights stay. */
  record Select(Weighted input, List<String> columns) implements Weighted {}

  /**
   * A select that looks columns up in a public table by its unique key, in place of a join: public
   * rows need no protection, so nothing is scaled down.
   */
  record Lookup(Weighted input, String key, String table, String tableKey, List<String> columns)
      implements Weighted {}

  /**
   * Pairs of records with equal keys. For a key whose records weigh W1 on the left and W2 on the
   * right together, a pair weighs w1·w2/(W1 + W2).
   */
  record Join(Weighted left, String leftKey, Weighted right, String rightKey) implements Weighted {}

  /** Equal records as one, with what they weigh together but 1 at most: shave, then the first. */
  record Distinct(Weighted input, List<String> columns) implements Weighted {}
}
