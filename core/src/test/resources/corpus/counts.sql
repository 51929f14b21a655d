# Counting rows and values of one table.
policy corpus/rides

SELECT COUNT(*) FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) AS n FROM trips WHERE status = 'completed' AND fare > 20
----
accepted, joins 0
COUNT n: 1

SELECT COUNT(fare) FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(DISTINCT driver_id) FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(DISTINCT rider_id), COUNT(*) FROM trips WHERE day >= DATE '2024-06-01'
----
accepted, joins 0
COUNT count: 1
COUNT count: 1

SELECT COUNT(*) FILTER (WHERE status = 'cancelled') AS cancelled, COUNT(*) AS total FROM trips
----
accepted, joins 0
COUNT cancelled: 1
COUNT total: 1

SELECT SUM(CASE WHEN rating = 5 THEN 1 ELSE 0 END) FROM trips
----
accepted, joins 0
SUM sum: 1

SELECT COUNT(CASE WHEN promo IS NOT NULL THEN 1 END) FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM cities
----
accepted, joins 0

SELECT COUNT(*) FROM cities, trips
----
accepted, joins 1
COUNT count: 120

SELECT COUNT(*) FROM (SELECT * FROM trips WHERE rating < 3) low
----
accepted, joins 0
COUNT count: 1

WITH good AS (SELECT driver_id FROM trips WHERE rating = 5) SELECT COUNT(*) FROM good
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE day BETWEEN '2024-01-01' AND '2024-03-31' OR promo LIKE 'NEW%'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE NOT (status IN ('completed', 'cancelled')) AND promo IS NULL
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE requested_at >= CURRENT_DATE - INTERVAL '7 days'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips t WHERE t.fare / NULLIF(t.distance, 0) > 3
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE 1 = 0
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*), COUNT(*) FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(DISTINCT driver_id) FILTER (WHERE status = 'completed') FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(DISTINCT fare * 2) FROM trips
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(DISTINCT driver_id, rider_id) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT COUNT(*) FROM (VALUES (1), (2), (3)) v(x)
----
accepted, joins 0

SELECT COUNT(*) FROM trips WHERE CASE WHEN fare IS NULL THEN FALSE ELSE fare > 10 END
----
accepted, joins 0
COUNT count: 1

SELECT 1
----
accepted, joins 0

SELECT COUNT(*) FROM (SELECT DISTINCT driver_id, rider_id FROM trips) p
----
accepted, joins 0
COUNT count: 1

SELECT APPROX_COUNT_DISTINCT(driver_id) FROM trips
----
accepted, joins 0
COUNT approx_count_distinct: 1
