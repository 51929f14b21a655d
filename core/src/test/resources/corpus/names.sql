# Unknown names, functions and columns.
policy corpus/rides

SELECT COUNT(*) FROM trips WHERE statu = 'completed'
----
rejected UNKNOWN_COLUMN at 1:34

SELECT COUNT(*) FROM trips t WHERE x.fare > 1
----
rejected UNKNOWN_TABLE at 1:36

SELECT COUNT(*) FROM trips t WHERE trips.fare > 1
----
rejected UNKNOWN_TABLE at 1:36

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id WHERE city_id = 1
----
rejected AMBIGUOUS_COLUMN at 1:73

SELECT COUNT(*) FROM trips WHERE frobnicate(fare) > 1
----
rejected UNKNOWN_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE RANDOM() < 0.5
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE pg_sleep(10) IS NULL
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(*) FROM read_csv('/etc/passwd')
----
rejected UNSUPPORTED at 1:22

SELECT COUNT(*) FROM "Trips"
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE nosuch.column.name = 1
----
rejected UNKNOWN_TABLE at 1:34

SELECT COUNT(*) FROM trips GROUP BY 3
----
rejected INVALID_GROUPING at 1:37

SELECT COUNT(*) FROM trips ORDER BY 2
----
rejected INVALID_GROUPING at 1:37

SELECT nonsense FROM (SELECT COUNT(*) AS n FROM trips) x
----
rejected UNKNOWN_COLUMN at 1:8

WITH x AS (SELECT 1 AS a) SELECT COUNT(*) FROM y
----
rejected UNKNOWN_TABLE at 1:48

WITH x AS (SELECT 1), x AS (SELECT 2) SELECT COUNT(*) FROM x
----
accepted, joins 0

WITH RECURSIVE x AS (SELECT id FROM drivers UNION ALL SELECT d.id FROM drivers d JOIN x ON d.mentor_id = x.id) SELECT COUNT(*) FROM x
----
rejected RECURSIVE at 1:87

WITH trips AS (SELECT * FROM drivers) SELECT COUNT(*) FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips JOIN drivers USING (rider_id)
----
rejected UNKNOWN_COLUMN at 1:41

SELECT COUNT(*) FROM (SELECT id, id FROM trips) x WHERE id = 1
----
rejected AMBIGUOUS_COLUMN at 1:57

SELECT UUID() , COUNT(*) FROM trips
----
rejected VOLATILE_FUNCTION at 1:8

SELECT COUNT(*) FROM trips WHERE setseed(0.5) IS NULL
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(fare, tip) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT SUM(*) FROM trips
----
rejected SYNTAX at 1:12

SELECT SUM(COUNT(*)) FROM trips
----
rejected INVALID_GROUPING at 1:12

SELECT COUNT(*) FROM trips WHERE COUNT(*) > 1
----
rejected INVALID_GROUPING at 1:34

SELECT COUNT(*) FROM trips WHERE SUBSTRING(promo) = 'x'
----
rejected SYNTAX at 1:49
