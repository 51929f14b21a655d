# Everyday questions: what analysts write, and what of it has no rule.
policy corpus/rides

SELECT n, COUNT(*) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) t GROUP BY n ORDER BY n
----
accepted, joins 0
labels enumerated: n
COUNT count: 2

SELECT n AS trips, COUNT(*) AS riders FROM (SELECT rider_id, COUNT(*) AS n FROM trips WHERE status = 'completed' GROUP BY rider_id) t GROUP BY n HAVING COUNT(*) > 10
----
accepted, joins 0
labels enumerated: trips
COUNT riders: 2

WITH per AS (SELECT driver_id, SUM(rating) AS s FROM trips GROUP BY driver_id) SELECT s, COUNT(*) FROM per GROUP BY s
----
accepted, joins 0
labels enumerated: s
COUNT count: 2

SELECT n, COUNT(*) FROM (SELECT u.id, COUNT(g.tag) AS n FROM users u LEFT JOIN user_tags g ON g.user_id = u.id GROUP BY u.id) t GROUP BY n
----
accepted, joins 1
labels enumerated: n
COUNT count: 2

SELECT s, COUNT(*) FROM (SELECT rider_id, SUM(fare) AS s FROM trips GROUP BY rider_id) t GROUP BY s
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT a, COUNT(*) FROM (SELECT rider_id, AVG(fare) AS a FROM trips GROUP BY rider_id) t GROUP BY a
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT MAX(n) FROM (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) t
----
accepted, joins 0
MAX quantile max: 2

SELECT MEDIAN(n), MIN(n) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) t
----
accepted, joins 0
QUANTILE median: 10 times 0.1
MIN quantile min: 2

SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY n) FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) t
----
accepted, joins 0
QUANTILE percentile_cont: 18 times 0.1

SELECT MAX(LENGTH(promo)) FROM trips
----
accepted, joins 0
MAX quantile max: 1

SELECT AVG(LENGTH(promo)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT MAX(passengers) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT MODE(status) FROM trips WHERE fare > 10
----
accepted, joins 0
MODE: 1

SELECT MODE() WITHIN GROUP (ORDER BY status DESC) AS usual FROM trips
----
accepted, joins 0
MODE: 1

SELECT status, MODE(rating) AS usual FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
MODE: 1

SELECT MODE(promo) FROM trips
----
rejected LABELS_NOT_ENUMERABLE at 1:8

SELECT MODE(status), COUNT(*) FROM trips
----
accepted, joins 0
MODE: 1
COUNT count: 1

SELECT MODE(DISTINCT status) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT status, AVG(n) FROM (SELECT status, rider_id, COUNT(*) AS n FROM trips GROUP BY status, rider_id) t GROUP BY status
----
accepted, joins 1
labels enumerated: status
COUNT: 1
labels enumerated: status
COUNT: 2

SELECT status, SUM(n), COUNT(*) FROM (SELECT status, driver_id, COUNT(*) AS n FROM trips GROUP BY 1, 2) t GROUP BY status ORDER BY 2 DESC
----
accepted, joins 1
labels enumerated: status
COUNT sum: 1
labels enumerated: status
COUNT count: 1

SELECT t.status AS s, AVG(t.f) AS mean FROM (SELECT status, rider_id, SUM(fare) AS f FROM trips GROUP BY status, rider_id) t GROUP BY t.status
----
accepted, joins 1
labels enumerated: s
SUM: 500
labels enumerated: s
COUNT: 2

SELECT promo, AVG(n) FROM (SELECT promo, rider_id, COUNT(*) AS n FROM trips GROUP BY promo, rider_id) t GROUP BY promo
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT AVG(n) FROM (SELECT rider_id, COUNT(*)::int AS n FROM trips GROUP BY rider_id) t
----
accepted, joins 2
COUNT: 1
COUNT: 1

SELECT status, MAX(n) FROM (SELECT status, rider_id, COUNT(*) AS n FROM trips GROUP BY status, rider_id) t GROUP BY status
----
accepted, joins 0
labels enumerated: status
MAX quantile max: 2

WITH w AS (SELECT status, SUM(fare) AS s FROM trips GROUP BY status) SELECT status, 100.0 * s / (SELECT SUM(s) FROM w) AS pct FROM w
----
accepted, joins 2
labels enumerated: status
SUM: 500
SUM: 500

WITH w AS (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) SELECT status, n * 1.0 / (SELECT SUM(n) FROM w) FROM w ORDER BY 2
----
accepted, joins 2
labels enumerated: status
COUNT: 1
SUM: 1

WITH w AS (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) SELECT status, n FROM w WHERE n > (SELECT AVG(n) FROM w)
----
accepted, joins 3
labels enumerated: status
COUNT n: 1
COUNT: 1
COUNT: 1

WITH trips AS (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) SELECT status, n, (SELECT SUM(n) FROM trips) FROM trips
----
accepted, joins 1
labels enumerated: status
COUNT n: 1

SELECT EXISTS (SELECT 1 FROM trips WHERE fare > 490)
----
accepted, joins 1
COUNT: 1

SELECT NOT EXISTS (SELECT 1 FROM trips WHERE fare > 490) AS none
----
accepted, joins 1
COUNT: 1

SELECT CASE WHEN EXISTS (SELECT 1 FROM users WHERE age > 100) THEN 'yes' ELSE 'no' END AS old
----
accepted, joins 1
COUNT: 1

SELECT EXISTS (SELECT 1 FROM cities WHERE name = 'Linz')
----
accepted, joins 1

SELECT status, EXISTS (SELECT 1 FROM users WHERE age > 100) FROM trips GROUP BY status
----
rejected SUBQUERY_POSITION at 1:16

SELECT DISTINCT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY fare) OVER () AS med FROM trips
----
accepted, joins 0
QUANTILE med: 5 times 0.1

