# LEFT, RIGHT and FULL joins.
policy corpus/rides

SELECT COUNT(*) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(t.id) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id WHERE t.status = 'completed'
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id WHERE t.id IS NULL
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM trips t RIGHT JOIN users u ON t.rider_id = u.id
----
accepted, joins 1
COUNT count: k + 40

SELECT COUNT(*) FROM trips t FULL JOIN drivers d ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM drivers d FULL OUTER JOIN analytics a ON a.driver_id = d.id
----
accepted, joins 1
COUNT count: k + 3

SELECT COUNT(*) FROM trips a FULL JOIN trips b ON a.driver_id = b.rider_id
----
accepted, joins 1
COUNT count: 2k + 106

SELECT COUNT(*) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id LEFT JOIN users u ON u.id = t.rider_id
----
accepted, joins 2
COUNT count: k + 65

SELECT COUNT(*) FROM trips t LEFT JOIN cities c ON t.city_id = c.id
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM cities c LEFT JOIN trips t ON t.city_id = c.id
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM users u LEFT JOIN user_tags g ON g.user_id = u.id AND g.tag = 'vip' WHERE g.tag IS NULL
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(DISTINCT d.id) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: 1

SELECT SUM(t.rating) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id
----
accepted, joins 1
SUM sum: 5k + 325

SELECT COUNT(*) FROM drivers d LEFT JOIN trips t ON t.fare > 100
----
rejected CROSS_JOIN at 1:42

SELECT COUNT(*) FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id AND t.fare > 100
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM drivers d LEFT JOIN (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) s ON s.driver_id = d.id WHERE COALESCE(s.n, 0) < 5
----
accepted, joins 1
COUNT count: 2

SELECT d.active, COUNT(t.id) FROM drivers d LEFT JOIN trips t ON t.driver_id = d.id GROUP BY d.active
----
accepted, joins 1
labels enumerated: active
COUNT count: k + 65

SELECT c.name, COUNT(t.id) FROM cities c LEFT JOIN trips t ON t.city_id = c.id GROUP BY c.name
----
accepted, joins 1
labels enumerated: name
COUNT count: 1

SELECT c.name, COUNT(*) FROM trips t LEFT JOIN cities c ON t.city_id = c.id GROUP BY c.name
----
accepted, joins 1
labels enumerated: name
COUNT count: 1

SELECT COUNT(*) FROM drivers d FULL JOIN cities c ON d.city_id = c.id
----
accepted, joins 1
COUNT count: 1
