package flexdp.gateway.render;

import flexdp.algebra.Relation;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Renders the first rows of each part. What several places of a statement read is found once. */
final class FirstRows {
  private final Relations relations;
  private final Scans scans;
  private final Map<Relation.TopRows, DroppedRows> dropped = new IdentityHashMap<>();
  private final Map<String, String> shared = new LinkedHashMap<>();

  FirstRows(Relations relations, Scans scans) {
    this.relations = relations;
    this.scans = scans;
  }

  String select(Relation.TopRows top) {
    if (!FirstOfHash.is(top)) {
      return ranked(top);
    }
    Optional<List<Relation.Scan>> tables =
        DroppedRows.tables(top).filter(all -> all.stream().allMatch(scans::namesRows));
    if (tables.isEmpty()) {
      return new FirstOfHash(relations, top).sql();
    }
    DroppedRows rows = dropped.get(top);
    if (rows == null) {
      List<String> names = tables.get().stream().map(t -> relations.fresh("r")).toList();
      for (int i = 0; i < names.size(); i++) {
        scans.number(tables.get().get(i), names.get(i));
      }
      rows = new DroppedRows(relations, scans, top, tables.get(), names);
      shared.putAll(rows.found());
      dropped.put(top, rows);
    }
    return rows.others();
  }

  /** What stands before a statement, with a space behind it. */
  String with() {
    return shared.isEmpty()
        ? ""
        : shared.entrySet().stream()
            .map(e -> e.getKey() + " AS (" + e.getValue() + ")")
            .collect(Collectors.joining(", ", "WITH ", " "));
  }

  private String ranked(Relation.TopRows top) {
    Map<String, String> extra = new LinkedHashMap<>();
    List<String> conditions = new ArrayList<>();
    for (Relation.TopRows.Rank rank : top.ranks()) {
      String number = relations.fresh("n");
      String over = relations.over(rank.partition(), top.order());
      extra.put(number, "ROW_NUMBER() OVER (" + over + ")");
      conditions.add(among(number + " <= " + rank.count(), rank, top.nullsStay()));
    }
    String numbered = relations.plain(top.columns(), relations.from(top.input()), extra);
    return relations.plain(top.columns(), "(" + numbered + ") AS " + relations.fresh("t"))
        + Relations.where(String.join(" AND ", conditions));
  }

  private String among(String first, Relation.TopRows.Rank rank, boolean nullsStay) {
    List<String> any = new ArrayList<>(List.of(first));
    if (nullsStay) {
      rank.partition().forEach(e -> any.add(relations.expressions().sql(e) + " IS NULL"));
    }
    return any.size() == 1 ? first : "(" + String.join(" OR ", any) + ")";
  }
}
