package flexdp.sensitivity;

import flexdp.algebra.FreshColumns;
import flexdp.algebra.Relation;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.ownership.OwnedTableExpansion;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;

/**
 * Tables that people own: e(o, a) the people; t(k, o, a) one hop, k a key that may be NULL; v(vid,
 * o, a) one hop with a key; l(vid, a) two hops over v; h(s, a) over a public table; w(a, b)
 * protected row by row; q(x, y) public. Person 9 is nobody. Rows of v that nobody owns may be kept,
 * each its own person, here by the number −1 − vid. Or nobody knows the people: the kind has no
 * key, and e has any number of rows for each of them.
 */
final class PeopleDatabases {
  static final PrivacyUnit.Person PERSON = new PrivacyUnit.Person("person");
  static final PrivacyUnit.Row ROW = new PrivacyUnit.Row("w");
  private static final List<String> OWNED = List.of("e", "t", "v", "l", "h");

  final Policy policy;
  private final boolean keeps;
  private final boolean known;

  PeopleDatabases(Random random) {
    this(random, false, true);
  }

  /**
   * @param keeps whether rows of v without an owner are kept
   * @param known whether e has a row for each person, and one only
   */
  PeopleDatabases(Random random, boolean keeps, boolean known) {
    this.keeps = keeps;
    this.known = known;
    this.policy = policy(random, keeps, known);
  }

  /** How a relation names somebody, where rows are named as well. */
  static String name(long person) {
    return person < 0 ? "-2," + (-1 - person) : "+" + person;
  }

  private static Map<String, Object> column(boolean unique, boolean nullable, String to) {
    Map<String, Object> column = new LinkedHashMap<>();
    column.put("type", "integer");
    column.put("unique", unique);
    column.put("nullable", nullable);
    if (to != null) {
      column.put("references", to);
    }
    return column;
  }

  private static Map<String, Object> plain() {
    return column(false, true, null);
  }

