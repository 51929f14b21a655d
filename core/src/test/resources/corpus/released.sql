# Window functions over released rows: computed on noisy values, free.
policy corpus/rides

SELECT day, COUNT(*) AS c, SUM(COUNT(*)) OVER (ORDER BY day) AS so_far FROM trips GROUP BY day
----
accepted, joins 0
labels enumerated: day
COUNT c: 1

SELECT status, COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) AS place FROM trips GROUP BY status ORDER BY place
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status, DENSE_RANK() OVER (ORDER BY SUM(fare) DESC NULLS LAST) AS r, SUM(fare) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
SUM sum: 500

SELECT status, 100.0 * COUNT(*) / SUM(COUNT(*)) OVER () AS share FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT x.status, x.n, x.n / SUM(x.n) OVER () AS part FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) x
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

WITH daily AS (SELECT day, COUNT(*) AS n FROM trips GROUP BY day) SELECT day, n, n - LAG(n) OVER (ORDER BY day) AS change FROM daily
----
accepted, joins 0
labels enumerated: day
COUNT n: 1

WITH daily AS (SELECT day, SUM(fare) AS f FROM trips GROUP BY day) SELECT day, AVG(f) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week FROM daily ORDER BY day
----
accepted, joins 0
labels enumerated: day
SUM: 500

SELECT day, COUNT(*), LEAD(COUNT(*), 2, 0) OVER (ORDER BY day) FROM trips GROUP BY day
----
accepted, joins 0
labels enumerated: day
COUNT count: 1

SELECT city_id, status, COUNT(*) AS n, RANK() OVER (PARTITION BY city_id ORDER BY COUNT(*) DESC) AS r FROM trips GROUP BY city_id, status
----
accepted, joins 0
labels enumerated: city_id, status
COUNT n: 1

SELECT city_id, status, COUNT(*) AS n FROM trips GROUP BY city_id, status QUALIFY ROW_NUMBER() OVER (PARTITION BY city_id ORDER BY COUNT(*) DESC) = 1
----
accepted, joins 0
labels enumerated: city_id, status
COUNT n: 1

SELECT city_id, COUNT(*) AS n FROM trips GROUP BY city_id QUALIFY RANK() OVER (ORDER BY n DESC) <= 3 ORDER BY n DESC
----
accepted, joins 0
labels enumerated: city_id
COUNT n: 1

SELECT * FROM (SELECT city_id, n, ROW_NUMBER() OVER (ORDER BY n DESC) AS rn FROM (SELECT city_id, COUNT(*) AS n FROM drivers GROUP BY city_id) a) b WHERE rn <= 5
----
accepted, joins 0
labels enumerated: city_id
COUNT n: 1

SELECT home_city_id, NTILE(4) OVER (ORDER BY AVG(age)) AS quarter FROM users GROUP BY home_city_id
----
accepted, joins 0
labels enumerated: home_city_id
AVG sum: 60
AVG count: 1

SELECT status, PERCENT_RANK() OVER (ORDER BY AVG(fare)), CUME_DIST() OVER (ORDER BY AVG(fare)) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
AVG sum: 250
AVG count: 1

SELECT day, FIRST_VALUE(COUNT(*)) OVER w, LAST_VALUE(COUNT(*)) OVER w, NTH_VALUE(COUNT(*), 3) OVER w FROM trips GROUP BY day WINDOW w AS (ORDER BY day ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING)
----
accepted, joins 0
labels enumerated: day
COUNT: 1

SELECT day, MAX(COUNT(*)) OVER (ORDER BY day ROWS 30 PRECEDING) AS peak FROM trips GROUP BY day
----
accepted, joins 0
labels enumerated: day
COUNT: 1

SELECT day, MIN(n) OVER (ORDER BY day RANGE BETWEEN INTERVAL '7' DAY PRECEDING AND INTERVAL '7' DAY FOLLOWING) FROM (SELECT day, COUNT(*) AS n FROM trips GROUP BY day) q
----
accepted, joins 0
labels enumerated: day
COUNT: 1

