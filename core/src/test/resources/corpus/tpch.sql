# Shorter questions over the TPC-H schema; its own queries stand in ../tpch.
policy tpch/tpch

SELECT COUNT(*) FROM customer JOIN orders ON c_custkey = o_custkey
----
accepted, joins 1
COUNT count: k + 41

SELECT COUNT(DISTINCT c_custkey) FROM customer JOIN orders ON c_custkey = o_custkey
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM customer, orders, lineitem WHERE c_custkey = o_custkey AND o_orderkey = l_orderkey
----
accepted, joins 2
COUNT count: (k_orders + 41)·(k_lineitem + 7)

SELECT n_name, COUNT(*) FROM customer JOIN nation ON c_nationkey = n_nationkey GROUP BY n_name
----
accepted, joins 1
labels enumerated: n_name
COUNT count: 1

SELECT r_name, SUM(o_totalprice) FROM orders JOIN customer ON o_custkey = c_custkey JOIN nation ON c_nationkey = n_nationkey JOIN region ON n_regionkey = r_regionkey GROUP BY r_name
----
accepted, joins 3
labels enumerated: r_name
SUM sum: 600000k + 24600000

SELECT COUNT(*) FROM partsupp ps JOIN lineitem l ON ps.ps_partkey = l.l_partkey AND ps.ps_suppkey = l.l_suppkey
----
accepted, joins 1
COUNT count: k + 24

SELECT COUNT(*) FROM customer c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.o_custkey = c.c_custkey AND o.o_orderstatus = 'O')
----
accepted, joins 1
COUNT count: 1

SELECT o_orderpriority, AVG(o_totalprice) FROM orders WHERE o_orderdate < DATE '1995-01-01' GROUP BY o_orderpriority
----
accepted, joins 0
labels enumerated: o_orderpriority
AVG sum: 300000
AVG count: 1

SELECT COUNT(*) FROM (SELECT l_orderkey FROM lineitem GROUP BY l_orderkey HAVING SUM(l_quantity) > 300) big
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM part WHERE p_partkey NOT IN (SELECT ps_partkey FROM partsupp)
----
accepted, joins 1
COUNT count: 1

SELECT l_shipmode, COUNT(*) FILTER (WHERE l_returnflag = 'R') FROM lineitem GROUP BY l_shipmode
----
accepted, joins 0
labels enumerated: l_shipmode
COUNT count: 1

SELECT COUNT(*) FROM lineitem l1 JOIN lineitem l2 ON l1.l_orderkey = l2.l_orderkey AND l1.l_linenumber <> l2.l_linenumber
----
accepted, joins 1
COUNT count: 2k + 15

SELECT o_orderkey, o_totalprice FROM orders ORDER BY o_totalprice DESC LIMIT 10
----
rejected RAW_ROWS at 1:38

SELECT COUNT(*) FROM customer, supplier
----
rejected CROSS_JOIN at 1:32

SELECT COUNT(*) FROM orders o JOIN lineitem l ON o.o_orderdate < l.l_shipdate
----
rejected JOIN_NOT_EQUI at 1:36

SELECT COUNT(*) FROM lineitem WHERE l_quantity > (SELECT AVG(l_quantity) FROM lineitem)
----
rejected SUBQUERY_UNCORRELATED at 1:50

SELECT COUNT(*) FROM orders WHERE o_clerk = o_custkey
----
rejected TYPE_MISMATCH at 1:35

SELECT COUNT(*) FROM orders WHERE o_total > 10
----
rejected UNKNOWN_COLUMN at 1:35
