# Columns of different types meet: accepted where the conversion keeps all values apart.
policy corpus/rides

SELECT COUNT(*) FROM trips t JOIN analytics a ON t.driver_id = a.score AND t.city_id = 3 AND a.year > 2022
----
rejected JOIN_KEY_COMPUTED at 1:35

SELECT COUNT(*) FROM trips t JOIN analytics a ON t.driver_id IS NOT DISTINCT FROM a.score
----
rejected JOIN_KEY_COMPUTED at 1:35

SELECT COUNT(*) FROM trips t JOIN analytics a ON t.city_id IS NOT DISTINCT FROM a.driver_id
----
accepted, joins 1
COUNT count: max(k_trips + 9000, k_analytics + 30)

SELECT COUNT(*) FROM trips t WHERE t.driver_id IN (SELECT score FROM analytics)
----
rejected JOIN_KEY_COMPUTED at 1:36

SELECT COUNT(*) FROM trips t WHERE t.driver_id NOT IN (SELECT id FROM drivers)
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM (SELECT id AS z FROM trips UNION ALL SELECT CAST(-1 AS DOUBLE)) q JOIN analytics a ON q.z = a.score
----
rejected JOIN_KEY_COMPUTED at 1:93

SELECT COUNT(*) FROM (SELECT id AS z FROM trips UNION ALL SELECT city_id FROM drivers) q JOIN drivers d ON q.z = d.id
----
accepted, joins 1
COUNT count: k + 302

SELECT COUNT(*) FROM (SELECT city_id AS z FROM trips UNION ALL SELECT score FROM analytics) q JOIN analytics a ON q.z = a.score
----
rejected MISSING_METRIC at 1:100

SELECT COUNT(*) FROM (SELECT z, COUNT(*) OVER (PARTITION BY z) AS w FROM (SELECT id AS z FROM trips UNION ALL SELECT 0.5) q) r WHERE w > 1
----
rejected JOIN_KEY_COMPUTED

SELECT COUNT(*) FROM (SELECT z, COUNT(*) OVER (PARTITION BY z) AS w FROM (SELECT city_id AS z FROM trips UNION ALL SELECT 0.5) q) r WHERE w > 1
----
accepted, joins 0
COUNT count: k + 9002

SELECT COUNT(*) FROM trips t JOIN (VALUES (1), (1.0), (2.5)) v(z) ON t.fare = v.z
----
accepted, joins 1
COUNT count: 2

SELECT COUNT(*) FROM trips WHERE CAST(fare AS REAL) > 1
----
rejected TYPE_MISMATCH at 1:47

SELECT COUNT(*) FROM trips WHERE CAST(promo AS CHAR(3)) = 'abc'
----
rejected TYPE_MISMATCH at 1:48

SELECT COUNT(*) FROM trips WHERE CAST(promo AS VARCHAR(3)) = 'abc'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users a JOIN users b ON CAST(a.email AS VARCHAR(3)) = b.email
----
rejected JOIN_KEY_COMPUTED at 1:35
