package flexdp.owned;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.algebra.Relation.Scan;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;

/** Relations as the database is to compute them: every table with owners as {@link TableRows}. */
public final class ReadRelations {
  private final OwnedScans scans;
  private final TableRows tables;
  private final FreshColumns ids;
  private final Map<Relation, Relation> known = new IdentityHashMap<>();

  public ReadRelations(Policy policy, OwnedScans scans, FreshColumns ids) {
    this.scans = scans;
    this.tables = new TableRows(policy, ids);
    this.ids = ids;
  }

  /** Reads no more than so many rows of each person, of whichever kind. */
  public static ReadRelations truncated(Policy policy, FreshColumns ids) {
    return new ReadRelations(policy, OwnedScans.none(ids), ids);
  }

  /** A relation that {@link OwnedRelations} rewrote, or one of the question. */
  public Relation of(Relation relation) {
    Relation before = known.get(relation);
    if (before == null) {
      before = relation instanceof Scan scan ? scanned(scan) : Inputs.replaced(relation, this::of);
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
    Column owner = scans.owner(scan).orElseGet(() -> hidden(written));
    List<Column> shown = scan == written ? written.columns() : scan.columns();
    boolean cut = scans.isCut(written) && table.ownership().rowsPerPerson().isPresent();
    return tables.owned(written, owner, shown, cut);
  }

  private Column hidden(Scan scan) {
    String first = scan.table().ownership().only().orElseThrow().column();
    boolean direct = scan.table().ownership().only().orElseThrow().hops().isEmpty();
    return direct
        ? scan.columns().stream().filter(c -> c.name().equals(first)).findFirst().orElseThrow()
        : ids.fresh("owner", scan.table().ownership().only().orElseThrow().type(), false);
  }
}
