package flexdp.fingerprint;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.failure.TimeBudget;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Collectors;

/**
 * Inner joins, filters and projections under one roof: some leaves, the conjuncts that hold, and
 * computed columns. The order in which they were written is gone.
 *
 * <p>Leaves are put in an order of their own: each is coloured by its text and, again and again, by
 * how it takes part in conjuncts and in what the operator above reads. Leaves that remain alike are
 * told apart by trying each first and keeping the smallest text. When that takes too long, the
 * written order decides: then two spellings of one question may be told apart, never two questions
 * taken for one.
 */
public final class CanonicalBlock {
  /** Something that is written down once columns have names. */
  interface Item extends Function<IntFunction<String>, String> {}

  /** The text of a block, and the names of its columns in it. */
  public record Settled(String text, IntFunction<String> names) {}

  private static final String UNKNOWN = "?";

  private final QueryFingerprint fingerprint;
  private final List<QueryFingerprint.Form> leaves = new ArrayList<>();
  private final Map<Integer, Integer> leafOf = new HashMap<>();
  private final Map<Integer, Item> computed = new HashMap<>();
  private final Map<Integer, Expr> expressions = new HashMap<>();
  private final List<Item> conjuncts = new ArrayList<>();
  private final List<Expr> conditions = new ArrayList<>();

  private CanonicalBlock(QueryFingerprint fingerprint) {
    this.fingerprint = fingerprint;
  }

  public static CanonicalBlock of(Relation relation, QueryFingerprint fingerprint) {
    CanonicalBlock block = new CanonicalBlock(fingerprint);
    block.collect(relation);
    return block;
  }

  private void collect(Relation relation) {
    TimeBudget.step();
    switch (relation) {
      case Relation.Filter filter -> {
        collect(filter.input());
        require(filter.predicate());
      }
      case Relation.Project project -> {
        collect(project.input());
        for (Relation.Project.Output output : project.outputs()) {
          compute(output.column().id(), output.expr());
        }
      }
      case Relation.Join join when join.kind() == Relation.JoinKind.INNER -> {
        collect(join.left());
        collect(join.right());
        require(join.condition());
      }
      case Relation.Where where -> {
        collect(where.input());
        where.subqueries().forEach(this::attach);
        require(where.predicate());
      }
      case Relation.Attach attach -> {
        collect(attach.input());
        attach.subqueries().forEach(this::attach);
      }
      case Relation.Scan leaf -> add(leaf);
      case Relation.Values leaf -> add(leaf);
      case Relation.Join leaf -> add(leaf);
      case Relation.Distinct leaf -> add(leaf);
      case Relation.Aggregate leaf -> add(leaf);
      case Relation.SetOperation leaf -> add(leaf);
      case Relation.Limit leaf -> add(leaf);
      case Relation.TopRows leaf -> add(leaf);
      case Relation.Window leaf -> add(leaf);
      case Relation.Released leaf -> add(leaf);
    }
  }

  private void add(Relation leaf) {
    QueryFingerprint.Form form = fingerprint.form(leaf);
    form.columns().keySet().forEach(id -> leafOf.put(id, leaves.size()));
    leaves.add(form);
  }

  private void require(Expr condition) {
    List<Expr> terms = new ArrayList<>();
    CanonicalText.conjuncts(condition, terms);
    terms.forEach(t -> conjuncts.add(names -> CanonicalText.of(t, names)));
    conditions.addAll(terms);
  }

  private void compute(int column, Expr expr) {
    if (!(expr instanceof Expr.Ref ref && ref.column() == column)) {
      computed.put(column, names -> CanonicalText.of(expr, names));
      expressions.put(column, expr);
    }
  }

  private void attach(Subquery subquery) {
    computed.put(
        subquery.output().id(), names -> CanonicalSubquery.text(subquery, names, fingerprint));
  }

  boolean knows(int column) {
    return computed.containsKey(column) || leafOf.containsKey(column);
  }

