package flexdp.decompose;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.properties.DateRanges;
import flexdp.properties.Interval;
import flexdp.properties.KeyPredicates;
import flexdp.properties.Lineage;
import flexdp.properties.Ranges;
import flexdp.query.DpQuery;
import flexdp.query.LabelSource;
import flexdp.query.Labels;
import flexdp.query.NoisyAggregate;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Which rows an answer leaves out because no label of theirs is listed, or because nobody owns
 * them. That follows from the question and the policy alone: whether there are such rows is not
 * said, and not known here.
 */
public final class OmittedRows {
  private static final String LISTED =
      "these labels are declared, not present: the policy and the question list them, whatever rows"
          + " there are";

  private final NoisyAggregate release;

  private OmittedRows(NoisyAggregate release) {
    this.release = release;
  }

  /** One sentence; empty when every row that the question asks for has a label and an owner. */
  public static String of(DpQuery query) {
    Set<String> reasons = new LinkedHashSet<>();
    if (query.listed()) {
      return LISTED;
    }
    Set<String> owners = new LinkedHashSet<>();
    for (NoisyAggregate release : query.releases()) {
      OmittedRows point = new OmittedRows(release);
      reasons.addAll(point.reasons());
      owners.addAll(point.owners());
    }
    List<String> said = new ArrayList<>();
    if (!reasons.isEmpty()) {
      said.add("left out are rows whose " + String.join(", or whose ", reasons));
    }
    owners.forEach(owner -> said.add("rows without a " + owner + " are not counted"));
    return String.join("; ", said);
  }

  /** By kinds of people: of tables whose rows may have no owner and are then not read. */
  private Set<String> owners() {
    Set<String> owners = new LinkedHashSet<>();
    AlgebraWalker.visit(
        release.input(),
        r -> {
          if (r instanceof Relation.Scan scan
              && !scan.table().ownership().owners().isEmpty()
              && !scan.table().ownership().keepsUnowned()
              && scan.table().ownership().owners().stream()
                  .allMatch(o -> scan.table().column(o.column()).orElseThrow().nullable())) {
            owners.add(
                scan.table().ownership().owners().stream()
                    .map(OwnerPath::kind)
                    .distinct()
                    .collect(Collectors.joining(" or ")));
          }
        });
    return owners;
  }

  private Set<String> reasons() {
    Set<String> reasons = new LinkedHashSet<>();
    AlgebraWalker.visit(
        release.input(),
        r -> {
          if (r instanceof Relation.TopRows top && top.input() instanceof Relation.Scan scan) {
            scan.table().enforced().stream()
                .filter(cap -> isOf(top, scan, cap))
                .forEach(
                    cap ->
                        reasons.add(
                            String.join(", ", new TreeSet<>(cap.columns()))
                                + " "
                                + cap.atMost()
                                + " others have before them"));
          }
        });
    switch (release.labels()) {
      case Labels.None ignored -> {}
      case Labels.Thresholded ignored ->
          reasons.add(names(release.keys()) + " too few others share");
      case Labels.Supplied ignored ->
          reasons.add(names(release.keys()) + " is not among the labels supplied");
      case Labels.Enumerated labels ->
          labels.sources().forEach(s -> reason(s).ifPresent(reasons::add));
    }
    return reasons;
  }

  private static boolean isOf(Relation.TopRows top, Relation.Scan scan, Table.FrequencyCap cap) {
    Set<Integer> columns = new HashSet<>();
    scan.columns().stream()
        .filter(c -> cap.columns().contains(c.name()))
        .forEach(c -> columns.add(c.id()));
    return top.ranks().stream()
        .anyMatch(
            rank ->
                BigInteger.valueOf(rank.count()).equals(cap.atMost())
                    && rank.partition().size() == columns.size()
                    && rank.partition().stream()
                        .allMatch(
                            e -> e instanceof Expr.Ref ref && columns.contains(ref.column())));
  }

  private static String names(List<Column> keys) {
    return String.join(", ", keys.stream().map(Column::name).toList());
  }

  private Optional<String> reason(LabelSource source) {
    Column key = release.keys().get(source.keys().getFirst());
    Lineage lineage = Lineage.of(release.input(), key.id());
    boolean tuples = source instanceof LabelSource.FromPublic && source.keys().size() > 1;
    if (tuples || lineage.isPublic()) {
      return Optional.empty();
    }
    return switch (source) {
      case LabelSource.FromPublic table ->
          lineage
              .spec()
              .flatMap(ColumnSpec::references)
              .map(r -> outside(key, !table.orNull(), "is not in " + r.table() + "." + r.column()));
      case LabelSource.Constants constants -> constants(key, lineage, constants);
    };
  }

  private Optional<String> constants(Column key, Lineage lineage, LabelSource.Constants constants) {
    if (KeyPredicates.of(release.input(), key).stream().anyMatch(f -> ListedLabels.lists(key, f))) {
      return Optional.empty(); // what WHERE excludes was not asked for
    }
    boolean nothing = constants.rows().stream().noneMatch(row -> row.getFirst() == null);
    if (lineage.relation() instanceof Relation.Aggregate of
        && lineage.chosen(of).isEmpty()
        && isEndless(key)) {
      return Optional.of(outside(key, false, "is above " + LabelFinder.MOST_COUNTED));
    }
    if (lineage.domain().isPresent()) {
      return Optional.of(outside(key, nothing, "is not in its declared domain"));
    }
    return bounding(lineage)
        .map(
            spec ->
                outside(
                    key,
                    false, // it is a label where it can be
                    (spec.name().equals(key.name()) ? "is" : "comes from " + spec.name())
                        + (spec.domain().isPresent()
                            ? " outside of its declared domain"
                            : " outside of its declared range")));
  }

  /** Whether a count has labels only because they end somewhere. */
  private boolean isEndless(Column key) {
    return Optional.ofNullable(Ranges.of(release.input()).get(key.id()))
        .flatMap(Interval::high)
        .isEmpty();
  }

  private static String outside(Column key, boolean orNull, String where) {
    return key.name() + (orNull && key.nullable() ? " is NULL or " : " ") + where;
  }

  /** The column by whose declared range or domain labels are found. */
  private static Optional<ColumnSpec> bounding(Lineage lineage) {
    Optional<ColumnSpec> spec = lineage.spec();
    if (spec.flatMap(ColumnSpec::range).isPresent() || lineage.domain().isPresent()) {
      return spec;
    }
    if (!(lineage.relation() instanceof Relation.Project project)) {
      return Optional.empty();
    }
    for (Relation.Project.Output output : project.outputs()) {
      if (output.column().id() == lineage.column().id() && isBounded(output.expr())) {
        for (int id : AlgebraWalker.references(output.expr())) {
          Optional<ColumnSpec> below = bounding(Lineage.of(project.input(), id));
          if (below.isPresent()) {
            return below;
          }
        }
      }
    }
    return Optional.empty();
  }

  /** Whether the labels of an expression follow from bounds on its columns. */
  private static boolean isBounded(Expr expr) {
    return switch (expr) {
      case Expr.Ref ignored -> true;
      case Expr.Cast cast -> isBounded(cast.operand());
      case Expr.Call call ->
          switch (call.function()) {
            case DATE_TRUNC -> true;
            case EXTRACT -> DateRanges.isUnbounded(DateRanges.unit(call.arguments().getFirst()));
            case COALESCE -> call.arguments().stream().anyMatch(OmittedRows::isBounded);
            default -> call.type().kind() != Type.Kind.BOOLEAN;
          };
      case Expr.Case ignored -> false;
      case Expr.Literal ignored -> false;
    };
  }
}
