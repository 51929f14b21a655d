package flexdp.ownership;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Scan;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.policy.TableOwnership;
import flexdp.policy.Type;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * O-TABLE: a table of which the kind is the only owner. Rows that nobody owns are not there, so the
 * columns that lead to the owner are never NULL. Tagged are the owner, the column that begins the
 * path and the declared keys: each fixes the owner of its row.
 *
 * <p>Where a person's rows are cut to so many, no more than these share an owner.
 *
 * <p>O-KEPT: where rows that nobody owns are kept, each is a person of its own, and people are
 * named by texts that name rows as well. Only keys of such a table fix the owner: many rows without
 * one may share what stands in its owner and path columns.
 */
public final class OwnedScans {
  private final Optional<PrivacyUnit.Person> kind;
  private final boolean cut;
  private final boolean named;
  private final boolean adding;
  private final FreshColumns ids;
  private final OwnershipConditions conditions;
  private final Map<Scan, Scan> written = new IdentityHashMap<>();
  private final Map<Scan, Column> owners = new IdentityHashMap<>();

  /**
   * Scans where no table of the kind keeps rows that nobody owns: one that does shows no owners.
   *
   * @param cut whether only {@code rowsPerPerson} rows of each person are read
   */
  public OwnedScans(PrivacyUnit.Person kind, boolean cut, FreshColumns ids) {
    this(Optional.of(kind), cut, false, false, ids, OwnershipConditions.EXACT);
  }

  private OwnedScans(
      Optional<PrivacyUnit.Person> kind,
      boolean cut,
      boolean named,
      boolean adding,
      FreshColumns ids,
      OwnershipConditions conditions) {
    this.adding = adding;
    this.conditions = conditions;
    this.kind = kind;
    this.cut = cut;
    this.named = named;
    this.ids = ids;
  }

  /**
   * The tables of a question.
   *
   * @param cut whether only {@code rowsPerPerson} rows of each person are read
   */
  public static OwnedScans of(
      PrivacyUnit.Person kind, boolean cut, FreshColumns ids, Relation question) {
    return of(kind, cut, ids, question, OwnershipConditions.EXACT);
  }

  public static OwnedScans of(
      PrivacyUnit.Person kind,
      boolean cut,
      FreshColumns ids,
      Relation question,
      OwnershipConditions conditions) {
    return of(kind, cut, false, ids, question, conditions);
  }

  /**
   * Scans for a rewritten question that is what the database is asked: the owner may then be added
   * where the policy says that a column stands for one person's rows.
   */
  public static OwnedScans adding(PrivacyUnit.Person kind, FreshColumns ids, Relation question) {
    return of(kind, false, true, ids, question, OwnershipConditions.EXACT);
  }

  private static OwnedScans of(
      PrivacyUnit.Person kind,
      boolean cut,
      boolean adding,
      FreshColumns ids,
      Relation question,
      OwnershipConditions conditions) {
    boolean[] kept = {false};
    AlgebraWalker.visit(
        question,
        r ->
            kept[0] |=
                r instanceof Scan scan
                    && scan.table().units().contains(kind)
                    && scan.table().ownership().keepsUnowned());
    return new OwnedScans(Optional.of(kind), cut, kept[0], adding, ids, conditions);
  }

  /** Scans that show no owners: of every table only some rows of each person are read. */
  static OwnedScans none(FreshColumns ids) {
    return new OwnedScans(Optional.empty(), true, false, false, ids, OwnershipConditions.EXACT);
  }

