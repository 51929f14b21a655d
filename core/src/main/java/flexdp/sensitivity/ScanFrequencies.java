package flexdp.sensitivity;

import flexdp.algebra.Column;
import flexdp.algebra.Relation.Scan;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.policy.TableOwnership;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Rule F-TABLE: mf of columns C of a table is the least of what is known of it: mf(C', t) + κ_t for
 * measured C' ⊆ C (without κ for public tables), 1 when C contains a declared unique key, a
 * declared cap, and rows + κ_t when C is empty. Gathering by more columns never makes a group
 * larger, and one more row makes it larger by one at most. Where NULL counts as a value, only what
 * was measured or declared that way serves.
 */
final class ScanFrequencies {
  /** Which numbers stand at the leaves. */
  enum Source {
    /** Measured and private: base + κ. */
    PRIVATE,
    /** Released upper bounds: public constants. */
    RELEASED,
    /** Somebody's guesses, in the place of released bounds: public constants. */
    PROPOSED,
    /** No numbers of protected tables at all, only which of them exist. */
    SYMBOLIC
  }

  private final Metrics metrics;
  private final Source source;
  private final RuleSet rules;

  ScanFrequencies(Metrics metrics, Source source, RuleSet rules) {
    this.metrics = metrics;
    this.source = source;
    this.rules = rules;
  }

  /** Whether no measured value of a protected table can decide anything. */
  boolean isStructural() {
    return source == Source.SYMBOLIC;
  }

  private boolean isConstant() {
    return source == Source.RELEASED || source == Source.PROPOSED;
  }

  ScanFrequencies structural() {
    return new ScanFrequencies(metrics, Source.SYMBOLIC, rules);
  }

  BoundOrReason frequency(Scan scan, FrequencyKey key, BoundArithmetic terms) {
    Table table = scan.table();
    TableMetrics known = metricsOf(table);
    List<Bound> candidates = new ArrayList<>();
    if (key.isEmpty()) {
      known
          .rows()
          .ifPresent(
              rows -> candidates.add(leaf(terms, table, rows, "rows(" + table.name() + ")")));
      return least(candidates, table, Set.of());
    }
    Set<String> columns = new TreeSet<>();
    Set<String> withNull = new HashSet<>();
    for (Column column : scan.columns()) {
      if (key.columns().contains(column.id())) {
        columns.add(column.name());
        if (key.withNull().contains(column.id()) && column.nullable()) {
          withNull.add(column.name());
        }
      }
    }
    measured(terms, table, known, columns, withNull, candidates);
    if (rules == RuleSet.FLEXDP) {
      declared(table, columns, withNull, candidates);
    }
    if (!withNull.isEmpty()) {
      known
          .rows()
          .ifPresent(
              rows -> candidates.add(leaf(terms, table, rows, "rows(" + table.name() + ")")));
    }
    return least(candidates, table, columns);
  }

  /** S-TABLE: (1, 0, 1) for a row of the table. */
  Stability stability(Scan scan, PrivacyUnit unit, BoundArithmetic terms) {
    if (!(unit instanceof PrivacyUnit.Any) && !scan.table().units().contains(unit)) {
      return Stability.NONE;
    }
    return footprint(scan.table())
        .map(step -> terms.step(step).signed(terms, "S-TABLE"))
        .orElseGet(() -> Stability.missing(unbounded(scan.table()).orAt(scan.at())));
  }

  /** What one step does to a protected table; nothing bounds a person whose rows are all read. */
  private static Optional<UnitEffect> footprint(Table table) {
    TableOwnership ownership = table.ownership();
    return ownership.owners().isEmpty()
        ? Optional.of(UnitEffect.row(new PrivacyUnit.Row(table.name())))
        : ownership
            .only()
            .flatMap(
                owner ->
                    ownership
                        .rowsPerPerson()
                        .map(g -> UnitEffect.truncated(new PrivacyUnit.Person(owner.kind()), g)));
  }

  private static Rejection unbounded(Table table) {
    return Rejection.of(
        RejectionCode.PEOPLE_UNSUPPORTED,
        "One person may own any number of rows of "
            + table.name()
            + ", and the question mixes"
            + " them with those of others.",
        "The owner can say how many are read: rowsPerPerson. Or keep each person's rows apart:"
            + " join and group by their owner.");
  }

  private TableMetrics metricsOf(Table table) {
    TableMetrics known =
        isConstant() && table.isProtected()
            ? metrics
                .released(table.name())
                .map(Metrics.Release::values)
                .orElse(TableMetrics.UNKNOWN)
            : metrics.table(table.name());
    // What was measured of all rows of a table grows by any number with one person.
    return known.rowsPerPerson().equals(table.ownership().rowsPerPerson())
            && (footprint(table).isPresent() || table.isPublic())
        ? known
        : TableMetrics.UNKNOWN;
  }

  private void measured(
      BoundArithmetic terms,
      Table table,
      TableMetrics known,
      Set<String> columns,
      Set<String> withNull,
      List<Bound> candidates) {
    for (Map.Entry<Set<String>, MaxFrequency> entry : known.frequencies().entrySet()) {
      Set<String> subset = entry.getKey();
      if (subset.isEmpty()
          || !columns.containsAll(subset)
          || rules == RuleSet.PAPER && subset.size() > 1) {
        continue;
      }
      boolean nullsCount = subset.stream().anyMatch(withNull::contains);
      Optional<BigInteger> value =
          nullsCount ? entry.getValue().maxWithNull() : entry.getValue().max();
      if (!nullsCount && value.isEmpty()) {
        value = entry.getValue().maxWithNull();
      }
      value.ifPresent(
          max -> candidates.add(leaf(terms, table, max, symbol(table, subset, nullsCount))));
    }
  }

  private static void declared(
      Table table, Set<String> columns, Set<String> withNull, List<Bound> candidates) {
    for (Set<String> unique : table.uniqueKeys()) {
      if (columns.containsAll(unique) && unique.stream().noneMatch(withNull::contains)) {
        candidates.add(Bound.ONE);
      }
    }
    for (Table.FrequencyCap cap : table.vouched()) {
      if (columns.containsAll(cap.columns())
          && cap.columns().stream().noneMatch(withNull::contains)) {
        candidates.add(Bound.constant(cap.atMost()));
      }
    }
  }

  private Bound leaf(BoundArithmetic terms, Table table, BigInteger base, String symbol) {
    if (table.isPublic() || isConstant()) {
      return Bound.constant(base.max(BigInteger.ZERO));
    }
    BigInteger known = source == Source.SYMBOLIC ? BigInteger.ZERO : base;
    UnitEffect step = terms.step(footprint(table).orElseThrow());
    PrivacyUnit unit = rules == RuleSet.PAPER ? PrivacyUnit.ANY : step.unit();
    return Bound.leaf(unit, known, step.growth(), symbol);
  }

  private static String symbol(Table table, Set<String> columns, boolean withNull) {
    String names =
        columns.size() == 1
            ? table.name() + "." + columns.iterator().next()
            : columns.stream()
                .sorted()
                .map(c -> table.name() + "." + c)
                .collect(Collectors.joining(", "));
    return (withNull ? "mf⁰(" : "mf(") + names + ")";
  }

  private BoundOrReason least(List<Bound> candidates, Table table, Set<String> columns) {
    if (!candidates.isEmpty()) {
      if (source == Source.SYMBOLIC) {
        candidates.sort(Comparator.comparing(Bound::symbolicFormula));
      }
      return BoundOrReason.of(FormulaSimplifier.min(candidates));
    }
    return new BoundOrReason.Missing(() -> missing(table, columns));
  }

  private Rejection missing(Table table, Set<String> columns) {
    if (source == Source.PROPOSED && table.isProtected()) {
      String name =
          columns.isEmpty()
              ? "rows(" + quoted(table.name()) + ")"
              : named(table, columns).replace("'", "");
      return Rejection.of(
          RejectionCode.MISSING_METRIC,
          "The noise depends on "
              + (columns.isEmpty() ? "how many rows there are: " : "how often a key occurs: ")
              + name
              + ", of which nothing is proposed.",
          "Propose a number for it too: --propose '" + name + "=N'.");
    }
    String what =
        columns.isEmpty()
            ? "The number of rows of " + table.name() + " is not known"
            : "No max frequency is known for "
                + columns.stream()
                    .map(column -> table.name() + "." + column)
                    .collect(Collectors.joining(", "));
    boolean unreleased = source == Source.RELEASED && table.isProtected();
    String measure =
        unreleased
            ? "The owner can release it: flexdp collect --policy FILE --release "
                + (columns.isEmpty()
                    ? "--release-rows " + table.name()
                    : "--only " + named(table, columns))
            : "The owner can measure it: flexdp collect --policy FILE"
                + (columns.isEmpty()
                    ? ""
                    : " --columns " + named(table, columns) + ", or declare it unique if it is");
    return Rejection.of(
        RejectionCode.MISSING_METRIC,
        what + (unreleased ? " from released metrics." : "."),
        measure + ".");
  }

  /** As collect takes the names of columns. */
  private static String named(Table table, Set<String> columns) {
    List<String> names = columns.stream().sorted().map(ScanFrequencies::quoted).toList();
    return "'"
        + Arrays.stream(table.name().split("\\."))
            .map(ScanFrequencies::quoted)
            .collect(Collectors.joining("."))
        + "."
        + (names.size() == 1 ? names.getFirst() : "(" + String.join(", ", names) + ")")
        + "'";
  }

  private static String quoted(String name) {
    return name.matches("\\w+") ? name : "\"" + name.replace("\"", "\"\"") + "\"";
  }
}
