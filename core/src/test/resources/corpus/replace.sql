# Neighbours that replace one row, as in the paper.
policy corpus/rides
neighbors replace-one

SELECT COUNT(*) FROM trips WHERE fare > 10
----
accepted, joins 0
COUNT count: 1

SELECT SUM(tip) FROM trips
----
accepted, joins 0
SUM sum: 100

SELECT status, SUM(tip) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
SUM sum: 180

SELECT COUNT(*) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM drivers d WHERE NOT EXISTS (SELECT 1 FROM trips t WHERE t.driver_id = d.id)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) s WHERE n > 10
----
accepted, joins 0
COUNT count: 1

SELECT MEDIAN(age) FROM users
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT COUNT(*) FROM (SELECT id FROM drivers EXCEPT SELECT driver_id FROM trips) x
----
accepted, joins 0
COUNT count: 1
