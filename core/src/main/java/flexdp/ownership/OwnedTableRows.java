package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.JoinKind;
import flexdp.algebra.Relation.Project.Output;
import flexdp.algebra.Relation.Scan;
import flexdp.algebra.SortKey;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.PersonKind;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Table.RowKey;
import flexdp.policy.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The rows of a table as they are read from the database: paths to owners are followed by joins,
 * rows that nobody owns are left out, and of each person no more rows are taken than may be.
 *
 * <p>O-NOBODY: NULL, a reference that leads nowhere and the values that stand for nobody name no
 * owner.
 *
 * <p>O-KEPT: or each such row is a person of its own, named by its key.
 *
 * <p>O-CUT: the first rows of a person by the hash of all columns, then by the columns themselves.
 * It reads nobody else's rows, and rows that tie are equal.
 */
final class OwnedTableRows {
  private final Policy policy;
  private final FreshColumns ids;
  private final Map<List<Object>, FirstOf> firsts = new HashMap<>();

  OwnedTableRows(Policy policy, FreshColumns ids) {
    this.policy = policy;
    this.ids = ids;
  }

  /**
   * The first rows of each person.
   *
   * @param columns of the table, as they are read
   */
  private record FirstOf(Relation rows, List<Column> columns, Column owner) {}

  /** A person of a kind who owns the rows of a relation, as a column that may be NULL. */
  record OwnerColumn(PersonKind kind, Column column) {}

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
    for (OwnerPath owner : scan.table().ownership().owners()) {
      PersonKind kind = policy.people().get(owner.kind());
      Followed followed = follow(rows, scan, owner, JoinKind.LEFT);
      rows = followed.rows();
      Column column = ids.column("owner", kind.type(), true);
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
   * @param named whether the owner is shown as a text that may name a row as well
   */
  Relation owned(Scan scan, Column owner, List<Column> columns, boolean cut, boolean named) {
    if (cut) {
      return first(scan, owner, columns, named);
    }
    return OwnedRelation.only(named ? named(scan, owner) : owned(scan, owner), columns);
  }

  /**
   * What is read below has columns of its own: the order reads all, and few may be shown. It is one
   * relation for all places that read the table, so that a database can find it once.
   */
  private Relation first(Scan scan, Column owner, List<Column> columns, boolean named) {
    FirstOf first =
        firsts.computeIfAbsent(
            List.of(scan.table().name(), named, names(scan)), key -> firstOf(scan, owner, named));
    List<Output> outputs = new ArrayList<>();
    for (Column c : columns) {
      boolean names = c.id() == owner.id();
      Column shown = names ? new Column(c.id(), c.name(), c.type(), false) : c;
      Column below = names ? first.owner() : named(first.columns(), c.name());
      outputs.add(new Output(shown, below.ref()));
    }
    return new Relation.Project(first.rows(), outputs);
  }

  private FirstOf firstOf(Scan scan, Column owner, boolean named) {
    Map<Integer, Column> below = new HashMap<>();
    for (Column c : scan.columns()) {
      below.put(c.id(), ids.column(c.name(), c.type(), c.nullable()));
    }
    Column by =
        below.computeIfAbsent(owner.id(), id -> ids.column(owner.name(), owner.type(), false));
    Scan read =
        new Scan(
            scan.table(), scan.columns().stream().map(c -> below.get(c.id())).toList(), scan.at());
    Relation rows = first(named ? named(read, by) : owned(read, by), read, by);
    return new FirstOf(rows, read.columns(), by);
  }

  private static List<String> names(Scan scan) {
    return scan.columns().stream().map(Column::name).toList();
  }

  private Relation owned(Scan scan, Column owner) {
    OwnerPath path = scan.table().ownership().only().orElseThrow();
    PersonKind kind = policy.people().get(path.kind());
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
    return new Relation.Project(new Relation.Filter(followed.rows(), all(terms)), outputs);
  }

  /** Whoever has no name, person or row, is not there. */
  private Relation named(Scan scan, Column owner) {
    boolean keeps = scan.table().ownership().keepsUnowned();
    OwnerPath path = scan.table().ownership().only().orElseThrow();
    Followed followed = follow(scan, scan, path, keeps ? JoinKind.LEFT : JoinKind.INNER);
    Expr somebody = somebody(followed.owner(), policy.people().get(path.kind()));
    Expr person =
        Exprs.call(
            Function.CONCAT, Type.VARCHAR, Exprs.text("+"), Exprs.as(somebody, Type.VARCHAR));
    Expr name =
        keeps
            ? new Expr.Case(
                List.of(new Expr.Case.Branch(isThere(somebody), person)),
                Optional.of(row(scan)),
                Type.VARCHAR)
            : person;
    List<Output> outputs = new ArrayList<>();
    scan.columns().forEach(c -> outputs.add(new Output(c, c.ref())));
    outputs.add(new Output(owner, name));
    return new Relation.Filter(
        new Relation.Project(followed.rows(), outputs), isThere(owner.ref()));
  }

  /** The table and the key, written so that no two rows of all tables are written alike. */
  private Expr row(Scan scan) {
    int table = List.copyOf(policy.tables().keySet()).indexOf(scan.table().name());
    List<Expr> parts = new ArrayList<>(List.of(Exprs.text("-" + table)));
    for (ColumnSpec part : RowKey.of(scan.table()).orElseThrow()) {
      parts.add(Exprs.text(","));
      parts.add(Exprs.as(named(scan.columns(), part.name()).ref(), Type.VARCHAR));
    }
    return new Expr.Call(Function.CONCAT, parts, Type.VARCHAR);
  }

  private static Relation first(Relation rows, Scan scan, Column owner) {
    BigInteger most = scan.table().ownership().rowsPerPerson().orElseThrow();
    List<SortKey> order = HashedRowOrder.of(scan.columns());
    return new Relation.TopRows(
        rows,
        List.of(owner.ref()),
        order,
        most.min(BigInteger.valueOf(Long.MAX_VALUE)).longValueExact(),
        scan.at());
  }

  private record Followed(Relation rows, Expr owner) {}

  private Followed follow(Relation from, Scan scan, OwnerPath path, JoinKind kind) {
    Relation rows = from;
    Column at = named(scan.columns(), path.column());
    for (OwnerPath.Hop hop : path.hops()) {
      Table table = policy.table(hop.table()).orElseThrow();
      List<Column> columns =
          table.columns().stream().map(c -> ids.column(c.name(), c.type(), c.nullable())).toList();
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
  private static Expr somebody(Expr owner, PersonKind kind) {
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
