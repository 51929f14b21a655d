package flexdp.gateway.policydraft;

import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.policydraft.CheckConstraint.CheckFact;
import flexdp.gateway.policydraft.TableDraft.ColumnFacts;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Declarations that a policy lacks although the database enforces them. */
public final class PolicySuggestions {
  private final Table table;
  private final PhysicalTable physical;
  private final List<String> found = new ArrayList<>();

  private PolicySuggestions(Table table, PhysicalTable physical) {
    this.table = table;
    this.physical = physical;
  }

  /** Each as one would write it. */
  public static List<String> of(Policy policy, PhysicalCatalog catalog) {
    List<String> all = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      PolicySuggestions one = new PolicySuggestions(table, catalog.physical(table));
      one.keys();
      one.columns();
      all.addAll(one.found);
    }
    return List.copyOf(all);
  }

  private void keys() {
    for (List<String> key : physical.keys()) {
      Set<String> declared = new HashSet<>();
      key.forEach(name -> asDeclared(name).forEach(declared::add));
      boolean known = table.uniqueKeys().stream().anyMatch(declared::containsAll);
      if (declared.size() == key.size() && !known) {
        found.add(
            key.size() == 1
                ? table.name() + "." + declared.iterator().next() + ": {unique: true}"
                : table.name() + ": {unique: [" + YamlScalars.list(List.copyOf(declared)) + "]}");
      }
    }
  }

  /** A column of the policy that reads the physical one as it is stored. */
  private List<String> asDeclared(String name) {
    return table.columns().stream()
        .filter(
            c -> {
              PhysicalColumn column = physical.column(c.name()).orElseThrow();
              return column.name().equals(name) && column.type().equals(c.type());
            })
        .map(ColumnSpec::name)
        .toList();
  }

  private void columns() {
    List<CheckFact> facts = new ArrayList<>();
    physical.checks().forEach(check -> facts.addAll(CheckConstraint.facts(check)));
    for (ColumnSpec column : table.columns()) {
      PhysicalColumn stored = physical.column(column.name()).orElseThrow();
      if (!stored.type().equals(column.type())) {
        continue; // reading it as another type may give NULL
      }
      String name = table.name() + "." + column.name();
      ColumnFacts known = ColumnFacts.of(stored.name(), stored.type(), facts);
      if (column.nullable() && (stored.notNull() || known.notNull() && stored.total())) {
        found.add(name + ": {nullable: false}");
      }
      if (column.range().isEmpty()) {
        known
            .range()
            .ifPresent(
                r -> found.add(name + ": {range: " + TableDraft.ends(r, column.type()) + "}"));
      }
    }
  }
}
