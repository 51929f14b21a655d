package flexdp.policy;

import java.util.List;
import java.util.Optional;

/**
 * A column as the owner declares it.
 *
 * @param nullable true unless the policy says otherwise
 * @param range bounds to which values are clamped before they are summed
 * @param domain every label that a GROUP BY on the column shows; a null entry is the NULL label.
 *     PolicyValues are of the Java classes listed at {@link flexdp.algebra.Expr.Literal}
 * @param references a unique column of another table that supplies labels; not assumed to hold
 * @param individual names one person, so that questions may not compare it with constants
 */
public record ColumnSpec(
    String name,
    Type type,
    boolean nullable,
    Optional<Range> range,
    Optional<List<Object>> domain,
    Optional<Reference> references,
    boolean individual) {

  /** A column that may be compared with constants. */
  public ColumnSpec(
      String name,
      Type type,
      boolean nullable,
      Optional<Range> range,
      Optional<List<Object>> domain,
      Optional<Reference> references) {
    this(name, type, nullable, range, domain, references, false);
  }

  public ColumnSpec asIndividual() {
    return individual
        ? this
        : new ColumnSpec(name, type, nullable, range, domain, references, true);
  }

  /** The column of another table. */
  public record Reference(String table, String column) {}

  public static ColumnSpec of(String name, Type type) {
    return new ColumnSpec(name, type, true, Optional.empty(), Optional.empty(), Optional.empty());
  }
}
