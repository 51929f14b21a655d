package flexdp.gateway.verify;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * Makes up databases that fit a policy: few values in each column, so that rows meet; those that
 * the question speaks of and those that the policy lists among them, and hostile ones.
 */
final class Imagination {
  private static final long MICROS = 1_000_000;

  /** The most rows of a table that no crowd is in. */
  private static final int FEW = 10;

  /** So many more rows than a crowd has may come. */
  private static final int SPARE = 3;

  /** Where keys and plain numbers begin: most often at zero, else where types or floats end. */
  private static final long[] STARTS = {
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    0,
    9007199254740990L,
    HostileValues.CROWD,
    HostileValues.CROWD,
    Long.MAX_VALUE - 1,
    Integer.MAX_VALUE - 1,
    Long.MIN_VALUE,
    Integer.MIN_VALUE
  };

  /** Where the values of a column come from, in one database. */
  private enum Source {
    PLAIN,
    NAMED,
    HOSTILE,
    ANY
  }

  /** A family of hostile values that all columns of a type have in one database. */
  private record Theme(Type type, List<String> family) {}

  private final Subject subject;
  private final Random random;
  private final List<Type> types;
  private final Set<String> naming;

  Imagination(Subject subject, long seed) {
    this.subject = subject;
    this.random = new Random(seed);
    this.types = types(subject);
    this.naming = subject.naming();
  }

  /** Those of the columns that the question reads. */
  private static List<Type> types(Subject subject) {
    Set<Type> types = new LinkedHashSet<>();
    for (Table table : subject.policy().tables().values()) {
      for (ColumnSpec column : table.columns()) {
        if (subject.reads(table, column)) {
          types.add(column.type());
        }
      }
    }
    return List.copyOf(types);
  }

  private Optional<Theme> theme() {
    if (types.isEmpty() || random.nextBoolean()) {
      return Optional.empty();
    }
    Type type = types.get(random.nextInt(types.size()));
    List<List<String>> families = HostileValues.of(type);
    return Optional.of(new Theme(type, families.get(random.nextInt(families.size()))));
  }

