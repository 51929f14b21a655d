package flexdp.experiments.people;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The shapes of TPC-H as the experiments of R2T ask them, one number each. */
final class OwnedQuestions {
  private static final String OF_CUSTOMERS = "customer: l_orderkey.o_custkey";
  private static final Map<String, String> CUSTOMERS =
      Map.of(
          "customer",
          "customer: c_custkey",
          "orders",
          "customer: o_custkey",
          "lineitem",
          OF_CUSTOMERS);
  private static final Map<String, String> SUPPLIERS =
      Map.of(
          "supplier", "supplier: s_suppkey",
          "partsupp", "supplier: ps_suppkey",
          "lineitem", "supplier: l_suppkey");
  private static final Map<String, String> BOTH =
      Map.of(
          "customer", "customer: c_custkey",
          "orders", "customer: o_custkey",
          "supplier", "supplier: s_suppkey",
          "lineitem", OF_CUSTOMERS + ", supplier: l_suppkey");
  private static final Map<String, String> NAMES =
      Map.of("customer", "c_custkey", "supplier", "s_suppkey");
  private static final String CHAIN =
      " c_custkey = o_custkey AND o_orderkey = l_orderkey AND l_suppkey = s_suppkey";

  private OwnedQuestions() {}

  static List<OwnedQuestion> all() {
    return List.of(
        count(
            "Q3",
            Map.of("customer", "c_custkey"),
            CUSTOMERS,
            "customer, orders, lineitem WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey"
                + " AND o_orderdate < DATE '1995-03-15'",
            0.25,
            0.0058),
        count(
            "Q12",
            Map.of("purchase", "o_orderkey"),
            Map.of("orders", "purchase: o_orderkey", "lineitem", "purchase: l_orderkey"),
            "orders, lineitem WHERE o_orderkey = l_orderkey",
            0.023,
            0.00017),
        count(
            "Q20",
            Map.of("supplier", "s_suppkey"),
            SUPPLIERS,
            "supplier, nation, partsupp, lineitem WHERE l_partkey = ps_partkey"
                + " AND l_suppkey = ps_suppkey AND s_nationkey = n_nationkey"
                + " AND s_suppkey = ps_suppkey",
            0.58,
            0.022),
        sum(
            "Q11",
            Map.of("supplier", "s_suppkey"),
            SUPPLIERS,
            "nation, supplier, partsupp WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey",
            "ps_supplycost * ps_availqty",
            1e6,
            1.8,
            0.033),
        sum(
            "Q18",
            Map.of("customer", "c_custkey"),
            CUSTOMERS,
            "customer, orders, lineitem WHERE c_custkey = o_custkey AND o_orderkey = l_orderkey",
            "l_quantity",
            1,
            0.13,
            0.0049),
        count(
            "Q10",
            Map.of("customer", "c_custkey"),
            CUSTOMERS,
            "orders, customer, nation WHERE c_custkey = o_custkey AND c_nationkey = n_nationkey",
            0.17,
            0.0054),
        count(
            "Q5",
            NAMES,
            BOTH,
            "supplier, lineitem, orders, customer, nation, region WHERE"
                + CHAIN
                + " AND c_nationkey = n_nationkey AND n_nationkey = s_nationkey"
                + " AND r_regionkey = n_regionkey",
            1.6,
            0.27),
        count(
            "Q8",
            NAMES,
            BOTH,
            "supplier, lineitem, orders, customer, nation n1, nation n2, region WHERE"
                + CHAIN
                + " AND n1.n_nationkey = c_nationkey AND n2.n_nationkey = s_nationkey"
                + " AND n1.n_regionkey = r_regionkey AND o_orderdate >= DATE '1995-01-01'"
                + " AND o_orderdate <= DATE '1996-12-31'",
            1.9,
            0.027),
        count(
            "Q21",
            Map.of("purchase", "o_orderkey", "supplier", "s_suppkey"),
            Map.of(
                "orders", "purchase: o_orderkey",
                "supplier", "supplier: s_suppkey",
                "lineitem", "purchase: l_orderkey, supplier: l_suppkey"),
            "nation, supplier, lineitem, orders WHERE s_suppkey = l_suppkey"
                + " AND o_orderkey = l_orderkey AND s_nationkey = n_nationkey",
            0.65,
            0.033),
        sum(
            "Q7",
            NAMES,
            BOTH,
            "supplier, lineitem, orders, customer, nation n1, nation n2 WHERE"
                + CHAIN
                + " AND n1.n_nationkey = c_nationkey AND n2.n_nationkey = s_nationkey",
            "l_extendedprice * (1 - l_discount)",
            1e3,
            0.61,
            0.029));
  }

  private static OwnedQuestion count(
      String name,
      Map<String, String> owners,
      Map<String, String> tables,
      String from,
      double published,
      double design) {
    return new OwnedQuestion(
        name, owners, tables, from, Optional.empty(), 1, Optional.of(published), design);
  }

  private static OwnedQuestion sum(
      String name,
      Map<String, String> owners,
      Map<String, String> tables,
      String from,
      String weight,
      double unit,
      double published,
      double design) {
    return new OwnedQuestion(
        name, owners, tables, from, Optional.of(weight), unit, Optional.of(published), design);
  }
}
