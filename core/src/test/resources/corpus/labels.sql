# GROUP BY: where the labels come from.
policy corpus/rides

SELECT status, COUNT(*) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT status, COUNT(*) AS n FROM trips GROUP BY 1 ORDER BY n DESC
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT tag, COUNT(*) FROM user_tags WHERE tag <> 'blocked' GROUP BY tag
----
accepted, joins 0
labels enumerated: tag
COUNT count: 1

SELECT c.name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.name
----
accepted, joins 1
labels enumerated: name
COUNT count: 1

SELECT c.country, c.name, COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.country, c.name
----
accepted, joins 1
labels enumerated: country, name
COUNT count: 1

SELECT city_id, COUNT(*) FROM trips GROUP BY city_id
----
accepted, joins 0
labels enumerated: city_id
COUNT count: 1

SELECT driver_id, COUNT(*) FROM trips GROUP BY driver_id
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT promo, COUNT(*) FROM trips GROUP BY promo
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT promo, COUNT(*) FROM trips WHERE promo IN ('NEW10', 'FRIEND') GROUP BY promo
----
accepted, joins 0
labels enumerated: promo
COUNT count: 1

SELECT fare > 100 AS expensive, COUNT(*) FROM trips GROUP BY fare > 100
----
accepted, joins 0
labels enumerated: expensive
COUNT count: 1

SELECT CASE WHEN age < 18 THEN 'minor' WHEN age < 65 THEN 'adult' ELSE 'senior' END AS who, COUNT(*) FROM users GROUP BY who
----
accepted, joins 0
labels enumerated: who
COUNT count: 1

SELECT EXTRACT(MONTH FROM day) AS m, COUNT(*) FROM trips GROUP BY m
----
accepted, joins 0
labels enumerated: m
COUNT count: 1

SELECT date_trunc('month', day) AS month, COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: month
COUNT count: 1

SELECT day, COUNT(*) FROM trips WHERE day BETWEEN DATE '2024-02-01' AND DATE '2024-02-29' GROUP BY day
----
accepted, joins 0
labels enumerated: day
COUNT count: 1

SELECT date_trunc('month', requested_at) AS month, COUNT(*) FROM trips GROUP BY 1
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT CAST(requested_at AS DATE) AS d, COUNT(*) FROM trips WHERE requested_at >= TIMESTAMP '2024-05-01 00:00:00' AND requested_at < TIMESTAMP '2024-05-08 00:00:00' GROUP BY CAST(requested_at AS DATE)
----
accepted, joins 0
labels enumerated: d
COUNT count: 1

SELECT EXTRACT(HOUR FROM requested_at) AS h, COUNT(*) FROM trips GROUP BY EXTRACT(HOUR FROM requested_at)
----
accepted, joins 0
labels enumerated: h
COUNT count: 1

SELECT status, active, COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id GROUP BY status, active
----
accepted, joins 1
labels enumerated: status, active
COUNT count: k + 65

SELECT status, rating, COUNT(*) FROM trips GROUP BY GROUPING SETS ((status), ())
----
rejected INVALID_GROUPING at 1:16

SELECT status, COUNT(*) FROM trips GROUP BY ROLLUP(status)
----
accepted, joins 0
labels enumerated: status
COUNT count: 2

SELECT status, EXTRACT(DOW FROM day) AS dow, COUNT(*) FROM trips GROUP BY CUBE(status, EXTRACT(DOW FROM day))
----
accepted, joins 0
labels enumerated: status, dow
COUNT count: 4

SELECT DISTINCT status FROM trips
----
accepted, joins 0

SELECT status FROM trips GROUP BY status
----
accepted, joins 0

SELECT status FROM trips GROUP BY status HAVING COUNT(*) > 100
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT a.year, c.name, COUNT(*) FROM analytics a JOIN drivers d ON a.driver_id = d.id JOIN cities c ON c.id = d.city_id GROUP BY a.year, c.name
----
accepted, joins 2
labels enumerated: year, name
COUNT count: k + 3

SELECT lower(promo), COUNT(*) FROM trips GROUP BY lower(promo)
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT COALESCE(CASE WHEN rating >= 4 THEN 'good' END, 'other') AS label, COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: label
COUNT count: 1

SELECT COUNT(*) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT status, driver_id FROM trips GROUP BY status
----
rejected INVALID_GROUPING at 1:16

SELECT status, COUNT(*) FROM trips
----
rejected INVALID_GROUPING at 1:8

SELECT status, COUNT(*) FROM trips GROUP BY ALL
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT EXTRACT(YEAR FROM joined) AS y, COUNT(*) FROM drivers GROUP BY y
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT day, status, COUNT(*) FROM trips GROUP BY day, status
----
accepted, joins 0
labels enumerated: day, status
COUNT count: 1

SELECT day, status, EXTRACT(HOUR FROM requested_at) AS h, COUNT(*) FROM trips GROUP BY 1, 2, 3
----
rejected TOO_MANY_LABELS at 1:1