SELECT DISTINCT status, MEDIAN(fare) OVER (PARTITION BY status) FROM trips
----
accepted, joins 0
labels enumerated: status
QUANTILE median: 5 times 0.1

SELECT AVG(fare) OVER () FROM trips LIMIT 1
----
accepted, joins 0
AVG sum: 250
AVG count: 1

SELECT DISTINCT status, COUNT(*) OVER (PARTITION BY status), SUM(fare) OVER (PARTITION BY status) FROM trips ORDER BY 2
----
accepted, joins 0
labels enumerated: status
COUNT count: 1
SUM sum: 500

SELECT DISTINCT rider_id, SUM(fare) OVER (PARTITION BY rider_id) FROM trips
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT DISTINCT status, SUM(fare) OVER (PARTITION BY city_id) FROM trips
----
rejected RAW_ROWS at 1:25

SELECT AVG(fare) OVER () FROM trips
----
rejected RAW_ROWS at 1:8

SELECT DISTINCT status, SUM(fare) OVER (PARTITION BY status ORDER BY day) FROM trips
----
rejected RAW_ROWS at 1:25

SELECT AVG(requested_at - CAST(day AS TIMESTAMP)) FROM trips WHERE requested_at >= '2024-01-01' AND requested_at < '2025-01-01'
----
accepted, joins 0
AVG sum: 31579200
AVG count: 1

SELECT status, SUM(requested_at - TIMESTAMP '2024-01-01 00:00:00') AS late FROM trips WHERE requested_at BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY status
----
accepted, joins 0
labels enumerated: status
SUM: 31536000

