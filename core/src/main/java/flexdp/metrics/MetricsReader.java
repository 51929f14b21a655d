package flexdp.metrics;

import flexdp.document.DocumentNode;
import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Makes metrics of a tree of maps and lists. A name that the policy lacks is left out, since an
 * owner may hide a column after measuring it, but one that looks like a slip of the pen is an
 * error.
 */
public final class MetricsReader {
  private static final Set<String> TABLE_KEYS =
      Set.of(
          "rows",
          "columns",
          "keys",
          "cut",
          "released",
          "measuredAt",
          "snapshot",
          "ledger",
          "ledgerEntry",
          "enforced",
          "foundRanges");
  private static final Set<String> FOUND_KEYS = Set.of("range", "epsilon", "foundAt");
  private static final Set<String> RELEASED_KEYS =
      Set.of(
          "rows", "columns", "keys", "cut", "epsilon", "delta", "releasedAt", "snapshot", "name");
  private static final Set<String> COLUMN_KEYS =
      Set.of("maxFrequency", "maxFrequencyWithNull", "range");
  private static final Set<String> PROFILE_KEYS =
      Set.of("table", "column", "kind", "upTo", "people", "scale", "epsilon", "releasedAt");

  /** Where profiles stand beside the tables; no table of a policy has such a name. */
  public static final String PROFILES = "flexdp:profiles";

  private static final Set<String> COMPOUND_KEYS =
      Set.of("columns", "maxFrequency", "maxFrequencyWithNull");

  private final Policy policy;

  private MetricsReader(Policy policy) {
    this.policy = policy;
  }

  public static Metrics read(Object tree, Policy policy) {
    return new MetricsReader(policy)
        .read(DocumentNode.root(tree, ConfigurationError.Code.BAD_METRICS));
  }

  private Metrics read(DocumentNode root) {
    Map<String, TableMetrics> tables = new LinkedHashMap<>();
    Map<String, Metrics.Release> released = new LinkedHashMap<>();
    Map<String, Map<String, Metrics.FoundRange>> found = new LinkedHashMap<>();
    Map<String, DocumentNode> entries = root.entries();
    DocumentNode format = entries.get("flexdp");
    if (format != null && !format.isMap()) {
      if (!format.integer().equals(BigInteger.ONE)) {
        throw format.error("this version reads metrics of format 1 only");
      }
      entries.remove("flexdp");
    }
    List<ContributionProfile> profiles = new ArrayList<>();
    Optional.ofNullable(entries.remove(PROFILES))
        .ifPresent(all -> all.list().forEach(n -> profile(n).ifPresent(profiles::add)));
    entries.forEach(
        (name, node) -> {
          Map<String, DocumentNode> fields = node.fields(TABLE_KEYS);
          Optional<Table> table = policy.table(name);
          if (table.isEmpty()) {
            refuseSlips(node, name, policy.tables().keySet(), entries.keySet());
            return;
          }
          tables.put(name, cut(fields, table.get(), table(node, fields, table.get(), true)));
          DocumentNode.optional(fields, "released")
              .flatMap(n -> release(n, table.get()))
              .ifPresent(r -> released.put(name, r));
          DocumentNode.optional(fields, "foundRanges")
              .ifPresent(n -> found.put(name, found(n, table.get())));
        });
    return new Metrics(tables, released, profiles, found);
  }

  /** One of a table or a column that the policy no longer has says nothing. */
  private Optional<ContributionProfile> profile(DocumentNode node) {
    Map<String, DocumentNode> fields = node.fields(PROFILE_KEYS);
    String table = node.required(fields, "table").text();
    Optional<String> column = DocumentNode.optional(fields, "column").map(DocumentNode::text);
    boolean known =
        policy
            .table(table)
            .filter(t -> column.map(c -> t.column(c).isPresent()).orElse(true))
            .isPresent();
    List<BigDecimal> upTo =
        node.required(fields, "upTo").list().stream().map(DocumentNode::decimal).toList();
    List<BigInteger> people =
        node.required(fields, "people").list().stream().map(DocumentNode::integer).toList();
    BigDecimal scale = node.required(fields, "scale").decimal();
    boolean ascends = scale.signum() > 0 && !upTo.isEmpty() && upTo.getFirst().signum() > 0;
    for (int i = 1; i < upTo.size(); i++) {
      ascends &= upTo.get(i - 1).compareTo(upTo.get(i)) < 0;
    }
    if (!ascends || people.size() != upTo.size() + 1) {
      throw node.error("a profile has bounds that go up, and people below each and beyond");
    }
    BigDecimal epsilon = node.required(fields, "epsilon").epsilon();
    String kind = node.required(fields, "kind").text();
    return known
        ? Optional.of(new ContributionProfile(table, column, kind, upTo, people, scale, epsilon))
        : Optional.empty();
  }

  /** Metrics of some rows of each person hold for these very rows only. */
  private TableMetrics cut(Map<String, DocumentNode> fields, Table table, TableMetrics metrics) {
    Optional<String> measured = DocumentNode.optional(fields, "cut").map(DocumentNode::text);
    if (measured.isEmpty()) {
      return metrics;
    }
    return measured.equals(TruncatedTables.name(table, policy))
        ? new TableMetrics(metrics.rows(), metrics.frequencies(), TruncatedTables.rows(table))
        : TableMetrics.UNKNOWN;
  }

