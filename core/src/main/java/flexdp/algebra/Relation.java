package flexdp.algebra;

import flexdp.failure.Position;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The whole language of questions. What is not in it cannot be asked; every operator has one rule
 * in {@code flexdp.sensitivity} and one rendering per dialect. RIGHT joins are LEFT joins with the
 * sides exchanged, which column ids make invisible.
 */
public sealed interface Relation {
  List<Column> columns();

  /** The relations it reads, those of its subqueries included. */
  List<Relation> children();

  /** Rows that come from nowhere else in the question. */
  sealed interface Leaf extends Relation {
    @Override
    default List<Relation> children() {
      return List.of();
    }
  }

  /** Made of the rows of one relation. */
  sealed interface Unary extends Relation {
    Relation input();

    @Override
    default List<Relation> children() {
      return List.of(input());
    }
  }

  /** Some of the rows of a relation, as they are. */
  sealed interface Selection extends Unary {
    @Override
    default List<Column> columns() {
      return input().columns();
    }
  }

  /** Each row of a relation, once, with columns appended. */
  sealed interface Extension extends Unary {}

  /** Made of the rows of two relations. */
  sealed interface Binary extends Relation {
    Relation left();

    Relation right();

    @Override
    default List<Relation> children() {
      return List.of(left(), right());
    }
  }

  /** A table of the policy; columns stand in the table's order and carry the table's names. */
  record Scan(Table table, List<Column> columns, Position at) implements Leaf {
    public Scan {
      columns = List.copyOf(columns);
      NodeChecks.different(columns);
    }
  }

  /** Constant rows. */
  record Values(List<Column> columns, List<List<Expr.Literal>> rows) implements Leaf {
    public Values {
      columns = List.copyOf(columns);
      rows = rows.stream().map(List::copyOf).toList();
      for (List<Expr.Literal> row : rows) {
        NodeChecks.that(row.size() == columns.size(), "a row of another width");
      }
    }
  }

  /** The rows for which the predicate is true. */
  record Filter(Relation input, Expr predicate) implements Selection {
    public Filter {
      NodeChecks.condition(predicate);
    }
  }

  /** One output per row; an output that is a bare reference keeps the id of its column. */
  record Project(Relation input, List<Output> outputs) implements Unary {
    /** An output column and the expression over the input that makes it. */
    public record Output(Column column, Expr expr) {
      public Output {
        NodeChecks.held(column, expr.type());
      }
    }

    public Project {
      outputs = List.copyOf(outputs);
    }

    @Override
    public List<Column> columns() {
      return outputs.stream().map(Output::column).toList();
    }
  }

  /** Which unmatched rows are kept, padded with NULL. */
  enum JoinKind {
    INNER,
    LEFT,
    FULL
  }

  /**
   * A join on any condition over both sides; TRUE makes it a cross join. The equalities in the
   * condition are read off by {@link Equalities}.
   */
  record Join(JoinKind kind, Relation left, Relation right, Expr condition, Position at)
      implements Binary {
    public Join {
      NodeChecks.condition(condition);
    }

    @Override
    public List<Column> columns() {
      List<Column> all = new ArrayList<>();
      gather(this, false, all);
      return all;
    }

    /** Into one list: copying that of each side would cost the square of a chain's length. */
    private static void gather(Relation side, boolean padded, List<Column> all) {
      if (side instanceof Join join) {
        gather(join.left, padded || join.kind == JoinKind.FULL, all);
        gather(join.right, padded || join.kind != JoinKind.INNER, all);
      } else {
        for (Column c : side.columns()) {
          all.add(padded ? c.asNullable() : c);
        }
      }
    }
  }

  /**
   * The rows for which a predicate is true that may read the outputs of subqueries. Outputs of
   * {@link Subquery.Exists} stand only under AND and OR; outputs of {@link Subquery.Scalar}
   * anywhere. The outputs are not columns of the result.
   */
  record Where(Relation input, List<Subquery> subqueries, Expr predicate) implements Selection {
    public Where {
      subqueries = List.copyOf(subqueries);
      NodeChecks.condition(predicate);
    }

    @Override
    public List<Relation> children() {
      return Subquery.relations(input, subqueries);
    }
  }

  /** Each row with the values of scalar subqueries appended. */
  record Attach(Relation input, List<Subquery.Scalar> subqueries) implements Extension {
    public Attach {
      subqueries = List.copyOf(subqueries);
    }

    @Override
    public List<Relation> children() {
      return Subquery.relations(input, subqueries);
    }

    @Override
    public List<Column> columns() {
      List<Column> all = new ArrayList<>(input.columns());
      subqueries.forEach(s -> all.add(s.output()));
      return all;
    }
  }

  /** Each distinct row once; NULLs are equal. */
  record Distinct(Relation input) implements Selection {}

