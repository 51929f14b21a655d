package flexdp.experiments.tpch;

import flexdp.query.Bins;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The five counting queries of the paper's table, with the validation parameters of TPC-H. */
final class Histograms {
  private Histograms() {}

  /**
   * One of them.
   *
   * @param sql counts only: where the original has other aggregates beside the count they are gone,
   *     since the paper measures counts
   * @param labels what the analyst supplies when neither a domain nor a public table lists them
   * @param bins a query on public tables that says how many numbers the answer has
   * @param released the columns whose max frequency the owner releases for it
   */
  record Histogram(
      String name, String sql, Optional<Bins> labels, String bins, List<String> released) {}

  static List<Histogram> all(double scale) {
    return List.of(
        new Histogram("Q1", Q1, Optional.empty(), "SELECT 6", List.of()),
        new Histogram("Q4", Q4, Optional.empty(), "SELECT 5", List.of()),
        new Histogram("Q13", Q13, Optional.of(orderCounts()), "SELECT 61", List.of()),
        new Histogram("Q16", Q16, Optional.empty(), Q16_BINS, List.of("partsupp.ps_suppkey")),
        new Histogram(
            "Q21",
            Q21,
            Optional.of(suppliers((int) (10_000 * scale))),
            "SELECT " + Math.max(1, (int) (10_000 * scale)),
            List.of("lineitem.l_suppkey", "lineitem.l_orderkey")));
  }

  /** How many orders a customer may have: an analyst would ask for 0 to 60. */
  private static Bins orderCounts() {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 0; i <= 60; i++) {
      rows.add(List.of(i));
    }
    return new Bins(List.of("c_count"), rows);
  }

  /** Suppliers are numbered, so an analyst can name them all. */
  private static Bins suppliers(int count) {
    List<List<Object>> rows = new ArrayList<>();
    for (int i = 1; i <= Math.max(1, count); i++) {
      rows.add(List.of(String.format(Locale.ROOT, "Supplier#%09d", i)));
    }
    return new Bins(List.of("s_name"), rows);
  }

  private static final String Q1 =
      """
      SELECT l_returnflag, l_linestatus, COUNT(*) AS count_order
      FROM lineitem
      WHERE l_shipdate <= DATE '1998-12-01' - INTERVAL '90' DAY
      GROUP BY l_returnflag, l_linestatus\
      """;

  private static final String Q4 =
      """
      SELECT o_orderpriority, COUNT(*) AS order_count
      FROM orders
      WHERE o_orderdate >= DATE '1993-07-01'
        AND o_orderdate < DATE '1993-07-01' + INTERVAL '3' MONTH
        AND EXISTS (SELECT * FROM lineitem
          WHERE l_orderkey = o_orderkey AND l_commitdate < l_receiptdate)
      GROUP BY o_orderpriority\
      """;

  private static final String Q13 =
      """
      SELECT c_count, COUNT(*) AS custdist
      FROM (SELECT c_custkey, COUNT(o_orderkey)
        FROM customer LEFT OUTER JOIN orders
          ON c_custkey = o_custkey AND o_comment NOT LIKE '%special%requests%'
        GROUP BY c_custkey) AS c_orders (c_custkey, c_count)
      GROUP BY c_count\
      """;

  private static final String Q16 =
      """
      SELECT p_brand, p_type, p_size, COUNT(DISTINCT ps_suppkey) AS supplier_cnt
      FROM partsupp, part
      WHERE p_partkey = ps_partkey
        AND p_brand <> 'Brand#45'
        AND p_type NOT LIKE 'MEDIUM POLISHED%'
        AND p_size IN (49, 14, 23, 45, 19, 3, 36, 9)
        AND ps_suppkey NOT IN (
          SELECT s_suppkey FROM supplier WHERE s_comment LIKE '%Customer%Complaints%')
      GROUP BY p_brand, p_type, p_size\
      """;

  /** Part is public, and so is which of its labels the filters leave. */
  private static final String Q16_BINS =
      """
      SELECT COUNT(*) FROM (SELECT DISTINCT p_brand, p_type, p_size FROM part
        WHERE p_brand <> 'Brand#45' AND p_type NOT LIKE 'MEDIUM POLISHED%'
          AND p_size IN (49, 14, 23, 45, 19, 3, 36, 9))\
      """;

  private static final String Q21 =
      """
      SELECT s_name, COUNT(*) AS numwait
      FROM supplier, lineitem l1, orders, nation
      WHERE s_suppkey = l1.l_suppkey
        AND o_orderkey = l1.l_orderkey
        AND o_orderstatus = 'F'
        AND l1.l_receiptdate > l1.l_commitdate
        AND EXISTS (SELECT * FROM lineitem l2
          WHERE l2.l_orderkey = l1.l_orderkey AND l2.l_suppkey <> l1.l_suppkey)
        AND NOT EXISTS (SELECT * FROM lineitem l3
          WHERE l3.l_orderkey = l1.l_orderkey AND l3.l_suppkey <> l1.l_suppkey
            AND l3.l_receiptdate > l3.l_commitdate)
        AND s_nationkey = n_nationkey
        AND n_name = 'SAUDI ARABIA'
      GROUP BY s_name\
      """;
}
