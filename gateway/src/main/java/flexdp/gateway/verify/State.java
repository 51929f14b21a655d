package flexdp.gateway.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;

/** Which of the rows that tables may hold are there. Never changed. */
record State(List<BitSet> alive) {
  State {
    alive = List.copyOf(alive);
  }

  boolean has(int table, int row) {
    return alive.get(table).get(row);
  }

  int rows() {
    return alive.stream().mapToInt(BitSet::cardinality).sum();
  }

  /** The same but for one row, which comes or goes. */
  State flipped(int table, int row) {
    List<BitSet> other = new ArrayList<>(alive);
    BitSet bits = (BitSet) alive.get(table).clone();
    bits.flip(row);
    other.set(table, bits);
    return new State(other);
  }
}