  MadeUp next() {
    long start = STARTS[random.nextInt(STARTS.length)];
    List<Integer> counts = subject.counts();
    boolean crowded = !counts.isEmpty() && random.nextInt(4) == 0;
    int crowd = random.nextInt(subject.policy().tables().size());
    boolean alike = random.nextInt(crowded ? 2 : 4) == 0;
    Optional<Theme> theme = theme();
    List<MadeUp.Rows> tables = new ArrayList<>();
    for (Table table : subject.policy().tables().values()) {
      int count = 2 + random.nextInt(random.nextInt(6) == 0 ? FEW - 1 : 4);
      if (crowded && tables.size() == crowd) {
        count = counts.get(random.nextInt(counts.size())) + SPARE;
      }
      List<List<String>> pools = new ArrayList<>();
      for (ColumnSpec column : table.columns()) {
        pools.add(pool(table, column, start, alike, count, theme));
      }
      List<List<String>> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        List<String> row = new ArrayList<>();
        for (List<String> pool : pools) {
          // Keys of a crowd are all there are, else rows would have to go.
          boolean each = count > FEW && pool.size() >= count;
          row.add(pool.get(each ? i : random.nextInt(pool.size())));
        }
        rows.add(row);
      }
      tables.add(new MadeUp.Rows(table, table.isPublic() ? kept(table, rows) : rows));
    }
    return new MadeUp(tables);
  }

  /** What stands in a public table is there in all states, and keeps what is declared. */
  private static List<List<String>> kept(Table table, List<List<String>> rows) {
    List<List<String>> kept = new ArrayList<>();
    for (List<String> row : rows) {
      List<List<String>> more = new ArrayList<>(kept);
      more.add(row);
      MadeUp alone = new MadeUp(List.of(new MadeUp.Rows(table, more)));
      if (alone.keepsPromises(alone.empty(), 0)) {
        kept.add(row);
      }
    }
    return kept;
  }

  /** Neighbours to try: all, but of a crowd, whose rows are much alike, only some. */
  List<Neighbour> some(State state, List<Neighbour> all) {
    if (all.size() <= 3 * FEW) {
      return all;
    }
    List<Neighbour> more = new ArrayList<>();
    List<Neighbour> less = new ArrayList<>();
    all.forEach(n -> (n.state().rows() > state.rows() ? more : less).add(n));
    java.util.Collections.shuffle(more, random);
    java.util.Collections.shuffle(less, random);
    List<Neighbour> some = new ArrayList<>(more.subList(0, Math.min(more.size(), FEW / 2)));
    some.addAll(less.subList(0, Math.min(less.size(), FEW / 2)));
    return some;
  }

  /** A state to begin with. */
  State start(MadeUp data) {
    State state = data.empty();
    for (int t = 0; t < data.tables().size(); t++) {
      MadeUp.Rows rows = data.tables().get(t);
      boolean crowd = rows.rows().size() > FEW;
      int often = crowd ? 4 : 1 + random.nextInt(4); // of four: from nearly empty to full
      int most = rows.rows().size() - (crowd ? SPARE - 1 + random.nextInt(4) : 0);
      for (int r = 0; rows.table().isProtected() && r < most; r++) {
        State more = state.flipped(t, r);
        if (random.nextInt(4) < often && data.keepsPromises(more, t)) {
          state = more;
        }
      }
    }
    return state;
  }

  private List<String> pool(
      Table table, ColumnSpec column, long start, boolean alike, int rows, Optional<Theme> theme) {
    boolean key =
        table.uniqueKeys().stream().anyMatch(k -> k.size() == 1 && k.contains(column.name()));
    boolean names = naming.contains(table.name() + "." + column.name());
    List<String> some =
        names
            ? plain(column.type(), key ? rows : 1 + random.nextInt(4), start)
            : subject.reads(table, column)
                ? theme
                    .filter(t -> t.type().equals(column.type()))
                    .map(Theme::family)
                    .orElseGet(() -> values(column, start))
                : PlainValues.of(column.type(), 1, 0);
    if (alike && !key && some.size() > 1) {
      some = List.of(some.get(random.nextInt(some.size())));
    }
    List<String> pool = new ArrayList<>(some);
    if (column.nullable() && !key || pool.isEmpty()) {
      int nulls = pool.isEmpty() ? 1 : random.nextInt(3) * random.nextInt(2);
      for (int i = 0; i < nulls; i++) {
        pool.add(SqlValues.NULL);
      }
    }
    return pool;
  }

  private List<String> plain(Type type, int count, long start) {
    List<String> pool = new ArrayList<>(PlainValues.of(type, count, start));
    if (random.nextInt(3) == 0) {
      List<String> named = new ArrayList<>();
      subject.constants().forEach(c -> SqlValues.of(c, type).ifPresent(named::add));
      if (!named.isEmpty()) {
        pool.add(named.get(random.nextInt(named.size())));
      }
    }
    return pool.stream().distinct().toList();
  }

  /** A few values of a column that names nobody. */
  private List<String> values(ColumnSpec column, long start) {
    boolean listed = column.domain().isPresent() && random.nextBoolean();
    Source source = listed ? Source.NAMED : Source.values()[random.nextInt(Source.values().length)];
    Set<String> all = new LinkedHashSet<>();
    if (source == Source.PLAIN || source == Source.ANY) {
      all.addAll(PlainValues.of(column.type(), 3, start));
    }
    if (source == Source.NAMED || source == Source.ANY) {
      all.addAll(named(column));
    }
    List<List<String>> families = HostileValues.of(column.type());
    if (source == Source.HOSTILE || source == Source.ANY || all.isEmpty()) {
      all.addAll(families.get(random.nextInt(families.size())));
    }
    List<String> some = new ArrayList<>(all);
    java.util.Collections.shuffle(some, random);
    return some.subList(0, Math.min(some.size(), 1 + random.nextInt(4)));
  }

  /** What the question compares with, what the policy lists, and the ends of ranges. */
  private List<String> named(ColumnSpec column) {
    List<String> named = new ArrayList<>();
    Type type = column.type();
    subject.constants().forEach(c -> named.addAll(SqlValues.around(c, type)));
    together().forEach(n -> SqlValues.of(n, type).ifPresent(named::add));
    column
        .domain()
        .ifPresent(
            labels ->
                labels.stream()
                    .filter(java.util.Objects::nonNull)
                    .forEach(l -> SqlValues.of(l, type).ifPresent(named::add)));
    column
        .range()
        .ifPresent(
            range -> {
              for (BigDecimal end : List.of(range.low(), range.high())) {
                named.addAll(SqlValues.around(end(end, type), type));
              }
              named.addAll(SqlValues.around(end(middle(range), type), type));
            });
    return named;
  }

  /** Where sums and products with two of the constants may be zero. */
  private List<BigDecimal> together() {
    List<BigDecimal> numbers =
        subject.constants().stream()
            .filter(BigDecimal.class::isInstance)
            .map(BigDecimal.class::cast)
            .toList();
    if (numbers.size() < 2) {
      return List.of();
    }
    BigDecimal one = numbers.get(random.nextInt(numbers.size()));
    BigDecimal two = numbers.get(random.nextInt(numbers.size()));
    return two.signum() == 0
        ? List.of(one.add(two))
        : List.of(one.add(two), one.subtract(two), one.divide(two, MathContext.DECIMAL64));
  }

  private static BigDecimal middle(Range range) {
    return range.low().add(range.high()).divide(BigDecimal.TWO);
  }

  /** Days and moments are bounded by numbers. */
  private static Object end(BigDecimal end, Type type) {
    return switch (type.kind()) {
      case DATE -> LocalDate.ofEpochDay(end.longValue());
      case TIMESTAMP ->
          LocalDateTime.ofEpochSecond(
              Math.floorDiv(end.longValue(), MICROS),
              (int) Math.floorMod(end.longValue(), MICROS) * 1000,
              ZoneOffset.UTC);
      case BOOLEAN,
          SMALLINT,
          INTEGER,
          BIGINT,
          DECIMAL,
          DOUBLE,
          VARCHAR,
          TIME,
          INTERVAL_MONTHS,
          INTERVAL_MICROS,
          UUID,
          OPAQUE,
          NULL ->
          end;
    };
  }
}
