package flexdp.frame;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Relation;
import flexdp.meaning.CanonicalText;
import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.plan.Calibrated;
import flexdp.plan.Planned;
import flexdp.policy.Type;
import flexdp.question.Labels;
import flexdp.question.Measurement;
import flexdp.question.ReleasePoint;
import flexdp.workload.Goal;
import flexdp.workload.Norm;
import flexdp.workload.Split;
import flexdp.workload.Weights;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Puts measurements of many statements together: those of one frame read the same rows and measure
 * the same. What would be answered worse than by itself, or does not fit the limits, stays outside.
 * A function of the statements, their labels and public bounds.
 */
public final class FrameMaker {
  private static final int ROUNDS = 6;

  private final Norm norm;
  private final Strategies.Sensitivities sensitivities;
  private final boolean mwem;

  public FrameMaker(Norm norm, Strategies.Sensitivities sensitivities) {
    this(norm, sensitivities, false);
  }

  /**
   * @param mwem whether frames are estimated by multiplicative weights
   */
  public FrameMaker(Norm norm, Strategies.Sensitivities sensitivities, boolean mwem) {
    this.norm = norm;
    this.sensitivities = sensitivities;
    this.mwem = mwem;
  }

  /** A member taken apart. */
  private record Taken(Member member, Base base, Measurement measurement) {}

  /** A key of a frame that is being made. */
  private record Key(Expr expr, Map<List<Object>, Object> labels, boolean[] complete) {}

  public List<SharedFrame> of(List<Member> members) {
    Map<String, List<Taken>> groups = new LinkedHashMap<>();
    Map<ReleasePoint, Optional<Base>> bases = new HashMap<>();
    for (Member member : members) {
      if (isPlain(member.planned())) {
        bases
            .computeIfAbsent(member.point(), Base::of)
            .ifPresent(
                base -> {
                  Measurement m = base.measurements().get(member.place());
                  boolean normal = Shares.of(member.planned()).orElseThrow() instanceof Gaussian;
                  String identity = base.identity() + "|" + base.text(m) + "|" + normal;
                  groups
                      .computeIfAbsent(identity, g -> new ArrayList<>())
                      .add(new Taken(member, base, m));
                });
      }
    }
    List<SharedFrame> frames = new ArrayList<>();
    groups.values().forEach(group -> frame(group).ifPresent(frames::add));
    return frames;
  }

  /** Public Laplace or Gaussian noise on one grouping set. */
  private static boolean isPlain(Planned planned) {
    return Shares.of(planned).isPresent()
        && planned.release().groupingSets().size() == 1
        && planned.release().groupingSets().getFirst().size() == planned.release().keys().size();
  }

  private Optional<SharedFrame> frame(List<Taken> group) {
    List<Taken> left = group;
    for (int round = 0; round < ROUNDS && left.size() > 1; round++) {
      Draft draft = new Draft(left);
      Optional<SharedFrame> made = draft.made();
      if (made.isPresent() && made.get().answers().size() == left.size()) {
        return made;
      }
      if (made.isEmpty()) {
        return Optional.empty();
      }
      Set<Member> kept = new HashSet<>();
      made.get().answers().forEach(a -> kept.add(a.member()));
      left = left.stream().filter(t -> kept.contains(t.member())).toList();
    }
    return Optional.empty();
  }

  /** One attempt; what does not fit is left out of what it makes. */
  private final class Draft {
    private final List<Taken> taken;
    private final Base base;
    private final Set<String> common;
    private final Map<String, Key> keys = new LinkedHashMap<>();
    private final Map<Taken, List<Member.Use>> uses = new LinkedHashMap<>();

    Draft(List<Taken> taken) {
      this.taken = taken;
      this.base = taken.getFirst().base();
      this.common = new LinkedHashSet<>();
      base.conditions().forEach(c -> common.add(base.text(c)));
      for (Taken t : taken) {
        Set<String> own = new HashSet<>();
        t.base().conditions().forEach(c -> own.add(t.base().text(c)));
        common.retainAll(own);
      }
      taken.forEach(this::place);
    }

