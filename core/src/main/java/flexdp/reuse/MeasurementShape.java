package flexdp.reuse;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.fingerprint.CanonicalBlock;
import flexdp.fingerprint.CanonicalText;
import flexdp.fingerprint.QueryFingerprint;
import flexdp.policy.Type;
import flexdp.properties.NullabilityOracle;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * What a release point measures, taken apart, so that the cells of one can be recognised in
 * another: which rows are joined, which conditions hold, by what they are grouped, what is counted
 * or summed. Every cell is then one statement: this aggregate over the rows of the family for which
 * these conditions and these labels hold.
 *
 * @param family the hash of the joined leaves; equal for questions about the same rows
 * @param complete groups of keys whose labels hold every value that a row can have
 */
public record MeasurementShape(
    String family,
    List<Condition> conditions,
    List<Key> keys,
    List<Value> values,
    List<List<Integer>> complete,
    Texts texts) {

  /** A conjunct; the expression reads columns of leaves and is absent when a subquery is in it. */
  public record Condition(String text, Optional<Expr> expr) {}

  /** What rows are grouped by, if it can be told without subqueries. */
  public record Key(String text, Optional<Expr> expr, Type type) {}

  /**
   * What is measured, but for the rows that it is measured on.
   *
   * @param additive the value of a union of disjoint sets of rows is the sum of theirs
   * @param conditions that rows have to meet beside those of the release point
   */
  public record Value(String text, boolean additive, List<Condition> conditions) {}

  /** The canonical text of an expression over columns of leaves. */
  public interface Texts {
    String of(Expr expr);
  }

  /**
   * Nothing for what cannot be told apart safely: a table joined to itself, labels from data.
   *
   * @param columns those that are never NULL, so that labels without NULL are all there are
   */
  public static Optional<MeasurementShape> of(NoisyAggregate release, NullabilityOracle columns) {
    CanonicalBlock block = CanonicalBlock.of(release.input(), new QueryFingerprint());
    if (block.hasTwins() || release.labels() instanceof Labels.Thresholded) {
      return Optional.empty();
    }
    return Optional.of(new Reader(release, block, columns).parts());
  }

  private static final class Reader {
    private final NoisyAggregate release;
    private final CanonicalBlock block;
    private final NullabilityOracle columns;
    private final IntFunction<String> names;

    private Reader(NoisyAggregate release, CanonicalBlock block, NullabilityOracle columns) {
      this.release = release;
      this.block = block;
      this.columns = columns;
      // Without twins the order of the leaves depends on nothing but themselves.
      this.names = block.settle(List.of()).names();
    }

    private MeasurementShape parts() {
      List<Key> keys = new ArrayList<>();
      for (Column key : release.keys()) {
        Optional<Expr> expr = inlined(key.ref());
        keys.add(new Key(expr.map(this::text).orElse(names.apply(key.id())), expr, key.type()));
      }
      List<Condition> conditions = block.conditions().stream().map(this::condition).toList();
      return new MeasurementShape(
          QueryFingerprint.key("rows" + block.leaves()),
          distinct(conditions),
          List.copyOf(keys),
          release.measurements().stream().map(this::value).toList(),
          CompleteLabels.of(release, columns),
          this::text);
    }

    private String text(Expr expr) {
      return CanonicalText.of(expr, names);
    }

    private Optional<Expr> inlined(Expr expr) {
      return new Inlining(block).of(expr);
    }

    private Condition condition(Expr expr) {
      Optional<Expr> plain = inlined(expr);
      return new Condition(text(plain.orElse(expr)), plain);
    }

    private static List<Condition> distinct(List<Condition> conditions) {
      Map<String, Condition> byText = new LinkedHashMap<>();
      conditions.forEach(c -> byText.putIfAbsent(c.text(), c));
      return List.copyOf(byText.values());
    }

    private Value value(Measurement m) {
      List<Expr> filters = new ArrayList<>();
      m.filter().ifPresent(f -> CanonicalText.conjuncts(f, filters));
      Optional<Expr> argument = m.argument();
      if (m instanceof Measurement.Count) {
        // COUNT(x) is COUNT(*) of the rows where x is not NULL.
        argument.ifPresent(a -> filters.add(Exprs.call(Function.IS_NOT_NULL, Type.BOOLEAN, a)));
        argument = Optional.empty();
      }
      String text =
          CanonicalText.measured(m, argument.map(a -> text(inlined(a).orElse(a))), "")
              + ":"
              + m.output().type();
      return new Value(
          CanonicalText.shortened(text),
          m.isAdditive(),
          distinct(filters.stream().map(this::condition).toList()));
    }
  }

  /**
   * An expression as one over the keys with these texts: the column of key i has id i. Nothing when
   * it reads anything else, or compares text by more than equality, which databases do each in
   * their own way.
   */
  public Optional<Expr> over(List<String> keyTexts, Expr expr) {
    return new OverKeys(keyTexts, texts).of(expr);
  }

  /** Replaces computed columns by what computes them, down to columns of leaves. */
  private static final class Inlining {
    /** Columns computed from computed columns may multiply. */
    private static final int MOST_NODES = 2_000;

    private final CanonicalBlock block;
    private int nodes;

    Inlining(CanonicalBlock block) {
      this.block = block;
    }

    /** Nothing when a subquery takes part, or when it would grow too large. */
    Optional<Expr> of(Expr expr) {
      if (nodes++ > MOST_NODES) {
        return Optional.empty();
      }
      return switch (expr) {
        case Expr.Ref ref ->
            block.isOfALeaf(ref.column())
                ? Optional.of(ref)
                : block.expression(ref.column()).flatMap(this::of);
        case Expr.Literal literal -> Optional.of(literal);
        case Expr.Cast cast -> AlgebraWalker.rebuilt(cast, this::of);
        case Expr.Call call -> AlgebraWalker.rebuilt(call, this::of);
        case Expr.Case choice -> AlgebraWalker.rebuilt(choice, this::of);
      };
    }
  }

  /** Rewrites expressions over rows as expressions over the labels of a histogram. */
  private static final class OverKeys {
    private final List<String> keys;
    private final MeasurementShape.Texts texts;

    OverKeys(List<String> keys, MeasurementShape.Texts texts) {
      this.keys = keys;
      this.texts = texts;
    }

    Optional<Expr> of(Expr expr) {
      int key = expr instanceof Expr.Literal ? -1 : keys.indexOf(texts.of(expr));
      if (key >= 0) {
        return expr.type().kind() == Type.Kind.DOUBLE
            ? Optional.empty()
            : Optional.of(new Expr.Ref(key, expr.type()));
      }
      return switch (expr) {
        case Expr.Literal literal -> Optional.of(literal);
        case Expr.Ref ignored -> Optional.empty();
        case Expr.Cast cast ->
            isText(cast) || isText(cast.operand())
                ? Optional.empty()
                : AlgebraWalker.rebuilt(cast, this::of);
        case Expr.Call call ->
            call.arguments().stream().anyMatch(OverKeys::isText) && !comparesByEquality(call)
                ? Optional.empty()
                : AlgebraWalker.rebuilt(call, this::of);
        case Expr.Case choice -> AlgebraWalker.rebuilt(choice, this::of);
      };
    }

    private static boolean isText(Expr expr) {
      return expr.type().kind() == Type.Kind.VARCHAR && !(expr instanceof Expr.Literal);
    }

    private static boolean comparesByEquality(Expr.Call call) {
      return switch (call.function()) {
        case EQ, NE, IN_LIST, IS_DISTINCT, IS_NOT_DISTINCT, IS_NULL, IS_NOT_NULL, COALESCE -> true;
        default -> false;
      };
    }
  }
}
