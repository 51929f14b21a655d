package flexdp.gateway.answer;

import flexdp.algebra.Column;
import flexdp.gateway.database.Reading;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.people.clip.Levels;
import flexdp.people.descent.OwnerSets;
import flexdp.plan.Calibrated;
import flexdp.release.Histogram;
import flexdp.release.SharedReleaser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Collects what sets of owners have, for every bin of every measurement; private. */
final class OwnerSetRows {
  private final Session session;
  private final List<Column> keys;
  private final List<Column> owners;
  private final List<Integer> kinds;
  private final Histogram bins;
  private final List<List<OwnerSets>> sets = new ArrayList<>();

  /**
   * @param owners columns that name them, or are NULL
   * @param kinds what each of these names
   * @param noise of each measurement
   */
  OwnerSetRows(
      Session session,
      List<Column> keys,
      List<Column> owners,
      List<Integer> kinds,
      List<Calibrated.Descended> noise,
      Histogram bins) {
    this.session = session;
    this.keys = keys;
    this.owners = owners;
    this.kinds = kinds;
    this.bins = bins;
    for (Calibrated.Descended one : noise) {
      Levels levels = one.descending().levels();
      List<OwnerSets> each = new ArrayList<>();
      bins.bins().forEach(bin -> each.add(new OwnerSets(levels.at(levels.last()))));
      sets.add(each);
    }
  }

  /** By measurement and bin. */
  List<List<OwnerSets>> sets() {
    return sets;
  }

  /**
   * A row whose label is not listed, or whose label or owner cannot be read, is as if it were not
   * there, whatever others hold.
   */
  void add(ReleaseStatement statement, ResultSet row) {
    int at = 1;
    List<Object> labels = new ArrayList<>();
    for (Column key : keys) {
      switch (session.value(row, at++, key.type())) {
        case Reading.Value(Object value) -> labels.add(value);
        case Reading.Unreadable() -> {
          return;
        }
      }
    }
    OptionalInt bin = bins.place(labels);
    List<OwnerSets.Owner> named = new ArrayList<>();
    for (int i = 0; i < owners.size(); i++) {
      switch (session.value(row, at++, owners.get(i).type())) {
        case Reading.Value(Object value) -> {
          if (value != null) {
            named.add(SharedReleaser.owner(kinds.get(i), value));
          }
        }
        case Reading.Unreadable() -> {
          return;
        }
      }
    }
    for (ReleaseStatement.Cell cell : statement.cells()) {
      BigDecimal number = session.number(row, at++).orElse(BigDecimal.ZERO);
      BigInteger weight =
          cell.shift().isPresent()
              ? cell.units(number, session.number(row, at++).orElse(BigDecimal.ZERO))
              : cell.units(number);
      if (bin.isPresent()) {
        sets.get(cell.measurement()).get(bin.getAsInt()).add(weight.max(BigInteger.ZERO), named);
      }
    }
  }
}
