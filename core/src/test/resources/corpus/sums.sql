# SUM, AVG, spread and quantiles, and the ranges they need.
policy corpus/rides

SELECT SUM(fare) FROM trips
----
accepted, joins 0
SUM sum: 500

SELECT SUM(tip) FROM trips
----
accepted, joins 0
SUM sum: 90

SELECT SUM(fare), COUNT(*), AVG(fare) FROM trips WHERE status = 'completed'
----
accepted, joins 0
SUM sum: 500
COUNT count: 1
AVG sum: 250
AVG count: 1

SELECT SUM(fare + tip) FROM trips
----
accepted, joins 0
SUM sum: 590

SELECT SUM(fare * passengers) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT SUM(passengers) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT SUM(LEAST(GREATEST(passengers, 0), 8)) FROM trips
----
accepted, joins 0
SUM sum: 8

SELECT SUM(CASE WHEN status = 'cancelled' THEN -fare ELSE fare END) FROM trips
----
accepted, joins 0
SUM sum: 500

SELECT SUM(-tip) FROM trips
----
accepted, joins 0
SUM sum: 90

SELECT SUM(fare) FROM trips t JOIN drivers d ON t.driver_id = d.id WHERE d.active
----
accepted, joins 1
SUM sum: 500k + 32500

SELECT SUM(d.id) FROM drivers d
----
rejected MISSING_RANGE at 1:8

SELECT SUM(name) FROM drivers
----
rejected TYPE_MISMATCH at 1:8

SELECT SUM(DISTINCT rating) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT AVG(age) FROM users
----
accepted, joins 0
AVG sum: 60
AVG count: 1

SELECT AVG(COALESCE(rating, 3)) FROM trips
----
accepted, joins 0
AVG sum: 2
AVG count: 1

SELECT STDDEV(fare), VAR_POP(age + 0) FROM trips, users WHERE trips.rider_id = users.id
----
accepted, joins 1
STDDEV_SAMP count: k + 40
STDDEV_SAMP sum: 250k + 10000
STDDEV_SAMP squares: 62500k + 2500000
VAR_POP count: k + 40
VAR_POP sum: 60k + 2400
VAR_POP squares: 3600k + 144000

SELECT VARIANCE(rating) FROM trips
----
accepted, joins 0
VAR_SAMP count: 1
VAR_SAMP sum: 2
VAR_SAMP squares: 4

SELECT MIN(fare), MAX(fare) FROM trips
----
accepted, joins 0
MIN quantile min: 1
MAX quantile max: 1

SELECT MEDIAN(age) FROM users
----
accepted, joins 0
QUANTILE median: 5 times 0.1

SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY fare) FROM trips
----
accepted, joins 0
QUANTILE percentile_cont: 9 times 0.1

SELECT QUANTILE_CONT(distance, 0.25) FROM trips
----
accepted, joins 0
QUANTILE quantile_cont: 75 times 0.01

SELECT APPROX_PERCENTILE(fare, 0.5) FROM trips
----
accepted, joins 0
QUANTILE approx_percentile: 5 times 0.1

SELECT MAX(joined) FROM drivers
----
rejected MISSING_RANGE at 1:8

SELECT MAX(day) FROM trips
----
accepted, joins 0
MAX quantile: 1

SELECT MAX(name) FROM drivers
----
rejected TYPE_MISMATCH at 1:8

SELECT MEDIAN(fare) FROM trips t JOIN users u ON u.id = t.rider_id
----
accepted, joins 1
QUANTILE median: 5k + 200 times 0.1

SELECT status, SUM(fare) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
SUM sum: 500

SELECT status, AVG(distance), STDDEV_SAMP(distance) FROM trips GROUP BY status
----
accepted, joins 0
labels enumerated: status
AVG sum: 500
AVG count: 1
STDDEV_SAMP squares: 250000

SELECT SUM(EXTRACT(MONTH FROM requested_at)) FROM trips
----
accepted, joins 0
SUM sum: 12

SELECT SUM(ABS(tip)), SUM(tip * tip) FROM trips
----
accepted, joins 0
SUM sum: 90
SUM sum: 8100

SELECT SUM(fare) FILTER (WHERE rating > 3) / COUNT(*) FROM trips
----
accepted, joins 0
SUM: 500
COUNT: 1

SELECT SUM(score * 100) FROM analytics
----
accepted, joins 0
SUM sum: 100

SELECT SUM(CAST(passengers AS SMALLINT)) FROM trips
----
rejected MISSING_RANGE at 1:8

SELECT SUM(ROUND(fare)) FROM trips
----
accepted, joins 0
SUM sum: 500

SELECT STRING_AGG(name, ',') FROM drivers
----
rejected UNSUPPORTED at 1:8

SELECT ARRAY_AGG(id) FROM trips
----
rejected UNSUPPORTED at 1:8

SELECT BOOL_OR(active) FROM drivers
----
accepted, joins 0
COUNT: 1
COUNT: 1

SELECT CORR(fare, tip) FROM trips
----
accepted, joins 0
COUNT: 1
SUM: 45000
SUM: 500
SUM: 90
SUM: 250000
SUM: 8100

SELECT MODE(status) FROM trips
----
accepted, joins 0
MODE: 1
