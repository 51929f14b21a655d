# The same question as different databases write it.
policy corpus/rides

SELECT TOP 2 status, COUNT(*) FROM trips GROUP BY status ORDER BY COUNT(*) DESC
----
accepted, joins 0
labels enumerated: status
COUNT count: 1

SELECT COUNT(*) FROM `trips` WHERE `status` = 'completed'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM [trips] WHERE [fare] > 10
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE fare::integer > 10 AND requested_at::date = '2024-02-02'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE promo ILIKE 'new%' AND promo NOT ILIKE '%test%'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE YEAR(day) = 2024 AND MONTH(day) = 6
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE DATEDIFF(day, day, requested_at) > 1
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE date_diff('day', day, requested_at) > 1
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE day >= DATE_SUB(CURRENT_DATE, INTERVAL 30 DAY)
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE requested_at > NOW() - INTERVAL 1 WEEK
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE IFNULL(promo, '') = '' OR NVL(rating, 0) = 0
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE IF(fare > 10, TRUE, FALSE)
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE TRY_CAST(promo AS INTEGER) = 5
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users WHERE LENGTH(email) > 10 AND SUBSTRING(email FROM 1 FOR 1) = 'a' AND POSITION('@' IN email) > 0
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users WHERE LEFT(email, 3) = 'bob' AND RIGHT(email, 3) = 'com' AND TRIM(BOTH ' ' FROM email) <> ''
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users WHERE email REGEXP '^a'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users WHERE email ~ '^a'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM users WHERE email SIMILAR TO 'a%'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE fare == 10 AND rating != 3
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE rating % 2 = 1 AND MOD(passengers, 2) = 0
----
accepted, joins 0
COUNT count: 1

SELECT year, value FROM analytics
----
rejected RAW_ROWS at 1:25

SELECT COUNT(*) FROM analytics WHERE year = 2024 AND value > 0
----
accepted, joins 0
COUNT count: 1

select count(*) from TRIPS where STATUS = 'completed'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM "trips" WHERE "Status" = 'completed'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips /* hint */ WHERE fare > 1 -- end
----
accepted, joins 0
COUNT count: 1

SELECT status, COUNT(*) FROM trips GROUP BY status WITH ROLLUP
----
accepted, joins 0
labels enumerated: status
COUNT count: 2

SELECT COUNT(*) FROM users WHERE CONCAT(email, 'x') LIKE '%x' AND email || 'y' = 'zy'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE STRFTIME('%Y', day) = '2024'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE TO_CHAR(day, 'YYYY') = '2024'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE day = '2024-02-30'
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE GREATEST(fare, tip, 3) > 10 AND NULLIF(rating, 0) IS NOT NULL
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips FETCH FIRST 5 ROWS ONLY
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE fare BETWEEN SYMMETRIC 20 AND 10
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE (fare, tip) = (1, 2)
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE rating IS TRUE
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE fare IN (1, 2, NULL)
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM drivers WHERE active IS NOT TRUE OR active = TRUE
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM drivers WHERE active
----
accepted, joins 0
COUNT count: 1

SELECT (SELECT COUNT(*) FROM trips) AS n FROM dual
----
accepted, joins 1
COUNT n: 1

SELECT COUNT(*) FROM trips WHERE status COLLATE "C" = 'completed'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE promo = 'new' COLLATE nocase
----
rejected UNSUPPORTED at 1:48

SELECT BOOL_OR(fare > 400) FROM trips
----
accepted, joins 0
COUNT: 1
COUNT: 1

SELECT COUNT(*) FROM (SELECT driver_id, BOOL_AND(fare > 100) AS big FROM trips GROUP BY driver_id) d WHERE big
----
accepted, joins 0
COUNT count: 1

SELECT status, EVERY(rating > 2) OVER (PARTITION BY status) FROM trips
----
rejected WINDOW_UNSUPPORTED at 1:16

SELECT WIDTH_BUCKET(fare, 0, 100, 10) AS bucket, COUNT(*) FROM trips GROUP BY 1
----
accepted, joins 0
labels enumerated: bucket
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE WIDTH_BUCKET(fare, 0, tip, 10) = 3
----
rejected TYPE_MISMATCH at 1:56

SELECT COUNT(*) FROM trips WHERE WIDTH_BUCKET(fare, 100, 0, 10) = 3
----
rejected TYPE_MISMATCH at 1:34

SELECT COUNT(*) FROM trips WHERE promo LIKE CONCAT('%', LOWER('NEW'), '%')
----
accepted, joins 0
COUNT count: 1

SELECT promo, COUNT(*) FROM trips WHERE promo IN (LOWER('NEW'), 'a' || 'b') GROUP BY promo
----
accepted, joins 0
labels enumerated: promo
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE promo LIKE LOWER('GRÖSSE%')
----
rejected TYPE_MISMATCH at 1:34

SELECT passengers, COUNT(*) FROM trips WHERE passengers BETWEEN 1 AND 10 / 2 GROUP BY passengers
----
accepted, joins 0
labels enumerated: passengers
COUNT count: 1

SELECT n, COUNT(t.id) FROM generate_series(1, 5) AS g(n) LEFT JOIN trips t ON t.rating = g.n GROUP BY n
----
accepted, joins 1
labels enumerated: n
COUNT count: 1

SELECT m, COUNT(t.id) FROM generate_series(DATE '2024-01-01', DATE '2024-12-01', INTERVAL '1' MONTH) AS s(m) LEFT JOIN trips t ON date_trunc('month', t.day) = s.m GROUP BY m
----
accepted, joins 1
labels enumerated: m
COUNT count: 12

SELECT r.range, COUNT(*) FROM range(3) r JOIN trips t ON t.rating = r.range GROUP BY 1
----
accepted, joins 1
labels enumerated: range
COUNT count: 1

SELECT COUNT(*) FROM generate_series(1, 100000), trips
----
rejected TYPE_MISMATCH at 1:22

SELECT COUNT(*) FROM trips, generate_series(1, trips.id)
----
rejected UNKNOWN_TABLE at 1:48

SELECT COUNT(*) FROM generate_series(DATE '2024-01-31', DATE '2024-12-01', INTERVAL '1' MONTH), trips
----
rejected TYPE_MISMATCH at 1:22

SELECT COUNT(*) FROM pg_ls_dir('/')
----
rejected UNSUPPORTED at 1:22

SELECT AVG(DATE '2024-12-31' - day) FROM trips
----
accepted, joins 0
AVG sum: 183
AVG count: 1

SELECT AVG(datediff('week', DATE '2024-03-01', day)) FROM trips
----
accepted, joins 0
AVG sum: 28
AVG count: 1

SELECT COUNT(*) FROM trips WHERE day >= make_date(2024, 2, 30)
----
rejected TYPE_MISMATCH at 1:41

SELECT COUNT(*) FROM trips WHERE day >= make_date(2024, rating, 1)
----
rejected TYPE_MISMATCH at 1:41

SELECT COUNT(*) FROM trips WHERE strftime('%w', day) = '0' AND to_char(requested_at, 'yyyy-mm') = '2024-02'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE date_format(day, '%M') = 'May'
----
accepted, joins 0
COUNT count: 1

SELECT COUNT(*) FROM trips WHERE to_char(requested_at, 'HH:MI') = '11:30'
----
rejected UNSUPPORTED at 1:34

SELECT COUNT(*) FROM trips WHERE strftime('%s', requested_at) > '0'
----
accepted, joins 0
COUNT count: 1
