package flexdp.gateway.verify;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.function.BiConsumer;

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
