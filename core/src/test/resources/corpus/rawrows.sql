# Results that would show protected rows.
policy corpus/rides

SELECT * FROM trips
----
rejected RAW_ROWS at 1:15

SELECT id, fare FROM trips WHERE fare > 100 ORDER BY fare DESC LIMIT 10
----
rejected RAW_ROWS at 1:22

SELECT fare FROM trips LIMIT 1
----
rejected RAW_ROWS at 1:18

SELECT DISTINCT name FROM drivers
----
rejected RAW_ROWS at 1:27

SELECT t.id, COUNT(*) OVER (PARTITION BY t.driver_id) FROM trips t
----
rejected RAW_ROWS at 1:14

SELECT d.name FROM drivers d WHERE d.id IN (SELECT driver_id FROM trips)
----
rejected RAW_ROWS at 1:36

SELECT name, (SELECT COUNT(*) FROM trips t WHERE t.driver_id = d.id) FROM drivers d
----
rejected RAW_ROWS at 1:14

TABLE users
----
rejected UNSUPPORTED at 1:1

SELECT 1 FROM trips
----
rejected RAW_ROWS at 1:15

SELECT NULL FROM trips WHERE id = 7
----
rejected RAW_ROWS at 1:18

SELECT EXISTS (SELECT 1 FROM trips WHERE id = 7)
----
accepted, joins 1
COUNT: 1

SELECT (SELECT fare FROM trips WHERE id = 7)
----
rejected SUBQUERY_NOT_SCALAR at 1:8

SELECT fare FROM trips UNION ALL SELECT COUNT(*) FROM trips
----
rejected PROTECTED_ABOVE_RELEASE at 1:18

SELECT c.name FROM cities c JOIN trips t ON t.city_id = c.id
----
rejected RAW_ROWS at 1:34

SELECT name FROM cities
----
accepted, joins 0

SELECT c.name, c.population FROM cities c WHERE c.country = 'NO' ORDER BY c.population DESC LIMIT 3
----
accepted, joins 0

SELECT c.name FROM cities c WHERE c.id IN (SELECT city_id FROM trips)
----
rejected RAW_ROWS at 1:35

SELECT c.name FROM cities c WHERE EXISTS (SELECT 1 FROM drivers d WHERE d.city_id = c.id)
----
rejected RAW_ROWS at 1:35

SELECT c.name, (SELECT COUNT(*) FROM drivers d WHERE d.city_id = c.id) AS n FROM cities c
----
rejected RAW_ROWS at 1:16

SELECT t.* FROM (SELECT COUNT(*) AS n FROM drivers) x, trips t
----
rejected RAW_ROWS at 1:56

SELECT MAX(email) FROM users
----
rejected TYPE_MISMATCH at 1:8

SELECT ANY_VALUE(email) FROM users
----
rejected TYPE_MISMATCH at 1:8

SELECT FIRST(email) FROM users
----
rejected UNSUPPORTED at 1:8

SELECT email, COUNT(*) FROM users GROUP BY email HAVING COUNT(*) > 1
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT HISTOGRAM(fare) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT note FROM trips GROUP BY note
----
rejected UNKNOWN_COLUMN at 1:33

SELECT DISTINCT a.status FROM trips a JOIN trips b ON a.id = b.driver_id
----
rejected RAW_ROWS at 1:31

SELECT DISTINCT status FROM trips WHERE EXISTS (SELECT 1 FROM users u WHERE u.id = rider_id)
----
rejected RAW_ROWS at 1:41

SELECT status, fare FROM trips WHERE 1 = 1
----
rejected RAW_ROWS at 1:26

SELECT * FROM trips FETCH FIRST 1 ROW ONLY
----
rejected RAW_ROWS at 1:15

SELECT DISTINCT status, id FROM trips ORDER BY id
----
rejected RAW_ROWS at 1:33