  /** Of columns that are there still, and numbers. */
  private static Map<String, Metrics.FoundRange> found(DocumentNode node, Table table) {
    Map<String, Metrics.FoundRange> found = new LinkedHashMap<>();
    node.entries()
        .forEach(
            (column, n) -> {
              Map<String, DocumentNode> fields = n.fields(FOUND_KEYS);
              List<DocumentNode> ends = n.required(fields, "range").list();
              if (ends.size() != 2
                  || ends.getFirst().decimal().compareTo(ends.getLast().decimal()) > 0) {
                throw n.error("a range has two ends, the lower one first");
              }
              if (table.column(column).filter(c -> c.type().isNumeric()).isPresent()) {
                found.put(
                    column,
                    new Metrics.FoundRange(
                        new Range(ends.getFirst().decimal(), ends.getLast().decimal()),
                        n.required(fields, "epsilon").epsilon(),
                        n.required(fields, "foundAt").text()));
              }
            });
    return found;
  }

  /** What was released of other rows than are read is as if it had not been. */
  private Optional<Metrics.Release> release(DocumentNode node, Table table) {
    Map<String, DocumentNode> fields = node.fields(RELEASED_KEYS);
    TableMetrics values = cut(fields, table, table(node, fields, table, false));
    Metrics.Release release =
        new Metrics.Release(
            values,
            node.required(fields, "epsilon").epsilon(),
            DocumentNode.optional(fields, "delta")
                .map(DocumentNode::delta)
                .orElse(BigDecimal.ZERO));
    return values.rowsPerPerson().equals(TruncatedTables.rows(table))
        ? Optional.of(release)
        : Optional.empty();
  }

  private static TableMetrics table(
      DocumentNode node, Map<String, DocumentNode> fields, Table table, boolean exact) {
    Optional<BigInteger> rows = DocumentNode.optional(fields, "rows").map(DocumentNode::count);
    Map<Set<String>, MaxFrequency> frequencies = new LinkedHashMap<>();
    DocumentNode.optional(fields, "columns")
        .map(DocumentNode::entries)
        .orElse(Map.of())
        .forEach(
            (column, n) -> {
              Map<String, DocumentNode> known = n.fields(COLUMN_KEYS);
              Set<String> given = fields.get("columns").entries().keySet();
              if (isKnown(n, column, table, given)) {
                put(frequencies, Set.of(column), n, known);
              }
            });
    DocumentNode.optional(fields, "keys")
        .ifPresent(
            keys -> {
              for (DocumentNode key : keys.list()) {
                Map<String, DocumentNode> known = key.fields(COMPOUND_KEYS);
                Set<String> columns = key.required(known, "columns").names();
                if (columns.stream().allMatch(c -> isKnown(key, c, table, columns))) {
                  put(frequencies, Set.copyOf(columns), key, known);
                }
              }
            });
    if (exact) {
      rows.ifPresent(most -> refuseAbove(node, most, frequencies));
    }
    return new TableMetrics(rows, frequencies);
  }

  private static void put(
      Map<Set<String>, MaxFrequency> into,
      Set<String> columns,
      DocumentNode node,
      Map<String, DocumentNode> fields) {
    Optional<BigInteger> max =
        DocumentNode.optional(fields, "maxFrequency").map(DocumentNode::count);
    Optional<BigInteger> withNull =
        DocumentNode.optional(fields, "maxFrequencyWithNull").map(DocumentNode::count);
    if (max.isPresent() && withNull.isPresent() && max.get().compareTo(withNull.get()) > 0) {
      throw node.error("maxFrequencyWithNull is below maxFrequency, which it includes");
    }
    if (max.isEmpty() && withNull.isEmpty()) {
      return; // a range alone says nothing of frequencies
    }
    MaxFrequency frequency = new MaxFrequency(max, withNull);
    MaxFrequency before = into.putIfAbsent(columns, frequency);
    if (before != null && !before.equals(frequency)) {
      throw node.error("the frequency of these columns is given twice, differently");
    }
  }

  private static void refuseAbove(
      DocumentNode node, BigInteger rows, Map<Set<String>, MaxFrequency> frequencies) {
    frequencies.forEach(
        (columns, f) -> {
          boolean above =
              f.max().map(m -> m.compareTo(rows) > 0).orElse(false)
                  || f.maxWithNull().map(m -> m.compareTo(rows) > 0).orElse(false);
          if (above) {
            throw node.error(
                "a frequency of " + String.join(", ", new TreeSet<>(columns)) + " is above 'rows'");
          }
        });
  }

  private static boolean isKnown(DocumentNode node, String column, Table table, Set<String> given) {
    if (table.column(column).isPresent()) {
      return true;
    }
    refuseSlips(node, column, table.columns().stream().map(ColumnSpec::name).toList(), given);
    return false;
  }

  /** A name close to a known one that has no metrics of its own. */
  private static void refuseSlips(
      DocumentNode node, String name, Collection<String> known, Set<String> given) {
    Optional<String> nearest = NearestName.to(name, known);
    if (nearest.isPresent() && !given.contains(nearest.get())) {
      throw node.error("the policy has no '" + name + "'. Did you mean '" + nearest.get() + "'?");
    }
  }
}
