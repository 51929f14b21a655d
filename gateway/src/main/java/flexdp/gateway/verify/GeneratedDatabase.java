package flexdp.gateway.verify;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.OwnerPath;
import flexdp.policy.PersonKind;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A database that was made up: every row that its tables may hold. Which of them it does hold is a
 * {@link DatabaseState}.
 */
final class GeneratedDatabase {
  /** The rows of one table, values as SQL in the order of its columns. */
  record Rows(Table table, List<List<String>> rows) {
    int column(String name) {
      for (int i = 0; i < table.columns().size(); i++) {
        if (table.columns().get(i).name().equals(name)) {
          return i;
        }
      }
      throw new IllegalArgumentException("no column " + name);
    }

    String value(int row, String column) {
      return rows.get(row).get(column(column));
    }
  }

  private final List<Rows> tables;

  GeneratedDatabase(List<Rows> tables) {
    this.tables = List.copyOf(tables);
  }

  List<Rows> tables() {
    return tables;
  }

  int index(String table) {
    for (int t = 0; t < tables.size(); t++) {
      if (tables.get(t).table().name().equals(table)) {
        return t;
      }
    }
    throw new IllegalArgumentException("no table " + table);
  }

  /** Nothing but the public tables. */
  DatabaseState empty() {
    List<BitSet> none = new ArrayList<>();
    for (Rows rows : tables) {
      BitSet bits = new BitSet();
      if (rows.table().isPublic()) {
        bits.set(0, rows.rows().size());
      }
      none.add(bits);
    }
    return new DatabaseState(none);
  }

  /** Whether a table keeps the keys and frequencies that the owner vouches for. */
  boolean keepsPromises(DatabaseState state, int table) {
    Rows rows = tables.get(table);
    for (Set<String> key : rows.table().uniqueKeys()) {
      if (mostAlike(rows, state.alive().get(table), key) > 1) {
        return false;
      }
    }
    for (Table.FrequencyCap cap : rows.table().vouched()) {
      int most = mostAlike(rows, state.alive().get(table), cap.columns());
      if (java.math.BigInteger.valueOf(most).compareTo(cap.atMost()) > 0) {
        return false;
      }
    }
    return true;
  }

  private static int mostAlike(Rows rows, BitSet alive, Set<String> columns) {
    Map<List<String>, Integer> counts = new HashMap<>();
    int most = 0;
    for (int row = alive.nextSetBit(0); row >= 0; row = alive.nextSetBit(row + 1)) {
      List<String> values = new ArrayList<>();
      for (String column : columns) {
        values.add(rows.value(row, column));
      }
      if (!values.contains(SqlValues.NULL)) {
        most = Math.max(most, counts.merge(values, 1, Integer::sum));
      }
    }
    return most;
  }

  /** The columns of a table whose equality decides which states are possible or who owns a row. */
  static Set<String> naming(Table table) {
    Set<String> names = new HashSet<>();
    table.uniqueKeys().forEach(names::addAll);
    table.caps().forEach(cap -> names.addAll(cap.columns()));
    table.ownership().owners().forEach(owner -> names.add(owner.column()));
    for (ColumnSpec column : table.columns()) {
      if (column.references().isPresent()) {
        names.add(column.name());
      }
    }
    return names;
  }

  /** Which of the rows that tables may hold are there. Never changed. */
  record DatabaseState(List<BitSet> alive) {
    DatabaseState {
      alive = List.copyOf(alive);
    }

    boolean has(int table, int row) {
      return alive.get(table).get(row);
    }

    DatabaseState and(DatabaseState other) {
      return with(other, BitSet::and);
    }

    DatabaseState or(DatabaseState other) {
      return with(other, BitSet::or);
    }

    DatabaseState without(DatabaseState other) {
      return with(other, BitSet::andNot);
    }

    private DatabaseState with(DatabaseState other, BiConsumer<BitSet, BitSet> joining) {
      List<BitSet> all = new ArrayList<>();
      for (int t = 0; t < alive.size(); t++) {
        BitSet bits = (BitSet) alive.get(t).clone();
        joining.accept(bits, other.alive.get(t));
        all.add(bits);
      }
      return new DatabaseState(all);
    }

    int rows() {
      return alive.stream().mapToInt(BitSet::cardinality).sum();
    }

    /** This state but for one row, which comes or goes. */
    DatabaseState flipped(int table, int row) {
      List<BitSet> other = new ArrayList<>(alive);
      BitSet bits = (BitSet) alive.get(table).clone();
      bits.flip(row);
      other.set(table, bits);
      return new DatabaseState(other);
    }
  }

