package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Column;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.ownership.MultiOwnerRelation;
import flexdp.ownership.MultiOwnerRelations;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.PrivacyUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * Rows with sets of owners: of two columns, of two kinds, over a path through such rows, beside
 * rows that stand for themselves. Whoever leaves takes exactly the rows whose set she is in.
 */
class SetOwnedFuzzTest {
  private static final PrivacyUnit PERSON = new PrivacyUnit.Person("person");
  private static final PrivacyUnit CLERK = new PrivacyUnit.Person("clerk");
  private static final PrivacyUnit SENSOR = new PrivacyUnit.Row("r");
  private static final Policy POLICY = policy();

  private final Random random = new Random(20_261_115);
  private Trees trees;

  private static Map<String, Object> column(String... marks) {
    Map<String, Object> column = new LinkedHashMap<>(Map.of("type", "integer"));
    for (String mark : marks) {
      if (mark.equals("key")) {
        column.put("unique", true);
        column.put("nullable", false);
      } else {
        column.put("references", mark);
      }
    }
    return column;
  }

  private static Map<String, Object> columns(Object... namesAndColumns) {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndColumns.length; i += 2) {
      columns.put((String) namesAndColumns[i], namesAndColumns[i + 1]);
    }
    return columns;
  }

  private static Policy policy() {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put(
        "p",
        Map.of(
            "columns",
            columns("o", column("key"), "a", column()),
            "owners",
            Map.of("person", "o")));
    tables.put("c", Map.of("columns", columns("c", column("key")), "owners", Map.of("clerk", "c")));
    tables.put(
        "t",
        Map.of("columns", columns("o", column(), "a", column()), "owners", Map.of("person", "o")));
    tables.put(
        "f",
        Map.of(
            "columns",
            columns("fid", column("key"), "src", column(), "dst", column()),
            "owners",
            Map.of("person", List.of("src", "dst"))));
    tables.put(
        "m",
        Map.of(
            "columns",
            columns("o", column(), "c", column(), "a", column()),
            "owners",
            Map.of("person", "o", "clerk", "c")));
    tables.put(
        "d",
        Map.of(
            "columns",
            columns("fid", column("f.fid"), "a", column()),
            "owners",
            Map.of("person", List.of("fid.src", "fid.dst"))));
    tables.put("r", Map.of("columns", columns("rid", column("key"), "a", column()), "unit", "row"));
    tables.put("q", Map.of("columns", columns("x", column(), "y", column()), "public", true));
    return PolicyReader.read(
        Map.of(
            "people",
            Map.of(
                "person",
                Map.of("key", "p.o", "nobody", List.of(9)),
                "clerk",
                Map.of("key", "c.c")),
            "tables",
            tables));
  }

  private Object value(int most, int nullOneIn) {
    return random.nextInt(nullOneIn) == 0 ? null : (Object) (long) random.nextInt(most);
  }

  private Object person() {
    return random.nextInt(9) == 0 ? (Object) 9L : value(3, 6);
  }

  private Map<String, List<Object[]>> database() {
    Map<String, List<Object[]>> database = new LinkedHashMap<>();
    POLICY.tables().keySet().forEach(name -> database.put(name, new ArrayList<>()));
    for (long id = 0; id < 3; id++) {
      database.get("p").add(new Object[] {id, value(2, 4)});
      database.get("c").add(new Object[] {id});
      database.get("f").add(new Object[] {id, person(), person()});
      database.get("r").add(new Object[] {id, value(2, 4)});
      database.get("t").add(new Object[] {person(), value(2, 4)});
      database.get("m").add(new Object[] {person(), value(2, 4), value(2, 4)});
      database.get("d").add(new Object[] {value(4, 6), value(2, 4)});
      database.get("q").add(new Object[] {value(2, 4), value(2, 4)});
    }
    return database;
  }

  /** The owners of a row, as "unit value". */
  private static Set<String> owners(
      Map<String, List<Object[]>> database, String table, Object[] row) {
    Set<String> owners = new TreeSet<>();
    switch (table) {
      case "p", "t" -> add(owners, PERSON, row[0]);
      case "c" -> add(owners, CLERK, row[0]);
      case "f" -> {
        add(owners, PERSON, row[1]);
        add(owners, PERSON, row[2]);
      }
      case "m" -> {
        add(owners, PERSON, row[0]);
        add(owners, CLERK, row[1]);
      }
      case "d" ->
          database.get("f").stream()
              .filter(f -> row[0] != null && f[0].equals(row[0]))
              .forEach(f -> owners.addAll(owners(database, "f", f)));
      case "r" -> add(owners, SENSOR, row[0]);
      default -> {}
    }
    return owners;
  }

  private static void add(Set<String> owners, PrivacyUnit unit, Object value) {
    if (value != null && !(unit.equals(PERSON) && value.equals(9L))) {
      owners.add(unit + " " + value);
    }
  }

  private static Map<String, List<Object[]>> without(
      Map<String, List<Object[]>> database, String leaver) {
    Map<String, List<Object[]>> rest = new LinkedHashMap<>();
    database.forEach(
        (table, rows) ->
            rest.put(
                table,
                rows.stream()
                    .filter(row -> !owners(database, table, row).contains(leaver))
                    .toList()));
    return rest;
  }

  private static Map<String, List<Object[]>> normal(Map<String, List<Object[]>> database) {
    Map<String, List<Object[]>> rest = new LinkedHashMap<>();
    database.forEach(
        (table, rows) ->
            rest.put(
                table,
                rows.stream()
                    .filter(
                        row ->
                            POLICY.table(table).orElseThrow().ownership().owners().isEmpty()
                                || !owners(database, table, row).isEmpty())
                    .toList()));
    return rest;
  }

  private Column any(Relation relation) {
    return relation.columns().get(random.nextInt(relation.columns().size()));
  }

  private Relation tree(int depth) {
    if (depth == 0) {
      List<String> names = List.of("f", "f", "m", "m", "d", "t", "p", "r", "q");
      return trees.scan(POLICY.table(names.get(random.nextInt(names.size()))).orElseThrow());
    }
    Relation one = tree(depth - 1);
    return switch (random.nextInt(6)) {
      case 0 -> new Relation.Filter(one, Trees.call(Function.IS_NOT_NULL, any(one).ref()));
      case 1 -> Trees.project(one, any(one));
      case 2 -> {
        Relation right = trees.scan(POLICY.table("q").orElseThrow());
        yield Trees.left(one, right, Trees.eq(any(one), any(right)));
      }
      case 3 -> {
        Relation other = tree(depth - 1);
        yield new Relation.SetOperation(
            Relation.SetKind.UNION,
            true,
            Trees.project(one, any(one)),
            Trees.project(other, any(other)),
            List.of(trees.column("s")),
            Trees.AT);
      }
      default -> {
        Relation other = random.nextInt(4) == 0 ? grouped() : tree(depth - 1);
        yield Trees.join(one, other, Trees.eq(any(one), any(other)));
      }
    };
  }

  /** What each person has, as an atom. */
  private Relation grouped() {
    Relation t = trees.scan(POLICY.table("t").orElseThrow());
    return trees.counted(t, Trees.col(t, "o"));
  }

  @Test
  void whoeverLeavesTakesTheRowsWhoseSetSheIsIn() {
    int checks = 0;
    for (int i = 0; i < 4_000; i++) {
      trees = new Trees();
      Relation tree = tree(random.nextInt(4));
      FreshColumns ids = new FreshColumns(List.of(tree), List.of());
      MultiOwnerRelation shown = new MultiOwnerRelations(POLICY, ids).of(tree);
      Map<String, List<Object[]>> database = database();
      Rows all = new Interpreter(database).rows(shown.relation());
      Column[] columns = tree.columns().toArray(Column[]::new);
      assertEquals(
          new Interpreter(normal(database)).rows(Trees.project(tree, columns)).counted(),
          new Interpreter(database).rows(Trees.project(shown.relation(), columns)).counted(),
          tree.toString());
      for (PrivacyUnit unit : List.of(PERSON, CLERK, SENSOR)) {
        long value = random.nextInt(3);
        Map<String, List<Object[]>> rest = without(database, unit + " " + value);
        List<Object[]> kept =
            all.rows().stream().filter(row -> !names(shown, all, row, unit, value)).toList();
        assertEquals(
            new Rows(all.positions(), kept).counted(),
            new Interpreter(rest).rows(shown.relation()).counted(),
            unit + " " + value + " of " + tree);
        checks++;
      }
    }
    assertTrue(checks > 10_000);
  }

  private static boolean names(
      MultiOwnerRelation shown, Rows rows, Object[] row, PrivacyUnit unit, long value) {
    return shown.owners().stream()
        .filter(o -> o.unit().equals(unit))
        .map(o -> row[rows.positions().get(o.column().id())])
        .anyMatch(owner -> Objects.equals(owner, value));
  }

  /** The judge notices an owner that is left out. */
  @Test
  void anOwnerThatIsLeftOutIsNoticed() {
    trees = new Trees();
    Relation tree = trees.scan(POLICY.table("f").orElseThrow());
    MultiOwnerRelation shown =
        new MultiOwnerRelations(POLICY, new FreshColumns(List.of(tree), List.of())).of(tree);
    MultiOwnerRelation less =
        new MultiOwnerRelation(shown.relation(), shown.owners().subList(0, 1));
    boolean noticed = false;
    for (int i = 0; i < 100 && !noticed; i++) {
      Map<String, List<Object[]>> database = database();
      Rows all = new Interpreter(database).rows(less.relation());
      List<Object[]> kept =
          all.rows().stream().filter(row -> !names(less, all, row, PERSON, 1)).toList();
      Rows rest = new Interpreter(without(database, PERSON + " 1")).rows(less.relation());
      noticed = !new Rows(all.positions(), kept).counted().equals(rest.counted());
    }
    assertTrue(noticed);
  }
}
