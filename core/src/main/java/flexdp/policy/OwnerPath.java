package flexdp.policy;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who owns a row of a table: the person whose key is found by following references.
 *
 * @param kind of the person
 * @param type of the key that names her
 * @param column of the table itself, where the path begins
 * @param hops the references that are followed from there; none when the column names the person
 */
public record OwnerPath(String kind, Type type, String column, List<Hop> hops) {
  public OwnerPath {
    hops = List.copyOf(hops);
  }

  /**
   * From a column to the row that it refers to, and on to a column of that row.
   *
   * @param key the unique column of the table that is referred to
   * @param column where the path goes on, or names the person
   */
  public record Hop(String table, String key, String column) {}

  /** As ledgers and cached answers have kept it from the first: no renamed class may change it. */
  public String recorded() {
    String passed =
        hops.stream()
            .map(
                hop ->
                    "Hop[table="
                        + hop.table()
                        + ", key="
                        + hop.key()
                        + ", column="
                        + hop.column()
                        + "]")
            .collect(Collectors.joining(", ", "[", "]"));
    return "Owner[kind="
        + kind
        + ", type="
        + type
        + ", column="
        + column
        + ", hops="
        + passed
        + "]";
  }

  /** As the policy writes it: the columns, in the order in which they are read. */
  public String path() {
    return Stream.concat(Stream.of(column), hops.stream().map(Hop::column))
        .collect(Collectors.joining("."));
  }

  /** The column in which the path ends, which names the person. */
  public String end() {
    return hops.isEmpty() ? column : hops.getLast().column();
  }

  /** What is left of the path in the table of a hop. */
  public OwnerPath from(int hop) {
    return new OwnerPath(kind, type, hops.get(hop).column(), hops.subList(hop + 1, hops.size()));
  }

  /** The path up to and into the table of a hop, and on as another one goes from there. */
  String through(int hop, OwnerPath onward) {
    return Stream.concat(
            Stream.of(column),
            Stream.concat(hops.subList(0, hop).stream().map(Hop::column), Stream.of(onward.path())))
        .collect(Collectors.joining("."));
  }
}
