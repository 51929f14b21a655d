# IN, EXISTS, NOT EXISTS, NOT IN and scalar subqueries in conditions.
policy corpus/rides

SELECT COUNT(*) FROM drivers WHERE id IN (SELECT driver_id FROM trips WHERE fare > 100)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE driver_id IN (SELECT id FROM drivers WHERE active)
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE t.driver_id = d.id AND t.rating = 1)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM drivers d WHERE NOT EXISTS (SELECT * FROM trips t WHERE t.driver_id = d.id)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips t WHERE NOT EXISTS (SELECT * FROM user_tags g WHERE g.user_id = t.rider_id AND g.tag = 'blocked')
----
accepted, joins 1
COUNT count: k + 40

SELECT COUNT(*) FROM drivers WHERE id NOT IN (SELECT driver_id FROM trips)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM drivers WHERE id NOT IN (SELECT driver_id FROM analytics)
----
rejected NOT_IN_NULLABLE at 1:36

SELECT COUNT(*) FROM drivers WHERE mentor_id NOT IN (SELECT id FROM drivers)
----
rejected NOT_IN_NULLABLE at 1:36

SELECT COUNT(*) FROM drivers WHERE id NOT IN (SELECT driver_id FROM analytics WHERE driver_id IS NOT NULL)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id IN (SELECT id FROM cities WHERE country = 'SE')
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id NOT IN (SELECT id FROM cities WHERE country = 'SE')
----
rejected NOT_IN_NULLABLE at 1:34

SELECT COUNT(*) FROM drivers d WHERE d.id IN (SELECT driver_id FROM trips) OR d.id IN (SELECT driver_id FROM analytics)
----
accepted, joins 2
COUNT count: 1

SELECT COUNT(*) FROM drivers d WHERE NOT (d.active AND EXISTS (SELECT 1 FROM trips t WHERE t.driver_id = d.id))
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM drivers WHERE EXISTS (SELECT 1 FROM trips)
----
rejected SUBQUERY_UNCORRELATED at 1:36

SELECT COUNT(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE t.driver_id > d.id)
----
rejected SUBQUERY_CORRELATION at 1:38

SELECT COUNT(*) FROM drivers d WHERE EXISTS (SELECT 1 FROM trips t WHERE t.driver_id = d.id AND t.day > d.joined)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM drivers d WHERE (EXISTS (SELECT 1 FROM trips t WHERE t.driver_id = d.id)) IS NULL
----
rejected SUBQUERY_POSITION at 1:38

SELECT COUNT(*) FROM drivers d WHERE CASE WHEN d.id IN (SELECT driver_id FROM trips) THEN 1 ELSE 0 END = 1
----
rejected SUBQUERY_POSITION at 1:48

SELECT COUNT(*) FROM users u WHERE (SELECT COUNT(*) FROM trips t WHERE t.rider_id = u.id) > 10
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips t WHERE t.fare > (SELECT AVG(x.fare) FROM trips x WHERE x.driver_id = t.driver_id)
----
accepted, joins 0
COUNT count: k + 66

SELECT COUNT(*) FROM trips WHERE fare > (SELECT AVG(fare) FROM trips)
----
rejected SUBQUERY_UNCORRELATED at 1:41

SELECT COUNT(*) FROM trips WHERE fare > (SELECT MAX(population) FROM cities)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM users u WHERE (SELECT t.fare FROM trips t WHERE t.rider_id = u.id) > 10
----
rejected SUBQUERY_NOT_SCALAR at 1:36

SELECT COUNT(*) FROM users u WHERE u.age > (SELECT COUNT(*) FROM trips t WHERE t.rider_id < u.id)
----
rejected SUBQUERY_CORRELATION at 1:44

SELECT SUM(LEAST(5, (SELECT COUNT(*) FROM trips t WHERE t.rider_id = u.id))) FROM users u
----
accepted, joins 0
SUM sum: 5

SELECT COUNT(*) FROM trips WHERE (driver_id, rider_id) IN (SELECT driver_id, rider_id FROM trips WHERE rating = 1)
----
accepted, joins 1
COUNT count: k + 13

SELECT COUNT(*) FROM drivers WHERE id = ANY (SELECT driver_id FROM trips)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM users WHERE age >= ALL (SELECT age FROM users)
----
rejected SUBQUERY_UNCORRELATED at 1:34

SELECT COUNT(*) FROM trips WHERE driver_id IN (SELECT driver_id FROM trips GROUP BY driver_id HAVING COUNT(*) > 100)
----
accepted, joins 1
COUNT count: k + 66

SELECT COUNT(*) FROM users u WHERE u.id IN (SELECT rider_id FROM trips WHERE driver_id IN (SELECT id FROM drivers WHERE NOT active))
----
accepted, joins 2
COUNT count: k + 65

SELECT COUNT(*) FROM users u WHERE EXISTS (SELECT 1 FROM trips t JOIN drivers d ON d.id = t.driver_id WHERE t.rider_id = u.id AND d.active)
----
accepted, joins 2
COUNT count: k + 65

SELECT COUNT(*) FROM users u WHERE u.home_city_id IN (SELECT t.city_id FROM trips t WHERE t.rider_id = u.id)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM users u WHERE EXISTS (SELECT 1 FROM cities c WHERE c.id = u.home_city_id AND c.country = 'DK')
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM users u WHERE u.id NOT IN (SELECT user_id FROM user_tags) AND u.age > 18
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id = (SELECT id FROM cities WHERE id = 3)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE city_id = (SELECT id FROM cities WHERE name = 'Berlin')
----
rejected SUBQUERY_NOT_SCALAR at 1:44

SELECT COUNT(*) FROM trips WHERE (SELECT id FROM drivers WHERE id = 3 AND active) = driver_id OR fare > 10
----
accepted, joins 1
COUNT count: k + 65

SELECT COUNT(*) FROM trips WHERE NOT driver_id = (SELECT id FROM drivers WHERE id = 3)
----
rejected SUBQUERY_NOT_SCALAR at 1:50

SELECT COUNT(*) FROM drivers WHERE id = (SELECT driver_id FROM trips WHERE driver_id = 3)
----
rejected SUBQUERY_NOT_SCALAR at 1:41
