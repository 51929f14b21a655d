package flexdp.gateway.hostile;

import flexdp.gateway.hostile.HostileSql.Aim;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.IntFunction;

/**
 * Tables t and u, protected, and p, public, with hostile values: many rows that are the same, look
 * the same, or become the same when converted, so that a bound that is too small shows.
 *
 * @param rows of t, u and p, each value as SQL
 * @param changed which of the first two the neighbours differ in
 * @param before the row that the first has in the place of the last; none when it has none
 * @param after the row that only the second has
 */
record HostileTables(
    Layout layout,
    List<HostileColumn> columns,
    List<List<List<String>>> rows,
    int changed,
    List<List<String>> before,
    List<String> after) {
  static final List<String> NAMES = List.of("t", "u", "p");
  private static final int MANY = 210;

  /** How the values of one column are chosen. */
  private enum Way {
    SAME,
    TWINS,
    CROWD,
    CROWD_AGAIN,
    POOL,
    NULLS
  }

  /** What the tables are made for, and the questions that go with it. */
  enum Layout {
    /** Different values in t that become the same, and a row in u that meets them then. */
    CROWDED(List.of(Aim.CONVERT, Aim.CONVERT, Aim.CONVERT, Aim.JOIN, Aim.SUBQUERY, Aim.WINDOW)),
    /** Different values in t that become NULL, and a row of NULLs in u. */
    NULLED(List.of(Aim.CONVERT, Aim.CONVERT, Aim.CONVERT, Aim.JOIN, Aim.SUBQUERY, Aim.WINDOW)),
    /** Equal values that can be told apart. */
    TWINS(List.of(Aim.TWINS, Aim.TWINS, Aim.TWINS, Aim.RAW, Aim.DISTINCT, Aim.NESTED)),
    /** Anything. */
    MIXED(List.of(Aim.values()));

    private final List<Aim> aims;

    Layout(List<Aim> aims) {
      this.aims = aims;
    }

    Aim aim(Random random) {
      return aims.get(random.nextInt(aims.size()));
    }
  }

  static HostileTables random(Random random, List<HostileColumn> columns, boolean replaced) {
    long start =
        List.of(4611686018427387904L, 4611686018427387904L, 9007199254740880L, -300L)
            .get(random.nextInt(4));
    List<List<String>> pools = new ArrayList<>();
    for (HostileColumn column : columns) {
      List<String> pool = new ArrayList<>();
      pool.add(one(random, column.values()));
      pool.add(random.nextInt(3) == 0 ? one(random, column.values()) : "NULL");
      pool.add(one(random, column.twins()));
      pool.add(one(random, column.twins()));
      pool.add(column.crowds().get(0).apply(0));
      pool.add(
          column.crowds().get(random.nextInt(column.crowds().size())).apply(random.nextInt(MANY)));
      pools.add(pool);
    }
    Layout layout = Layout.values()[random.nextInt(Layout.values().length)];
    if (layout == Layout.TWINS) {
      return twins(columns, replaced);
    }
    if (layout != Layout.MIXED) {
      return crowded(columns, replaced, layout);
    }
    boolean both = random.nextInt(3) == 0;
    List<List<List<String>>> rows = new ArrayList<>();
    rows.add(table(random, columns, pools, MANY, start));
    rows.add(
        both
            ? table(random, columns, pools, MANY, random.nextBoolean() ? start : 0)
            : new ArrayList<>(
                List.of(
                    row(random, columns, pools, random.nextBoolean() ? start : 0),
                    row(random, columns, pools, start + 1),
                    row(random, columns, pools, start + 2))));
    rows.add(table(random, columns, pools, 5, 0));
    int changed = random.nextInt(5) < 2 ? 0 : 1;
    long key = start + 10 * MANY;
    List<List<String>> before = new ArrayList<>();
    if (replaced) {
      before.add(row(random, columns, pools, key));
    }
    return new HostileTables(
        layout,
        columns,
        rows,
        changed,
        before,
        row(random, columns, pools, replaced ? key : key + 1));
  }

  /** Different values in t, and one row in u that meets them all once they are converted. */
  private static HostileTables crowded(
      List<HostileColumn> columns, boolean replaced, Layout layout) {
    boolean nulls = layout == Layout.NULLED;
    List<List<String>> t = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      List<String> row = new ArrayList<>(List.of(Long.toString(4611686018427387904L + i)));
      for (HostileColumn column : columns) {
        row.add(column.crowds().get(nulls ? column.crowds().size() - 1 : 0).apply(i));
      }
      t.add(row);
    }
    List<String> after = new ArrayList<>(List.of("4611686018427387904"));
    columns.forEach(c -> after.add(nulls ? "NULL" : c.crowds().get(0).apply(0)));
    return beside(layout, columns, t, after, replaced);
  }

  /** Values in t that one row in u is equal to, though they can be told apart. */
  private static HostileTables twins(List<HostileColumn> columns, boolean replaced) {
    List<List<String>> t = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      List<String> row = new ArrayList<>(List.of(Integer.toString(i)));
      int rest = i;
      for (HostileColumn column : columns) {
        row.add(column.twins().get(rest % column.twins().size()));
        rest /= column.twins().size();
      }
      t.add(row);
    }
    List<String> after = new ArrayList<>(List.of("1"));
    columns.forEach(c -> after.add(c.twins().get(0)));
    return beside(Layout.TWINS, columns, t, after, replaced);
  }

  /** A row in u beside a table t; or in the place of one that meets nothing. */
  private static HostileTables beside(
      Layout layout,
      List<HostileColumn> columns,
      List<List<String>> t,
      List<String> after,
      boolean replaced) {
    List<String> other = new ArrayList<>(after);
    Collections.fill(other.subList(1, other.size()), "NULL");
    return new HostileTables(
        layout,
        columns,
        List.of(t, List.of(), t.subList(0, 1)),
        1,
        replaced ? List.of(other) : List.of(),
        after);
  }

  private static String one(Random random, List<String> some) {
    return some.get(random.nextInt(some.size()));
  }

  /** A row that meets as many others as can be, or stands out from all. */
  private static List<String> row(
      Random random, List<HostileColumn> columns, List<List<String>> pools, long key) {
    List<String> row = new ArrayList<>();
    row.add(Long.toString(key));
    int style = random.nextInt(10);
    boolean pure = random.nextInt(3) > 0;
    for (int c = 0; c < columns.size(); c++) {
      HostileColumn column = columns.get(c);
      int chosen = pure || random.nextBoolean() ? style : random.nextInt(10);
      row.add(
          switch (chosen) {
            case 0, 1, 2, 3 -> column.crowds().get(0).apply(0);
            case 4 -> "NULL";
            case 5, 6 -> one(random, column.twins());
            case 7, 8 -> one(random, column.values());
            default -> one(random, pools.get(c));
          });
      if (column.name().equals("name") && random.nextBoolean()) {
        row.set(row.size() - 1, "'victim'");
      }
    }
    return row;
  }

  private static List<List<String>> table(
      Random random, List<HostileColumn> columns, List<List<String>> pools, int count, long start) {
    List<Way> ways = new ArrayList<>();
    Way most = Way.values()[random.nextInt(Way.values().length)];
    int kept = random.nextInt(5);
    List<String> same = new ArrayList<>();
    List<IntFunction<String>> crowds = new ArrayList<>();
    for (int c = 0; c < columns.size(); c++) {
      Way other = Way.values()[random.nextInt(Way.values().length)];
      ways.add(random.nextInt(5) < kept ? most : other);
      same.add(one(random, pools.get(c)));
      List<IntFunction<String>> some = columns.get(c).crowds();
      crowds.add(some.get(random.nextInt(3) > 0 ? 0 : random.nextInt(some.size())));
    }
    List<List<String>> rows = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      List<String> row = new ArrayList<>();
      row.add(Long.toString(start + i));
      for (int c = 0; c < columns.size(); c++) {
        HostileColumn column = columns.get(c);
        row.add(
            switch (ways.get(c)) {
              case SAME -> same.get(c);
              case TWINS -> column.twins().get(i % column.twins().size());
              case CROWD, CROWD_AGAIN -> crowds.get(c).apply(i);
              case POOL -> one(random, pools.get(c));
              case NULLS -> i % 3 == 0 ? same.get(c) : "NULL";
            });
      }
      rows.add(row);
    }
    return rows;
  }

  /** How many rows, the first ones, only this side has of the table that differs. */
  int own(int side) {
    return side == 0 ? before.size() : 1;
  }

  /** The rows of one table, in the first of the neighbours or in the second. */
  List<List<String>> rows(int table, int side) {
    List<List<String>> all = new ArrayList<>();
    if (table == changed) {
      // First, since databases name a group after the first row of it that they meet.
      all.addAll(side == 0 ? before : List.of(after));
    }
    all.addAll(rows.get(table));
    return all;
  }

  /** Without some of the rows that both have. */
  HostileTables without(int table, int from, int to) {
    List<List<List<String>>> fewer = new ArrayList<>(rows);
    List<List<String>> kept = new ArrayList<>(rows.get(table).subList(0, from));
    kept.addAll(rows.get(table).subList(to, rows.get(table).size()));
    fewer.set(table, kept);
    return new HostileTables(layout, columns, fewer, changed, before, after);
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("columns: id");
    columns.forEach(c -> text.append(", ").append(c.name()).append(' ').append(c.physical()));
    for (int t = 0; t < 3; t++) {
      List<List<String>> all = rows.get(t);
      text.append('\n').append(NAMES.get(t)).append(": ").append(all.size()).append(" rows");
      for (List<String> row : all.subList(0, Math.min(4, all.size()))) {
        text.append("\n  ").append(shown(row));
      }
    }
    text.append("\nx has in ").append(NAMES.get(changed)).append(": ");
    before.forEach(row -> text.append(shown(row)));
    return text.append("\ny has instead: ").append(shown(after)).toString();
  }

  private static String shown(List<String> row) {
    return String.join(
        ", ", row.stream().map(v -> v.length() > 60 ? v.substring(0, 60) + "…" : v).toList());
  }
}