  /**
   * A state next to another one.
   *
   * @param what differs, in words
   */
  record NeighborState(DatabaseState state, PrivacyUnit unit, String what) {
    /** Every neighbour of a state, for the units that a question reads. */
    static List<NeighborState> all(
        GeneratedDatabase data, DatabaseState state, Policy policy, Set<PrivacyUnit> units) {
      List<NeighborState> found = new ArrayList<>();
      for (PrivacyUnit unit : units) {
        switch (unit) {
          case PrivacyUnit.Row row ->
              rows(data, state, data.index(row.table()), policy, unit, found);
          case PrivacyUnit.Person person ->
              people(data, state, policy.people().get(person.kind()), found);
          case PrivacyUnit.Any ignored -> {}
        }
      }
      return found;
    }

    private static void rows(
        GeneratedDatabase data,
        DatabaseState state,
        int table,
        Policy policy,
        PrivacyUnit unit,
        List<NeighborState> found) {
      String name = data.tables().get(table).table().name();
      int count = data.tables().get(table).rows().size();
      boolean replaced = policy.privacy().neighbors() == Neighbors.REPLACE_ONE;
      for (int one = 0; one < count; one++) {
        if (!replaced) {
          String what =
              (state.has(table, one) ? "without a row of " : "with one more row of ") + name;
          add(data, new NeighborState(state.flipped(table, one), unit, what), table, found);
          continue;
        }
        for (int two = 0; two < one; two++) {
          if (state.has(table, one) != state.has(table, two)) {
            DatabaseState other = state.flipped(table, one).flipped(table, two);
            add(data, new NeighborState(other, unit, "with another row in " + name), table, found);
          }
        }
      }
    }

    private static void add(
        GeneratedDatabase data, NeighborState next, int table, List<NeighborState> found) {
      if (data.keepsPromises(next.state(), table)) {
        found.add(next);
      }
    }

    private static void people(
        GeneratedDatabase data, DatabaseState state, PersonKind kind, List<NeighborState> found) {
      Set<String> nobody = new HashSet<>();
      kind.nobody().forEach(id -> SqlValues.of(id, kind.type()).ifPresent(nobody::add));
      Set<String> known = new LinkedHashSet<>();
      for (int t = 0; t < data.tables().size(); t++) {
        BitSet alive = state.alive().get(t);
        for (int r = alive.nextSetBit(0); r >= 0; r = alive.nextSetBit(r + 1)) {
          known.addAll(owners(data, state, kind, nobody, t, r));
          if (isKeptUnowned(data, state, kind, nobody, t, r)) {
            found.add(
                new NeighborState(
                    state.flipped(t, r), kind.unit(), "without a row that is its own person"));
          }
        }
      }
      for (String person : known) {
        DatabaseState without = state;
        for (int t = 0; t < data.tables().size(); t++) {
          BitSet alive = state.alive().get(t);
          for (int r = alive.nextSetBit(0); r >= 0; r = alive.nextSetBit(r + 1)) {
            if (owners(data, state, kind, nobody, t, r).contains(person)) {
              without = without.flipped(t, r);
            }
          }
        }
        found.add(
            new NeighborState(without, kind.unit(), "without the " + kind.name() + " " + person));
      }
    }

    private static boolean isKeptUnowned(
        GeneratedDatabase data,
        DatabaseState state,
        PersonKind kind,
        Set<String> nobody,
        int table,
        int row) {
      Table of = data.tables().get(table).table();
      return of.ownership().keepsUnowned()
          && of.ownership().owners().stream().anyMatch(o -> o.kind().equals(kind.name()))
          && owners(data, state, kind, nobody, table, row).isEmpty();
    }

    /** The people of a kind who own a row in a state. */
    private static Set<String> owners(
        GeneratedDatabase data,
        DatabaseState state,
        PersonKind kind,
        Set<String> nobody,
        int table,
        int row) {
      Set<String> owners = new LinkedHashSet<>();
      GeneratedDatabase.Rows rows = data.tables().get(table);
      if (rows.table().isPublic()) {
        return owners;
      }
      for (OwnerPath owner : rows.table().ownership().owners()) {
        if (owner.kind().equals(kind.name())) {
          Optional<String> id = Optional.of(rows.value(row, owner.column()));
          for (OwnerPath.Hop hop : owner.hops()) {
            id = id.flatMap(key -> followed(data, state, hop, key));
          }
          id.filter(i -> !i.equals(SqlValues.NULL) && !nobody.contains(i)).ifPresent(owners::add);
        }
      }
      return owners;
    }

    private static Optional<String> followed(
        GeneratedDatabase data, DatabaseState state, OwnerPath.Hop hop, String key) {
      int table = data.index(hop.table());
      GeneratedDatabase.Rows rows = data.tables().get(table);
      BitSet alive = state.alive().get(table);
      for (int r = alive.nextSetBit(0); r >= 0; r = alive.nextSetBit(r + 1)) {
        if (!key.equals(SqlValues.NULL) && rows.value(r, hop.key()).equals(key)) {
          return Optional.of(rows.value(r, hop.column()));
        }
      }
      return Optional.empty();
    }
  }
}