SELECT AVG(requested_at - CAST(day AS TIMESTAMP)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT STDDEV(requested_at - CAST(day AS TIMESTAMP)) FROM trips
----
rejected TYPE_MISMATCH at 1:15

SELECT EXTRACT(EPOCH FROM AVG(requested_at - CAST(day AS TIMESTAMP))) / 3600 FROM trips WHERE requested_at >= '2024-01-01' AND requested_at < '2025-01-01'
----
accepted, joins 0
AVG sum: 31579200
AVG count: 1

SELECT STRING_AGG(name, ', ') FROM cities
----
accepted, joins 0

SELECT country, STRING_AGG(DISTINCT name, '; ' ORDER BY name) FROM cities GROUP BY country
----
accepted, joins 0

SELECT GROUP_CONCAT(name ORDER BY name SEPARATOR ' ') FROM cities WHERE population > 1000
----
accepted, joins 0

SELECT LISTAGG(name, ',') WITHIN GROUP (ORDER BY name) FROM cities
----
accepted, joins 0

SELECT LISTAGG(name, ',') WITHIN GROUP (ORDER BY population) FROM cities
----
rejected UNSUPPORTED at 1:8

SELECT STRING_AGG(status, ', ') FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT COUNT(*) FROM trips t JOIN (SELECT MIN(id) AS id, STRING_AGG(name, ',') AS all_names FROM cities GROUP BY country) c ON c.id = t.city_id WHERE LENGTH(all_names) > 10
----
rejected UNSUPPORTED at 1:58

SELECT rider_id, STRING_AGG(promo, ',') FROM trips GROUP BY rider_id
----
rejected UNSUPPORTED at 1:18

SELECT ANY_VALUE(name) FROM cities WHERE id = 3
----
accepted, joins 0

SELECT ANY_VALUE(fare) FROM trips
----
accepted, joins 0
MIN quantile any_value: 1

SELECT COUNT(*) FROM users WHERE email ~ '^[a-z0-9._-]+@'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users WHERE email !~ '^[^@]+@[a-z]+\.[a-z]{2,3}$'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE promo ~ '^[A-Z]{3}[0-9]{2,4}$'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE promo ~ '[^A-Z0-9]'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE promo ~* '^[a-z]+$'
----
rejected UNSUPPORTED at 1:34

SELECT COUNT(*) FROM users WHERE email ~ '^[a-z.]+\.[a-z]+@'
----
rejected UNSUPPORTED at 1:34

SELECT REGEXP_SUBSTR(promo, '^[A-Z]{2}') = 'NY' AS ny, COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: ny
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE REGEXP_EXTRACT(promo, '^(\d{4})') = '2024'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE REGEXP_EXTRACT(promo, '[0-9]+') = '7'
----
rejected UNSUPPORTED at 1:34

SELECT COUNT(*) FROM trips WHERE PATINDEX('%[^0-9]%', promo) > 0
----
accepted, joins 0
COUNT count: 1

SELECT PATINDEX('%[^0-9]%', promo), COUNT(*) FROM trips GROUP BY 1
----
rejected UNKNOWN_FUNCTION at 1:8

SELECT COUNT(*) FROM users WHERE email ILIKE ANY (ARRAY['%@gmail.%', '%@gmx.%'])
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users WHERE email LIKE ANY ('%a%', email)
----
rejected UNKNOWN_FUNCTION at 1:45

SELECT printf('%.2f', AVG(fare)) FROM trips
----
accepted, joins 0
AVG sum: 250
AVG count: 1

SELECT status, printf('%d', COUNT(*)) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT printf('%5.1e', AVG(fare)) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT BITAND(rating, 1) AS odd, COUNT(*) FROM trips GROUP BY odd
----
accepted, joins 0
labels enumerated: odd
COUNT count: 1

SELECT BITAND(rating, 6), COUNT(*) FROM trips GROUP BY 1
----
rejected UNSUPPORTED at 1:8

SELECT FORMAT(SUM(fare), 2) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT AVG(fare / passengers) FROM trips WHERE passengers > 0
----
accepted, joins 0
AVG sum: 250
AVG count: 1

SELECT AVG(tip / fare) FROM trips WHERE fare > 0
----
accepted, joins 0
AVG sum: 9000
AVG count: 1

SELECT AVG(tip / fare) FROM trips WHERE fare >= 5
----
accepted, joins 0
AVG sum: 18
AVG count: 1

SELECT AVG(fare / POWER(distance / 10, 2)) FROM trips WHERE distance > 1
----
accepted, joins 0
AVG sum: 25000
AVG count: 1

SELECT SUM(POWER(rating, 3)) FROM trips
----
accepted, joins 0
SUM sum: 125

SELECT SUM(POWER(tip, 2)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT AVG(fare / distance) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT TRUNC(fare) AS euros, COUNT(*) FROM trips GROUP BY euros
----
accepted, joins 0
labels enumerated: euros
COUNT count: 1

SELECT FLOOR(fare / 50) * 50 AS step, COUNT(*) FROM trips GROUP BY step
----
accepted, joins 0
labels enumerated: step
COUNT count: 1

SELECT ROUND(fare, -2), COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: round
COUNT count: 1

SELECT FLOOR(distance), COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: floor
COUNT count: 1

SELECT LENGTH(promo), COUNT(*) FROM trips WHERE promo IN ('A', 'BB', 'CCC') GROUP BY 1
----
accepted, joins 0
labels enumerated: length
COUNT count: 1

SELECT DATEDIFF(week, DATE '2024-01-01', day) AS w, COUNT(*) FROM trips GROUP BY w
----
accepted, joins 0
labels enumerated: w
COUNT count: 1

SELECT day + 7 AS next_week, COUNT(*) FROM trips WHERE day < '2024-02-01' GROUP BY 1
----
accepted, joins 0
labels enumerated: next_week
COUNT count: 1

SELECT CEIL(distance / 100), COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: ceil
COUNT count: 1

SELECT ROUND(distance, 1), COUNT(*) FROM trips WHERE distance < 10 GROUP BY 1
----
accepted, joins 0
labels enumerated: round
COUNT count: 1

SELECT SQRT(fare), COUNT(*) FROM trips GROUP BY 1
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT TOP 3 WITH TIES status, COUNT(*) AS n FROM trips GROUP BY status ORDER BY COUNT(*) DESC
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT TOP (2) WITH TIES status, AVG(fare) AS a FROM trips GROUP BY status ORDER BY a
----
accepted, joins 0
labels enumerated: status
AVG sum: 250
AVG count: 1

SELECT TOP 3 WITH TIES status, COUNT(*) FROM trips GROUP BY status
----
rejected UNSUPPORTED at 1:8

SELECT TOP 3 WITH TIES status, COUNT(*) AS n FROM trips GROUP BY status ORDER BY 2 DESC, 1
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT APPROX_QUANTILES(fare, 4) FROM trips
----
rejected UNKNOWN_FUNCTION at 1:8

SELECT CORR(fare, distance) FROM trips
----
accepted, joins 0
COUNT: 1
SUM: 500000
SUM: 500
SUM: 1000
SUM: 250000
SUM: 1000000

SELECT status, COVAR_SAMP(fare, tip) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT: 1
SUM: 45000
SUM: 500
SUM: 90

SELECT REGR_SLOPE(fare, distance), REGR_INTERCEPT(fare, distance), REGR_COUNT(fare, distance) FROM trips
----
accepted, joins 0
COUNT regr_count: 1
SUM: 500000
SUM: 500
SUM: 1000
SUM: 1000000

SELECT CORR(fare, passengers) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT REGR_R2(fare, distance) FROM trips
----
accepted, joins 0
COUNT: 1
SUM: 500000
SUM: 500
SUM: 1000
SUM: 1000000
SUM: 250000

SELECT COUNT_IF(fare > 10), BOOL_OR(fare > 100), BOOL_AND(fare > 0) FROM trips
----
accepted, joins 0
COUNT count_if: 1
COUNT: 1
COUNT: 1
COUNT: 1
COUNT: 1

SELECT APPROX_COUNT_DISTINCT(rider_id) FROM trips
----
accepted, joins 0
COUNT approx_count_distinct: 1

SELECT WIDTH_BUCKET(fare, 0, 500, 5) AS b, COUNT(*) FROM trips GROUP BY b
----
accepted, joins 0
labels enumerated: b
COUNT count: 1

SELECT KURTOSIS(fare) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT EXTRACT(YEAR FROM age(day)), COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: extract
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE age(day) > interval '1 month'
----
rejected UNSUPPORTED at 1:34

SELECT COUNT(*) FROM trips WHERE requested_at >= to_timestamp('2024-03-01 12:00', 'YYYY-MM-DD HH24:MI')
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE day = STR_TO_DATE('31.12.2024', '%d.%m.%Y')
----
accepted, joins 0
COUNT count: 1

SELECT LAST_DAY(day) AS m, COUNT(*) FROM trips GROUP BY m
----
accepted, joins 0
labels enumerated: m
COUNT count: 1

SELECT AVG(JULIANDAY(day)) FROM trips
----
accepted, joins 0
AVG sum: 1825 times 0.1
AVG count: 1

SELECT COUNT(*) FROM trips WHERE requested_at AT TIME ZONE 'UTC' > '2024-01-01'
----
rejected UNSUPPORTED at 1:47

SELECT strftime('%w', day), COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: strftime
COUNT count: 1

SELECT MAKE_DATE(2024, 5, 1) - day AS d, COUNT(*) FROM trips GROUP BY d
----
accepted, joins 0
labels enumerated: d
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE TIME(requested_at) > '18:00:00'
----
accepted, joins 0
COUNT count: 1

SELECT status, n, RANK() OVER (ORDER BY n DESC) FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) t
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status, COUNT(*) AS n, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () AS share FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT DATE_TRUNC('month', day) AS m, SUM(fare) AS f, LAG(SUM(fare)) OVER (ORDER BY DATE_TRUNC('month', day)) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: m
SUM f: 500

SELECT status, COUNT(*) AS n FROM trips GROUP BY status QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) <= 2
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT day, COUNT(*) AS n, AVG(COUNT(*)) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) FROM trips GROUP BY day
----
accepted, joins 0
labels enumerated: day
COUNT n: 1

