package flexdp.gateway.verify;

import flexdp.gateway.collect.RangeEnd;
import flexdp.gateway.verify.GeneratedDatabase.DatabaseState;
import flexdp.gateway.verify.GeneratedDatabase.NeighborState;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/**
 * Makes up databases that fit a policy: few values in each column, so that rows meet; those that
 * the question speaks of and those that the policy lists among them, and hostile ones.
 */
final class DatabaseGenerator {
  /** The most rows of a table that no crowd is in. */
  private static final int FEW = 10;

  /** How many more rows than a crowd has may come. */
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

  private final QuerySubject subject;
  private final Random random;
  private final List<Type> types;
  private final Set<String> naming;

  DatabaseGenerator(QuerySubject subject, long seed) {
    this.subject = subject;
    this.random = new Random(seed);
    this.types = types(subject);
    this.naming = subject.naming();
  }

  /** The types of the columns that the question reads. */
  private static List<Type> types(QuerySubject subject) {
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

  GeneratedDatabase next() {
    long start = STARTS[random.nextInt(STARTS.length)];
    List<Integer> counts = subject.counts();
    boolean crowded = !counts.isEmpty() && random.nextInt(4) == 0;
    int crowd = random.nextInt(subject.policy().tables().size());
    boolean alike = random.nextInt(crowded ? 2 : 4) == 0;
    Optional<Theme> theme = theme();
    List<GeneratedDatabase.Rows> tables = new ArrayList<>();
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
      tables.add(new GeneratedDatabase.Rows(table, table.isPublic() ? kept(table, rows) : rows));
    }
    return new GeneratedDatabase(tables);
  }

  /** What stands in a public table is there in all states, and keeps what is declared. */
  private static List<List<String>> kept(Table table, List<List<String>> rows) {
    List<List<String>> kept = new ArrayList<>();
    for (List<String> row : rows) {
      List<List<String>> more = new ArrayList<>(kept);
      more.add(row);
      GeneratedDatabase alone =
          new GeneratedDatabase(List.of(new GeneratedDatabase.Rows(table, more)));
      if (alone.keepsPromises(alone.empty(), 0)) {
        kept.add(row);
      }
    }
    return kept;
  }

  /** Neighbours to try: all, but of a crowd, whose rows are much alike, only some. */
  List<NeighborState> some(DatabaseState state, List<NeighborState> all) {
    if (all.size() <= 3 * FEW) {
      return all;
    }
    List<NeighborState> more = new ArrayList<>();
    List<NeighborState> less = new ArrayList<>();
    all.forEach(n -> (n.state().rows() > state.rows() ? more : less).add(n));
    java.util.Collections.shuffle(more, random);
    java.util.Collections.shuffle(less, random);
    List<NeighborState> some = new ArrayList<>(more.subList(0, Math.min(more.size(), FEW / 2)));
    some.addAll(less.subList(0, Math.min(less.size(), FEW / 2)));
    return some;
  }