    private void place(Taken t) {
      List<Member.Use> own = FrameKeys.of(base, t.base(), common);
      Set<String> names = new HashSet<>();
      boolean twice = own.stream().anyMatch(use -> !names.add(use.key()));
      Set<String> all = new HashSet<>(keys.keySet());
      all.addAll(names);
      if (twice || all.size() > KeyFrame.MOST_KEYS) {
        return;
      }
      double cells = 1;
      for (int i = 0; i < own.size(); i++) {
        cells *= 1 + labels(t, own.get(i), i).size();
      }
      if (cells > KeyFrame.MOST_CELLS || t.member().labels().isEmpty()) {
        return;
      }
      for (int i = 0; i < own.size(); i++) {
        Member.Use use = own.get(i);
        Key key =
            keys.computeIfAbsent(
                use.key(), k -> new Key(use.expr(), new LinkedHashMap<>(), new boolean[1]));
        labels(t, use, i).forEach(v -> key.labels().putIfAbsent(KeyFrame.name(v), v));
        int place = i;
        key.complete()[0] |=
            use.grouped() && t.member().complete().stream().anyMatch(g -> g.contains(place))
                || use.key().startsWith("is ");
      }
      uses.put(t, own);
    }

    private static List<Object> labels(Taken t, Member.Use use, int place) {
      if (use.grouped()) {
        Map<List<Object>, Object> distinct = new LinkedHashMap<>();
        t.member()
            .labels()
            .forEach(row -> distinct.putIfAbsent(KeyFrame.name(row.get(place)), row.get(place)));
        return new ArrayList<>(distinct.values());
      }
      return use.key().startsWith("is ") ? List.of(true, false) : use.chosen().orElseThrow();
    }

    Optional<SharedFrame> made() {
      if (uses.size() < 2 || keys.isEmpty()) {
        return Optional.empty();
      }
      List<List<Object>> labels = new ArrayList<>();
      boolean[] complete = new boolean[keys.size()];
      for (Key key : keys.values()) {
        complete[labels.size()] = key.complete()[0];
        labels.add(new ArrayList<>(key.labels().values()));
      }
      Optional<KeyFrame> frame = KeyFrame.of(labels, complete);
      return frame.flatMap(f -> made(f, point()));
    }

    private Optional<SharedFrame> made(KeyFrame frame, ReleasePoint point) {
      List<SharedFrame.Answer> answers = new ArrayList<>();
      uses.forEach((t, own) -> answers.add(answer(t, own, frame)));
      Planned first = taken.getFirst().member().planned();
      Measurement measurement = point.measurements().getFirst();
      Planned planned = new Planned(point, measurement, first.bound(), first.unit(), first.noise());
      List<Integer> all = List.of(0);
      boolean released = sensitivities.of(planned, all, false).isEmpty();
      Optional<BigDecimal> keyed = sensitivities.of(planned, all, released);
      Optional<BigDecimal> total = sensitivities.of(planned, List.of(), released);
      if (keyed.isEmpty() || total.isEmpty() || keyed.get().signum() <= 0) {
        return Optional.empty();
      }
      Strategies.Moves moves = new Strategies.Moves(total.get(), keyed.get());
      double[] full = Strategies.full(frame, moves);
      List<Mechanism.Additive> parts = new ArrayList<>();
      double[] plain = new double[full.length];
      List<Goal> wanted = new ArrayList<>();
      for (SharedFrame.Answer answer : answers) {
        Calibrated noise = answer.member().planned().noise().orElseThrow();
        parts.add(Shares.of(answer.member().planned()).orElseThrow());
        plain[answer.cuboid(frame.lattice())] += 1.0 / answers.size();
        double count = norm == Norm.SUM ? answers.size() : Math.sqrt(answers.size());
        double alone = noise.sensitivity().doubleValue() / keyed.get().doubleValue() * count;
        wanted.add(
            new Goal(answer.shares(frame.lattice()), answer.member().weight(), 2 * alone * alone));
      }
      Mechanism.Additive whole = Shares.together(parts, norm, released);
      if (mwem) {
        return whole instanceof Laplace laplace
            ? weighted(frame, point, answers, moves, laplace)
            : Optional.empty();
      }
      Split split = Split.of(frame.lattice(), wanted, full, plain, norm);
      List<Strategy.Cuboid> cuboids = Shares.cuboids(frame, split, moves, whole);
      if (Strategies.cells(frame, cuboids) > KeyFrame.MOST_IN_ALL) {
        return Optional.empty();
      }
      List<SharedFrame.Answer> good =
          IntStream.range(0, answers.size())
              .filter(
                  i ->
                      split.fit(frame.lattice(), full).variance(wanted.get(i).shares())
                          <= wanted.get(i).most() * (1 + 1e-6))
              .mapToObj(answers::get)
              .toList();
      return Optional.of(
          new SharedFrame(point, new Strategy(frame, measurement, 0, cuboids), good, names()));
    }