SELECT status, COUNT(*) AS n, NTILE(2) OVER (ORDER BY n) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT COUNT(*) FROM trips WHERE city_id = (SELECT id FROM cities WHERE id = 7)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id = ANY (SELECT id FROM cities WHERE country = 'AT')
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE fare > ALL (SELECT fare FROM trips WHERE status = 'cancelled')
----
rejected SUBQUERY_UNCORRELATED at 1:34

SELECT COUNT(*) FROM trips WHERE fare > (SELECT AVG(fare) FROM trips)
----
rejected SUBQUERY_UNCORRELATED at 1:41

SELECT COUNT(*) FROM trips WHERE rating = ANY (ARRAY[4, 5])
----
accepted, joins 0
COUNT count: 1

SELECT c.name, t.n FROM (SELECT city_id, COUNT(*) AS n FROM trips GROUP BY city_id) t JOIN cities c ON c.id = t.city_id
----
accepted, joins 1
labels enumerated: city_id
COUNT n: 1

SELECT COUNT(*) FROM users WHERE email LIKE CONCAT('%', LOWER('GMAIL'), '%')
----
accepted, joins 0
COUNT count: 1

SELECT g.x, COUNT(t.id) FROM generate_series(1, 5) AS g(x) LEFT JOIN trips t ON t.rating = g.x GROUP BY g.x
----
accepted, joins 1
labels enumerated: x
COUNT count: 1

