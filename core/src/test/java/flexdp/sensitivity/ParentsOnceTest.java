package flexdp.sensitivity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.ownership.MultiOwnerRelation;
import flexdp.ownership.MultiOwnerRelations;
import flexdp.ownership.OwnedRelations;
import flexdp.ownership.OwnedScans;
import flexdp.ownership.OwnedTableExpansion;
import flexdp.ownership.ParentJoinElimination;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.PrivacyUnit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * A path's parent that the question joins by its key is read once, over one hop and over two, and
 * no row changes: neither where references lead nowhere, nor beside nobodies, left joins and rows
 * with a second owner.
 */
class ParentsOnceTest {
  private static final PrivacyUnit.Person PERSON = new PrivacyUnit.Person("person");

  private final Random random = new Random(20_261_116);
  private int fewer;
  private Trees trees;

  private static Map<String, Object> column(boolean key, String to) {
    Map<String, Object> column = new LinkedHashMap<>(Map.of("type", "integer"));
    column.put("unique", key);
    column.put("nullable", !key);
    if (to != null) {
      column.put("references", to);
    }
    return column;
  }

  private static Map<String, Object> table(Object owners, Object... namesAndColumns) {
    Map<String, Object> columns = new LinkedHashMap<>();
    for (int i = 0; i < namesAndColumns.length; i += 2) {
      columns.put((String) namesAndColumns[i], namesAndColumns[i + 1]);
    }
    return Map.of("columns", columns, "owners", owners);
  }

  /** Persons p own a, a's rows own b's, b's own c's; with clerks, c has a second owner. */
  private static Policy policy(boolean clerks) {
    Map<String, Object> tables = new LinkedHashMap<>();
    tables.put("p", table(Map.of("person", "o"), "o", column(true, null)));
    tables.put("w", table(Map.of("clerk", "s"), "s", column(true, null)));
    tables.put(
        "a", table(Map.of("person", "o"), "k", column(true, null), "o", column(false, null)));
    tables.put(
        "b", table(Map.of("person", "ak.o"), "k", column(true, null), "ak", column(false, "a.k")));
    tables.put(
        "c",
        table(
            clerks ? Map.of("person", "bk.ak.o", "clerk", "s") : Map.of("person", "bk.ak.o"),
            "bk",
            column(false, "b.k"),
            "s",
            column(false, null)));
    tables.put(
        "q",
        Map.of(
            "columns", Map.of("x", column(false, null), "y", column(false, null)), "public", true));
    return PolicyReader.read(
        Map.of(
            "people",
            Map.of(
                "person",
                Map.of("key", "p.o", "nobody", List.of(9)),
                "clerk",
                Map.of("key", "w.s")),
            "tables",
            tables));
  }

  private Object value(int most) {
    int value = random.nextInt(most + 2);
    return value == most ? null : value == most + 1 ? (Object) 9L : (Object) (long) value;
  }

  private Map<String, List<Object[]>> database() {
    Map<String, List<Object[]>> database = new LinkedHashMap<>();
    List.of("p", "w", "a", "b", "c", "q").forEach(name -> database.put(name, new ArrayList<>()));
    for (long id = 0; id < 3; id++) {
      database.get("p").add(new Object[] {id});
      database.get("w").add(new Object[] {id});
      database.get("a").add(new Object[] {id, value(3)});
      database.get("b").add(new Object[] {id, value(4)});
      database.get("c").add(new Object[] {value(4), value(3)});
      database.get("c").add(new Object[] {value(3), value(3)});
      database.get("q").add(new Object[] {value(3), value(3)});
    }
    return database;
  }

  private Relation scan(Policy policy, String name) {
    Relation scan = trees.scan(policy.table(name).orElseThrow());
    return random.nextInt(4) == 0
        ? new Relation.Filter(
            scan, Trees.call(Function.IS_NOT_NULL, scan.columns().getLast().ref()))
        : scan;
  }

  private Relation joined(Relation left, Relation right, Column one, Column two) {
    Expr met = random.nextBoolean() ? Trees.eq(one, two) : Trees.eq(two, one);
    return random.nextBoolean() ? Trees.join(left, right, met) : Trees.join(right, left, met);
  }

