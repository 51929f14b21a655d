package flexdp.sensitivity;

import static flexdp.sensitivity.Trees.col;
import static flexdp.sensitivity.Trees.eq;
import static flexdp.sensitivity.Trees.flexdp;
import static flexdp.sensitivity.Trees.join;
import static flexdp.sensitivity.Trees.metrics;
import static flexdp.sensitivity.Trees.table;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.metrics.Metrics;
import flexdp.policy.Neighbors;
import flexdp.policy.Table;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Bounds of whole questions that were worked out by hand. */
class ShapesTest {
  private static final Table CUSTOMER = table("customer", "custkey!", "nation");
  private static final Table ORDERS = table("orders", "orderkey!", "custkey");
  private static final Metrics TPCH =
      metrics("customer.custkey", 1, "orders.custkey", 41, "orders.orderkey", 1);

  @Test
  void ordersPerCustomerIsConstant() {
    Trees trees = new Trees();
    Relation customer = trees.scan(CUSTOMER);
    Relation orders = trees.scan(ORDERS);
    Relation all =
        Trees.left(customer, orders, eq(col(customer, "custkey"), col(orders, "custkey")));
    Relation.Aggregate perCustomer = trees.counted(all, col(customer, "custkey"));
    Bound bound = flexdp(perCustomer, TPCH, perCustomer.visible().get(0));
    assertEquals("2", bound.formula());
    assertEquals(Optional.of(BigInteger.TWO), bound.ceiling());
  }

  @Test
  void distinctCustomersAreTouchedOnce() {
    Trees trees = new Trees();
    Relation customer = trees.scan(CUSTOMER);
    Relation orders = trees.scan(ORDERS);
    Relation all = join(customer, orders, eq(col(customer, "custkey"), col(orders, "custkey")));
    Bound bound =
        Trees.bound(
            all,
            Trees.countDistinct(col(customer, "custkey").ref()),
            TPCH,
            Neighbors.ADD_REMOVE_ONE,
            RuleSet.FLEXDP);
    assertEquals("1", bound.formula());
  }

  @Test
  void aMissingMetricIsNamed() {
    Trees trees = new Trees();
    Relation customer = trees.scan(CUSTOMER);
    Relation orders = trees.scan(ORDERS);
    Relation all = join(customer, orders, eq(col(customer, "nation"), col(orders, "custkey")));
    Rejection rejection =
        assertThrows(Rejection.class, () -> flexdp(all, metrics("orders.custkey", 41)));
    assertEquals(RejectionCode.MISSING_METRIC, rejection.code());
    assertTrue(rejection.getMessage().contains("customer.nation"), rejection.getMessage());
    assertEquals(Optional.of(Trees.AT), rejection.at());
  }

  @Test
  void aCrossJoinOfProtectedTablesIsRejected() {
    Trees trees = new Trees();
    Relation all = join(trees.scan(CUSTOMER), trees.scan(ORDERS), Expr.Literal.TRUE);
    Rejection rejection = assertThrows(Rejection.class, () -> flexdp(all, TPCH));
    assertEquals(RejectionCode.CROSS_JOIN, rejection.code());
  }

  @Test
  void analystsSeeSymbolsAndNoNumbers() {
    Trees trees = new Trees();
    Relation customer = trees.scan(CUSTOMER);
    Relation orders = trees.scan(ORDERS);
    Relation all =
        Trees.left(customer, orders, eq(col(customer, "nation"), col(orders, "custkey")));
    Metrics metrics = metrics("customer.nation", 7919, "orders.custkey", 6007);
    String formula =
        Sensitivity.symbolic(
                Trees.point(all, Trees.count()),
                Trees.count(),
                metrics,
                Neighbors.ADD_REMOVE_ONE,
                RuleSet.FLEXDP,
                new AppliedRules())
            .symbolicFormula();
    assertTrue(formula.contains("mf(customer.nation)"), formula);
    assertTrue(formula.contains("mf(orders.custkey)"), formula);
    assertTrue(!formula.contains("7919") && !formula.contains("6007"), formula);
  }

  @Test
  void releasedMetricsGiveAConstantAndMissingOnesAreNamed() {
    Trees trees = new Trees();
    Relation customer = trees.scan(CUSTOMER);
    Relation orders = trees.scan(ORDERS);
    Relation all = join(customer, orders, eq(col(customer, "custkey"), col(orders, "custkey")));
    NoisyAggregate point = Trees.point(all, Trees.count());
    Metrics released =
        new Metrics(
            Map.of(),
            Map.of(
                "orders",
                new Metrics.Release(
                    metrics("orders.custkey", 55).table("orders"),
                    BigDecimal.ONE,
                    BigDecimal.ZERO)));
    Bound bound = released(point, released);
    assertEquals("55", bound.formula());
    Rejection rejection = assertThrows(Rejection.class, () -> released(point, TPCH));
    assertEquals(RejectionCode.MISSING_METRIC, rejection.code());
    assertTrue(rejection.getMessage().contains("orders.custkey"), rejection.getMessage());
  }

  private static Bound released(NoisyAggregate point, Metrics metrics) {
    return Sensitivity.released(
        point, point.measurements().get(0), metrics, Neighbors.ADD_REMOVE_ONE, RuleSet.FLEXDP);
  }
}
