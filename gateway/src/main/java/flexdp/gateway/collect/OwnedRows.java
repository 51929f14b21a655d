package flexdp.gateway.collect;

import flexdp.algebra.Expr;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.PersonKind;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;

/**
 * How the rows of a table fall to the people at the end of one path, in this database. All of it is
 * private.
 *
 * @param unnamed rows whose path begins with NULL
 * @param astray rows whose path leads nowhere, or to NULL
 * @param nobodys rows of the values that stand for nobody
 * @param people who own rows
 * @param most rows of one person
 */
public record OwnedRows(
    String table,
    OwnerPath owner,
    long rows,
    long unnamed,
    long astray,
    long nobodys,
    long people,
    long most) {

  /** Rows that nobody of the kind owns over this path. */
  public long unowned() {
    return unnamed + astray + nobodys;
  }

  static OwnedRows measure(
      StatementRunner statements,
      Connector connector,
      PhysicalCatalog catalog,
      Policy policy,
      Path path)
      throws SQLException {
    PersonKind kind = policy.people().get(path.owner().kind());
    String rows = path.sql(policy, catalog);
    String nobody = nobody(connector, kind);
    AtomicReference<OwnedRows> found = new AtomicReference<>();
    statements.run(
        "SELECT COUNT(*), COUNT(a), COUNT(v), COUNT(CASE WHEN "
            + nobody
            + " THEN 1 END) FROM "
            + rows,
        row -> {
          long all = row.getLong(1);
          long begun = row.getLong(2);
          found.set(
              new OwnedRows(
                  path.table().name(),
                  path.owner(),
                  all,
                  all - begun,
                  begun - row.getLong(3),
                  row.getLong(4),
                  0,
                  0));
        });
    statements.run(
        "SELECT COUNT(*), MAX(n) FROM (SELECT v, COUNT(*) AS n FROM "
            + rows
            + " WHERE v IS NOT NULL AND NOT ("
            + nobody
            + ") GROUP BY v) AS people",
        row -> found.set(found.get().with(row.getLong(1), row.getLong(2))));
    return found.get();
  }

  private static String nobody(Connector connector, PersonKind kind) {
    return kind.nobody().isEmpty()
        ? "1 = 0"
        : kind.nobody().stream()
            .map(v -> "v = " + connector.dialect().literal(new Expr.Literal(v, kind.type())))
            .collect(Collectors.joining(" OR "));
  }

  /** How many values of a column, one of {@code sameOwner}, stand in rows of several people. */
  static long shared(
      StatementRunner statements,
      Connector connector,
      PhysicalCatalog catalog,
      Policy policy,
      Path path,
      String column)
      throws SQLException {
    PersonKind kind = policy.people().get(path.owner().kind());
    List<String> rows = new ArrayList<>(List.of(path.sql(policy, catalog, column)));
    // What it refers to is somebody's, too: the same person's.
    path.table()
        .column(column)
        .flatMap(ColumnSpec::references)
        .ifPresent(
            to -> {
              Table other = policy.table(to.table()).orElseThrow();
              other
                  .ownership()
                  .only()
                  .filter(owner -> owner.kind().equals(kind.name()))
                  .ifPresent(
                      owner -> rows.add(new Path(other, owner).sql(policy, catalog, to.column())));
            });
    String all =
        rows.stream()
            .map(one -> "SELECT s, v FROM " + one)
            .collect(Collectors.joining(" UNION ALL "));
    AtomicLong shared = new AtomicLong();
    statements.run(
        "SELECT COUNT(*) FROM (SELECT s FROM ("
            + all
            + ") AS named WHERE s IS NOT NULL AND v IS NOT NULL AND NOT ("
            + nobody(connector, kind)
            + ") GROUP BY s HAVING COUNT(DISTINCT v) > 1) AS shared",
        row -> shared.set(row.getLong(1)));
    return shared.get();
  }

  private OwnedRows with(long owners, long mostRows) {
    return new OwnedRows(table, owner, rows, unnamed, astray, nobodys, owners, mostRows);
  }

  /** One way to an owner, as rows of where it begins and of whom it names. */
  record Path(Table table, OwnerPath owner) {
    private String sql(Policy policy, PhysicalCatalog catalog) {
      return sql(policy, catalog, owner.column());
    }

    /**
     * @param beside a column of the table whose values stand beside those whom they belong to
     */
    private String sql(Policy policy, PhysicalCatalog catalog, String beside) {
      String value = "p0.c";
      StringBuilder joined =
          new StringBuilder("(SELECT ").append(read(catalog, table, owner.column(), "c"));
      joined.append(", ").append(read(catalog, table, beside, "s"));
      joined.append(" FROM ").append(catalog.table(table)).append(") AS p0");
      for (int i = 0; i < owner.hops().size(); i++) {
        OwnerPath.Hop hop = owner.hops().get(i);
        Table passed = policy.table(hop.table()).orElseThrow();
        String name = "p" + (i + 1);
        joined.append(" LEFT JOIN (SELECT ").append(read(catalog, passed, hop.key(), "k"));
        joined.append(", ").append(read(catalog, passed, hop.column(), "c")).append(" FROM ");
        joined.append(catalog.table(passed)).append(") AS ").append(name);
        joined.append(" ON ").append(value).append(" = ").append(name).append(".k");
        value = name + ".c";
      }
      return "(SELECT p0.c AS a, p0.s AS s, " + value + " AS v FROM " + joined + ") AS whose";
    }

    private static String read(PhysicalCatalog catalog, Table table, String column, String name) {
      return catalog.column(table, table.column(column).orElseThrow()) + " AS " + name;
    }
  }
}
