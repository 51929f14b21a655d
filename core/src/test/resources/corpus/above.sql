# What may stand above a noisy aggregate.
policy corpus/rides

SELECT COUNT(*) * 2 + 1 AS x FROM trips
----
accepted, joins 0
COUNT: 1

SELECT status, COUNT(*) AS n FROM trips GROUP BY status HAVING COUNT(*) > 100 ORDER BY n DESC LIMIT 2
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status FROM trips GROUP BY status ORDER BY COUNT(*) DESC LIMIT 1
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT status, ROUND(100.0 * COUNT(*) / 3, 1) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT COUNT(*) > 1000 AS many FROM trips
----
accepted, joins 0
COUNT: 1

SELECT CASE WHEN COUNT(*) > 10 THEN 'ok' ELSE 'few' END FROM trips
----
accepted, joins 0
COUNT: 1

SELECT a.n, b.n FROM (SELECT COUNT(*) AS n FROM trips) a, (SELECT COUNT(*) AS n FROM drivers) b
----
accepted, joins 1
COUNT n: 1
COUNT n: 1

SELECT s.status, s.n, t.n FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) s CROSS JOIN (SELECT COUNT(*) AS n FROM trips) t
----
accepted, joins 1
labels enumerated: status
COUNT n: 1
COUNT n: 1

SELECT c.name, x.n FROM cities c JOIN (SELECT city_id, COUNT(*) AS n FROM drivers GROUP BY city_id) x ON x.city_id = c.id
----
accepted, joins 1
labels enumerated: city_id
COUNT n: 1

SELECT d.name, x.n FROM drivers d JOIN (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) x ON x.driver_id = d.id
----
rejected PROTECTED_ABOVE_RELEASE at 1:25

SELECT (SELECT COUNT(*) FROM trips) AS t, (SELECT COUNT(*) FROM drivers) AS d
----
accepted, joins 2
COUNT t: 1
COUNT d: 1

SELECT COUNT(*), MAX(requested_at) - MIN(requested_at) FROM trips
----
rejected MISSING_RANGE at 1:18

SELECT UPPER(status), COUNT(*) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT status || '!' AS s, COUNT(*) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT DISTINCT COUNT(*) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT *, n * 2 FROM (SELECT COUNT(*) AS n FROM trips) x
----
accepted, joins 0
COUNT n: 1

SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2 DESC OFFSET 1 ROWS FETCH NEXT 1 ROW ONLY
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT COUNT(*) / COUNT(DISTINCT driver_id) AS per_driver FROM trips
----
accepted, joins 0
COUNT: 1
COUNT: 1

SELECT COUNT(*) FROM trips HAVING COUNT(*) > 10
----
accepted, joins 0
COUNT count: 1

SELECT SQRT(COUNT(*)), LN(COUNT(*)) FROM trips
----
accepted, joins 0
COUNT: 1

SELECT COUNT(*) FROM trips ORDER BY fare
----
rejected INVALID_GROUPING at 1:1

SELECT status, COUNT(*) FROM trips GROUP BY status HAVING fare > 10
----
rejected INVALID_GROUPING at 1:1

SELECT c.country, SUM(c.population), COUNT(*) FROM cities c GROUP BY c.country
----
accepted, joins 0

SELECT status, COUNT(*) FROM trips GROUP BY status HAVING status IN ('completed', 'cancelled')
----
accepted, joins 0
labels enumerated: status
COUNT count: 1