    /** All cuboids that are asked for may be chosen; what is never below zero can be guessed so. */
    private Optional<SharedFrame> weighted(
        KeyFrame frame,
        ReleasePoint point,
        List<SharedFrame.Answer> answers,
        Strategies.Moves moves,
        Laplace laplace) {
      Measurement measurement = point.measurements().getFirst();
      int nothing = frame.cuboid(List.of());
      List<Integer> candidates =
          answers.stream()
              .map(a -> a.cuboid(frame.lattice()))
              .filter(c -> c != nothing)
              .distinct()
              .sorted()
              .toList();
      if (candidates.isEmpty()
          || Weights.cells(frame.lattice()) > Weights.MOST_CELLS
          || measurement instanceof Measurement.Sum sum && sum.clamp().mostTaken().signum() > 0) {
        return Optional.empty();
      }
      Mwem made = Mwem.of(candidates, laplace.epsilon(), norm, moves.total(), moves.keyed());
      List<Strategy.Cuboid> read = new ArrayList<>();
      read.add(
          new Strategy.Cuboid(
              nothing, new Laplace(made.total(), laplace.released()), moves.total()));
      for (int cuboid : candidates) {
        read.add(
            new Strategy.Cuboid(
                cuboid, new Laplace(made.each(), laplace.released()), moves.keyed()));
      }
      return Strategies.cells(frame, read) > KeyFrame.MOST_IN_ALL
          ? Optional.empty()
          : Optional.of(
              new SharedFrame(
                  point,
                  new Strategy(frame, measurement, 0, read),
                  answers,
                  names(),
                  Optional.of(made)));
    }

    /** A key that is a column has its name, another one what it is computed from. */
    private List<String> names() {
      return keys.values().stream()
          .map(
              key ->
                  key.expr() instanceof Expr.Ref ref
                      ? columnName(ref.column())
                      : CanonicalText.of(key.expr(), this::columnName))
          .toList();
    }

    private String columnName(int id) {
      return base.rows().columns().stream()
          .filter(c -> c.id() == id)
          .findFirst()
          .orElseThrow()
          .name();
    }

    private SharedFrame.Answer answer(Taken t, List<Member.Use> own, KeyFrame frame) {
      int[] places = new int[keys.size()];
      Arrays.fill(places, -1);
      List<Optional<int[]>> chosen =
          new ArrayList<>(Collections.nCopies(keys.size(), Optional.empty()));
      List<String> names = List.copyOf(keys.keySet());
      for (int i = 0; i < own.size(); i++) {
        int key = names.indexOf(own.get(i).key());
        if (own.get(i).grouped()) {
          places[key] = i;
        } else {
          chosen.set(
              key,
              own.get(i)
                  .chosen()
                  .map(vs -> vs.stream().mapToInt(v -> frame.label(key, v)).toArray()));
        }
      }
      return new SharedFrame.Answer(t.member(), places, chosen);
    }

    /** The rows with the common conditions only, by all keys. */
    private ReleasePoint point() {
      List<Expr> conditions =
          base.conditions().stream().filter(c -> common.contains(base.text(c))).toList();
      Relation rows =
          conditions.isEmpty()
              ? base.rows()
              : new Relation.Filter(base.rows(), Exprs.and(conditions));
      int[] unused = {unused()};
      List<Relation.Project.Output> outputs = new ArrayList<>();
      rows.columns().forEach(c -> outputs.add(new Relation.Project.Output(c, c.ref())));
      List<Column> columns = new ArrayList<>();
      for (Key key : keys.values()) {
        Column column = new Column(unused[0]++, "k" + columns.size(), key.expr().type(), true);
        columns.add(column);
        outputs.add(new Relation.Project.Output(column, key.expr()));
      }
      List<Integer> all = IntStream.range(0, columns.size()).boxed().toList();
      Column set = new Column(unused[0]++, "set", Type.BIGINT, false);
      Measurement measurement =
          taken
              .getFirst()
              .measurement()
              .as(
                  new Column(
                      unused[0]++, "m", taken.getFirst().measurement().output().type(), true),
                  taken.getFirst().measurement().origin());
      return new ReleasePoint(
          0,
          new Relation.Project(rows, outputs),
          columns,
          List.of(all),
          List.of(new Relation.Aggregate.GroupingId(set, all)),
          List.of(measurement),
          new Labels.Supplied(List.of()),
          taken.getFirst().member().point().at());
    }

    private int unused() {
      int[] most = {0};
      flexdp.algebra.Tree.visit(
          base.rows(), r -> r.columns().forEach(c -> most[0] = Math.max(most[0], c.id())));
      return most[0] + 1;
    }
  }
}