  private Relation tree(Policy policy) {
    Relation c = scan(policy, "c");
    Column bk = Trees.col(c, "bk");
    Relation rows = c;
    if (random.nextInt(4) == 0) {
      Relation q = trees.scan(policy.table("q").orElseThrow());
      rows = Trees.left(rows, q, Trees.eq(bk, Trees.col(q, "x")));
    }
    if (random.nextInt(4) == 0) {
      Relation again = scan(policy, "c");
      rows = joined(rows, again, bk, Trees.col(again, "bk"));
    }
    if (random.nextInt(4) > 0) {
      Relation b = scan(policy, "b");
      Column ak = Trees.col(b, "ak");
      Relation parents = b;
      if (random.nextInt(3) > 0) {
        Relation a = scan(policy, "a");
        parents = joined(parents, a, ak, Trees.col(a, "k"));
        if (random.nextInt(3) == 0) {
          Relation p = scan(policy, "p");
          parents = joined(parents, p, Trees.col(a, "o"), Trees.col(p, "o"));
        }
      }
      Column key = random.nextInt(8) == 0 ? ak : Trees.col(b, "k");
      rows = joined(rows, parents, bk, key);
    }
    if (random.nextInt(4) == 0) {
      rows = Trees.project(rows, rows.columns().getFirst(), rows.columns().getLast());
    }
    return rows;
  }

  private static int scans(Relation relation) {
    int[] count = {0};
    AlgebraWalker.visit(relation, r -> count[0] += r instanceof Relation.Scan ? 1 : 0);
    return count[0];
  }

  private void same(Relation read) {
    Relation once = ParentJoinElimination.of(read);
    assertEquals(read.columns(), once.columns());
    assertTrue(scans(once) <= scans(read), read::toString);
    fewer += scans(read) - scans(once);
    for (int i = 0; i < 4; i++) {
      Map<String, List<Object[]>> database = database();
      assertEquals(
          new Interpreter(database).rows(read).counted(),
          new Interpreter(database).rows(once).counted(),
          read::toString);
    }
  }

  @Test
  void whatOnePersonOwnsIsTheSame() {
    Policy policy = policy(false);
    for (int i = 0; i < 1_500; i++) {
      trees = new Trees();
      Relation tree = tree(policy);
      FreshColumns ids = new FreshColumns(List.of(tree), List.of());
      OwnedScans scans = new OwnedScans(PERSON, false, ids);
      Relation rewritten = new OwnedRelations(PERSON, scans, ids).rewritten(tree);
      same(new OwnedTableExpansion(policy, scans, ids).of(rewritten));
    }
    assertTrue(fewer > 1_500, fewer + " tables less");
  }

  /** A chain of joins from rows to their person names her once, whatever the order. */
  @Test
  void onePersonOfAChainIsOneOwner() {
    Policy policy = policy(true);
    for (boolean downwards : new boolean[] {false, true}) {
      trees = new Trees();
      Relation p = trees.scan(policy.table("p").orElseThrow());
      Relation a = trees.scan(policy.table("a").orElseThrow());
      Relation b = trees.scan(policy.table("b").orElseThrow());
      Relation c = trees.scan(policy.table("c").orElseThrow());
      Expr person = Trees.eq(Trees.col(a, "o"), Trees.col(p, "o"));
      Expr parent = Trees.eq(Trees.col(b, "ak"), Trees.col(a, "k"));
      Expr child = Trees.eq(Trees.col(c, "bk"), Trees.col(b, "k"));
      Relation chain =
          downwards
              ? Trees.join(Trees.join(Trees.join(p, a, person), b, parent), c, child)
              : Trees.join(Trees.join(Trees.join(c, b, child), a, parent), p, person);
      FreshColumns ids = new FreshColumns(List.of(chain), List.of());
      MultiOwnerRelation shown = new MultiOwnerRelations(policy, ids).of(chain);
      assertEquals(2, shown.owners().size(), shown::toString);
      same(shown.relation());
    }
  }

  @Test
  void whatSeveralOwnIsTheSame() {
    Policy policy = policy(true);
    for (int i = 0; i < 1_500; i++) {
      trees = new Trees();
      Relation tree = tree(policy);
      FreshColumns ids = new FreshColumns(List.of(tree), List.of());
      same(new MultiOwnerRelations(policy, ids).of(tree).relation());
    }
    assertTrue(fewer > 1_500, fewer + " tables less");
  }
}
