# Texts that are not one query.
policy corpus/rides

SELCT COUNT(*) FROM trips
----
rejected SYNTAX at 1:1

SELECT COUNT(* FROM trips
----
rejected SYNTAX at 1:13

SELECT COUNT(*) FORM trips
----
rejected SYNTAX at 1:22

SELECT COUNT(*) FROM trips WHERE
----
rejected SYNTAX at 1:33

SELECT COUNT(*) FROM trips GROUP status
----
rejected SYNTAX at 1:34

SELECT COUNT(*) FROM trips WHERE status = 'completed
----
rejected SYNTAX at 1:43

SELECT COUNT(*) FROM trips; DROP TABLE trips
----
rejected MULTIPLE_STATEMENTS at 1:27

SELECT COUNT(*) FROM trips /* never closed
----
rejected SYNTAX at 1:28

DELETE FROM trips
----
rejected NOT_A_SELECT at 1:1

UPDATE trips SET fare = 0
----
rejected NOT_A_SELECT at 1:1

INSERT INTO trips SELECT * FROM trips
----
rejected NOT_A_SELECT at 1:1

CREATE TABLE x AS SELECT COUNT(*) FROM trips
----
rejected NOT_A_SELECT at 1:1

EXPLAIN SELECT COUNT(*) FROM trips
----
rejected NOT_A_SELECT at 1:1

WITH x AS (DELETE FROM trips RETURNING *) SELECT COUNT(*) FROM x
----
rejected NOT_A_SELECT at 1:12

SELECT COUNT(*) INTO x FROM trips
----
rejected NOT_A_SELECT at 1:17

SET search_path = public
----
rejected NOT_A_SELECT at 1:1

COPY trips TO '/tmp/x'
----
rejected NOT_A_SELECT at 1:1

CALL f()
----
rejected NOT_A_SELECT at 1:1

SELECT COUNT(*) FROM trips WHERE id = ?
----
rejected SYNTAX at 1:39

SELECT COUNT(*) FROM trips WHERE id = $1
----
rejected SYNTAX at 1:39

SELECT DISTINCT ON (driver_id) COUNT(*) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT COUNT(*) FROM trips TABLESAMPLE SYSTEM (10)
----
rejected UNSUPPORTED at 1:28

SELECT COUNT(*) FROM trips FOR UPDATE
----
rejected UNSUPPORTED at 1:28

SELECT COUNT(*) FROM trips WHERE requested_at AT TIME ZONE 'UTC' > '2024-01-01'
----
rejected UNSUPPORTED at 1:47

SELECT COUNT(*) FROM trips, WHERE fare > 1
----
rejected SYNTAX at 1:29

SELECT COUNT(*) FROM trips WHERE fare > > 1
----
rejected SYNTAX at 1:41

SELECT COUNT(*)) FROM trips
----
rejected SYNTAX at 1:16

FROM trips SELECT COUNT(*)
----
rejected SYNTAX at 1:1

SELECT COUNT(*) FROM trips WHERE day > INTERVAL 'soon'
----
rejected SYNTAX at 1:49

SELECT CASE WHEN fare > 1 THEN 1 FROM trips
----
rejected SYNTAX at 1:34

-- nothing at all
----
rejected SYNTAX at 1:18

SELECT COUNT(*) FROM trips LIMIT -1
----
rejected SYNTAX at 1:34

SELECT COUNT(*) FROM trips LIMIT 'x'
----
rejected SYNTAX at 1:34

SELECT COUNT(*) FROM trips t JOIN drivers d
----
rejected CROSS_JOIN at 1:35

SELECT COUNT(*) FROM trips WHERE tags[1] = 'x'
----
rejected SYNTAX at 1:38

SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2 DESC LIMIT ALL OFFSET 1
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT status, COUNT(*) FROM trips GROUP BY status ORDER BY 2 DESC OFFSET 1 ROW FETCH FIRST ROW ONLY
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT DISTINCT ON (status) status, n FROM (SELECT status, rating, COUNT(*) AS n FROM trips GROUP BY status, rating) g ORDER BY status, n DESC
----
accepted, joins 0
labels enumerated: status, rating
COUNT n: 1

SELECT COUNT(*) FROM (SELECT DISTINCT ON (driver_id) driver_id, fare FROM trips ORDER BY driver_id, requested_at DESC) t WHERE fare > 10
----
rejected ORDER_NOT_TOTAL at 1:30

SELECT DISTINCT ON (status) status FROM trips GROUP BY status ORDER BY status UNION SELECT 'a'
----
rejected UNSUPPORTED at 1:79
