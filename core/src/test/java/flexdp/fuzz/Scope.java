package flexdp.fuzz;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;

/**
 * A FROM clause and the columns that it offers.
 *
 * @param text what to write after FROM
 * @param tables the tables below, for telling self joins
 */
record Scope(String text, List<Col> columns, Set<String> tables) {
  /**
   * A column.
   *
   * @param name how it is referred to
   * @param joinable whether it is a column of a table, whose frequencies are known
   */
  record Col(String name, boolean nullable, boolean joinable, boolean text) {
    Col as(String other) {
      return new Col(other, nullable, joinable, text);
    }

    Col asNullable() {
      return new Col(name, true, joinable, text);
    }
  }

  Optional<Col> any(Random random, Predicate<Col> wanted) {
    List<Col> found = columns.stream().filter(wanted).toList();
    return found.isEmpty()
        ? Optional.empty()
        : Optional.of(found.get(random.nextInt(found.size())));
  }

  Optional<Col> number(Random random) {
    return any(random, c -> !c.text());
  }

  Optional<Col> key(Random random) {
    return any(random, c -> !c.text() && c.joinable());
  }

  Scope with(String text, List<Col> columns) {
    return new Scope(text, columns, tables);
  }

  /** Both together; columns of a side that may be padded become nullable. */
  static Scope join(String text, Scope left, boolean padLeft, Scope right, boolean padRight) {
    List<Col> columns = new ArrayList<>();
    left.columns.forEach(c -> columns.add(padLeft ? c.asNullable() : c));
    right.columns.forEach(c -> columns.add(padRight ? c.asNullable() : c));
    Set<String> tables = new HashSet<>(left.tables);
    tables.addAll(right.tables);
    return new Scope(text, columns, tables);
  }
}
