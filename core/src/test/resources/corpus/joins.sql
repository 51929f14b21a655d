# Inner joins: equalities, compound keys, self joins, comma joins, and joins without a rule.
policy corpus/rides

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM trips t JOIN users u ON t.rider_id = u.id JOIN user_tags g ON g.user_id = u.id
----
accepted, joins 2
COUNT count: (k_trips + 40)·(k_user_tags + 4)

SELECT COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id WHERE c.country = 'NO'
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id
----
accepted, joins 1
COUNT count: 2k + 131

SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id AND a.rider_id = b.rider_id AND a.id < b.id
----
accepted, joins 1
COUNT count: 2k + 25

SELECT COUNT(*) FROM trips a JOIN trips b ON a.id = b.id
----
accepted, joins 1
COUNT count: 2

SELECT COUNT(*) FROM trips t, drivers d, analytics a WHERE a.driver_id = d.id AND t.driver_id = d.id
----
accepted, joins 2
COUNT count: (k_trips + 65)·(k_analytics + 3)

SELECT COUNT(*) FROM trips t, users u, drivers d WHERE t.driver_id = d.id AND t.rider_id = u.id AND u.age > 30
----
accepted, joins 2
COUNT count: k + 65

SELECT COUNT(*) FROM trips JOIN drivers USING (city_id)
----
accepted, joins 1
COUNT count: max(k_trips + 9000, k_drivers + 300)

SELECT COUNT(*) FROM trips t NATURAL JOIN drivers d
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM drivers d JOIN drivers m ON d.mentor_id = m.id
----
accepted, joins 1
COUNT count: k + 26

SELECT COUNT(*) FROM trips a JOIN trips b ON a.driver_id = b.driver_id JOIN trips c ON b.rider_id = c.rider_id
----
accepted, joins 2
COUNT count: 3k² + 318k + 7946

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id OR t.city_id = d.city_id
----
accepted, joins 1
COUNT count: max(2k_trips + 9065, k_drivers + 301)

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.fare > d.id
----
rejected JOIN_NOT_EQUI at 1:35

SELECT COUNT(*) FROM trips CROSS JOIN drivers
----
rejected CROSS_JOIN at 1:39

SELECT COUNT(*) FROM trips, drivers
----
rejected CROSS_JOIN at 1:29

SELECT COUNT(*) FROM trips t JOIN drivers d ON TRUE
----
rejected CROSS_JOIN at 1:35

SELECT COUNT(*) FROM trips CROSS JOIN cities
----
accepted, joins 1
COUNT count: 120

SELECT COUNT(*) FROM trips t JOIN cities c ON t.passengers < c.population
----
accepted, joins 1
COUNT count: 120

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id + 1 = d.id
----
rejected JOIN_KEY_COMPUTED at 1:35

SELECT COUNT(*) FROM trips t JOIN drivers d ON CAST(t.driver_id AS VARCHAR) = d.name
----
rejected JOIN_KEY_COMPUTED at 1:35

SELECT COUNT(*) FROM trips t JOIN analytics a ON t.passengers = a.completed
----
rejected MISSING_METRIC at 1:35

SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id AND d.active WHERE t.status = 'completed' AND d.joined < t.day
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM (SELECT driver_id AS k FROM trips WHERE fare > 5) x JOIN (SELECT id AS k FROM drivers WHERE active) y ON x.k = y.k
----
accepted, joins 1
COUNT count: k + 65

WITH t AS (SELECT * FROM trips WHERE rating = 1) SELECT COUNT(*) FROM t a JOIN t b ON a.driver_id = b.driver_id
----
accepted, joins 1
COUNT count: 2k + 131

SELECT COUNT(DISTINCT u.id) FROM users u JOIN trips t ON t.rider_id = u.id
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(DISTINCT t.driver_id) FROM trips t JOIN user_tags g ON t.rider_id = g.user_id AND g.tag = 'vip'
----
accepted, joins 1
COUNT count: k + 40

SELECT COUNT(*) FROM (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) s JOIN drivers d ON s.n = d.id
----
rejected JOIN_KEY_COMPUTED at 1:93

SELECT COUNT(*) FROM trips t JOIN cities c ON t.city_id = c.id JOIN drivers d ON d.city_id = c.id
----
accepted, joins 2
COUNT count: max(k_trips + 9000, k_drivers + 300)

SELECT COUNT(*) FROM trips t, LATERAL (SELECT d.id FROM drivers d WHERE d.id = t.driver_id) x
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM trips a JOIN trips b ON a.requested_at = b.requested_at AND a.driver_id = b.driver_id
----
accepted, joins 1
COUNT count: 2

SELECT COUNT(*) FROM user_tags a JOIN user_tags b ON a.user_id = b.user_id AND a.tag <> b.tag
----
accepted, joins 1
COUNT count: 2k + 9

SELECT COUNT(*) FROM trips t LEFT SEMI JOIN drivers d ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM drivers d JOIN analytics a ON d.id IS NOT DISTINCT FROM a.driver_id
----
accepted, joins 1
COUNT count: k + 30

SELECT COUNT(*) FROM drivers d JOIN analytics a ON d.id <=> a.driver_id
----
accepted, joins 1
COUNT count: k + 30

SELECT COUNT(*) FROM trips t JOIN users u ON t.rider_id = u.id AND t.rider_id = 7
----
accepted, joins 1
COUNT count: k + 40

SELECT COUNT(*) FROM trips t JOIN (SELECT id FROM cities UNION SELECT 1) c ON c.id = t.city_id
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM drivers d LEFT JOIN (SELECT t.driver_id FROM trips t CROSS JOIN cities c) x ON x.driver_id = d.id
----
accepted, joins 2
COUNT count: 120k + 7800

SELECT COUNT(*) FROM drivers d LEFT JOIN (SELECT t.driver_id FROM trips t CROSS JOIN cities c WHERE c.population = 5) x ON x.driver_id = d.id
----
accepted, joins 2
COUNT count: 120k + 7800

SELECT COUNT(*) FROM drivers d LEFT JOIN (SELECT t.passengers FROM trips t CROSS JOIN cities c WHERE c.population = 5) x ON x.passengers = d.id
----
rejected MISSING_METRIC at 1:43
