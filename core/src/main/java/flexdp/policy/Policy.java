package flexdp.policy;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the owner decided: which tables exist for analysts, what is known of them, and how much
 * privacy may be spent. Nothing in it is secret.
 *
 * @param tables by name, in the order of the file
 * @param individualColumns columns (table.column) that may not be compared with constants
 */
public record Policy(
    Optional<String> database, Privacy privacy, Map<String, Table> tables, Set<String> individualColumns) {

  /** How answers compose into one guarantee. */
  public enum Composition {
    BASIC,
    ADAPTIVE,
    ZCDP
  }

  /** What may be spent on each protected table. */
  public record Budget(BigDecimal epsilon, BigDecimal delta, Composition composition) {}

  /**
   * The privacy section.
   *
   * @param epsilon default for one query
   * @param delta default for one query whose mechanism needs one
   * @param thresholding the δ of one thresholded histogram, when the owner allows them
   * @param maxLabels the public limit on the labels of one histogram
   */
  public record Privacy(
      Neighbors neighbors,
      Optional<BigDecimal> epsilon,
      Optional<BigDecimal> delta,
      Optional<Budget> budget,
      Optional<BigDecimal> thresholding,
      int maxLabels) {
    public static final int DEFAULT_MAX_LABELS = 100_000;
  }

  public Optional<Table> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }
}
