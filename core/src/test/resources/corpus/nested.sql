# Aggregates of aggregates.
policy corpus/rides

SELECT COUNT(*) FROM (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) s WHERE n > 10
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id FROM trips GROUP BY driver_id HAVING COUNT(*) >= 10) s
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id FROM trips GROUP BY driver_id HAVING COUNT(*) < 10) s
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id FROM trips GROUP BY driver_id HAVING AVG(fare) > 20) s
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id FROM trips GROUP BY driver_id) s
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT DISTINCT city_id FROM drivers) s
----
accepted, joins 0
COUNT count: 1

SELECT n, COUNT(*) FROM (SELECT rider_id, LEAST(COUNT(*), 5) AS n FROM trips GROUP BY rider_id) s GROUP BY n
----
accepted, joins 0
labels enumerated: n
COUNT count: 2

SELECT CASE WHEN n > 5 THEN 'many' ELSE 'few' END AS k, COUNT(*) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) s GROUP BY k
----
accepted, joins 0
labels enumerated: k
COUNT count: 2

SELECT SUM(LEAST(n, 50)) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) s
----
accepted, joins 0
SUM sum: 50

SELECT AVG(n) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) s
----
accepted, joins 2
COUNT: 1
COUNT: 1

SELECT AVG(LEAST(total, 1000)) FROM (SELECT rider_id, SUM(fare) AS total FROM trips GROUP BY rider_id) s
----
accepted, joins 0
AVG sum: 1000
AVG count: 1

SELECT COUNT(*) FROM (SELECT COUNT(*) AS n FROM trips) s WHERE n > 5
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT d.city_id, t.status, COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id GROUP BY d.city_id, t.status HAVING COUNT(*) > 3) s
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM (SELECT driver_id, MAX(fare) AS m FROM trips GROUP BY driver_id) s JOIN drivers d ON s.driver_id = d.id WHERE s.m > 100 AND d.active
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id, rider_id, COUNT(*) AS n FROM trips GROUP BY driver_id, rider_id) p JOIN drivers d ON p.driver_id = d.id WHERE n >= 2
----
accepted, joins 1
COUNT count: k + 65

WITH per_rider AS (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id), loyal AS (SELECT rider_id FROM per_rider WHERE n > 20) SELECT COUNT(*) FROM loyal l JOIN users u ON u.id = l.rider_id WHERE u.age < 30
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY ROLLUP(driver_id)) s WHERE n > 3
----
accepted, joins 0
COUNT count: 2

SELECT AVG(best) FROM (SELECT driver_id, MAX(rating) AS best FROM trips GROUP BY driver_id) s
----
accepted, joins 0
AVG sum: 4
AVG count: 1

SELECT COUNT(*) FROM (SELECT n, COUNT(*) AS m FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) a GROUP BY n) b WHERE m > 1
----
accepted, joins 0
COUNT count: 1

SELECT MAX(n) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) s
----
accepted, joins 0
MAX quantile max: 2

SELECT COUNT(*) FROM (SELECT rider_id FROM trips GROUP BY rider_id HAVING COUNT(DISTINCT city_id) > 2) s
----
accepted, joins 0
COUNT count: 1

SELECT SUM(CAST(s AS INTEGER)) FROM (SELECT rider_id, SUM(fare) AS s FROM trips GROUP BY rider_id) x
----
rejected MISSING_RANGE at 1:8

SELECT AVG(CAST(s AS DOUBLE)) FROM (SELECT rider_id, SUM(fare) AS s FROM trips GROUP BY rider_id) x
----
accepted, joins 2
SUM: 500
COUNT: 1
