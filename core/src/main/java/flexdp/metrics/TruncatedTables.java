package flexdp.metrics;

import flexdp.hash.PortableHash;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Table.RowKey;
import flexdp.policy.TableOwnership;
import flexdp.policy.Type;
import java.math.BigInteger;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tables of which so many rows of each person are read, and what it depends on which rows these
 * are: how many, whose, the hash and how values are written in it, and the columns that are hashed.
 * Metrics of the rows that are read hold for these only.
 */
public final class TruncatedTables {
  private TruncatedTables() {}

  /** How many rows of each person are read where a question mixes people; absent: all, or none. */
  public static Optional<BigInteger> rows(Table table) {
    TableOwnership ownership = table.ownership();
    boolean ordered = table.columns().stream().noneMatch(c -> c.type().kind() == Type.Kind.OPAQUE);
    return ownership.only().isPresent() && ordered ? ownership.rowsPerPerson() : Optional.empty();
  }

  /**
   * Whether the rows that are read stay the same, as the owner vouches: which of them are changes
   * with any row of the person, and with those on the way to her.
   */
  public static boolean isStatic(Table table, Policy policy) {
    return Stream.concat(
            Stream.of(table),
            table.ownership().only().orElseThrow().hops().stream()
                .map(hop -> policy.table(hop.table()).orElseThrow()))
        .allMatch(t -> t.insertsAtMost().filter(n -> n.signum() == 0).isPresent());
  }

  /**
   * Names the rows that are read of a table: equal names, equal rows of equal data. Absent where
   * none are left out.
   */
  public static Optional<String> name(Table table, Policy policy) {
    return rows(table)
        .map(
            rows -> {
              OwnerPath owner = table.ownership().only().orElseThrow();
              String columns =
                  table.columns().stream()
                      .map(c -> c.name() + " " + c.type())
                      .collect(Collectors.joining(","));
              String all =
                  String.join(
                      ";",
                      PortableHash.NAME,
                      rows.toString(),
                      owner.toString(),
                      policy.people().get(owner.kind()).nobody().toString(),
                      columns);
              if (table.ownership().keepsUnowned()) {
                all +=
                    RowKey.of(table).orElseThrow().stream()
                        .map(ColumnSpec::name)
                        .collect(Collectors.joining(",", ";keep ", ""));
              }
              return rows + "/" + PortableHash.of(all);
            });
  }
}
