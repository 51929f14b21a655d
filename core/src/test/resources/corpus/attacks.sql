# Attempts to see a row, to make the database act, or to learn from an error or a refusal.
policy corpus/rides

SELECT COUNT(*) FROM trips WHERE id = 7 UNION ALL SELECT fare FROM trips WHERE id = 7
----
rejected PROTECTED_ABOVE_RELEASE at 1:68

SELECT COUNT(*), (SELECT MAX(email) FROM users) FROM trips
----
rejected TYPE_MISMATCH at 1:26

SELECT COUNT(*) FROM trips --
; DELETE FROM trips
----
rejected MULTIPLE_STATEMENTS at 2:1

SELECT COUNT(*) FROM pg_catalog.pg_user
----
rejected UNKNOWN_TABLE at 1:22

SELECT COUNT(*) FROM sqlite_master
----
rejected UNKNOWN_TABLE at 1:22

SELECT COUNT(*) FROM read_parquet('s3://bucket/x')
----
rejected UNSUPPORTED at 1:22

SELECT COUNT(*) FROM '/etc/passwd'
----
rejected SYNTAX at 1:22

SELECT PG_READ_FILE('/etc/passwd'), COUNT(*) FROM trips
----
rejected UNKNOWN_FUNCTION at 1:8

SELECT CURRENT_SETTING('data_directory'), COUNT(*) FROM trips
----
rejected UNKNOWN_FUNCTION at 1:8

SELECT VERSION(), COUNT(*) FROM trips
----
rejected UNKNOWN_FUNCTION at 1:8

SELECT CURRENT_USER, COUNT(*) FROM trips
----
rejected UNKNOWN_FUNCTION at 1:8

SELECT COUNT(*) FROM trips WHERE NEXTVAL('s') > 0
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE SLEEP(5) = 0
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE GEN_RANDOM_UUID() IS NOT NULL
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE RAND() < 0.01
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE CLOCK_TIMESTAMP() > requested_at
----
rejected VOLATILE_FUNCTION at 1:34

SELECT COUNT(*) FROM trips WHERE CASE WHEN id = 7 THEN ERROR('found') ELSE TRUE END
----
rejected UNKNOWN_FUNCTION at 1:56

SELECT COUNT(*) FROM trips WHERE set_config('x', email, false) = ''
----
rejected UNKNOWN_FUNCTION at 1:34

SELECT id, COUNT(*) FROM trips GROUP BY id
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT email, COUNT(*) FROM users GROUP BY email ORDER BY 2 DESC LIMIT 5
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT fare, COUNT(*) FROM trips GROUP BY fare HAVING COUNT(*) = 1
----
rejected LABELS_NOT_ENUMERABLE at 1:1

SELECT COUNT(*) AS n, ANY_VALUE(promo) FROM trips GROUP BY status
----
rejected TYPE_MISMATCH at 1:23

SELECT MIN(id) FROM users
----
rejected MISSING_RANGE at 1:8

SELECT status, MAX(promo) FROM trips GROUP BY status
----
rejected TYPE_MISMATCH at 1:16

SELECT STRING_AGG(email, ';') FROM users GROUP BY home_city_id
----
rejected UNSUPPORTED at 1:8

SELECT CASE WHEN COUNT(*) > 0 THEN MAX(email) END FROM users
----
rejected TYPE_MISMATCH at 1:36

SELECT COUNT(*) FROM trips HAVING MAX(fare) = (SELECT fare FROM trips WHERE id = 7)
----
rejected POSTPROCESS_UNSUPPORTED at 1:35

SELECT u.email FROM users u JOIN (SELECT rider_id, COUNT(*) AS n FROM trips GROUP BY rider_id) x ON x.rider_id = u.id ORDER BY x.n DESC LIMIT 1
----
rejected PROTECTED_ABOVE_RELEASE at 1:21

SELECT x.n, u.email FROM (SELECT COUNT(*) AS n FROM trips) x CROSS JOIN users u
----
rejected PROTECTED_ABOVE_RELEASE at 1:73

SELECT c.name FROM cities c LEFT JOIN users u ON u.home_city_id = c.id WHERE u.id IS NULL
----
rejected RAW_ROWS at 1:39