SELECT 1 + 1 FROM dual
----
accepted, joins 0

SELECT COUNT(*) FROM trips WHERE day >= DATE '2024-01-01' + INTERVAL '1' MONTH
----
accepted, joins 0
COUNT count: 1

SELECT u.v FROM UNNEST(ARRAY['a', 'b']) AS u(v)
----
accepted, joins 0

SELECT COUNT(*) FROM generate_series(1, 5) AS g(x)
----
accepted, joins 0

SELECT ARRAY_AGG(DISTINCT status) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT COUNT(DISTINCT rider_id, driver_id) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT DISTINCT status FROM trips
----
accepted, joins 0

SELECT COUNT(*) FROM trips TABLESAMPLE SYSTEM (10)
----
rejected UNSUPPORTED at 1:28

SELECT COUNT(*) FROM trips t CROSS APPLY (SELECT 1 AS k) x
----
rejected UNSUPPORTED at 1:36

SELECT * FROM (SELECT status, rating FROM trips) s PIVOT (COUNT(rating) FOR rating IN (1, 2)) p
----
rejected UNSUPPORTED at 1:52

SELECT COUNT(*) FROM users WHERE email COLLATE "de_AT" = 'x'
----
rejected UNSUPPORTED at 1:40

SELECT MAX_BY(status, fare) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT n, COUNT(*) FROM (SELECT status, COUNT(*) OVER (PARTITION BY rider_id) AS n FROM trips) t GROUP BY n
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT rider_id, n FROM (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) t ORDER BY n DESC LIMIT 1
----
rejected LABELS_NOT_ENUMERABLE at 1:26

