package flexdp.gateway.verify;

import flexdp.gateway.verify.MadeUp.State;
import flexdp.policy.Kind;
import flexdp.policy.Neighbors;
import flexdp.policy.Owner;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Unit;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A state next to another one.
 *
 * @param what differs, in words
 */
record Neighbour(State state, Unit unit, String what) {
  /** Every neighbour of a state, for the units that a question reads. */
  static List<Neighbour> all(MadeUp data, State state, Policy policy, Set<Unit> units) {
    List<Neighbour> found = new ArrayList<>();
    for (Unit unit : units) {
      switch (unit) {
        case Unit.Row row -> rows(data, state, data.index(row.table()), policy, unit, found);
        case Unit.Person person -> people(data, state, policy.people().get(person.kind()), found);
        case Unit.Any ignored -> {}
      }
    }
    return found;
  }

  private static void rows(
      MadeUp data, State state, int table, Policy policy, Unit unit, List<Neighbour> found) {
    String name = data.tables().get(table).table().name();
    int count = data.tables().get(table).rows().size();
    boolean replaced = policy.privacy().neighbors() == Neighbors.REPLACE_ONE;
    for (int one = 0; one < count; one++) {
      if (!replaced) {
        String what =
            (state.has(table, one) ? "without a row of " : "with one more row of ") + name;
        add(data, new Neighbour(state.flipped(table, one), unit, what), table, found);
        continue;
      }
      for (int two = 0; two < one; two++) {
        if (state.has(table, one) != state.has(table, two)) {
          State other = state.flipped(table, one).flipped(table, two);
          add(data, new Neighbour(other, unit, "with another row in " + name), table, found);
        }
      }
    }
  }

  private static void add(MadeUp data, Neighbour next, int table, List<Neighbour> found) {
    if (data.keepsPromises(next.state(), table)) {
      found.add(next);
    }
  }

  private static void people(MadeUp data, State state, Kind kind, List<Neighbour> found) {
    Set<String> nobody = new HashSet<>();
    kind.nobody().forEach(id -> SqlValues.of(id, kind.type()).ifPresent(nobody::add));
    Set<String> known = new LinkedHashSet<>();
    for (int t = 0; t < data.tables().size(); t++) {
      BitSet alive = state.alive().get(t);
      for (int r = alive.nextSetBit(0); r >= 0; r = alive.nextSetBit(r + 1)) {
        known.addAll(owners(data, state, kind, nobody, t, r));
        if (isKeptUnowned(data, state, kind, nobody, t, r)) {
          found.add(
              new Neighbour(
                  state.flipped(t, r), kind.unit(), "without a row that is its own person"));
        }
      }
    }
    for (String person : known) {
      State without = state;
      for (int t = 0; t < data.tables().size(); t++) {
        BitSet alive = state.alive().get(t);
        for (int r = alive.nextSetBit(0); r >= 0; r = alive.nextSetBit(r + 1)) {
          if (owners(data, state, kind, nobody, t, r).contains(person)) {
            without = without.flipped(t, r);
          }
        }
      }
      found.add(new Neighbour(without, kind.unit(), "without the " + kind.name() + " " + person));
    }
  }

  private static boolean isKeptUnowned(
      MadeUp data, State state, Kind kind, Set<String> nobody, int table, int row) {
    Table of = data.tables().get(table).table();
    return of.ownership().keepsUnowned()
        && of.ownership().owners().stream().anyMatch(o -> o.kind().equals(kind.name()))
        && owners(data, state, kind, nobody, table, row).isEmpty();
  }

  /** The people of a kind who own a row in a state. */
  private static Set<String> owners(
      MadeUp data, State state, Kind kind, Set<String> nobody, int table, int row) {
    Set<String> owners = new LinkedHashSet<>();
    MadeUp.Rows rows = data.tables().get(table);
    if (rows.table().isPublic()) {
      return owners;
    }
    for (Owner owner : rows.table().ownership().owners()) {
      if (owner.kind().equals(kind.name())) {
        Optional<String> id = Optional.of(rows.value(row, owner.column()));
        for (Owner.Hop hop : owner.hops()) {
          id = id.flatMap(key -> followed(data, state, hop, key));
        }
        id.filter(i -> !i.equals(SqlValues.NULL) && !nobody.contains(i)).ifPresent(owners::add);
      }
    }
    return owners;
  }

  private static Optional<String> followed(MadeUp data, State state, Owner.Hop hop, String key) {
    int table = data.index(hop.table());
    MadeUp.Rows rows = data.tables().get(table);
    BitSet alive = state.alive().get(table);
    for (int r = alive.nextSetBit(0); r >= 0; r = alive.nextSetBit(r + 1)) {
      if (!key.equals(SqlValues.NULL) && rows.value(r, hop.key()).equals(key)) {
        return Optional.of(rows.value(r, hop.column()));
      }
    }
    return Optional.empty();
  }
}
