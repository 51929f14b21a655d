# Operands of the wrong type, and values that could raise.
policy corpus/rides

SELECT COUNT(*) FROM trips WHERE status > 5
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE fare
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE status AND TRUE
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE fare + status > 1
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE LOWER(fare) = 'x'
----
rejected TYPE_MISMATCH at 1:40

SELECT COUNT(*) FROM trips WHERE CASE WHEN fare > 1 THEN 'a' ELSE 2 END = 'a'
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE CAST(status AS INTEGER) = 1
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE day + 1 > DATE '2024-01-01'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE day - DATE '2024-01-01' > 3
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE fare / 0 > 1
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE SQRT(tip) > 1 AND LN(fare) > 0
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE status IN (1, 2)
----
rejected TYPE_MISMATCH at 1:45

SELECT COUNT(*) FROM trips WHERE fare IN (SELECT name FROM cities)
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE EXTRACT(MONTH FROM fare) = 1
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE status LIKE promo
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE status = NULL
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE NULL
----
accepted, joins 0
COUNT count: 1

SELECT AVG(status) FROM trips
----
rejected TYPE_MISMATCH at 1:12

SELECT COUNT(*) FROM trips WHERE day > 'not a date'
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE CAST(fare AS BLOB) IS NULL
----
rejected TYPE_MISMATCH at 1:47

SELECT COUNT(*) FROM trips WHERE fare > DATE '2024-01-01'
----
rejected TYPE_MISMATCH at 1:34
