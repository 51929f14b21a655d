# Window functions, ROW_NUMBER truncation, nested LIMIT.
policy corpus/rides

SELECT COUNT(*) FROM (SELECT t.*, ROW_NUMBER() OVER (PARTITION BY driver_id ORDER BY id) AS rn FROM trips t) x WHERE rn <= 3
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT fare, ROW_NUMBER() OVER (PARTITION BY driver_id ORDER BY id) AS rn FROM trips QUALIFY rn = 1) x WHERE fare > 10
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT t.*, ROW_NUMBER() OVER (PARTITION BY driver_id ORDER BY day) AS rn FROM trips t) x WHERE rn <= 3
----
rejected ORDER_NOT_TOTAL at 1:35

SELECT COUNT(*) FROM (SELECT t.*, ROW_NUMBER() OVER (ORDER BY id) AS rn FROM trips t) x WHERE rn > 3
----
accepted, joins 0
COUNT count: k + 100001

SELECT COUNT(*) FROM (SELECT COUNT(*) OVER (PARTITION BY driver_id) AS n FROM trips) x WHERE n > 10
----
accepted, joins 0
COUNT count: k + 66

SELECT COUNT(*) FROM (SELECT fare, AVG(fare) OVER (PARTITION BY driver_id) AS a FROM trips) x WHERE fare > a
----
accepted, joins 0
COUNT count: k + 66

SELECT COUNT(*) FROM (SELECT RANK() OVER (PARTITION BY driver_id ORDER BY fare DESC) AS r FROM trips) x WHERE r = 1
----
accepted, joins 0
COUNT count: k + 66

SELECT COUNT(*) FROM (SELECT fare, LAG(fare) OVER (PARTITION BY rider_id ORDER BY id) AS before FROM trips) x WHERE fare > before
----
accepted, joins 0
COUNT count: k + 41

SELECT COUNT(*) FROM (SELECT COUNT(*) OVER () AS n FROM trips) x WHERE n > 10
----
accepted, joins 0
COUNT count: k + 100001

SELECT COUNT(*) FROM (SELECT COUNT(*) OVER (PARTITION BY passengers) AS n FROM trips) x WHERE n > 10
----
accepted, joins 0
COUNT count: k + 100001

SELECT status, COUNT(*), RANK() OVER (ORDER BY COUNT(*) DESC) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT id, ROW_NUMBER() OVER (ORDER BY id) FROM trips
----
rejected RAW_ROWS at 1:12

SELECT COUNT(*) FROM (SELECT * FROM trips ORDER BY id LIMIT 100) x WHERE fare > 10
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT * FROM trips ORDER BY fare LIMIT 100) x WHERE fare > 10
----
rejected ORDER_NOT_TOTAL at 1:23

SELECT COUNT(*) FROM (SELECT * FROM trips LIMIT 100) x
----
rejected ORDER_NOT_TOTAL at 1:23

SELECT COUNT(*) FROM (SELECT * FROM trips ORDER BY driver_id, requested_at LIMIT 100) x
----
rejected ORDER_NOT_TOTAL at 1:23

SELECT COUNT(*) FROM (SELECT * FROM trips ORDER BY id LIMIT 100 OFFSET 20) x
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT SUM(fare) OVER (PARTITION BY driver_id ORDER BY id ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS s FROM trips) x WHERE s > 50
----
rejected WINDOW_UNSUPPORTED at 1:30

SELECT COUNT(*) FROM (SELECT FIRST_VALUE(status) OVER w AS s FROM trips WINDOW w AS (PARTITION BY driver_id ORDER BY id)) x WHERE s = 'completed'
----
accepted, joins 0
COUNT count: k + 66

SELECT COUNT(*) FROM (SELECT TOP 10 * FROM users ORDER BY id) x WHERE age > 20
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE ROW_NUMBER() OVER (ORDER BY id) = 1
----
rejected WINDOW_UNSUPPORTED at 1:34

SELECT COUNT(*) FROM (SELECT NTILE(4) OVER (ORDER BY id) AS q FROM users) x WHERE q = 1
----
accepted, joins 0
COUNT count: k + 5001
