package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Frame;
import flexdp.algebra.InputReplacement;
import flexdp.algebra.Relation;
import flexdp.algebra.SortKey;
import flexdp.algebra.WindowCall;
import flexdp.policy.PrivacyUnit;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * {@code ROW_NUMBER() OVER (PARTITION BY patient_id ORDER BY admitted_at)} leaves it to the
 * database which of two rows of one moment comes first. What is asked for holds for either, so the
 * order of rows that people own goes on, unseen, with the declared NOT NULL keys of every table
 * below: the key of one of two joined tables is not enough, since its row may meet several of the
 * other.
 *
 * <p>Only where the value is that of some order: with peers of the row in its frame (RANK, the
 * standard's default frame) a longer order would be another question. Whether an order is total is
 * decided afterwards, as if it had been written so.
 */
final class TieBreaking {
  /** A relation that shows columns which no two of its rows share. */
  private record Keyed(Relation relation, List<Column> keys) {}

  private TieBreaking() {}

  static Relation in(Relation root) {
    boolean[] found = {false};
    AlgebraWalker.visit(
        root,
        r ->
            found[0] |=
                (r instanceof Relation.TopRows || r instanceof Relation.Window) && isOwned(r));
    return found[0] ? broken(root) : root;
  }

  private static Relation broken(Relation relation) {
    Relation inner = InputReplacement.replaced(relation, TieBreaking::broken);
    if (inner instanceof Relation.TopRows top && !top.partition().isEmpty() && isOwned(top)) {
      return keyed(top.input()).map(keyed -> broken(top, keyed)).orElse(top);
    }
    if (inner instanceof Relation.Window window && isOwned(window)) {
      return keyed(window.input()).map(keyed -> broken(window, keyed)).orElse(window);
    }
    return inner;
  }

  private static boolean isOwned(Relation relation) {
    return AlgebraWalker.units(relation).stream().anyMatch(PrivacyUnit.Person.class::isInstance);
  }

  private static Relation broken(Relation.TopRows top, Keyed keyed) {
    List<SortKey> order = longer(top.partition(), top.order(), keyed.keys());
    if (order.equals(top.order())) {
      return top;
    }
    return only(
        new Relation.TopRows(
            keyed.relation(),
            top.partition(),
            order,
            top.count(),
            top.also(),
            top.nullsStay(),
            top.at()),
        top.columns());
  }

  private static Relation broken(Relation.Window window, Keyed keyed) {
    List<WindowCall> calls = new ArrayList<>();
    for (WindowCall call : window.calls()) {
      calls.add(isOfSomeOrder(call) ? broken(call, keyed.keys()) : call);
    }
    return calls.equals(window.calls())
        ? window
        : only(new Relation.Window(keyed.relation(), calls, window.traces()), window.columns());
  }

  private static WindowCall broken(WindowCall call, List<Column> keys) {
    return new WindowCall(
        call.output(),
        call.aggregate(),
        call.rank(),
        call.arguments(),
        call.partition(),
        longer(call.partition(), call.order(), keys),
        call.frame(),
        call.at());
  }

  /** Whether rows that tie may come in any order, and each of them gives an answer. */
  private static boolean isOfSomeOrder(WindowCall call) {
    boolean rows = call.frame().filter(f -> f.unit() == Frame.Unit.ROWS).isPresent();
    return !call.partition().isEmpty()
        && call.rank()
            .map(
                rank ->
                    switch (rank) {
                      case ROW_NUMBER, NTILE, LAG, LEAD -> true;
                      case FIRST_VALUE -> rows || call.frame().isEmpty();
                      case LAST_VALUE, NTH_VALUE -> rows;
                      case RANK, DENSE_RANK, PERCENT_RANK, CUME_DIST -> false;
                    })
            .orElse(false);
  }

  private static List<SortKey> longer(
      List<Expr> partition, List<SortKey> order, List<Column> keys) {
    Set<Expr> known = new HashSet<>(partition);
    order.forEach(key -> known.add(key.expr()));
    return Stream.concat(
            order.stream(),
            keys.stream()
                .map(Column::ref)
                .filter(key -> !known.contains(key))
                .map(key -> new SortKey(key, false, false)))
        .toList();
  }

  /** A relation's rows with their keys as further columns, where all of them have some. */
  private static Optional<Keyed> keyed(Relation relation) {
    return switch (relation) {
      case Relation.Scan scan -> keyed(scan);
      case Relation.Filter r ->
          keyed(r.input())
              .map(k -> new Keyed(new Relation.Filter(k.relation(), r.predicate()), k.keys()));
      case Relation.Project r -> keyed(r.input()).map(k -> projected(r, k));
      case Relation.Join r ->
          keyed(r.left()).flatMap(left -> keyed(r.right()).map(right -> joined(r, left, right)));
      case Relation.Where r ->
          keyed(r.input())
              .map(
                  k ->
                      new Keyed(
                          new Relation.Where(k.relation(), r.subqueries(), r.predicate()),
                          k.keys()));
      case Relation.Attach r ->
          keyed(r.input())
              .map(k -> new Keyed(new Relation.Attach(k.relation(), r.subqueries()), k.keys()));
      case Relation.Window r ->
          keyed(r.input())
              .map(
                  k ->
                      new Keyed(
                          new Relation.Window(k.relation(), r.calls(), r.traces()), k.keys()));
      case Relation.TopRows r ->
          keyed(r.input()).map(k -> new Keyed(r.over(k.relation()), k.keys()));
      case Relation.Aggregate r ->
          r.groupingSets().size() == 1 && r.columns().containsAll(r.keys())
              ? Optional.of(new Keyed(r, r.keys()))
              : Optional.empty();
      case Relation.Distinct r -> Optional.of(new Keyed(r, r.columns()));
      case Relation.Values ignored -> Optional.empty();
      case Relation.SetOperation ignored -> Optional.empty();
      case Relation.Limit ignored -> Optional.empty();
      case Relation.Released ignored -> Optional.empty();
    };
  }

  private static Optional<Keyed> keyed(Relation.Scan scan) {
    return scan.table()
        .orderingKey()
        .map(names -> scan.columns().stream().filter(c -> names.contains(c.name())).toList())
        .filter(keys -> keys.size() == scan.table().orderingKey().orElseThrow().size())
        .map(keys -> new Keyed(scan, keys));
  }

  /** Keys that a projection leaves out go through it under the ids that they have. */
  private static Keyed projected(Relation.Project project, Keyed inner) {
    List<Relation.Project.Output> outputs = new ArrayList<>(project.outputs());
    List<Column> keys = new ArrayList<>();
    for (Column key : inner.keys()) {
      Optional<Column> shown =
          project.outputs().stream()
              .filter(o -> o.expr() instanceof Expr.Ref ref && ref.column() == key.id())
              .map(Relation.Project.Output::column)
              .findFirst();
      if (shown.isEmpty()) {
        outputs.add(new Relation.Project.Output(key, key.ref()));
      }
      keys.add(shown.orElse(key));
    }
    return new Keyed(new Relation.Project(inner.relation(), outputs), keys);
  }

  private static Keyed joined(Relation.Join join, Keyed left, Keyed right) {
    Relation relation =
        new Relation.Join(
            join.kind(), left.relation(), right.relation(), join.condition(), join.at());
    Set<Integer> ids = new LinkedHashSet<>();
    left.keys().forEach(c -> ids.add(c.id()));
    right.keys().forEach(c -> ids.add(c.id()));
    return new Keyed(
        relation, relation.columns().stream().filter(c -> ids.contains(c.id())).toList());
  }

  private static Relation only(Relation relation, List<Column> columns) {
    if (relation.columns().size() == columns.size()) {
      return relation;
    }
    return new Relation.Project(
        relation, columns.stream().map(c -> new Relation.Project.Output(c, c.ref())).toList());
  }
}
