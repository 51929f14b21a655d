package flexdp.gateway.verify;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Owner;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
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
  private final Set<String> naming = new HashSet<>();

  Imagination(Subject subject, long seed) {
    this.subject = subject;
    this.random = new Random(seed);
    Policy policy = subject.policy();
    this.types = types(subject);
    for (Table table : policy.tables().values()) {
      MadeUp.naming(table).forEach(column -> naming.add(table.name() + "." + column));
      for (Owner owner : table.ownership().owners()) {
        for (Owner.Hop hop : owner.hops()) {
          naming.add(hop.table() + "." + hop.key());
          naming.add(hop.table() + "." + hop.column());
        }
      }
    }
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
    long start =
        switch (random.nextInt(10)) {
          case 0 -> 9007199254740990L;
          case 1, 2 -> HostileValues.CROWD;
          default -> 0;
        };
    boolean alike = random.nextInt(4) == 0;
    Optional<Theme> theme = theme();
    List<MadeUp.Rows> tables = new ArrayList<>();
    for (Table table : subject.policy().tables().values()) {
      int count = 2 + random.nextInt(random.nextInt(6) == 0 ? 9 : 4);
      List<List<String>> pools = new ArrayList<>();
      for (ColumnSpec column : table.columns()) {
        pools.add(pool(table, column, start, alike, count, theme));
      }
      List<List<String>> rows = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        List<String> row = new ArrayList<>();
        for (List<String> pool : pools) {
          row.add(pool.get(random.nextInt(pool.size())));
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

  /** A state to begin with. */
  State start(MadeUp data) {
    State state = data.empty();
    for (int t = 0; t < data.tables().size(); t++) {
      MadeUp.Rows rows = data.tables().get(t);
      int often = 1 + random.nextInt(4); // of four: from nearly empty to full
      for (int r = 0; rows.table().isProtected() && r < rows.rows().size(); r++) {
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