SELECT rider_id FROM trips GROUP BY rider_id QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) = 1
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT MODE(rider_id) FROM trips
----
rejected LABELS_NOT_ENUMERABLE at 1:8

SELECT driver_id, MODE(status) FROM trips GROUP BY driver_id
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT FIRST(email) FROM users
----
rejected UNSUPPORTED at 1:8

SELECT MIN(email) FROM users
----
rejected TYPE_MISMATCH at 1:8

SELECT STRING_AGG(t.promo, ',') FROM trips t JOIN cities c ON c.id = t.city_id
----
rejected UNSUPPORTED at 1:8

SELECT c.name, STRING_AGG(d.name, ',') FROM cities c JOIN drivers d ON d.city_id = c.id GROUP BY c.name
----
rejected UNSUPPORTED at 1:16

SELECT STRING_AGG(name, promo) FROM cities, trips
----
rejected UNSUPPORTED at 1:8

SELECT DISTINCT email, COUNT(*) OVER (PARTITION BY email) FROM users
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT fare FROM trips WHERE EXISTS (SELECT 1 FROM users WHERE age > 30) LIMIT 1
----
rejected RAW_ROWS at 1:30

SELECT EXISTS (SELECT 1 FROM trips WHERE promo = u.email) FROM users u
----
rejected SUBQUERY_POSITION at 1:8

SELECT AVG(fare / (passengers - 1)) FROM trips WHERE passengers > 0.5 AND fare < tip
----
accepted, joins 0
AVG sum: 250
AVG count: 1

SELECT COUNT(*) FROM trips ORDER BY SUM(fare) OVER (ORDER BY nothing)
----
rejected UNKNOWN_COLUMN at 1:62

SELECT status, COUNT(*) AS n, SUM(n) OVER (ORDER BY m) FROM trips GROUP BY status
----
rejected UNKNOWN_COLUMN at 1:53

SELECT age, STRING_AGG(email, ' ') FROM users GROUP BY age
----
rejected UNSUPPORTED at 1:13

SELECT MODE(email) FROM users WHERE age > 30
----
rejected LABELS_NOT_ENUMERABLE at 1:8

SELECT AVG(value) FROM analytics
----
rejected MISSING_RANGE at 1:8

SELECT MAX_BY(id, fare), MIN_BY(id, fare) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT FIRST_VALUE(fare) OVER (ORDER BY id) FROM trips LIMIT 1
----
rejected RAW_ROWS at 1:8

SELECT tag, ARRAY_AGG(user_id) FROM user_tags GROUP BY tag
----
rejected UNSUPPORTED at 1:13

SELECT name FROM drivers WHERE active ORDER BY joined DESC LIMIT 1
----
rejected RAW_ROWS at 1:18

SELECT x.id FROM trips x WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = x.rider_id AND u.age > 99)
----
rejected RAW_ROWS at 1:32

