package flexdp.bench;

import java.util.List;

/** What is asked about people on TPC-H: the shapes of the literature, and everyday ones. */
final class PeopleQuestions {
  private static final String CHAIN =
      " c_custkey = o_custkey AND o_orderkey = l_orderkey AND l_suppkey = s_suppkey";

  private PeopleQuestions() {}

  /** A question, and the tables' owners. */
  record Asked(String name, OwnedWorld world, String sql) {}

  /**
   * Questions with one aim.
   *
   * @param times how many times as long as the plain query each may take
   */
  record Group(String title, double times, List<Asked> questions) {}

  /** How many of the first have the shapes of the literature; the others read one table. */
  static final int SHAPES = 6;

  static final Group OWNED =
      new Group(
          "COUNT and SUM, one owner",
          6,
          List.of(
              new Asked(
                  "Q3",
                  OwnedWorld.CUSTOMERS,
                  "SELECT COUNT(*) FROM customer, orders, lineitem WHERE c_custkey = o_custkey"
                      + " AND l_orderkey = o_orderkey AND o_orderdate < DATE '1995-03-15'"),
              new Asked(
                  "Q12",
                  OwnedWorld.PURCHASES,
                  "SELECT COUNT(*) FROM orders, lineitem WHERE o_orderkey = l_orderkey"),
              new Asked(
                  "Q20",
                  OwnedWorld.SUPPLIERS,
                  "SELECT COUNT(*) FROM supplier, nation, partsupp, lineitem"
                      + " WHERE l_partkey = ps_partkey AND l_suppkey = ps_suppkey"
                      + " AND s_nationkey = n_nationkey AND s_suppkey = ps_suppkey"),
              new Asked(
                  "Q11",
                  OwnedWorld.SUPPLIERS,
                  "SELECT SUM(ps_supplycost * ps_availqty) FROM nation, supplier, partsupp"
                      + " WHERE ps_suppkey = s_suppkey AND s_nationkey = n_nationkey"),
              new Asked(
                  "Q18",
                  OwnedWorld.CUSTOMERS,
                  "SELECT SUM(l_quantity) FROM customer, orders, lineitem"
                      + " WHERE c_custkey = o_custkey AND o_orderkey = l_orderkey"),
              new Asked(
                  "Q10",
                  OwnedWorld.CUSTOMERS,
                  "SELECT COUNT(*) FROM orders, customer, nation WHERE c_custkey = o_custkey"
                      + " AND c_nationkey = n_nationkey"),
              new Asked(
                  "orders of a time",
                  OwnedWorld.CUSTOMERS,
                  "SELECT COUNT(*) FROM orders WHERE o_orderdate >= DATE '1995-01-01'"),
              new Asked(
                  "sum of orders",
                  OwnedWorld.CUSTOMERS,
                  "SELECT SUM(o_totalprice) FROM orders WHERE o_orderstatus = 'F'"),
              new Asked(
                  "lines of a time, by orders",
                  OwnedWorld.PURCHASES,
                  "SELECT COUNT(*) FROM lineitem WHERE l_shipdate <= DATE '1995-06-17'"),
              new Asked(
                  "sum of lines, over a path",
                  OwnedWorld.CUSTOMERS,
                  "SELECT SUM(l_extendedprice * (1 - l_discount)) FROM lineitem"
                      + " WHERE l_shipdate <= DATE '1998-09-02'")));

  static final Group HISTOGRAMS =
      new Group(
          "Histograms",
          4,
          List.of(
              new Asked(
                  "orders by priority",
                  OwnedWorld.CUSTOMERS,
                  "SELECT o_orderpriority, COUNT(*) FROM orders GROUP BY o_orderpriority"),
              new Asked(
                  "lines by mode, over a path",
                  OwnedWorld.CUSTOMERS,
                  "SELECT l_shipmode, COUNT(*) FROM lineitem GROUP BY l_shipmode"),
              new Asked(
                  "lines by mode, by suppliers",
                  OwnedWorld.SUPPLIERS,
                  "SELECT l_shipmode, COUNT(*) FROM lineitem GROUP BY l_shipmode"),
              new Asked(
                  "sums by flag and status",
                  OwnedWorld.SUPPLIERS,
                  "SELECT l_returnflag, l_linestatus, SUM(l_quantity) FROM lineitem"
                      + " GROUP BY l_returnflag, l_linestatus"),
              new Asked(
                  "orders and lines by segment",
                  OwnedWorld.CUSTOMERS,
                  "SELECT c_mktsegment, COUNT(*) FROM customer, orders, lineitem"
                      + " WHERE c_custkey = o_custkey AND l_orderkey = o_orderkey"
                      + " GROUP BY c_mktsegment"),
              new Asked(
                  "orders by year",
                  OwnedWorld.CUSTOMERS,
                  "SELECT EXTRACT(YEAR FROM o_orderdate), COUNT(*) FROM orders GROUP BY 1")));

  static final Group TRUNCATED =
      new Group(
          "Rows of several people mixed: truncated",
          8,
          List.of(
              new Asked(
                  "lines with what suppliers offer",
                  OwnedWorld.CUT,
                  "SELECT COUNT(*) FROM lineitem JOIN partsupp ON l_partkey = ps_partkey"),
              new Asked(
                  "orders of a day",
                  OwnedWorld.CUT,
                  "SELECT COUNT(*) FROM orders a JOIN orders b ON a.o_orderdate = b.o_orderdate"
                      + " WHERE a.o_totalprice > 400000"),
              new Asked(
                  "orders by what is offered",
                  OwnedWorld.CUT,
                  "SELECT COUNT(*) FROM orders JOIN lineitem ON o_orderkey = l_orderkey"
                      + " JOIN partsupp ON l_partkey = ps_partkey"
                      + " WHERE o_orderdate >= DATE '1997-01-01'")));

  static final Group TWO_KINDS =
      new Group(
          "Two kinds",
          5,
          List.of(
              new Asked(
                  "Q5",
                  OwnedWorld.TRADE,
                  "SELECT COUNT(*) FROM supplier, lineitem, orders, customer, nation, region WHERE"
                      + CHAIN
                      + " AND c_nationkey = n_nationkey AND n_nationkey = s_nationkey"
                      + " AND r_regionkey = n_regionkey"),
              new Asked(
                  "Q8",
                  OwnedWorld.TRADE,
                  "SELECT COUNT(*) FROM supplier, lineitem, orders, customer, nation n1, nation n2,"
                      + " region WHERE"
                      + CHAIN
                      + " AND n1.n_nationkey = c_nationkey AND n2.n_nationkey = s_nationkey"
                      + " AND n1.n_regionkey = r_regionkey AND o_orderdate >= DATE '1995-01-01'"
                      + " AND o_orderdate <= DATE '1996-12-31'"),
              new Asked(
                  "Q21",
                  OwnedWorld.DELIVERIES,
                  "SELECT COUNT(*) FROM nation, supplier, lineitem, orders"
                      + " WHERE s_suppkey = l_suppkey AND o_orderkey = l_orderkey"
                      + " AND s_nationkey = n_nationkey"),
              new Asked(
                  "Q7",
                  OwnedWorld.TRADE,
                  "SELECT SUM(l_extendedprice * (1 - l_discount)) FROM supplier, lineitem, orders,"
                      + " customer, nation n1, nation n2 WHERE"
                      + CHAIN
                      + " AND n1.n_nationkey = c_nationkey AND n2.n_nationkey = s_nationkey")));

  static final List<Group> ALL = List.of(OWNED, HISTOGRAMS, TRUNCATED, TWO_KINDS);
}
