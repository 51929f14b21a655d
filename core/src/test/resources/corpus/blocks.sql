# Sample and aggregate: blocks by the hash of a key.
policy corpus/rides

SELECT DP_BLOCK(id, 4) AS b, COUNT(*) FROM trips GROUP BY b
----
accepted, joins 0
labels enumerated: b
COUNT count: 1

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT DP_BLOCK(id, 400) AS b, AVG(fare) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT DP_BLOCK(t.driver_id, 400) AS b, STDDEV(t.fare) AS s FROM trips t JOIN drivers d ON t.driver_id = d.id GROUP BY b) z
----
accepted, joins 1
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT DP_BLOCK(t.id, 400) AS b, AVG(t.fare) AS s FROM trips t JOIN drivers d ON t.driver_id = d.id GROUP BY b) z
----
accepted, joins 1
QUANTILE median: 10k + 650 times 0.1

SELECT SUM(LEAST(GREATEST(s, 0), 10)) / 400 FROM (SELECT DP_BLOCK(id, 400) AS b, MEDIAN(fare) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
SUM: 10

SELECT COUNT(*) FROM trips WHERE DP_BLOCK(id, id) = 3
----
rejected TYPE_MISMATCH at 1:47

SELECT COUNT(*) FROM trips WHERE DP_BLOCK(id, 0) = 3
----
rejected TYPE_MISMATCH at 1:47

SELECT COUNT(*) FROM trips WHERE DP_BLOCK(id, 10001) = 3
----
rejected TYPE_MISMATCH at 1:47

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT MOD(ROW_NUMBER() OVER (ORDER BY id), 400) AS b, AVG(fare) AS s FROM trips GROUP BY 1) z
----
rejected WINDOW_UNSUPPORTED at 1:59

SELECT MEDIAN(LEAST(GREATEST(s, -1), 1)) FROM (SELECT DP_BLOCK(t.driver_id, 400) AS b, CORR(t.fare, t.tip) AS s FROM trips t JOIN drivers d ON t.driver_id = d.id GROUP BY b) z
----
accepted, joins 1
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT DP_BLOCK(id, 400) AS b, REGR_SLOPE(fare, tip) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, -1), 1)) FROM (SELECT DP_BLOCK(id, 400) AS b, COVAR_SAMP(fare, tip) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, -5), 5)) FROM (SELECT DP_BLOCK(id, 400) AS b, SKEWNESS(fare) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, 0), 1)) FROM (SELECT DP_BLOCK(id, 400) AS b, REGR_R2(fare, tip) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, 0), 500)) FROM (SELECT DP_BLOCK(driver_id, 400) AS b, PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY fare) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, 0), 500)) FROM (SELECT DP_BLOCK(driver_id, 400) AS b, SUM(fare * tip) / SUM(tip) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
QUANTILE median: 10 times 0.1

SELECT MEDIAN(LEAST(GREATEST(s, -1), 1)) FROM (SELECT DP_BLOCK(t.id, 400) AS b, CORR(t.fare, t.tip) AS s FROM trips t JOIN drivers d ON t.driver_id = d.id GROUP BY b) z
----
accepted, joins 1
QUANTILE median: 10k + 650 times 0.1

SELECT SKEWNESS(fare), REGR_R2(fare, tip) FROM trips
----
accepted, joins 0
SUM: 125000000
SUM: 250000
COUNT: 1
SUM: 500
COUNT: 1
SUM: 45000
SUM: 500
SUM: 90
SUM: 8100
SUM: 250000

SELECT COUNT(DISTINCT d.id) FROM trips t JOIN drivers d ON t.driver_id = d.id
----
accepted, joins 1
COUNT count: 1

SELECT SUM(a.n) FROM (SELECT driver_id, LEAST(COUNT(*), 5) AS n FROM trips GROUP BY driver_id) a JOIN (SELECT id, COUNT(*) AS c FROM drivers GROUP BY id) b ON a.driver_id = b.id
----
accepted, joins 1
SUM sum: 5

SELECT SUM(LEAST(GREATEST(s, 100), 110)) FROM (SELECT DP_BLOCK(id, 400) AS b, AVG(fare) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
SUM sum: 110

SELECT SUM(LEAST(GREATEST(s, 100), 110) - 105) / 400 + 105 FROM (SELECT DP_BLOCK(id, 400) AS b, AVG(fare) AS s FROM trips GROUP BY b) z
----
accepted, joins 0
SUM: 10

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT DP_BLOCK(id, (SELECT COUNT(*) FROM trips)) AS b, AVG(fare) AS s FROM trips GROUP BY b) z
----
rejected TYPE_MISMATCH at 1:68

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT MOD(RANDOM(), 40) AS b, AVG(fare) AS s FROM trips GROUP BY 1) z
----
rejected VOLATILE_FUNCTION at 1:59

SELECT COUNT(*) FROM trips WHERE DP_BLOCK(id) = 3
----
rejected TYPE_MISMATCH at 1:34

SELECT DP_BLOCK(driver_id, -3) AS b, SUM(fare) FROM trips GROUP BY b
----
rejected TYPE_MISMATCH at 1:28

SELECT SUM(s) FROM (SELECT DP_BLOCK(id, 2.5) AS b, MAX(fare) AS s FROM trips GROUP BY b) z
----
rejected TYPE_MISMATCH at 1:41

SELECT MEDIAN(LEAST(GREATEST(s, 0), 10)) FROM (SELECT DP_BLOCK(id, 400) AS b, KURTOSIS(fare) AS s FROM trips GROUP BY b) z
----
rejected UNSUPPORTED at 1:79

SELECT MEDIAN(s) FROM (SELECT DP_BLOCK(id, 40) AS b, CORR(fare) AS s FROM trips GROUP BY b) z
----
rejected TYPE_MISMATCH at 1:54

SELECT AVG(LEAST(s, 1)) FROM (SELECT DP_BLOCK(id, 40) AS b, SKEWNESS(fare, tip) AS s FROM trips GROUP BY b) z
----
rejected TYPE_MISMATCH at 1:61

SELECT MIN(GREATEST(s, 0)) FROM (SELECT DP_BLOCK(id, 40) AS b, REGR_SLOPE(status, fare) AS s FROM trips GROUP BY b) z
----
rejected TYPE_MISMATCH at 1:64
