package flexdp.gateway.verify;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A database that was made up: every row that its tables may hold. Which of them it does hold is a
 * {@link State}.
 */
final class MadeUp {
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

  MadeUp(List<Rows> tables) {
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
  State empty() {
    List<BitSet> none = new ArrayList<>();
    for (Rows rows : tables) {
      BitSet bits = new BitSet();
      if (rows.table().isPublic()) {
        bits.set(0, rows.rows().size());
      }
      none.add(bits);
    }
    return new State(none);
  }

  /** Whether a table keeps the keys and frequencies that the owner vouches for. */
  boolean keepsPromises(State state, int table) {
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
  record State(List<BitSet> alive) {
    State {
      alive = List.copyOf(alive);
    }

    boolean has(int table, int row) {
      return alive.get(table).get(row);
    }

    State and(State other) {
      return with(other, BitSet::and);
    }

    State or(State other) {
      return with(other, BitSet::or);
    }

    State without(State other) {
      return with(other, BitSet::andNot);
    }

    private State with(State other, BiConsumer<BitSet, BitSet> joining) {
      List<BitSet> all = new ArrayList<>();
      for (int t = 0; t < alive.size(); t++) {
        BitSet bits = (BitSet) alive.get(t).clone();
        joining.accept(bits, other.alive.get(t));
        all.add(bits);
      }
      return new State(all);
    }

    int rows() {
      return alive.stream().mapToInt(BitSet::cardinality).sum();
    }

    /** This state but for one row, which comes or goes. */
    State flipped(int table, int row) {
      List<BitSet> other = new ArrayList<>(alive);
      BitSet bits = (BitSet) alive.get(table).clone();
      bits.flip(row);
      other.set(table, bits);
      return new State(other);
    }
  }
}