  OwnedRelation of(Scan scan) {
    TableOwnership ownership = scan.table().ownership();
    Optional<OwnerPath> only =
        ownership.only().filter(o -> kind.filter(k -> k.kind().equals(o.kind())).isPresent());
    boolean keeps = ownership.keepsUnowned();
    if (only.isEmpty() || keeps && !named) {
      return OwnedRelation.nobodys(scan);
    }
    OwnerPath path = only.get();
    List<Column> columns = new ArrayList<>();
    for (Column column : scan.columns()) {
      boolean leads = column.name().equals(path.column()) && !keeps;
      columns.add(leads ? new Column(column.id(), column.name(), column.type(), false) : column);
    }
    Optional<Column> visible =
        path.hops().isEmpty() ? Optional.of(named(columns, path.column())) : Optional.empty();
    Map<Integer, OwnerDeterminant> tags =
        conditions.require("O-KEPT", !keeps)
            ? tags(scan.table(), columns, path, visible)
            : keys(scan.table(), columns, path);
    Column owner =
        visible
            .filter(c -> !named)
            .orElseGet(
                () -> ids.column(unused(scan.table()), named ? Type.VARCHAR : path.type(), false));
    if (!columns.contains(owner)) {
      columns.add(owner);
    }
    if (!named) {
      tags.put(owner.id(), OwnerDeterminant.owner());
    }
    Scan shown = new Scan(shown(scan.table(), owner), columns, scan.at());
    written.put(shown, scan);
    owners.put(shown, owner);
    return OwnedRelation.of(shown, new RelationOwner(owner, tags, kinships(scan)));
  }

  private Map<Integer, SameOwner> kinships(Scan scan) {
    Map<Integer, SameOwner> kinships = new HashMap<>();
    for (Column column : adding ? scan.columns() : List.<Column>of()) {
      SameOwner.of(scan.table(), column.name()).ifPresent(k -> kinships.put(column.id(), k));
    }
    return kinships;
  }

  /** The scan of the question in whose place one stands that shows the owner. */
  Scan written(Scan scan) {
    return written.getOrDefault(scan, scan);
  }

  /** The owner that a scan shows. */
  Optional<Column> owner(Scan scan) {
    return Optional.ofNullable(owners.get(scan));
  }

  /** Whether the owner that a scan shows is a text that may name a row as well. */
  boolean isNamed() {
    return named;
  }

  boolean isCut(Scan scan) {
    return cut || kind.filter(scan.table().units()::contains).isEmpty();
  }

  private static Column named(List<Column> columns, String name) {
    return columns.stream().filter(c -> c.name().equals(name)).findFirst().orElseThrow();
  }

  private static String unused(Table table) {
    String name = "owner";
    while (table.column(name).isPresent()) {
      name += "'";
    }
    return name;
  }

  private Table shown(Table table, Column owner) {
    List<ColumnSpec> columns = new ArrayList<>(table.columns());
    if (table.column(owner.name()).isEmpty()) {
      columns.add(ColumnSpec.of(owner.name(), owner.type()));
    }
    List<Table.FrequencyCap> caps = new ArrayList<>(table.caps());
    Optional<BigInteger> rows = table.ownership().rowsPerPerson().filter(g -> cut);
    rows.ifPresent(g -> caps.add(new Table.FrequencyCap(Set.of(owner.name()), g)));
    return new Table(
        table.name(),
        table.isPublic(),
        columns,
        table.uniqueKeys(),
        caps,
        table.insertsAtMost(),
        new TableOwnership(table.ownership().owners(), false, rows));
  }

  /**
   * The columns whose values fix the owner.
   *
   * @param owner the column of the table that is the owner, if there is one
   */
  static Map<Integer, OwnerDeterminant> tags(
      Table table, List<Column> columns, OwnerPath path, Optional<Column> owner) {
    Map<Integer, OwnerDeterminant> tags = new HashMap<>();
    for (Column column : columns) {
      if (table.uniqueKeys().contains(Set.of(column.name()))) {
        tags.put(
            column.id(),
            OwnerDeterminant.key(table.name(), column.name(), path, column.nullable()));
      }
      if (column.name().equals(path.column()) && !path.hops().isEmpty()) {
        OwnerPath.Hop hop = path.hops().getFirst();
        tags.put(column.id(), OwnerDeterminant.key(hop.table(), hop.key(), path.from(0), false));
      }
    }
    owner.ifPresent(o -> tags.put(o.id(), OwnerDeterminant.owner()));
    return tags;
  }

  /** Of a table that keeps rows without an owner: the keys that are never NULL. */
  private static Map<Integer, OwnerDeterminant> keys(
      Table table, List<Column> columns, OwnerPath path) {
    Map<Integer, OwnerDeterminant> tags = new HashMap<>();
    for (Column column : columns) {
      if (table.uniqueKeys().contains(Set.of(column.name())) && !column.nullable()) {
        tags.put(column.id(), OwnerDeterminant.key(table.name(), column.name(), path, false));
      }
    }
    return tags;
  }
}