SELECT rating, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY rating RANGE BETWEEN 1 PRECEDING AND 1 FOLLOWING) FROM trips GROUP BY rating
----
accepted, joins 0
labels enumerated: rating
COUNT n: 1

SELECT EXTRACT(MONTH FROM day) AS m, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY EXTRACT(MONTH FROM day) DESC ROWS UNBOUNDED PRECEDING) AS left_over FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: m
COUNT n: 1

SELECT status, COUNT(*) AS n, COUNT(*) OVER () AS groups FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status, COUNT(*) - AVG(COUNT(*)) OVER () AS from_mean FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT status, (COUNT(*) - AVG(COUNT(*)) OVER ()) / STDDEV(COUNT(*)) OVER () AS z FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT year, tag, n, n * 1.0 / FIRST_VALUE(n) OVER (PARTITION BY tag ORDER BY year) FROM (SELECT a.year, t.tag, COUNT(*) AS n FROM analytics a JOIN user_tags t ON a.driver_id = t.user_id GROUP BY a.year, t.tag) g
----
accepted, joins 1
labels enumerated: year, tag
COUNT n: max(k_user_tags + 4, k_analytics + 3)

SELECT c.name, x.n, RANK() OVER (PARTITION BY c.country ORDER BY x.n DESC) FROM cities c JOIN (SELECT city_id, COUNT(*) AS n FROM drivers GROUP BY city_id) x ON x.city_id = c.id
----
accepted, joins 1
labels enumerated: city_id
COUNT n: 1

SELECT status, SUM(COUNT(*)) OVER (ORDER BY status) AS upto FROM trips GROUP BY status HAVING COUNT(*) > 100
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT status, n FROM (SELECT status, COUNT(*) AS n, SUM(COUNT(*)) OVER () AS total FROM trips GROUP BY status) q WHERE n * 10 > total
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status, COUNT(*) AS n FROM trips GROUP BY status ORDER BY RANK() OVER (ORDER BY COUNT(*)) LIMIT 2
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT day, SUM(n) FILTER (WHERE n > 0) OVER (ORDER BY day) FROM (SELECT day, COUNT(*) AS n FROM trips GROUP BY day) d
----
accepted, joins 0
labels enumerated: day
COUNT: 1

SELECT status, tag, n, SUM(n) OVER (PARTITION BY status) AS by_status, SUM(n) OVER (PARTITION BY tag) AS by_tag, SUM(n) OVER () AS everything FROM (SELECT t.status, g.tag, COUNT(*) AS n FROM trips t JOIN user_tags g ON g.user_id = t.rider_id GROUP BY t.status, g.tag) x
----
accepted, joins 1
labels enumerated: status, tag
COUNT n: max(k_trips + 40, k_user_tags + 4)

SELECT DISTINCT FIRST_VALUE(status) OVER (ORDER BY n DESC) AS most FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) q
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT status, n, CASE WHEN n > LAG(n, 1, n) OVER (ORDER BY status) THEN 'up' ELSE 'down' END FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) q
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status, city_id, COUNT(*), GROUPING(status), RANK() OVER (PARTITION BY GROUPING(status) ORDER BY COUNT(*) DESC) FROM trips GROUP BY ROLLUP (status, city_id)
----
accepted, joins 0
labels enumerated: status, city_id
COUNT count: 3

SELECT 'trips' AS what, n, RANK() OVER (ORDER BY n) FROM (SELECT COUNT(*) AS n FROM trips UNION ALL SELECT COUNT(*) FROM drivers UNION ALL SELECT COUNT(*) FROM users) u
----
accepted, joins 0
COUNT n: 1
COUNT: 1
COUNT: 1

SELECT COALESCE(a.status, 'none') AS s, a.n - b.n AS gap, SUM(a.n - b.n) OVER (ORDER BY a.status) FROM (SELECT status, COUNT(*) AS n FROM trips WHERE fare > 10 GROUP BY status) a LEFT JOIN (SELECT status, COUNT(*) AS n FROM trips WHERE fare <= 10 GROUP BY status) b ON a.status = b.status
----
accepted, joins 1
labels enumerated: status
COUNT: 1
labels enumerated: status
COUNT: 1

