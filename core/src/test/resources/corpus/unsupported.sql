# Constructs, functions and joins without a rule.
policy corpus/rides

SELECT COUNT(*) FROM trips WHERE promo -> 'a' IS NULL
----
rejected SYNTAX at 1:40

SELECT COUNT(*) FROM trips WHERE JSON_VALUE(promo, '$.a') = 'b'
----
rejected UNKNOWN_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE fare = ANY (ARRAY[1, 2, 3])
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM UNNEST(ARRAY[1, 2, 3]) AS x
----
accepted, joins 0

SELECT COUNT(*) FROM generate_series(1, 10) AS g
----
accepted, joins 0

SELECT COUNT(*) FROM TABLE(f(1))
----
rejected UNSUPPORTED at 1:28

SELECT GROUP_CONCAT(promo) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT LISTAGG(promo, ',') WITHIN GROUP (ORDER BY promo) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT COUNT(*) FROM trips WHERE REGEXP_LIKE(promo, '^A')
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE promo SIMILAR TO '(A|B)%'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips PIVOT (COUNT(*) FOR status IN ('completed'))
----
rejected UNSUPPORTED at 1:28

SELECT COUNT(*) FROM trips MATCH_RECOGNIZE (ORDER BY id PATTERN (a) DEFINE a AS fare > 1)
----
rejected SYNTAX at 1:45

SELECT AVG(DISTINCT fare) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT PERCENTILE_CONT(fare) WITHIN GROUP (ORDER BY fare) FROM trips
----
rejected TYPE_MISMATCH at 1:8

SELECT PERCENTILE_CONT(1.5) WITHIN GROUP (ORDER BY fare) FROM trips
----
rejected TYPE_MISMATCH at 1:8

SELECT COUNT(*) FROM (SELECT SUM(fare) OVER (PARTITION BY rider_id ORDER BY id RANGE BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS s FROM trips) x WHERE s > 1
----
accepted, joins 0
COUNT count: k + 41

SELECT COUNT(*) FROM (SELECT LAG(fare) IGNORE NULLS OVER (PARTITION BY rider_id ORDER BY id) AS s FROM trips) x WHERE s > 1
----
rejected UNSUPPORTED at 1:40

SELECT COUNT(*) FROM (SELECT NTH_VALUE(fare, 2) OVER (PARTITION BY rider_id ORDER BY id) AS s FROM trips) x WHERE s > 1
----
rejected WINDOW_UNSUPPORTED at 1:30

SELECT COUNT(*) FROM (SELECT COUNT(DISTINCT driver_id) OVER (PARTITION BY rider_id) AS s FROM trips) x WHERE s > 1
----
accepted, joins 0
COUNT count: k + 41

SELECT COUNT(*) FROM trips t LEFT ANTI JOIN drivers d USING (city_id)
----
rejected UNSUPPORTED at 1:40

SELECT COUNT(*) FROM trips t ASOF JOIN drivers d ON t.driver_id = d.id
----
rejected SYNTAX at 1:30

SELECT COUNT(*) FROM trips NATURAL JOIN cities CROSS JOIN drivers
----
rejected CROSS_JOIN at 1:59

SELECT COUNT(*) FROM trips WHERE requested_at > NOW() - fare * INTERVAL '1 day'
----
rejected TYPE_MISMATCH at 1:57

SELECT COUNT(*) FROM trips WHERE day + INTERVAL (rating) DAY > CURRENT_DATE
----
rejected UNSUPPORTED at 1:40

SELECT COUNT(*) FROM trips WHERE ROW(fare, tip) > ROW(1, 2)
----
rejected SYNTAX at 1:34

SELECT COUNT(*) FROM trips WHERE fare & 1 = 1
----
rejected UNKNOWN_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE promo COLLATE utf8mb4_bin = 'x'
----
rejected UNSUPPORTED at 1:40

SELECT COUNT(*) FROM trips WHERE MD5(promo) = 'x'
----
rejected UNKNOWN_FUNCTION at 1:34

SELECT COUNT(*) FROM users WHERE SOUNDEX(email) = 'B100'
----
rejected UNKNOWN_FUNCTION at 1:34

SELECT COUNT(*) FROM trips GROUP BY GROUPING SETS ((COUNT(*)))
----
rejected INVALID_GROUPING at 1:52

SELECT status, COUNT(*) OVER () FROM trips GROUP BY status
----
rejected RAW_ROWS at 1:1

SELECT COUNT(*) FROM trips WHERE fare > ALL (SELECT fare FROM trips t WHERE t.rider_id = trips.rider_id)
----
accepted, joins 0
COUNT count: 3k + 121

SELECT COUNT(*) FROM trips t WHERE EXISTS (SELECT 1 FROM drivers d WHERE d.id = t.driver_id LIMIT 1)
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM trips t WHERE t.driver_id IN (SELECT d.id FROM drivers d ORDER BY d.name LIMIT 3)
----
rejected ORDER_NOT_TOTAL at 1:52

SELECT COUNT(*) FROM trips t WHERE t.id = (SELECT MAX(x.id) FROM trips x)
----
accepted, joins 1
COUNT count: 2

SELECT COUNT(*) FROM drivers d WHERE d.id NOT IN (SELECT t.driver_id FROM trips t WHERE t.city_id <> d.city_id)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips t, (SELECT COUNT(*) AS n FROM drivers) s WHERE t.fare > s.n
----
rejected SUBQUERY_UNCORRELATED at 1:32

SELECT COUNT(*) FROM (SELECT driver_id FROM trips ORDER BY fare DESC, day LIMIT 10) x
----
rejected ORDER_NOT_TOTAL at 1:23

SELECT COUNT(*) FROM (SELECT DISTINCT driver_id FROM trips LIMIT 10) x
----
rejected ORDER_NOT_TOTAL at 1:23

SELECT COUNT(*) FROM (SELECT driver_id, ROW_NUMBER() OVER (PARTITION BY rider_id ORDER BY driver_id, requested_at) AS n FROM trips) x WHERE n <= 2
----
rejected ORDER_NOT_TOTAL at 1:41

SELECT COUNT(*) FROM trips t JOIN drivers d ON LOWER(t.promo) = LOWER(d.name)
----
rejected JOIN_KEY_COMPUTED at 1:35

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id + 0
----
rejected JOIN_KEY_COMPUTED at 1:35

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id BETWEEN d.id AND d.id
----
rejected JOIN_NOT_EQUI at 1:35

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id OR t.fare > 10
----
rejected JOIN_NOT_EQUI at 1:35

SELECT COUNT(*) FROM trips t LEFT JOIN drivers d ON t.day = d.joined
----
rejected MISSING_METRIC at 1:40

SELECT COUNT(*) FROM trips t JOIN (SELECT MAX(id) AS m FROM drivers GROUP BY city_id) d ON t.driver_id = d.m
----
rejected JOIN_KEY_COMPUTED at 1:36

SELECT SUM(n) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) s
----
accepted, joins 1
SUM sum: 1

SELECT SUM(POWER(fare, 40)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT SUM(EXP(distance)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT SUM(fare / rating) FROM trips GROUP BY promo
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT SUM(1 / tip) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT AVG(LENGTH(promo)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT MEDIAN(EXTRACT(EPOCH FROM requested_at)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT MAX(passengers + 1) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT VAR_SAMP(value) FROM analytics
----
rejected MISSING_RANGE at 1:8

SELECT year, AVG(value) FROM analytics GROUP BY year
----
rejected MISSING_RANGE at 1:14