SELECT HISTOGRAM(age) FROM users
----
rejected UNSUPPORTED at 1:8

SELECT day, LAST(fare) FROM trips GROUP BY day
----
rejected UNSUPPORTED at 1:13

SELECT a.name, STRING_AGG(b.name, ',') FROM cities a LEFT JOIN drivers b ON b.city_id = a.id GROUP BY a.name
----
rejected UNSUPPORTED at 1:16

SELECT u.email, COUNT(t.id) FROM users u JOIN trips t ON t.rider_id = u.id GROUP BY u.email
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT COUNT(*) FILTER (WHERE promo ~ status) FROM trips
----
rejected UNSUPPORTED at 1:37

SELECT AVG(passengers) FROM trips WHERE passengers IS NOT NULL
----
rejected MISSING_RANGE at 1:8

SELECT id, fare FROM trips ORDER BY fare DESC FETCH FIRST 3 ROWS WITH TIES
----
rejected SYNTAX at 1:66

SELECT tag, MODE(user_id) FROM user_tags GROUP BY tag
----
rejected LABELS_NOT_ENUMERABLE at 1:13

SELECT MEDIAN(promo) FROM trips
----
rejected TYPE_MISMATCH at 1:8

SELECT d.name, (SELECT STRING_AGG(g.tag, ',') FROM user_tags g WHERE g.user_id = d.id) FROM drivers d
----
rejected RAW_ROWS at 1:16

SELECT status, GROUP_CONCAT(DISTINCT promo ORDER BY promo SEPARATOR ';') FROM trips GROUP BY status
----
rejected UNSUPPORTED at 1:16

SELECT CORR(status, fare) FROM trips
----
rejected TYPE_MISMATCH at 1:8

SELECT MAX(passengers) FROM trips WHERE passengers >= 0
----
rejected MISSING_RANGE at 1:8

SELECT year, SUM(value) OVER (PARTITION BY year) FROM analytics
----
rejected RAW_ROWS at 1:14

SELECT COUNT(*) FROM (SELECT STRING_AGG(email, '') AS s FROM users) z WHERE s LIKE '%@%'
----
rejected UNSUPPORTED at 1:30

SELECT COUNT(*) FROM trips WHERE rating > ALL (ARRAY[1, 2])
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE fare <= ANY (ARRAY[10, 20])
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE NOT (fare < ALL (ARRAY[5, 7]))
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id >= ALL (SELECT id FROM cities)
----
accepted, joins 3
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id < ANY (SELECT id FROM cities WHERE country = 'AT')
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id <> ANY (SELECT id FROM cities)
----
accepted, joins 2
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id = ALL (SELECT id FROM cities WHERE country = 'AT')
----
accepted, joins 4
COUNT count: 1

SELECT COUNT(*) FROM users u WHERE u.age > ALL (SELECT t.rating FROM trips t WHERE t.rider_id = u.id)
----
accepted, joins 0
COUNT count: 3

SELECT status, COUNT(*) FROM trips GROUP BY status HAVING COUNT(*) >= ALL (SELECT COUNT(*) FROM trips GROUP BY status)
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

WITH s AS (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) SELECT status, n FROM s WHERE n <= ALL (SELECT n FROM s)
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status, COUNT(*) FROM trips GROUP BY status HAVING COUNT(*) > ALL (SELECT COUNT(*) FROM users)
----
accepted, joins 1
labels enumerated: status
COUNT count: 1
COUNT: 1

SELECT COUNT(*) FROM trips WHERE fare > ALL (VALUES (1), (2))
----
accepted, joins 3
COUNT count: 1

SELECT COUNT(*) FROM trips t OUTER APPLY (SELECT COUNT(*) AS k FROM users u WHERE u.id = t.rider_id) x
----
rejected UNSUPPORTED at 1:36

SELECT * FROM (SELECT status, rating FROM trips) s UNPIVOT (v FOR k IN (status, rating)) p
----
rejected UNSUPPORTED at 1:52