SELECT status, COUNT(*) AS n, SUM(COUNT(*)) OVER (ORDER BY COUNT(*) DESC ROWS UNBOUNDED PRECEDING) * 1.0 / SUM(COUNT(*)) OVER () AS pareto FROM trips GROUP BY ALL
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT active, COUNT(*) AS n, MAX(COUNT(*)) OVER () - COUNT(*) AS behind FROM drivers GROUP BY active
----
accepted, joins 0
labels enumerated: active
COUNT n: 1

SELECT status, COUNT(*) AS n, DP_INTERVAL_LOW(n) AS low, RANK() OVER (ORDER BY COUNT(*)) AS r FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT t.*, ROW_NUMBER() OVER (ORDER BY n DESC, status) AS nr FROM (SELECT status, COUNT(*) AS n FROM trips GROUP BY status) t ORDER BY nr
----
accepted, joins 0
labels enumerated: status
COUNT n: 1

SELECT status, VAR_POP(COUNT(*)) OVER () FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
COUNT: 1

SELECT day, SUM(n) OVER (ORDER BY day ROWS BETWEEN 1 FOLLOWING AND UNBOUNDED FOLLOWING) AS still_to_come FROM (SELECT day, COUNT(*) AS n FROM trips WHERE day BETWEEN DATE '2024-03-01' AND DATE '2024-03-31' GROUP BY day) d
----
accepted, joins 0
labels enumerated: day
COUNT: 1

SELECT status, COUNT(*), COUNT(DISTINCT COUNT(*)) OVER () FROM trips GROUP BY status
----
rejected POSTPROCESS_UNSUPPORTED at 1:26

SELECT status, COUNT(*), MEDIAN(COUNT(*)) OVER () FROM trips GROUP BY status
----
rejected POSTPROCESS_UNSUPPORTED at 1:26

SELECT status, COUNT(*), SUM(fare) OVER (ORDER BY status) FROM trips GROUP BY status
----
rejected INVALID_GROUPING at 1:26

SELECT day, COUNT(*), LAST_VALUE(COUNT(*)) IGNORE NULLS OVER (ORDER BY day) FROM trips GROUP BY day
----
rejected UNSUPPORTED at 1:44

SELECT day, SUM(COUNT(*)) OVER (ORDER BY day GROUPS 2 PRECEDING) FROM trips GROUP BY day
----
rejected UNSUPPORTED at 1:46

SELECT day, SUM(COUNT(*)) OVER (ORDER BY day ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING EXCLUDE CURRENT ROW) FROM trips GROUP BY day
----
rejected UNSUPPORTED at 1:87

SELECT day, SUM(COUNT(*)) OVER (ORDER BY day RANGE BETWEEN 3 PRECEDING AND CURRENT ROW) FROM trips GROUP BY day
----
rejected TYPE_MISMATCH at 1:60

SELECT d.name, x.n, RANK() OVER (ORDER BY x.n) FROM drivers d JOIN (SELECT driver_id, COUNT(*) AS n FROM trips GROUP BY driver_id) x ON x.driver_id = d.id
----
rejected PROTECTED_ABOVE_RELEASE at 1:53

SELECT COUNT(*) FROM (SELECT SUM(fare) OVER (PARTITION BY driver_id ORDER BY id ROWS 3 PRECEDING) AS f FROM trips) x WHERE f > 10
----
rejected WINDOW_UNSUPPORTED at 1:30

SELECT name, SUM(population) OVER (ORDER BY id ROWS 2 PRECEDING) FROM cities
----
rejected WINDOW_UNSUPPORTED at 1:14

SELECT status, COUNT(*), DP_INTERVAL_HIGH(RANK() OVER (ORDER BY COUNT(*))) FROM trips GROUP BY status
----
rejected INTERVAL_UNAVAILABLE
