package flexdp.gateway.cache;

import flexdp.fingerprint.QueryFingerprint;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.TableOwnership;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The part of a policy that gives questions their meaning: tables, columns, types, bounds, labels,
 * neighbours, whose rows are whose. Under another one, answers that were released answer other
 * questions. Budgets and accounts are no part of it.
 *
 * @param tables what is declared of the tables that a question reads, columns aside, as a hash
 * @param columns what is declared of each of their columns, as hashes. A question that was asked
 *     before a column was added cannot have named it: an answer keeps its meaning while all the
 *     columns that there were are declared as they were
 */
record PolicyFingerprint(String tables, Set<String> columns) {
  private static final int LENGTH = 16;

  PolicyFingerprint {
    columns = Set.copyOf(columns);
  }

  /**
   * @param read the names of the tables that a question reads, those of its labels among them
   */
  static PolicyFingerprint of(Policy policy, Set<String> read) {
    List<String> all = general(policy);
    Set<String> columns = new TreeSet<>();
    for (String name : withOwners(policy, read)) {
      Table table = policy.tables().get(name);
      all.addAll(apartFromColumns(table));
      table.columns().forEach(c -> columns.add(hash(quoted(name) + " " + text(c))));
    }
    return new PolicyFingerprint(hash(String.join("\n", all)), columns);
  }

  /** Whether an answer of these columns means the same. */
  boolean extendsColumns(Set<String> before) {
    return columns.containsAll(before);
  }

  /** Those, and the tables on the way to the owners of their rows. */
  private static Set<String> withOwners(Policy policy, Set<String> read) {
    Set<String> all = new TreeSet<>(read);
    for (String name : read) {
      for (OwnerPath owner : policy.tables().get(name).ownership().owners()) {
        owner.hops().forEach(hop -> all.add(hop.table()));
      }
    }
    return all;
  }

  /** Of all tables and columns, as it was kept before 0.2.0. */
  static String ofAll(Policy policy) {
    List<String> all = general(policy);
    for (Table table : new TreeMap<>(policy.tables()).values()) {
      all.addAll(apartFromColumns(table));
      table.columns().forEach(column -> all.add(text(column)));
    }
    return hash(String.join("\n", all));
  }

  private static List<String> general(Policy policy) {
    List<String> all = new ArrayList<>();
    all.add(policy.privacy().neighbors().name());
    new TreeMap<>(policy.people())
        .values()
        .forEach(
            kind ->
                all.add(
                    "people " + quoted(kind.name()) + kind.type() + quoted(kind.nobody() + "")));
    return all;
  }

  private static List<String> apartFromColumns(Table table) {
    List<String> all = new ArrayList<>();
    all.add(table.isPublic() + " " + quoted(table.name()));
    all.add(text(table.ownership()));
    table.uniqueKeys().forEach(key -> all.add("unique" + key.stream().sorted().toList()));
    return all;
  }

  /** As 0.1.0 wrote it: it is kept with answers, so that what is added to it is added behind. */
  private static String text(TableOwnership ownership) {
    Set<String> same = new TreeSet<>(ownership.sameOwner());
    return "Ownership[owners="
        + ownership.owners().stream().map(OwnerPath::recorded).toList()
        + ", keepsUnowned="
        + ownership.keepsUnowned()
        + ", rowsPerPerson="
        + ownership.rowsPerPerson()
        + "]"
        + (same.isEmpty() ? "" : " same owner " + same);
  }

  private static String text(ColumnSpec column) {
    return quoted(column.name())
        + column.type()
        + column.nullable()
        + column.range()
        + column.domain()
        + column.references();
  }

  private static String hash(String text) {
    return QueryFingerprint.key(text).substring(0, LENGTH);
  }

  private static String quoted(String name) {
    return name.length() + "'" + name + "'";
  }
}
