package flexdp.owned;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.Relation.Scan;
import flexdp.algebra.SortKey;
import flexdp.policy.Kind;
import flexdp.policy.Owner;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;

/**
 * The rows of a table as they are read from the database: paths to owners are followed by joins,
 * rows that nobody owns are left out, and of each person no more rows are taken than may be.
 *
 * <p>O-NOBODY: NULL, a reference that leads nowhere and the values that stand for nobody name no
 * owner.
 *
 * <p>O-CUT: the first rows of a person by the hash of all columns, then by the columns themselves.
 * It reads nobody else's rows, and rows that tie are equal.
 */
final class TableRows {
  private final Policy policy;
  private final FreshColumns ids;

  TableRows(Policy policy, FreshColumns ids) {
    this.policy = policy;
    this.ids = ids;
  }

  /** A person of a kind who owns the rows of a relation, as a column that may be NULL. */
  record OwnerColumn(Kind kind, Column column) {}

  /**
   * Each row with its owners.
   *
   * @param owners takes note of their columns
   */
  Relation shared(Scan scan, List<OwnerColumn> owners) {
    Relation rows = scan;
    List<Output> outputs = new ArrayList<>();
    scan.columns().forEach(c -> outputs.add(new Output(c, c.ref())));
    List<Expr> there = new ArrayList<>();
    for (Owner owner : scan.table().ownership().owners()) {
      Kind kind = policy.people().get(owner.kind());
      Followed followed = follow(rows, scan, owner, JoinKind.LEFT);
      rows = followed.rows();
      Column column = ids.fresh("owner", kind.type(), true);
      outputs.add(new Output(column, somebody(followed.owner(), kind)));
      owners.add(new OwnerColumn(kind, column));
      there.add(isThere(column.ref()));
    }
    return new Relation.Filter(new Relation.Project(rows, outputs), any(there));
  }

  /**
   * The rows of a table with one owner.
   *
   * @param owner the column that shows it
   * @param columns what the relation shows
   */
  Relation owned(Scan scan, Column owner, List<Column> columns, boolean cut) {
    Owner path = scan.table().ownership().only().orElseThrow();
    Kind kind = policy.people().get(path.kind());
    Followed followed = follow(scan, scan, path, JoinKind.INNER);
    List<Expr> terms = new ArrayList<>(List.of(isThere(followed.owner())));
    kind.nobody()
        .forEach(
            value ->
                terms.add(
                    new Expr.Call(
                        Function.NE,
                        List.of(followed.owner(), new Expr.Literal(value, kind.type())),
                        Type.BOOLEAN)));
    List<Output> outputs = new ArrayList<>();
    for (Column c : scan.columns()) {
      boolean names = c.id() == owner.id();
      outputs.add(new Output(names ? new Column(c.id(), c.name(), c.type(), false) : c, c.ref()));
    }
    if (scan.columns().stream().noneMatch(c -> c.id() == owner.id())) {
      outputs.add(new Output(owner, followed.owner()));
    }
    Relation rows = new Relation.Project(new Relation.Filter(followed.rows(), all(terms)), outputs);
    return OwnedPart.only(cut ? first(rows, scan, owner) : rows, columns);
  }

  private static Relation first(Relation rows, Scan scan, Column owner) {
    BigInteger most = scan.table().ownership().rowsPerPerson().orElseThrow();
    List<SortKey> order = FixedOrder.of(scan.columns());
    return new Relation.TopRows(
        rows,
        List.of(owner.ref()),
        order,
        most.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact(),
        scan.at());
  }

  private record Followed(Relation rows, Expr owner) {}

  private Followed follow(Relation from, Scan scan, Owner path, JoinKind kind) {
    Relation rows = from;
    Column at = named(scan.columns(), path.column());
    for (Owner.Hop hop : path.hops()) {
      Table table = policy.table(hop.table()).orElseThrow();
      List<Column> columns =
          table.columns().stream().map(c -> ids.fresh(c.name(), c.type(), c.nullable())).toList();
      Expr met =
          new Expr.Call(
              Function.EQ, List.of(at.ref(), named(columns, hop.key()).ref()), Type.BOOLEAN);
      rows = new Relation.Join(kind, rows, new Scan(table, columns, scan.at()), met, scan.at());
      at = named(columns, hop.column());
    }
    return new Followed(rows, at.ref());
  }

  private static Column named(List<Column> columns, String name) {
    return columns.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  /** The owner, or NULL for nobody. */
  private static Expr somebody(Expr owner, Kind kind) {
    Expr value = owner;
    for (Object nobody : kind.nobody()) {
      value =
          new Expr.Call(
              Function.NULLIF, List.of(value, new Expr.Literal(nobody, kind.type())), kind.type());
    }
    return value;
  }

  static Expr isThere(Expr owner) {
    return new Expr.Call(Function.IS_NOT_NULL, List.of(owner), Type.BOOLEAN);
  }

  private static Expr all(List<Expr> terms) {
    return terms.size() == 1 ? terms.getFirst() : new Expr.Call(Function.AND, terms, Type.BOOLEAN);
  }

  private static Expr any(List<Expr> terms) {
    return terms.size() == 1 ? terms.getFirst() : new Expr.Call(Function.OR, terms, Type.BOOLEAN);
  }
}