  /**
   * GROUP BY with aggregates. Keys are columns of the input and keep their ids; a computed key is
   * projected first.
   *
   * @param groupingSets indexes into keys; one set holding all of them for a plain GROUP BY; a key
   *     missing from a set is NULL in that set's rows. No keys at all: one row always
   * @param groupingIds for GROUPING SETS, an integer column per call of GROUPING(...)
   * @param having over keys and outputs of calls
   * @param visible outputs of calls that something above reads, not {@code having} alone
   */
  record Aggregate(
      Relation input,
      List<Column> keys,
      List<List<Integer>> groupingSets,
      List<AggregateCall> calls,
      List<GroupingId> groupingIds,
      Optional<Expr> having,
      List<Column> visible,
      Position at)
      implements Unary {
    /** GROUPING(keys): a bit per key, 1 when the key is absent from the row's set. */
    public record GroupingId(Column output, List<Integer> keys) {}

    public Aggregate {
      keys = List.copyOf(keys);
      groupingSets = NodeChecks.copied(groupingSets);
      calls = List.copyOf(calls);
      groupingIds = List.copyOf(groupingIds);
      visible = List.copyOf(visible);
      NodeChecks.that(!groupingSets.isEmpty(), "no grouping set");
      for (List<Integer> set : groupingSets) {
        for (int key : set) {
          NodeChecks.that(0 <= key && key < keys.size(), "a grouping set of other keys");
        }
      }
      Set<Column> made = new HashSet<>();
      calls.forEach(call -> made.add(call.output()));
      NodeChecks.that(made.containsAll(visible), "a visible column that no aggregate makes");
      having.ifPresent(NodeChecks::condition);
    }

    @Override
    public List<Column> columns() {
      List<Column> all = new ArrayList<>();
      for (int i = 0; i < keys.size(); i++) {
        int key = i;
        boolean always = groupingSets.stream().allMatch(set -> set.contains(key));
        all.add(always ? keys.get(i) : keys.get(i).asNullable());
      }
      groupingIds.forEach(g -> all.add(g.output()));
      all.addAll(visible);
      return all;
    }
  }

  /** UNION, INTERSECT and EXCEPT. */
  enum SetKind {
    UNION,
    INTERSECT,
    EXCEPT
  }

  /** Combines two relations by position; the columns of the result have ids of their own. */
  record SetOperation(
      SetKind kind, boolean all, Relation left, Relation right, List<Column> columns, Position at)
      implements Binary {
    public SetOperation {
      columns = List.copyOf(columns);
      NodeChecks.that(
          left.columns().size() == columns.size() && right.columns().size() == columns.size(),
          "rows of different width in a set operation");
    }
  }

  /** ORDER BY, OFFSET and LIMIT; no count means all rows. */
  record Limit(Relation input, List<SortKey> order, long offset, OptionalLong count, Position at)
      implements Selection {
    public Limit {
      order = List.copyOf(order);
      NodeChecks.that(offset >= 0 && count.orElse(0) >= 0, "a negative number of rows");
    }
  }

  /**
   * The first rows of each partition: ROW_NUMBER() used for nothing but {@code <= count}.
   *
   * @param also more partitions, ranked on the same input; a row has to be first in each
   * @param nullsStay whether a partition by a NULL has no end
   */
  record TopRows(
      Relation input,
      List<Expr> partition,
      List<SortKey> order,
      long count,
      List<Rank> also,
      boolean nullsStay,
      Position at)
      implements Selection {
    /** The first so many rows of each partition. */
    public record Rank(List<Expr> partition, long count) {
      public Rank {
        partition = List.copyOf(partition);
        NodeChecks.that(count >= 0, "a negative number of rows");
      }
    }

    public TopRows {
      partition = List.copyOf(partition);
      order = List.copyOf(order);
      also = List.copyOf(also);
      NodeChecks.that(count >= 0, "a negative number of rows");
    }

    public TopRows(
        Relation input, List<Expr> partition, List<SortKey> order, long count, Position at) {
      this(input, partition, order, count, List.of(), false, at);
    }

    public TopRows over(Relation rows) {
      return new TopRows(rows, partition, order, count, also, nullsStay, at);
    }

    public List<Rank> ranks() {
      return Stream.concat(Stream.of(new Rank(partition, count)), also.stream()).toList();
    }
  }

  /** Each row with the values of window functions appended, and what some are made of. */
  record Window(Relation input, List<WindowCall> calls, List<WindowTrace> traces)
      implements Extension {
    public Window {
      calls = List.copyOf(calls);
      traces = List.copyOf(traces);
    }

    public Window(Relation input, List<WindowCall> calls) {
      this(input, calls, List.of());
    }

    @Override
    public List<Column> columns() {
      List<Column> all = new ArrayList<>(input.columns());
      calls.forEach(c -> all.add(c.output()));
      traces.forEach(t -> all.add(t.output()));
      return all;
    }
  }

  /**
   * The noisy rows of a release point: its labels and measurements. Stands only above release
   * points, in the part of a question that is computed on noisy values. What is drawn once may be
   * read in several places, each of which has columns of its own.
   *
   * @param of for each column the one of the release point that it shows, by id, or {@link #CELL}
   */
  record Released(int release, List<Column> columns, List<Integer> of) implements Leaf {
    /** Not a column of the release point: the row's number, which tells draws apart. */
    public static final int CELL = -2;

    public Released {
      columns = List.copyOf(columns);
      of = List.copyOf(of);
      NodeChecks.that(columns.size() == of.size(), "a column that shows nothing");
    }

    /** Read under the names of the release point itself. */
    public Released(int release, List<Column> columns) {
      this(release, columns, columns.stream().map(Column::id).toList());
    }
  }
}
