# Columns that tell individuals apart: joined and counted, never compared with constants.
policy corpus/individual

SELECT COUNT(*) FROM people p JOIN visits v ON v.person = p.id WHERE p.age BETWEEN 20 AND 30
----
accepted, joins 1
COUNT count: k + 70

SELECT COUNT(*) FROM visits v, members m WHERE v.person = m.person AND v.cost > 10
----
accepted, joins 1
COUNT count: max(k_visits + 70, k_members + 3)

SELECT COUNT(DISTINCT person) FROM visits WHERE day > DATE '2024-01-01'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(email), COUNT(*) FILTER (WHERE email IS NULL) FROM people
----
accepted, joins 0
COUNT count: 1
COUNT count: 1

SELECT COUNT(DISTINCT CASE WHEN cost > 50 THEN person END) FROM visits
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM (SELECT person, COUNT(*) n FROM visits GROUP BY person) x WHERE n > 3
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.person = p.id AND v.cost > 90)
----
accepted, joins 1
COUNT count: 1

SELECT COUNT(*) FROM (SELECT person FROM visits UNION SELECT person FROM members) x
----
accepted, joins 0
COUNT count: 1

WITH x AS (SELECT id AS who FROM people WHERE age > 30) SELECT COUNT(*) FROM x JOIN visits v ON v.person = x.who
----
accepted, joins 1
COUNT count: k + 70

SELECT city, COUNT(*) FROM people p JOIN visits v ON v.person = p.id AND p.email IS NOT NULL GROUP BY city
----
accepted, joins 1
labels enumerated: city
COUNT count: k + 70

SELECT COUNT(*) FROM people WHERE 5 = id AND age IS NOT NULL
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people WHERE id + 0 = 5
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people WHERE id % 1000000 = 5
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people WHERE id BETWEEN 5 AND 5
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people WHERE email LIKE 'ann@%'
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people WHERE email IN ('a@b.c', 'd@e.f')
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM visits WHERE person = 5 AND cost IS NOT NULL
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(CASE WHEN id = 5 THEN 1 END) FROM people
----
rejected INDIVIDUAL_FILTER

SELECT SUM(CASE WHEN id < 5 THEN age ELSE 0 END) FROM people
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people p JOIN visits v ON v.person = p.id AND p.id = 5
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people p JOIN famous f ON f.id = p.id WHERE f.name LIKE 'A%' AND p.age < 30
----
rejected INDIVIDUAL_FILTER at 1:36

SELECT COUNT(*) FROM people WHERE id IN (SELECT id FROM famous)
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM people JOIN (VALUES (5)) AS one(x) ON one.x = people.id
----
rejected INDIVIDUAL_FILTER at 1:35

SELECT COUNT(*) FROM people WHERE id = (SELECT 5)
----
rejected INDIVIDUAL_FILTER at 1:40

SELECT id, COUNT(*) FROM people WHERE age > 3 AND city IS NULL GROUP BY id
----
rejected INDIVIDUAL_FILTER at 1:1

SELECT COUNT(*) FROM (SELECT person FROM visits GROUP BY person HAVING person = 5) x
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM (SELECT id AS who FROM people) x WHERE x.who = 5
----
rejected INDIVIDUAL_FILTER

SELECT COUNT(*) FROM (SELECT id FROM people INTERSECT SELECT 5) x
----
rejected INDIVIDUAL_FILTER at 1:23

SELECT COUNT(*) FROM people p JOIN visits v ON v.guide = p.id WHERE p.age NOT BETWEEN 20 AND 30
----
rejected INDIVIDUAL_FILTER at 1:36

SELECT MAX(id) FROM people WHERE city = 'Oslo' OR city = 'Rome'
----
rejected INDIVIDUAL_FILTER
