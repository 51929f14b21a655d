package flexdp.gateway.hostile;

import flexdp.policy.Policy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Neighbours laid out by hand for something that once gave a row away, and questions that did.
 *
 * @param columns of all tables, beside id
 * @param t its rows, keys first
 * @param changed in which of t and u the neighbours differ
 */
record Aimed(
    String name,
    List<String> columns,
    List<List<String>> t,
    int changed,
    List<String> extra,
    boolean thresholding,
    List<String> questions) {
  static Aimed named(String name) {
    return new Aimed(name, List.of(), List.of(), 0, List.of(), false, List.of());
  }

  Aimed columns(String... names) {
    return new Aimed(name, List.of(names), t, changed, extra, thresholding, questions);
  }

  @SafeVarargs
  final Aimed t(List<List<String>>... parts) {
    List<List<String>> all = Arrays.stream(parts).flatMap(List::stream).toList();
    return new Aimed(name, columns, all, changed, extra, thresholding, questions);
  }

  Aimed changed(int table, List<String> row) {
    return new Aimed(name, columns, t, table, row, thresholding, questions);
  }

  Aimed withThresholding() {
    return new Aimed(name, columns, t, changed, extra, true, questions);
  }

  Aimed asked(String... sql) {
    return new Aimed(name, columns, t, changed, extra, thresholding, List.of(sql));
  }

  /** What the questions give away, under both kinds of labels' rules. */
  List<String> leaks(TestBed ground) throws Exception {
    List<HostileColumn> chosen =
        columns.stream()
            .map(n -> ground.columns().stream().filter(c -> c.name().equals(n)).findFirst())
            .map(java.util.Optional::orElseThrow)
            .toList();
    HostileTables tables =
        new HostileTables(
            HostileTables.Layout.MIXED,
            chosen,
            List.of(t, List.of(), List.of()),
            changed,
            List.of(),
            extra);
    Policy policy = HostilePolicy.of(chosen, false, thresholding);
    List<String> leaks = new ArrayList<>();
    try (Neighbours neighbours = new Neighbours(ground, tables, policy)) {
      for (String sql : questions) {
        neighbours.leak(sql).ifPresent(what -> leaks.add(name + "\n" + sql + "\n" + what));
      }
    } catch (RuntimeException e) {
      leaks.add(name + "\ncollect\n" + e);
    }
    return leaks;
  }

  /** As many rows, with keys from the first one on. */
  static List<List<String>> rows(long first, int count, String... values) {
    return IntStream.range(0, count).mapToObj(i -> row(first + i, values)).toList();
  }

  static List<String> row(long key, String... values) {
    List<String> row = new ArrayList<>(List.of(Long.toString(key)));
    row.addAll(List.of(values));
    return row;
  }
}