  /** What holds for every row, conjunct by conjunct. */
  public List<Expr> conditions() {
    return conditions;
  }

  /** The expression that computes a column; nothing for columns of leaves and subqueries. */
  public Optional<Expr> expression(int column) {
    return Optional.ofNullable(expressions.get(column));
  }

  public boolean isOfALeaf(int column) {
    return !computed.containsKey(column) && leafOf.containsKey(column);
  }

  /** The leaves alone, in their order, and whether no two of them are alike. */
  public String leaves() {
    return leaves.stream()
        .map(leaf -> CanonicalText.hash(leaf.text()))
        .sorted()
        .collect(Collectors.joining(";"));
  }

  public boolean hasTwins() {
    return leaves.stream().map(QueryFingerprint.Form::text).distinct().count() < leaves.size();
  }

  /** Puts the leaves in order, seeing to what the operator above reads of them. */
  public Settled settle(List<Item> uses) {
    String[] colours = new String[leaves.size()];
    for (int i = 0; i < colours.length; i++) {
      colours[i] = CanonicalText.hash(leaves.get(i).text());
    }
    if (count(colours) == colours.length) {
      return written(colours);
    }
    List<Item> items = new ArrayList<>(conjuncts);
    items.addAll(uses);
    return individualise(refine(colours, byLeaf(items)), byLeaf(items), uses);
  }

  /** For each leaf the items that read it. */
  private List<List<Item>> byLeaf(List<Item> items) {
    List<List<Item>> byLeaf = new ArrayList<>();
    leaves.forEach(ignored -> byLeaf.add(new ArrayList<>()));
    for (Item item : items) {
      Set<Integer> read = new HashSet<>();
      String unused = item.apply(names(leaf -> String.valueOf(read.add(leaf))));
      read.forEach(leaf -> byLeaf.get(leaf).add(item));
    }
    return byLeaf;
  }

  /** Colours leaves by their part in the items until that tells no more of them apart. */
  private String[] refine(String[] colours, List<List<Item>> byLeaf) {
    String[] current = colours;
    int classes = count(current);
    while (classes < current.length) {
      String[] next = new String[current.length];
      for (int i = 0; i < next.length; i++) {
        if (!fingerprint.mayWork(byLeaf.get(i).size())) {
          return current;
        }
        String[] marked = current.clone();
        marked[i] = "@";
        List<String> texts = new ArrayList<>();
        IntFunction<String> names = names(leaf -> marked[leaf]);
        byLeaf.get(i).forEach(item -> texts.add(item.apply(names)));
        texts.sort(null);
        next[i] = CanonicalText.hash(current[i] + String.join("&", texts));
      }
      if (count(next) == classes) {
        return current;
      }
      current = next;
      classes = count(current);
    }
    return current;
  }

  private Settled individualise(String[] colours, List<List<Item>> byLeaf, List<Item> uses) {
    List<Integer> alike = alike(colours);
    if (alike.isEmpty()) {
      return written(colours);
    }
    Settled best = null;
    String bestKey = "";
    for (int leaf : alike) {
      String[] chosen = colours.clone();
      chosen[leaf] = CanonicalText.hash(colours[leaf] + "first");
      Settled settled = individualise(refine(chosen, byLeaf), byLeaf, uses);
      if (!fingerprint.mayWork(1 + uses.size())) {
        return best == null ? settled : best;
      }
      String key = key(settled, uses);
      if (best == null || key.compareTo(bestKey) < 0) {
        best = settled;
        bestKey = key;
      }
    }
    return best;
  }

  private static String key(Settled settled, List<Item> uses) {
    StringBuilder key = new StringBuilder(settled.text());
    uses.forEach(use -> key.append('|').append(use.apply(settled.names())));
    return key.toString();
  }

