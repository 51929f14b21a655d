# UNION, INTERSECT, EXCEPT.
policy corpus/rides

SELECT COUNT(*) FROM (SELECT driver_id FROM trips UNION ALL SELECT id FROM drivers) u
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id FROM trips UNION SELECT driver_id FROM analytics) u
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT id FROM drivers INTERSECT SELECT driver_id FROM trips) u
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT id FROM drivers EXCEPT SELECT driver_id FROM trips) u
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT id FROM users MINUS SELECT rider_id FROM trips) u
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id FROM trips INTERSECT ALL SELECT driver_id FROM analytics) u
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT driver_id FROM trips EXCEPT ALL SELECT driver_id FROM analytics) u
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT city_id FROM trips UNION ALL SELECT city_id FROM drivers UNION ALL SELECT home_city_id FROM users) u JOIN cities c ON c.id = u.city_id
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips UNION ALL SELECT COUNT(*) FROM drivers
----
accepted, joins 0
COUNT count: 1
COUNT: 1

SELECT 'trips' AS what, COUNT(*) FROM trips UNION SELECT 'users', COUNT(*) FROM users ORDER BY 1
----
accepted, joins 0
COUNT count: 1
COUNT: 1

SELECT id FROM drivers UNION SELECT id FROM users
----
rejected RAW_ROWS at 1:16

SELECT COUNT(*) FROM (SELECT id, city_id FROM drivers UNION SELECT id FROM users) u
----
rejected TYPE_MISMATCH at 1:23

SELECT COUNT(*) FROM (SELECT name FROM drivers UNION SELECT id FROM users) u
----
rejected TYPE_MISMATCH at 1:23

SELECT COUNT(*) FROM (SELECT driver_id FROM trips UNION ALL SELECT driver_id FROM trips) u
----
accepted, joins 0
COUNT count: 2

SELECT COUNT(*) FROM (SELECT id FROM cities UNION SELECT city_id FROM trips) u
----
accepted, joins 0
COUNT count: 1

SELECT status, COUNT(*) FROM (SELECT status FROM trips UNION ALL SELECT 'none' FROM users) u GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT COUNT(*) FROM ((SELECT driver_id FROM trips LIMIT 5) UNION ALL (SELECT id FROM drivers)) u
----
rejected ORDER_NOT_TOTAL at 1:24
