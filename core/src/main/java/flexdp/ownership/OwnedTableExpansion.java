package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Scan;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Relations as the database is to compute them: every table with owners as {@link OwnedTableRows}.
 */
public final class OwnedTableExpansion {
  private final OwnedScans scans;
  private final OwnedTableRows tables;
  private final FreshColumns ids;
  private final Map<Relation, Relation> known = new IdentityHashMap<>();

  public OwnedTableExpansion(Policy policy, OwnedScans scans, FreshColumns ids) {
    this.scans = scans;
    this.tables = new OwnedTableRows(policy, ids);
    this.ids = ids;
  }

  /** Reads no more than so many rows of each person, of whichever kind. */
  public static OwnedTableExpansion truncated(Policy policy, FreshColumns ids) {
    return new OwnedTableExpansion(policy, OwnedScans.none(ids), ids);
  }

  /** A relation that {@link OwnedRelations} rewrote, or one of the question. */
  public Relation of(Relation relation) {
    Relation before = known.get(relation);
    if (before == null) {
      before =
          relation instanceof Scan scan
              ? scanned(scan)
              : InputReplacement.replaced(relation, this::of);
      known.put(relation, before);
    }
    return before;
  }

  private Relation scanned(Scan scan) {
    Scan written = scans.written(scan);
    Table table = written.table();
    if (table.ownership().owners().isEmpty()) {
      return scan;
    }
    Optional<Column> shownOwner = scans.owner(scan);
    Column owner = shownOwner.orElseGet(() -> hidden(written));
    boolean named = shownOwner.isPresent() ? scans.isNamed() : table.ownership().keepsUnowned();
    List<Column> shown = scan == written ? written.columns() : scan.columns();
    boolean cut = scans.isCut(written) && table.ownership().rowsPerPerson().isPresent();
    return tables.owned(written, owner, shown, cut, named);
  }

  private Column hidden(Scan scan) {
    OwnerPath path = scan.table().ownership().only().orElseThrow();
    if (scan.table().ownership().keepsUnowned()) {
      return ids.column("owner", Type.VARCHAR, false);
    }
    return path.hops().isEmpty()
        ? scan.columns().stream()
            .filter(c -> c.name().equals(path.column()))
            .findFirst()
            .orElseThrow()
        : ids.column("owner", path.type(), false);
  }
}