  /** The first class of leaves of one colour, by colour. */
  private static List<Integer> alike(String[] colours) {
    Map<String, List<Integer>> classes = new TreeMap<>();
    for (int i = 0; i < colours.length; i++) {
      classes.computeIfAbsent(colours[i], ignored -> new ArrayList<>()).add(i);
    }
    return classes.values().stream().filter(c -> c.size() > 1).findFirst().orElse(List.of());
  }

  private static int count(String[] colours) {
    return new HashSet<>(Arrays.asList(colours)).size();
  }

  private Settled written(String[] colours) {
    Integer[] order = new Integer[colours.length];
    Arrays.setAll(order, i -> i);
    Arrays.sort(order, (a, b) -> colours[a].compareTo(colours[b]));
    String[] prefixes = new String[colours.length];
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < order.length; i++) {
      prefixes[order[i]] = "t" + i;
      text.append(CanonicalText.shortened(leaves.get(order[i]).text())).append(";");
    }
    IntFunction<String> names = names(leaf -> prefixes[leaf]);
    TreeSet<String> terms = new TreeSet<>();
    conjuncts.forEach(c -> terms.add(c.apply(names)));
    return new Settled(text + "where " + String.join(" and ", terms) + "]", names);
  }

  /** Columns by the name of their leaf; a computed column is what it is computed from. */
  private IntFunction<String> names(IntFunction<String> prefixes) {
    Map<Integer, String> known = new HashMap<>();
    return new IntFunction<>() {
      @Override
      public String apply(int column) {
        String name = known.get(column);
        if (name == null) {
          name = find(column);
          known.put(column, name);
        }
        return name;
      }

      private String find(int column) {
        Item item = computed.get(column);
        if (item != null) {
          return CanonicalText.shortened(item.apply(this));
        }
        Integer leaf = leafOf.get(column);
        return leaf == null
            ? UNKNOWN
            : prefixes.apply(leaf) + "." + leaves.get(leaf).columns().get(column);
      }
    };
  }

  /** A subquery as a text in which the outer query's columns have the names it gives them. */
  private static final class CanonicalSubquery {
    private CanonicalSubquery() {}

    static String text(Subquery subquery, IntFunction<String> outer, QueryFingerprint fingerprint) {
      CanonicalBlock block = CanonicalBlock.of(subquery.relation(), fingerprint);
      List<Expr> conditions = new ArrayList<>();
      CanonicalText.conjuncts(subquery.condition(), conditions);
      List<CanonicalBlock.Item> uses = new ArrayList<>();
      for (Expr condition : conditions) {
        uses.add(names -> CanonicalText.of(condition, both(block, names, outer)));
      }
      List<AggregateCall> calls =
          switch (subquery) {
            case Subquery.Exists ignored -> List.of();
            case Subquery.Scalar scalar -> scalar.calls();
          };
      calls.forEach(
          call -> uses.add(names -> QueryFingerprint.call(call, both(block, names, outer))));
      CanonicalBlock.Settled settled = block.settle(uses);
      IntFunction<String> names = both(block, settled.names(), outer);
      TreeSet<String> terms = new TreeSet<>();
      conditions.forEach(c -> terms.add(CanonicalText.of(c, names)));
      String rows = settled.text() + " on " + String.join(" and ", terms);
      return CanonicalText.shortened(
          switch (subquery) {
            case Subquery.Exists exists -> (exists.negated() ? "none{" : "some{") + rows + "}";
            case Subquery.Scalar scalar -> {
              Map<Integer, String> outputs = new HashMap<>();
              calls.forEach(c -> outputs.put(c.output().id(), QueryFingerprint.call(c, names)));
              yield "value{"
                  + rows
                  + " of "
                  + CanonicalText.of(
                      scalar.value(),
                      id -> outputs.containsKey(id) ? outputs.get(id) : names.apply(id))
                  + "}";
            }
          });
    }

    private static IntFunction<String> both(
        CanonicalBlock block, IntFunction<String> inner, IntFunction<String> outer) {
      return id -> block.knows(id) ? "s." + inner.apply(id) : outer.apply(id);
    }
  }
}