  private static Map<String, Object> columns(Object... namesAndColumns) {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndColumns.length; i += 2) {
      columns.put((String) namesAndColumns[i], namesAndColumns[i + 1]);
    }
    return columns;
  }

  private static Policy policy(Random random, boolean keeps, boolean known) {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put("e", owned(columns("o", column(known, !known, null), "a", plain()), "o", 1));
    tables.put(
        "t",
        owned(
            columns("k", column(true, true, null), "o", plain(), "a", plain()),
            "o",
            1 + random.nextInt(3)));
    Map<String, Object> v =
        new LinkedHashMap<>(
            owned(
                columns("vid", column(true, false, null), "o", plain(), "a", plain()),
                "o",
                1 + random.nextInt(3)));
    v.put("unowned", keeps ? "keep" : "drop");
    tables.put("v", v);
    tables.put(
        "l",
        owned(
            columns("vid", column(false, true, "v.vid"), "a", plain()),
            "vid.o",
            1 + random.nextInt(3)));
    tables.put(
        "h",
        owned(
            columns("s", column(false, true, "s.sid"), "a", plain()),
            "s.o",
            1 + random.nextInt(3)));
    tables.put(
        "s",
        Map.of("columns", columns("sid", column(true, false, null), "o", plain()), "public", true));
    tables.put("w", Map.of("columns", columns("a", plain(), "b", plain()), "unit", "row"));
    tables.put("q", Map.of("columns", columns("x", plain(), "y", plain()), "public", true));
    return PolicyReader.read(
        Map.of(
            "people",
            Map.of(
                "person",
                known ? Map.of("key", "e.o", "nobody", List.of(9)) : Map.of("nobody", List.of(9))),
            "tables",
            tables));
  }

  private static Map<String, Object> owned(Map<String, Object> columns, String path, int rows) {
    return Map.of("columns", columns, "owners", Map.of("person", path), "rowsPerPerson", rows);
  }

  Table table(String name) {
    return policy.table(name).orElseThrow();
  }

  private static Object value(Random random) {
    int value = random.nextInt(4);
    return value == 3 ? null : (Object) (long) value;
  }

  Map<String, List<Object[]>> random(Random random) {
    Map<String, List<Object[]>> database = new LinkedHashMap<>();
    policy.tables().keySet().forEach(name -> database.put(name, new ArrayList<>()));
    for (long id = 0; id < 3; id++) {
      Object owner = random.nextInt(5) == 0 ? null : (Object) (long) random.nextInt(4);
      database.get("s").add(new Object[] {id, random.nextInt(8) == 0 ? (Object) 9L : owner});
    }
    Map<String, List<Object[]>> filled = database;
    for (long person = 0; person < 4; person++) {
      if (random.nextInt(4) < 2) {
        filled = plus(random, filled, person);
      }
    }
    if (random.nextInt(3) == 0) {
      filled.get("t").add(new Object[] {null, null, value(random)});
      filled.get("t").add(new Object[] {null, 9L, value(random)});
      filled.get("l").add(new Object[] {null, value(random)});
      filled.get("l").add(new Object[] {5L + random.nextInt(2), value(random)});
    }
    if (keeps) {
      for (Long id : free(filled.get("v"), 7).stream().limit(random.nextInt(4)).toList()) {
        Object nobody = random.nextBoolean() ? null : (Object) 9L;
        filled.get("v").add(new Object[] {id, nobody, value(random)});
        filled.get("l").add(new Object[] {id, value(random)});
      }
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      filled.get("w").add(new Object[] {value(random), value(random)});
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      filled.get("q").add(new Object[] {value(random), value(random)});
    }
    return filled;
  }

  private static Map<String, List<Object[]>> copy(Map<String, List<Object[]>> database) {
    Map<String, List<Object[]>> copy = new LinkedHashMap<>();
    database.forEach((name, rows) -> copy.put(name, new ArrayList<>(rows)));
    return copy;
  }

  /** The database with a new person and any number of rows of hers. */
  private Map<String, List<Object[]>> plus(
      Random random, Map<String, List<Object[]>> before, long person) {
    Map<String, List<Object[]>> database = copy(before);
    for (int i = random.nextInt(10) < 7 ? 1 : 0; i > 0; i -= known ? 1 : random.nextInt(2)) {
      database.get("e").add(new Object[] {person, value(random)});
    }
    List<Long> keys = free(database.get("t"), 5);
    for (int i = random.nextInt(5); i > 0; i--) {
      Object key = keys.isEmpty() || random.nextBoolean() ? null : (Object) keys.removeFirst();
      database.get("t").add(new Object[] {key, person, value(random)});
    }
    List<Long> ids = free(database.get("v"), 7);
    for (int i = Math.min(ids.size(), random.nextInt(3)); i > 0; i--) {
      long id = ids.remove(random.nextInt(ids.size()));
      database.get("v").add(new Object[] {id, person, value(random)});
      for (int n = random.nextInt(4); n > 0; n--) {
        database.get("l").add(new Object[] {id, value(random)});
      }
    }
    for (Object[] shop : database.get("s")) {
      if (Objects.equals(shop[1], person)) {
        for (int n = random.nextInt(3); n > 0; n--) {
          database.get("h").add(new Object[] {shop[0], value(random)});
        }
      }
    }
    return database;
  }

  private static List<Long> free(List<Object[]> rows, int most) {
    List<Long> free = new ArrayList<>();
    for (long id = 0; id < most; id++) {
      long one = id;
      if (rows.stream().noneMatch(row -> Objects.equals(row[0], one))) {
        free.add(id);
      }
    }
    return free;
  }

  private static Object owner(Map<String, List<Object[]>> database, String table, Object[] row) {
    return switch (table) {
      case "e" -> row[0];
      case "t", "v" -> row[1];
      case "l" -> lookup(database.get("v"), row[0]);
      case "h" -> lookup(database.get("s"), row[0]);
      default -> throw new IllegalArgumentException(table);
    };
  }

  private static Object lookup(List<Object[]> rows, Object key) {
    return rows.stream()
        .filter(row -> key != null && key.equals(row[0]))
        .findFirst()
        .map(row -> row[1])
        .orElse(null);
  }

  /** With the rows that are their own people. */
  Set<Long> everybody(Map<String, List<Object[]>> database) {
    return people(database, keeps);
  }

  private static Set<Long> people(Map<String, List<Object[]>> database, boolean kept) {
    Set<Long> people = new TreeSet<>();
    for (String table : OWNED) {
      for (Object[] row : database.get(table)) {
        Object owner = owner(database, table, row);
        if (owner != null && !owner.equals(9L)) {
          people.add((Long) owner);
        } else if (kept && table.equals("v")) {
          people.add(-1 - (Long) row[0]);
        }
      }
    }
    return people;
  }

  /** The neighbour: without a person and every row that she owns. */
  static Map<String, List<Object[]>> without(Map<String, List<Object[]>> database, long person) {
    Map<String, List<Object[]>> rest = copy(database);
    if (person < 0) {
      rest.get("v").removeIf(row -> row[0].equals(-1 - person));
      return rest;
    }
    for (String table : OWNED) {
      rest.get(table).removeIf(row -> Objects.equals(owner(database, table, row), person));
    }
    return rest;
  }

  /** One step of a unit: who is smaller, who is larger, and where the step leads. */
  record Step(
      Map<String, List<Object[]>> smaller,
      Map<String, List<Object[]>> larger,
      Map<String, List<Object[]>> next) {}

  Step step(Random random, Map<String, List<Object[]>> database, PrivacyUnit unit) {
    return step(random, database, unit, people(database, false));
  }

  /** Whoever may leave does, rows that are their own people among them. */
  Step stepOfAnybody(Random random, Map<String, List<Object[]>> database, PrivacyUnit unit) {
    return step(random, database, unit, everybody(database));
  }

  private Step step(
      Random random, Map<String, List<Object[]>> database, PrivacyUnit unit, Set<Long> everybody) {
    if (unit.equals(ROW)) {
      Map<String, List<Object[]>> other = copy(database);
      if (!other.get("w").isEmpty() && random.nextBoolean()) {
        other.get("w").remove(random.nextInt(other.get("w").size()));
        return new Step(other, database, other);
      }
      other.get("w").add(new Object[] {value(random), value(random)});
      return new Step(database, other, other);
    }
    List<Long> here = new ArrayList<>(everybody);
    if (!here.isEmpty() && random.nextBoolean()) {
      Map<String, List<Object[]>> other = without(database, here.get(random.nextInt(here.size())));
      return new Step(other, database, other);
    }
    List<Long> absent = new ArrayList<>(List.of(0L, 1L, 2L, 3L, 4L));
    absent.removeAll(here);
    if (absent.isEmpty()) {
      return new Step(database, database, database);
    }
    Map<String, List<Object[]>> other =
        plus(random, database, absent.get(random.nextInt(absent.size())));
    return new Step(database, other, other);
  }

  /**
   * What is measured of the tables as they are read.
   *
   * @param whole the mistake of measuring all rows of those that are cut
   */
  Metrics measure(Map<String, List<Object[]>> database, boolean whole) {
    Map<String, TableMetrics> tables = new HashMap<>();
    for (Table table : policy.tables().values()) {
      Relation.Scan scan = new Trees().scan(table);
      Relation read =
          OwnedTableExpansion.truncated(policy, new FreshColumns(List.of(scan), List.of()))
              .of(scan);
      List<Object[]> rows =
          whole ? database.get(table.name()) : new Interpreter(database).rows(read).rows();
      Map<Set<String>, MaxFrequency> frequencies = new HashMap<>();
      List<String> names = table.columns().stream().map(ColumnSpec::name).toList();
      for (int bits = 1; bits < 1 << names.size(); bits++) {
        Set<String> columns = new HashSet<>();
        for (int i = 0; i < names.size(); i++) {
          if ((bits & 1 << i) != 0) {
            columns.add(names.get(i));
          }
        }
        frequencies.put(columns, TinyDatabases.frequency(table, rows, columns));
      }
      tables.put(
          table.name(),
          new TableMetrics(
              Optional.of(BigInteger.valueOf(rows.size())),
              frequencies,
              table.ownership().rowsPerPerson()));
    }
    return new Metrics(tables, Map.of());
  }
}
