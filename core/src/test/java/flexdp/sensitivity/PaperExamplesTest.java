package flexdp.sensitivity;

import static flexdp.sensitivity.Trees.col;
import static flexdp.sensitivity.Trees.eq;
import static flexdp.sensitivity.Trees.flexdp;
import static flexdp.sensitivity.Trees.join;
import static flexdp.sensitivity.Trees.metrics;
import static flexdp.sensitivity.Trees.paper;
import static flexdp.sensitivity.Trees.publicTable;
import static flexdp.sensitivity.Trees.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.metrics.Metrics;
import flexdp.policy.PrivacyUnit;
import flexdp.policy.Table;
import flexdp.smooth.SmoothBound;
import flexdp.smooth.Smoothing;
import java.math.BigInteger;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The numbers of docs/errata.md, worked out by hand from the paper's Figure. */
class PaperExamplesTest {
  private static final Metrics EDGES = metrics("edges.source", 65, "edges.dest", 65);

  static double paperBeta(double epsilon, double delta) {
    return epsilon / (2 * Math.log(2 / delta));
  }

  private static Relation triangle(Table edges) {
    Trees trees = new Trees();
    Relation e1 = trees.scan(edges);
    Relation e2 = trees.scan(edges);
    Relation e3 = trees.scan(edges);
    Relation two = join(e1, e2, eq(col(e1, "dest"), col(e2, "source")));
    Expr closing =
        Trees.call(
            Function.AND,
            eq(col(e2, "dest"), col(e3, "source")),
            eq(col(e3, "dest"), col(e1, "source")));
    return join(two, e3, closing);
  }

  @Test
  void trianglesByThePaper() {
    Bound bound = paper(triangle(table("edges", "source", "dest")), EDGES);
    assertEquals("3k² + 393k + 12871", bound.formula());
    assertEquals(BigInteger.valueOf(12871), bound.elastic(0));
    SmoothBound smooth = Smoothing.maximum(bound, paperBeta(0.7, 1e-8));
    assertEquals(16070.955587949742, smooth.value(), 1e-9);
    assertEquals(44, smooth.distance());
    SmoothBound loose = Smoothing.maximum(bound, paperBeta(0.7, 1e-7));
    assertEquals(14651.61, loose.value(), 0.005);
    assertEquals(31, loose.distance());
  }

  @Test
  void twoEdgesByThePaper() {
    Trees trees = new Trees();
    Table edges = table("edges", "source", "dest");
    Relation e1 = trees.scan(edges);
    Relation e2 = trees.scan(edges);
    Relation path = join(e1, e2, eq(col(e1, "dest"), col(e2, "source")));
    assertEquals("2k + 131", paper(path, EDGES).formula());
    assertEquals("4k + 262", paper(path, EDGES, col(e1, "source")).formula());
  }

  @Test
  void trianglesWithTheEdgeDeclaredUnique() {
    Table edges = Trees.unique(table("edges", "source", "dest"), "source", "dest");
    Bound bound = flexdp(triangle(edges), EDGES);
    for (long k : new long[] {0, 1, 5, 100}) {
      assertTrue(bound.elastic(k).longValueExact() <= 196 + 3 * k, bound.formula());
    }
  }

  @Test
  void selfJoinsHaveTheirClosedForm() {
    Table t = table("t", "a");
    for (int ways = 2; ways <= 6; ways++) {
      for (long m : new long[] {0, 1, 7}) {
        Trees trees = new Trees();
        Relation all = trees.scan(t);
        for (int i = 1; i < ways; i++) {
          Relation more = trees.scan(t);
          all = join(all, more, eq(all.columns().get(all.columns().size() - 1), col(more, "a")));
        }
        Bound bound = paper(all, metrics("t.a", m));
        for (long k : new long[] {0, 1, 9}) {
          BigInteger base = BigInteger.valueOf(m + k);
          assertEquals(
              base.add(BigInteger.ONE).pow(ways).subtract(base.pow(ways)), bound.elastic(k));
        }
      }
    }
  }

  @Test
  void aSearchThatStopsAtTheFirstDecreaseWouldBeWrong() {
    Trees trees = new Trees();
    Relation t1 = trees.scan(table("t1", "a"));
    Relation p = trees.scan(publicTable("p", "x", "y"));
    Relation t2 = trees.scan(table("t2", "b"));
    Relation all =
        join(join(t1, p, eq(col(t1, "a"), col(p, "x"))), t2, eq(col(p, "y"), col(t2, "b")));
    Metrics metrics = metrics("t1.a", 1, "p.x", 1, "p.y", 500, "t2.b", 1000);
    Bound bound = paper(all, metrics);
    assertEquals("max(500k + 500, k + 1000)", bound.formula());
    SmoothBound smooth = Smoothing.maximum(bound, paperBeta(1, 1e-8));
    assertEquals(7217.8, smooth.value(), 0.05);
    assertEquals(37, smooth.distance());
    assertEquals("max(500k_t1 + 500, k_t2 + 1000)", flexdp(all, metrics).formula());
  }

  @Test
  void emptyTablesAreNotWithoutSensitivity() {
    Trees trees = new Trees();
    Relation t = trees.scan(table("t", "a"));
    Relation u = trees.scan(table("u", "a"));
    Bound bound = flexdp(join(t, u, eq(col(t, "a"), col(u, "a"))), metrics("t.a", 0, "u.a", 0));
    assertEquals(BigInteger.ZERO, bound.elastic(0));
    SmoothBound smooth = Smoothing.maximum(bound, 0.1);
    assertEquals(10 * Math.exp(-1), smooth.value(), 1e-12);
    assertEquals(10, smooth.distance());
    assertEquals(BigInteger.TEN, bound.evaluate(Map.of(new PrivacyUnit.Row("t"), BigInteger.TEN)));
  }
}