  /** A state to begin with. */
  DatabaseState start(GeneratedDatabase data) {
    DatabaseState state = data.empty();
    for (int t = 0; t < data.tables().size(); t++) {
      GeneratedDatabase.Rows rows = data.tables().get(t);
      boolean crowd = rows.rows().size() > FEW;
      int often = crowd ? 4 : 1 + random.nextInt(4); // of four: from nearly empty to full
      int most = rows.rows().size() - (crowd ? SPARE - 1 + random.nextInt(4) : 0);
      for (int r = 0; rows.table().isProtected() && r < most; r++) {
        DatabaseState more = state.flipped(t, r);
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
                named.addAll(SqlValues.around(RangeEnd.value(end, type), type));
              }
              named.addAll(SqlValues.around(RangeEnd.value(middle(range, type), type), type));
            });
    return named;
  }

  /** Numbers where sums and products with two of the constants may be zero. */
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

  /** Of days and moments one that there is. */
  private static BigDecimal middle(Range range, Type type) {
    BigDecimal middle = range.low().add(range.high()).divide(BigDecimal.TWO);
    return type.isDateTime() ? middle.setScale(0, RoundingMode.DOWN) : middle;
  }

  /**
   * Values that once gave rows away, in families: ends of types, values that are equal in one sense
   * and different in another, values that conversions merge or turn into NULL.
   */
  private static final class HostileValues {
    /** A number around which doubles are 1024 apart. */
    static final long CROWD = 4611686018427387904L;

    private HostileValues() {}

    /** Families of a type; those of one family belong together. */
    static List<List<String>> of(Type type) {
      return switch (type.kind()) {
        case BOOLEAN -> List.of(List.of("TRUE", "FALSE"));
        case SMALLINT -> List.of(List.of("32767", "-32768"), List.of("0", "255"));
        case INTEGER -> List.of(List.of("2147483647", "-2147483648"), List.of("0", "-1"));
        case BIGINT ->
            List.of(
                List.of(crowd(0), crowd(1), crowd(2), crowd(3)),
                List.of("9007199254740992", "9007199254740993"),
                List.of("9223372036854775807", "(-9223372036854775807 - 1)"));
        case DECIMAL -> decimals(type);
        case DOUBLE ->
            List.of(
                doubles("0", "-0"),
                doubles("-1", "0", "0.5", "800"),
                doubles("4611686018427387904", "9007199254740992"),
                doubles("0.1", "0.10000000000000002", "0.30000000000000004"),
                doubles("NaN", "inf", "-inf"),
                doubles("1.7976931348623157e308", "-1.7976931348623157e308", "4.9e-324"));
        case VARCHAR ->
            List.of(
                List.of("'a'", "'A'", "'a '", "'á'", "'a' || chr(769)"),
                List.of("''", "'a' || chr(0) || 'b'", "repeat('a', 3000)"),
                List.of("'0'", "'-0'", "'00'", "'inf'", "'NaN'", "'1e400'"),
                List.of("'1'", "' 1'", "'-1'", "'99999999999999999999'", "'true'", "'2024-02-30'"),
                List.of("'9999-12-31'", "'2024-02-29'", "'24:00:00'", "'5881580-07-10'"));
        case DATE ->
            List.of(
                dates(type, "infinity", "-infinity", "5881580-07-10"),
                dates(type, "0001-01-01", "9999-12-31", "10000-01-01", "0001-12-31 (BC)"),
                dates(type, "2024-02-29", "2024-03-01", "2023-12-31"));
        case TIME -> List.of(dates(type, "24:00:00", "00:00:00", "23:59:59.999999"));
        case TIMESTAMP ->
            List.of(
                dates(type, "infinity", "-infinity", "294247-01-10 04:00:54.775806"),
                dates(type, "0001-01-01 00:00:00", "9999-12-31 23:59:59.999999"),
                dates(type, "2024-02-29 00:00:00", "2024-02-29 00:00:00.000001"));
        case UUID ->
            List.of(
                dates(
                    type,
                    "a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11",
                    "A0EEBC99-9C0B-4EF8-BB6D-6BB9BD380A11",
                    "00000000-0000-0000-0000-000000000000"));
        case OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS ->
            List.of(
                List.of("INTERVAL 1 DAY", "INTERVAL 24 HOUR"),
                List.of("INTERVAL 30 DAY", "INTERVAL 1 MONTH", "INTERVAL 2147483647 MONTH"));
        case NULL -> List.of(List.of(SqlValues.NULL));
      };
    }

    private static String crowd(int i) {
      return Long.toString(CROWD + i);
    }

    private static List<String> doubles(String... texts) {
      return List.of(texts).stream().map(t -> SqlValues.cast(t, Type.DOUBLE)).toList();
    }

    private static List<String> dates(Type type, String... texts) {
      return List.of(texts).stream().map(t -> SqlValues.cast(t, type)).toList();
    }

    private static List<List<String>> decimals(Type type) {
      int whole = type.precision() - type.scale();
      String most = "9".repeat(Math.max(1, whole));
      String full =
          type.scale() == 0 ? most : (whole == 0 ? "0" : most) + "." + "9".repeat(type.scale());
      String least = type.scale() == 0 ? "1" : "0." + "0".repeat(type.scale() - 1) + "1";
      List<String> ends = List.of(full, "-" + full, least, "0");
      // What is cut off makes each two of them one.
      List<String> close =
          type.scale() == 0 || whole == 0
              ? ends
              : List.of("0", least, "1", "1" + least.substring(1));
      return whole < 19
          ? List.of(ends, close)
          : List.of(
              ends,
              close,
              List.of(crowd(0), crowd(1)),
              type.scale() == 0
                  ? List.of(crowd(0))
                  : List.of(crowd(0), "(" + crowd(0) + " + " + least + ")"));
    }
  }

  /**
   * Values for columns that name rows or people: as many different ones as wanted, of which equal
   * texts are equal values. Columns that are to meet get the same ones.
   */
  private static final class PlainValues {
    private PlainValues() {}

    /**
     * @param start the first whole number, where the type has room for it
     */
    static List<String> of(Type type, int count, long start) {
      List<String> values = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        if (type.kind() == Type.Kind.OPAQUE) {
          values.add("INTERVAL " + i + " DAY");
        }
        SqlValues.of(constant(type, i, start), type)
            .or(() -> SqlValues.of(BigDecimal.valueOf(values.size()), type))
            .ifPresent(values::add);
      }
      return values.stream().distinct().toList();
    }

    private static Object constant(Type type, int i, long start) {
      return switch (type.kind()) {
        case BOOLEAN -> i % 2 == 0;
        case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE ->
            BigDecimal.valueOf(start).add(BigDecimal.valueOf(i));
        case VARCHAR -> Character.toString((char) ('a' + i % 26)) + (i < 26 ? "" : i / 26);
        case DATE, TIMESTAMP -> LocalDate.of(2024, 2, 28).plusDays(i);
        case TIME -> LocalTime.of(i % 24, 0);
        case UUID -> new UUID(0, i + 1L);
        case OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> i;
      };
    }
  }
}