SELECT c.name FROM cities c, trips t WHERE c.id = t.city_id GROUP BY c.name
----
rejected RAW_ROWS at 1:1

SELECT c.name, u.age FROM cities c JOIN users u ON u.home_city_id = c.id GROUP BY c.name, u.age
----
rejected RAW_ROWS at 1:1

SELECT DISTINCT c.country FROM cities c JOIN drivers d ON d.city_id = c.id
----
rejected RAW_ROWS at 1:46

SELECT name FROM cities EXCEPT SELECT c.name FROM cities c JOIN trips t ON t.city_id = c.id
----
rejected RAW_ROWS at 1:65

SELECT name FROM cities WHERE id IN (SELECT home_city_id FROM users WHERE email = 'a@b.c')
----
rejected RAW_ROWS at 1:31

SELECT name FROM cities ORDER BY (SELECT COUNT(*) FROM trips t WHERE t.city_id = cities.id) DESC LIMIT 1
----
rejected RAW_ROWS at 1:34

SELECT name FROM cities LIMIT (SELECT COUNT(*) FROM trips WHERE id = 7)
----
rejected SYNTAX at 1:31

SELECT COUNT(*) FROM drivers WHERE 7 IN (SELECT driver_id FROM trips)
----
rejected SUBQUERY_UNCORRELATED at 1:36

SELECT COUNT(*) FROM drivers d WHERE d.id NOT IN (SELECT CASE WHEN rating = 1 THEN NULL ELSE driver_id END FROM trips)
----
rejected NOT_IN_NULLABLE at 1:38

SELECT COUNT(*) FROM drivers WHERE (SELECT COUNT(*) FROM trips WHERE rating = 1) > 5
----
rejected SUBQUERY_UNCORRELATED at 1:36

SELECT COUNT(*) FROM drivers d WHERE NOT EXISTS (SELECT 1 FROM trips WHERE id = 7)
----
rejected SUBQUERY_UNCORRELATED at 1:42

SELECT COUNT(*) FROM drivers d WHERE (d.id IN (SELECT driver_id FROM trips)) IS NOT TRUE
----
rejected SUBQUERY_POSITION at 1:38

SELECT COUNT(*) FROM trips t JOIN (SELECT 1 AS x FROM users WHERE email = 'a@b.c') y ON TRUE
----
rejected CROSS_JOIN at 1:36

SELECT COUNT(*) FROM (SELECT 1 FROM trips LIMIT 1) x, cities
----
rejected ORDER_NOT_TOTAL at 1:23

SELECT * FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) x WHERE EXISTS (SELECT 1 FROM users WHERE email = 'a@b.c')
----
rejected POSTPROCESS_UNSUPPORTED at 1:81

SELECT n FROM (SELECT COUNT(*) AS n FROM trips) x WHERE n > (SELECT AVG(id) FROM users)
----
rejected MISSING_RANGE at 1:69

SELECT COUNT(*) FROM trips WHERE email = 'a@b.c'
----
rejected UNKNOWN_COLUMN at 1:34

SELECT ROW_NUMBER() OVER () FROM trips
----
rejected RAW_ROWS at 1:8

SELECT LAG(email) OVER (ORDER BY id) FROM users
----
rejected RAW_ROWS at 1:8

WITH secret AS (SELECT email FROM users) SELECT * FROM secret
----
rejected RAW_ROWS at 1:35

WITH c AS (SELECT COUNT(*) AS n FROM trips) SELECT users.email, c.n FROM users, c
----
rejected PROTECTED_ABOVE_RELEASE at 1:74

VALUES ((SELECT email FROM users WHERE id = 7))
----
rejected SUBQUERY_NOT_SCALAR at 1:9

SELECT /*! email, */ COUNT(*) FROM users
----
rejected SYNTAX at 1:8

SELECT COUNT(*) FROM trips WHERE `fare` > 1 AND "no such" = 1
----
rejected UNKNOWN_COLUMN at 1:49

SELECT '' || email FROM users
----
rejected RAW_ROWS at 1:25

SELECT GROUPING(status), email FROM trips, users GROUP BY status
----
rejected INVALID_GROUPING at 1:26
