package flexdp.partition;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Equalities;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.NullRejection;
import flexdp.algebra.OuterJoinSimplification;
import flexdp.algebra.Relation;
import flexdp.algebra.Subquery;
import flexdp.algebra.WindowCall;
import flexdp.budget.ChargedPartitions;
import flexdp.partition.PartitionSet.NumberedParts;
import flexdp.policy.Table.Partition;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * The parts of partitioned tables that all of a question reads, collected from the relations that
 * it is answered from. Rows of other parts change nothing in any of them.
 */
public final class PartitionPruning {
  private final Map<String, PartitionSet> parts = new HashMap<>();
  private final Map<String, Partition> partitions = new HashMap<>();
  private final Set<String> whole = new HashSet<>();

  /** Reads what a relation needs. */
  public void add(Relation relation) {
    if (!isPartitioned(relation)) {
      return;
    }
    if (hasTwins(relation)) {
      addWhole(relation);
      return;
    }
    new ReadParts(this::found).visit(relation, List.of());
  }

  private static boolean isPartitioned(Relation relation) {
    boolean[] found = {false};
    AlgebraWalker.visit(
        relation,
        r -> found[0] |= r instanceof Relation.Scan scan && scan.table().charged().isPresent());
    return found[0];
  }

  /** Something reads all rows of the tables of a relation. */
  public void addWhole(Relation relation) {
    AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            whole.add(scan.table().name());
          }
        });
  }

  private void found(Relation.Scan scan, PartitionSet read) {
    String table = scan.table().name();
    partitions.put(table, scan.table().charged().orElseThrow());
    parts.merge(table, read, (one, other) -> one.or(List.of(other)));
  }

  /** Conditions name columns by id: two scans that shared one could not be told apart. */
  private static boolean hasTwins(Relation relation) {
    Set<Integer> seen = new HashSet<>();
    boolean[] twins = {false};
    AlgebraWalker.visit(
        relation,
        r -> {
          if (r instanceof Relation.Scan scan) {
            for (Column column : scan.columns()) {
              twins[0] |= !seen.add(column.id());
            }
          }
        });
    return twins[0];
  }

  /**
   * By table; one that is missing is read as a whole. So is one of which no part can matter: such a
   * question is not worth a rule.
   */
  public SortedMap<String, ChargedPartitions> parts() {
    SortedMap<String, ChargedPartitions> all = new TreeMap<>();
    parts.forEach(
        (table, read) -> {
          Optional<SortedSet<String>> names =
              whole.contains(table) ? Optional.empty() : read.names(ChargedPartitions.MOST);
          names
              .filter(n -> !n.isEmpty())
              .ifPresent(
                  n -> all.put(table, new ChargedPartitions(partitions.get(table).identity(), n)));
        });
    return all;
  }

  /**
   * The footprint of a relation. Conditions go down the tree, such that rows for which one of them
   * is not true do not matter; at each scan of a partitioned table they say which parts do. A
   * condition goes below an operator only if rows for which it is not true, and rows that are not
   * there, are the same to all other rows.
   */
  private static final class ReadParts {
    /** Larger expressions are not followed: columns made of them say nothing about parts. */
    private static final int LARGEST = 20;

    private final BiConsumer<Relation.Scan, PartitionSet> found;

    /**
     * @param found takes the parts that a scan of a partitioned table needs
     */
    ReadParts(BiConsumer<Relation.Scan, PartitionSet> found) {
      this.found = found;
    }

    /**
     * @param conditions rows for which one of them is not true do not matter
     */
    void visit(Relation relation, List<Expr> conditions) {
      switch (relation) {
        case Relation.Scan scan -> scan(scan, conditions);
        case Relation.Values ignored -> {}
        case Relation.Released ignored -> {}
        case Relation.Filter r -> visit(r.input(), with(conditions, r.predicate()));
        case Relation.Project r -> visit(r.input(), below(r, conditions));
        case Relation.Join r -> join(r, conditions);
        case Relation.Where r -> {
          r.subqueries().forEach(this::subquery);
          visit(r.input(), with(conditions, expanded(r.predicate(), r.subqueries())));
        }
        case Relation.Attach r -> {
          r.subqueries().forEach(this::subquery);
          visit(r.input(), conditions);
        }
        case Relation.Distinct r -> visit(r.input(), conditions);
        case Relation.Aggregate r -> visit(r.input(), below(r, conditions));
        case Relation.SetOperation r -> {
          visit(r.left(), renamed(conditions, r.columns(), r.left().columns()));
          visit(r.right(), renamed(conditions, r.columns(), r.right().columns()));
        }
        // Rows that are thrown away later still decide which others come first.
        case Relation.Limit r -> visit(r.input(), List.of());
        case Relation.TopRows r -> visit(r.input(), about(columns(r), conditions));
        case Relation.Window r -> visit(r.input(), about(columns(r), conditions));
      }
    }

    private void scan(Relation.Scan scan, List<Expr> conditions) {
      Optional<Partition> partition = scan.table().charged();
      if (partition.isEmpty()) {
        return;
      }
      int column =
          scan.columns().stream()
              .filter(c -> c.name().equals(partition.get().column()))
              .map(Column::id)
              .findFirst()
              .orElseThrow();
      PartitionKey key = new PartitionKey(column, partition.get());
      PartitionPredicate parts = new PartitionPredicate(key);
      PartitionSet read = key.all();
      for (Expr condition : conditions) {
        read = read.and(parts.whenTrue(condition));
      }
      found.accept(scan, read);
    }

    private void join(Relation.Join join, List<Expr> conditions) {
      BitSet refused = new BitSet();
      conditions.forEach(c -> refused.or(NullRejection.refusedWhereTrue(c)));
      OuterJoinSimplification padding =
          OuterJoinSimplification.needed(
              join.kind(), isAny(refused, join.left()), isAny(refused, join.right()));
      List<Expr> on = List.of(join.condition());
      switch (padding.kind()) {
        case INNER -> {
          visit(join.left(), with(conditions, join.condition()));
          visit(join.right(), with(conditions, join.condition()));
        }
        // Of the side that is kept a row stays whatever ON says. One of the other side that finds
        // no
        // partner does not matter, whatever is thrown away above; one that does replaces padding.
        case LEFT -> {
          visit(join.left(), padding.exchanged() ? on : conditions);
          visit(join.right(), padding.exchanged() ? conditions : on);
        }
        case FULL -> {
          visit(join.left(), List.of());
          visit(join.right(), List.of());
        }
      }
    }

    private static boolean isAny(BitSet refused, Relation side) {
      return side.columns().stream().anyMatch(c -> refused.get(c.id()));
    }

    /** Rows that do not take part do not matter, whether some, none or a value is asked for. */
    private void subquery(Subquery subquery) {
      visit(subquery.relation(), List.of(subquery.condition()));
    }

    /**
     * Where EXISTS is true, its condition is true for some row. Of NOT EXISTS nothing follows: a
     * row for which the condition is never true stays.
     */
    private static Expr expanded(Expr predicate, List<Subquery> subqueries) {
      Map<Integer, Expr> conditions = new HashMap<>();
      for (Subquery subquery : subqueries) {
        if (subquery instanceof Subquery.Exists exists && !exists.negated()) {
          conditions.put(exists.output().id(), exists.condition());
        }
      }
      return expanded(predicate, conditions);
    }

    private static Expr expanded(Expr predicate, Map<Integer, Expr> conditions) {
      return switch (predicate) {
        case Expr.Ref ref -> conditions.getOrDefault(ref.column(), ref);
        case Expr.Call call ->
            call.function() == Function.AND || call.function() == Function.OR
                ? call.with(call.arguments().stream().map(a -> expanded(a, conditions)).toList())
                : call;
        case Expr.Literal literal -> literal;
        case Expr.Cast cast -> cast;
        case Expr.Case choice -> choice;
      };
    }

    /** A group in which no row is wanted is not wanted, where every row has all keys. */
    private static List<Expr> below(Relation.Aggregate aggregate, List<Expr> conditions) {
      boolean plain =
          aggregate.groupingSets().size() == 1
              && aggregate.groupingSets().getFirst().size() == aggregate.keys().size();
      if (!plain) {
        return List.of();
      }
      BitSet keys = new BitSet();
      aggregate.keys().forEach(key -> keys.set(key.id()));
      List<Expr> all = new ArrayList<>(conditions);
      aggregate.having().ifPresent(all::add);
      return about(keys, all);
    }

    /** Conditions over what outputs are computed from, where that is one column. */
    private static List<Expr> below(Relation.Project project, List<Expr> conditions) {
      Map<Integer, Expr> outputs = new HashMap<>();
      for (Relation.Project.Output output : project.outputs()) {
        if (isSmall(output.expr())) {
          outputs.put(output.column().id(), output.expr());
        }
      }
      return conditions.stream()
          .map(
              c ->
                  AlgebraWalker.rewrite(
                      c,
                      part ->
                          part instanceof Expr.Ref ref
                              ? Optional.ofNullable(outputs.get(ref.column()))
                              : Optional.empty()))
          .toList();
    }

    private static boolean isSmall(Expr expr) {
      int[] size = {0, 0};
      AlgebraWalker.parts(
          expr,
          part -> {
            size[0]++;
            size[1] += part instanceof Expr.Ref ? 1 : 0;
          });
      return size[0] <= LARGEST && size[1] <= 1;
    }

    private static List<Expr> renamed(
        List<Expr> conditions, List<Column> names, List<Column> others) {
      Map<Integer, Expr> by = new HashMap<>();
      for (int i = 0; i < names.size(); i++) {
        by.put(names.get(i).id(), others.get(i).ref());
      }
      return conditions.stream()
          .map(
              c ->
                  AlgebraWalker.rewrite(
                      c,
                      part ->
                          part instanceof Expr.Ref ref
                              ? Optional.ofNullable(by.get(ref.column()))
                              : Optional.empty()))
          .toList();
    }

    private static List<Expr> with(List<Expr> conditions, Expr more) {
      List<Expr> all = new ArrayList<>(conditions);
      all.addAll(Equalities.conjuncts(more));
      return all;
    }

    /** Conditions that read no other columns than these. */
    private static List<Expr> about(BitSet columns, List<Expr> conditions) {
      List<Expr> some = new ArrayList<>();
      for (Expr condition : conditions) {
        for (Expr term : Equalities.conjuncts(condition)) {
          BitSet others = Exprs.reads(term);
          others.andNot(columns);
          if (others.isEmpty()) {
            some.add(term);
          }
        }
      }
      return some;
    }

    private static BitSet columns(List<Expr> exprs) {
      BitSet columns = new BitSet();
      for (Expr expr : exprs) {
        if (expr instanceof Expr.Ref ref) {
          columns.set(ref.column());
        }
      }
      return columns;
    }

    /** The columns by which every rank is divided. */
    private static BitSet columns(Relation.TopRows top) {
      BitSet common = columns(top.partition());
      top.ranks().forEach(rank -> common.and(columns(rank.partition())));
      return common;
    }

    /** The columns by which every window is divided. */
    private static BitSet columns(Relation.Window window) {
      BitSet common = new BitSet();
      window.input().columns().forEach(c -> common.set(c.id()));
      for (WindowCall call : window.calls()) {
        common.and(columns(call.partition()));
      }
      return common;
    }
  }

  /**
   * The parts in which a condition can be true, or can be false, whatever the other columns hold.
   * What has no rule here can be both in all of them.
   */
  private static final class PartitionPredicate {
    private final PartitionKey key;
    private final PartComparison comparison;

    PartitionPredicate(PartitionKey key) {
      this.key = key;
      this.comparison = new PartComparison(key);
    }

    PartitionSet whenTrue(Expr condition) {
      return switch (condition) {
        case Expr.Ref ref -> isKey(ref) ? key.named(true) : key.all();
        case Expr.Literal literal -> Boolean.TRUE.equals(literal.value()) ? key.all() : key.none();
        case Expr.Cast ignored -> key.all();
        case Expr.Case ignored -> key.all();
        case Expr.Call call -> whenTrue(call);
      };
    }

    PartitionSet whenFalse(Expr condition) {
      return switch (condition) {
        case Expr.Ref ref -> isKey(ref) ? key.named(false) : key.all();
        case Expr.Literal literal -> Boolean.FALSE.equals(literal.value()) ? key.all() : key.none();
        case Expr.Cast ignored -> key.all();
        case Expr.Case ignored -> key.all();
        case Expr.Call call -> whenFalse(call);
      };
    }

    /** A column of truth values that is itself the condition. */
    private boolean isKey(Expr expr) {
      return expr instanceof Expr.Ref ref
          && ref.column() == key.column()
          && ref.type().kind() == Type.Kind.BOOLEAN;
    }

    private PartitionSet whenTrue(Expr.Call call) {
      List<Expr> arguments = call.arguments();
      Expr first = arguments.getFirst();
      return switch (call.function()) {
        case AND -> every(arguments, this::whenTrue);
        case OR -> any(arguments, this::whenTrue);
        case NOT, IS_FALSE -> whenFalse(first);
        case IS_TRUE -> whenTrue(first);
        case IS_NULL -> comparison.isColumn(first) ? key.onlyNull() : key.all();
        case IS_NOT_NULL -> comparison.reads(first) ? key.notNull() : key.all();
        case EQ, NE, LT, LE, GT, GE ->
            comparison.of(call.function(), first, arguments.get(1)).orElse(key.all());
        case IS_NOT_DISTINCT -> same(first, arguments.get(1));
        case IN_LIST -> listed(first, arguments.subList(1, arguments.size()));
        default -> key.all();
      };
    }

    private PartitionSet whenFalse(Expr.Call call) {
      List<Expr> arguments = call.arguments();
      Expr first = arguments.getFirst();
      return switch (call.function()) {
        case AND -> any(arguments, this::whenFalse);
        case OR -> every(arguments, this::whenFalse);
        case NOT, IS_NOT_TRUE -> whenTrue(first);
        case IS_NOT_FALSE -> whenFalse(first);
        case IS_NOT_NULL -> comparison.isColumn(first) ? key.onlyNull() : key.all();
        case IS_NULL -> comparison.reads(first) ? key.notNull() : key.all();
        case EQ, NE, LT, LE, GT, GE -> {
          Function opposite = call.function().opposite().orElseThrow();
          yield comparison.of(opposite, first, arguments.get(1)).orElse(key.all());
        }
        case IS_DISTINCT -> same(first, arguments.get(1));
        default -> key.all();
      };
    }

    private PartitionSet every(
        List<Expr> terms, java.util.function.Function<Expr, PartitionSet> each) {
      PartitionSet all = key.all();
      for (Expr term : terms) {
        all = all.and(each.apply(term));
      }
      return all;
    }

    private PartitionSet any(
        List<Expr> terms, java.util.function.Function<Expr, PartitionSet> each) {
      return key.none().or(terms.stream().map(each).toList());
    }

    /** IS NOT DISTINCT FROM a constant. */
    private PartitionSet same(Expr one, Expr other) {
      if (isNull(one) || isNull(other)) {
        return comparison.isColumn(isNull(one) ? other : one) ? key.onlyNull() : key.all();
      }
      return comparison.of(Function.EQ, one, other).orElse(key.all());
    }

    private static boolean isNull(Expr expr) {
      return expr instanceof Expr.Literal literal && literal.isNull();
    }

    private PartitionSet listed(Expr value, List<Expr> list) {
      List<PartitionSet> sets =
          list.stream()
              .filter(one -> !isNull(one))
              .map(one -> comparison.of(Function.EQ, value, one).orElse(key.all()))
              .toList();
      return key.none().or(sets);
    }

    /**
     * Comparisons of a partition's column with constants: of the column itself, of a moment cut to
     * its day, month or year, and of its year or month as numbers.
     */
    private static final class PartComparison {
      private static final BigDecimal FARTHEST_YEAR = BigDecimal.valueOf(100_000);
      private static final int MONTHS = 12;

      private final PartitionKey key;

      PartComparison(PartitionKey key) {
        this.key = key;
      }

      boolean isColumn(Expr expr) {
        return expr instanceof Expr.Ref ref && ref.column() == key.column();
      }

      /** Whether an expression has a value only where the column has one. */
      boolean reads(Expr expr) {
        return switch (expr) {
          case Expr.Ref ignored -> isColumn(expr);
          case Expr.Cast cast -> reads(cast.operand());
          case Expr.Call call ->
              switch (call.function()) {
                case DATE_TRUNC, EXTRACT -> reads(call.arguments().get(1));
                default -> false;
              };
          case Expr.Literal ignored -> false;
          case Expr.Case ignored -> false;
        };
      }

      /** The parts in which a comparison can be true; nothing where there is no rule. */
      Optional<PartitionSet> of(Function comparison, Expr one, Expr other) {
        if (other instanceof Expr.Literal constant && reads(one)) {
          return with(comparison, one, constant);
        }
        return one instanceof Expr.Literal constant && reads(other)
            ? with(comparison.mirrored().orElseThrow(), other, constant)
            : Optional.empty();
      }

      private Optional<PartitionSet> with(Function comparison, Expr value, Expr.Literal constant) {
        if (constant.isNull()) {
          return Optional.of(key.none());
        }
        if (comparison == Function.NE) {
          return Optional.of(key.notNull());
        }
        Expr plain = uncast(value);
        return switch (constant.value()) {
          case BigDecimal n when key.partition().type().isInteger() && isColumn(plain) ->
              Optional.of(numbers(comparison, n));
          case BigDecimal n -> calendar(comparison, plain, n);
          case LocalDate day -> moments(comparison, value, day.atStartOfDay());
          case LocalDateTime moment -> moments(comparison, value, moment);
          case String text -> named(comparison, value, text);
          case Boolean truth -> named(comparison, value, truth);
          default -> Optional.empty();
        };
      }

      /** Without conversions between exact numbers, which keep a whole number or make it NULL. */
      private static Expr uncast(Expr value) {
        return value instanceof Expr.Cast cast
                && cast.type().isExact()
                && cast.operand().type().isInteger()
            ? uncast(cast.operand())
            : value;
      }

      private Optional<PartitionSet> named(Function comparison, Expr value, Object constant) {
        boolean applies =
            isColumn(value) && !key.isNumbered() && value.type().equals(key.partition().type());
        return applies && comparison == Function.EQ
            ? Optional.of(key.named(constant))
            : Optional.empty();
      }

      private PartitionSet numbers(Function comparison, BigDecimal n) {
        Optional<BigDecimal> end = Optional.of(n);
        return switch (comparison) {
          case LT -> key.numbers(Optional.empty(), Optional.of(beyond(n, -1)));
          case LE -> key.numbers(Optional.empty(), end);
          case GT -> key.numbers(Optional.of(beyond(n, 1)), Optional.empty());
          case GE -> key.numbers(end, Optional.empty());
          case EQ -> key.numbers(end, end);
          default -> key.all();
        };
      }

      /** The next whole number of a whole number; any other one lies between two of them anyhow. */
      private static BigDecimal beyond(BigDecimal n, int step) {
        return n.signum() == 0 || n.stripTrailingZeros().scale() <= 0
            ? n.add(BigDecimal.valueOf(step))
            : n;
      }

      private Optional<PartitionSet> moments(
          Function comparison, Expr value, LocalDateTime constant) {
        Optional<LocalDateTime> at = Optional.of(constant);
        try {
          Optional<LocalDateTime> after = Optional.of(constant.plusNanos(1));
          return switch (comparison) {
            case LT -> within(value, Optional.empty(), at);
            case LE -> within(value, Optional.empty(), after);
            case GT, GE -> within(value, at, Optional.empty());
            case EQ -> within(value, at, after);
            default -> Optional.empty();
          };
        } catch (DateTimeException e) {
          return Optional.empty(); // the calendar ends there
        }
      }

      /** The parts in which a moment, however cut, lies from one on and before another. */
      private Optional<PartitionSet> within(
          Expr value, Optional<LocalDateTime> from, Optional<LocalDateTime> before) {
        return switch (value) {
          case Expr.Ref ref ->
              isColumn(ref) && key.partition().each().isPresent()
                  ? Optional.of(key.moments(from, before))
                  : Optional.empty();
          case Expr.Cast cast -> {
            boolean moments = cast.type().isDateTime() && cast.operand().type().isDateTime();
            // A moment of the day is at or after the day's beginning, and before the next one's.
            yield moments
                ? within(
                    cast.operand(),
                    from,
                    cast.type().kind() == Type.Kind.DATE ? before.map(t -> next("DAY", t)) : before)
                : Optional.empty();
          }
          case Expr.Call call -> {
            Optional<String> unit = unit(call, Function.DATE_TRUNC);
            yield unit.isEmpty()
                ? Optional.empty()
                : within(call.arguments().get(1), from, before.map(t -> next(unit.get(), t)));
          }
          case Expr.Literal ignored -> Optional.empty();
          case Expr.Case ignored -> Optional.empty();
        };
      }

      /** The unit of a function of the calendar, if it is one of those that have a rule. */
      private static Optional<String> unit(Expr.Call call, Function function) {
        return call.function() == function
                && call.arguments().getFirst() instanceof Expr.Literal literal
                && literal.value() instanceof String unit
            ? Optional.of(unit.toUpperCase(Locale.ROOT))
                .filter(List.of("YEAR", "QUARTER", "MONTH", "WEEK", "DAY")::contains)
            : Optional.empty();
      }

      /** The first beginning of a unit that is not before a moment. */
      private static LocalDateTime next(String unit, LocalDateTime moment) {
        LocalDate day = moment.toLocalDate();
        LocalDate begin =
            switch (unit) {
              case "YEAR" -> day.withDayOfYear(1);
              case "QUARTER" -> day.withDayOfMonth(1).minusMonths((day.getMonthValue() - 1) % 3);
              case "MONTH" -> day.withDayOfMonth(1);
              case "WEEK" -> day.minusDays(day.getDayOfWeek().getValue() - 1L);
              case "DAY" -> day;
              default -> throw new IllegalArgumentException("no such unit");
            };
        if (begin.atTime(LocalTime.MIN).equals(moment)) {
          return moment;
        }
        LocalDate following =
            switch (unit) {
              case "YEAR" -> begin.plusYears(1);
              case "QUARTER" -> begin.plusMonths(3);
              case "MONTH" -> begin.plusMonths(1);
              case "WEEK" -> begin.plusWeeks(1);
              case "DAY" -> begin.plusDays(1);
              default -> throw new IllegalArgumentException("no such unit");
            };
        return following.atStartOfDay();
      }

      /** EXTRACT(YEAR …) and EXTRACT(MONTH …) compared with a number. */
      private Optional<PartitionSet> calendar(Function comparison, Expr value, BigDecimal n) {
        if (!(value instanceof Expr.Call call) || n.abs().compareTo(FARTHEST_YEAR) > 0) {
          return Optional.empty();
        }
        Optional<String> unit = unit(call, Function.EXTRACT);
        Expr moment = call.arguments().getLast();
        if (unit.filter("YEAR"::equals).isPresent()) {
          return years(comparison, moment, n);
        }
        if (unit.filter("MONTH"::equals).isPresent() && key.isWithinMonths() && isMoment(moment)) {
          int months = 0;
          for (int month = 1; month <= MONTHS; month++) {
            months |= holds(comparison, BigDecimal.valueOf(month), n) ? 1 << month - 1 : 0;
          }
          return Optional.of(NumberedParts.inMonths(key, months));
        }
        return Optional.empty();
      }

      /** Whether it is the column, cut to days at most. */
      private boolean isMoment(Expr value) {
        return value instanceof Expr.Cast cast && cast.type().isDateTime()
            ? isMoment(cast.operand())
            : isColumn(value);
      }

      private static boolean holds(Function comparison, BigDecimal one, BigDecimal other) {
        int order = one.compareTo(other);
        return switch (comparison) {
          case EQ -> order == 0;
          case LT -> order < 0;
          case LE -> order <= 0;
          case GT -> order > 0;
          case GE -> order >= 0;
          default -> true;
        };
      }

      private Optional<PartitionSet> years(Function comparison, Expr moment, BigDecimal n) {
        try {
          int low = n.setScale(0, RoundingMode.FLOOR).intValueExact();
          int high = n.setScale(0, RoundingMode.CEILING).intValueExact();
          Optional<LocalDateTime> from = Optional.of(LocalDate.of(low, 1, 1).atStartOfDay());
          Optional<LocalDateTime> before = Optional.of(LocalDate.of(high + 1, 1, 1).atStartOfDay());
          return switch (comparison) {
            case LT, LE -> within(moment, Optional.empty(), before);
            case GT, GE -> within(moment, from, Optional.empty());
            case EQ -> within(moment, from, before);
            default -> Optional.empty();
          };
        } catch (DateTimeException | ArithmeticException e) {
          return Optional.empty();
        }
      }
    }
  }
}
