-- A day with a dashboard over the demo's ride-sharing database, one question per line, all at the policy's epsilon.
-- What it shows and what free repeats save: dashboard.md. The test DashboardTest runs it.

-- Morning: the overview.
SELECT status, COUNT(*) AS trips FROM trips GROUP BY status
SELECT status, COUNT(*) AS trips FROM trips GROUP BY status ORDER BY trips DESC
SELECT COUNT(*) AS completed FROM trips WHERE status = 'completed'
SELECT COUNT(*) AS not_completed FROM trips WHERE status IN ('requested', 'cancelled')
SELECT c.country, c.name, t.status, COUNT(*) AS trips FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.country, c.name, t.status
SELECT c.name, COUNT(*) AS completed FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'completed' GROUP BY c.name
SELECT c.name, COUNT(*) AS completed FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'completed' GROUP BY c.name ORDER BY 2 DESC LIMIT 5
SELECT CAST(requested_at AS DATE) AS day, COUNT(*) AS trips FROM trips GROUP BY CAST(requested_at AS DATE)
SELECT CAST(requested_at AS DATE) AS day, COUNT(*) AS trips FROM trips GROUP BY CAST(requested_at AS DATE) ORDER BY trips DESC LIMIT 10
SELECT EXTRACT(DOW FROM requested_at) AS dow, COUNT(*) AS trips FROM trips GROUP BY EXTRACT(DOW FROM requested_at)
SELECT EXTRACT(HOUR FROM requested_at) AS hour, COUNT(*) AS trips FROM trips GROUP BY EXTRACT(HOUR FROM requested_at)
SELECT payment, COUNT(*) AS trips FROM trips GROUP BY payment
SELECT rating, COUNT(*) AS trips FROM trips GROUP BY rating

-- Somebody looks at cities.
SELECT t.status, COUNT(*) AS trips FROM trips t JOIN cities c ON t.city_id = c.id WHERE c.name = 'London' GROUP BY t.status
SELECT COUNT(*) AS trips FROM trips t JOIN cities c ON t.city_id = c.id WHERE c.name = 'London' AND t.status = 'completed'
SELECT COUNT(*) AS trips FROM cities AS city, trips AS ride WHERE ride.city_id = city.id AND ride.status = 'cancelled' AND city.name = 'London'
SELECT c.name, t.status, COUNT(*) AS trips FROM trips t JOIN cities c ON t.city_id = c.id WHERE c.name IN ('London', 'Paris', 'San Francisco') GROUP BY c.name, t.status
SELECT c.name, COUNT(*) AS cancelled FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'cancelled' GROUP BY c.name HAVING COUNT(*) > 50 ORDER BY c.name
SELECT c.country, COUNT(*) AS completed FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'completed' GROUP BY c.country
SELECT c.country, t.status, COUNT(*) AS trips FROM trips t JOIN cities c ON t.city_id = c.id GROUP BY c.country, t.status ORDER BY 1, 2
SELECT COUNT(*) AS trips FROM trips WHERE city_id = 1
SELECT c.name, AVG(t.fare) AS fare FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'completed' GROUP BY c.name
SELECT c.name, AVG(t.fare) AS fare FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'completed' GROUP BY c.name ORDER BY fare DESC LIMIT 3
SELECT AVG(t.fare) AS fare FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'completed' AND c.name = 'Paris'
SELECT AVG(t.fare) AS fare FROM trips t JOIN cities c ON t.city_id = c.id WHERE c.name = 'London' AND t.status = 'completed'

-- The page is loaded again.
SELECT status, COUNT(*) AS trips FROM trips GROUP BY status
SELECT CAST(requested_at AS DATE) AS day, COUNT(*) AS trips FROM trips GROUP BY CAST(requested_at AS DATE)
SELECT payment, COUNT(*) AS trips FROM trips GROUP BY payment
SELECT rating, COUNT(*) AS trips FROM trips GROUP BY rating

-- Somebody looks at days and hours.
SELECT COUNT(*) AS trips FROM trips WHERE CAST(requested_at AS DATE) = DATE '2016-03-17'
SELECT CAST(requested_at AS DATE) AS day, COUNT(*) AS trips FROM trips WHERE CAST(requested_at AS DATE) BETWEEN DATE '2016-03-14' AND DATE '2016-03-20' GROUP BY CAST(requested_at AS DATE) ORDER BY day
SELECT COUNT(*) AS trips FROM trips WHERE CAST(requested_at AS DATE) BETWEEN DATE '2016-03-14' AND DATE '2016-03-16'
SELECT COUNT(*) AS trips FROM trips WHERE CAST(requested_at AS DATE) >= DATE '2016-03-18' AND CAST(requested_at AS DATE) < DATE '2016-03-21'
SELECT CAST(requested_at AS DATE) AS day, COUNT(*) AS trips FROM trips WHERE CAST(requested_at AS DATE) >= DATE '2016-12-01' AND CAST(requested_at AS DATE) <= DATE '2016-12-31' GROUP BY CAST(requested_at AS DATE)
SELECT COUNT(*) AS trips FROM trips WHERE requested_at >= TIMESTAMP '2016-07-01 00:00:00' AND requested_at < TIMESTAMP '2016-08-01 00:00:00'
SELECT CASE WHEN EXTRACT(DOW FROM requested_at) IN (0, 6) THEN 'weekend' ELSE 'weekday' END AS part, COUNT(*) AS trips FROM trips GROUP BY CASE WHEN EXTRACT(DOW FROM requested_at) IN (0, 6) THEN 'weekend' ELSE 'weekday' END
SELECT COUNT(*) AS saturdays FROM trips WHERE EXTRACT(DOW FROM requested_at) = 6
SELECT EXTRACT(DOW FROM requested_at) AS dow, COUNT(*) * 100.0 / 2000 AS percent FROM trips GROUP BY EXTRACT(DOW FROM requested_at) ORDER BY percent DESC
SELECT EXTRACT(HOUR FROM requested_at) AS hour, COUNT(*) AS trips FROM trips WHERE EXTRACT(HOUR FROM requested_at) BETWEEN 7 AND 10 GROUP BY EXTRACT(HOUR FROM requested_at)
SELECT COUNT(*) AS rush FROM trips WHERE EXTRACT(HOUR FROM requested_at) IN (7, 8, 9, 17, 18)
SELECT EXTRACT(HOUR FROM requested_at) AS hour, COUNT(*) AS trips FROM trips GROUP BY EXTRACT(HOUR FROM requested_at) ORDER BY trips DESC LIMIT 3

-- Payments and ratings.
SELECT COUNT(*) AS card FROM trips WHERE payment = 'card'
SELECT COUNT(*) AS electronic FROM trips WHERE payment = 'card' OR payment = 'wallet'
SELECT COUNT(*) AS unpaid FROM trips WHERE payment IS NULL
SELECT payment, COUNT(*) AS trips FROM trips WHERE payment IN ('cash', 'wallet') GROUP BY payment
SELECT COUNT(CASE WHEN payment = 'cash' THEN 1 END) AS cash FROM trips
SELECT COUNT(*) AS happy FROM trips WHERE rating >= 4 AND rating <= 5
SELECT COUNT(*) AS unhappy FROM trips WHERE rating IN (1, 2)
SELECT COUNT(*) AS five_stars FROM trips WHERE rating = 5
SELECT rating, COUNT(*) AS trips FROM trips WHERE rating IS NOT NULL GROUP BY rating ORDER BY rating DESC
SELECT payment, status, COUNT(*) AS trips FROM trips GROUP BY payment, status
SELECT COUNT(*) AS trips FROM trips WHERE payment = 'card' AND status = 'completed'
SELECT status, COUNT(*) AS trips FROM trips WHERE payment = 'cash' GROUP BY status
SELECT payment, COUNT(*) AS trips FROM trips WHERE status = 'cancelled' GROUP BY payment ORDER BY 2 DESC

-- Money.
SELECT status, SUM(fare) AS turnover FROM trips GROUP BY status
SELECT SUM(fare) AS turnover FROM trips WHERE status = 'completed'
SELECT SUM(fare) / 1000 AS thousands FROM trips WHERE 'completed' = status
SELECT SUM(fare) AS lost FROM trips WHERE status IN ('cancelled', 'requested')
SELECT MEDIAN(fare) AS fare FROM trips WHERE status = 'completed'
SELECT SUM(fare) AS turnover FROM trips WHERE status = 'completed' AND fare > 20

-- The page is loaded again, and sent to somebody.
SELECT status, COUNT(*) AS trips FROM trips GROUP BY status
SELECT CAST(requested_at AS DATE) AS day, COUNT(*) AS trips FROM trips GROUP BY CAST(requested_at AS DATE)
SELECT payment, COUNT(*) AS trips FROM trips GROUP BY payment
SELECT status, SUM(fare) AS turnover FROM trips GROUP BY status
SELECT c.name, AVG(t.fare) AS fare FROM trips t JOIN cities c ON t.city_id = c.id WHERE t.status = 'completed' GROUP BY c.name
SELECT CAST(requested_at AS DATE) AS day, COUNT(*) AS trips FROM trips WHERE CAST(requested_at AS DATE) BETWEEN DATE '2016-03-14' AND DATE '2016-03-20' GROUP BY CAST(requested_at AS DATE) ORDER BY day
SELECT COUNT(*) AS five_stars FROM trips WHERE rating = 5
SELECT EXTRACT(DOW FROM requested_at) AS dow, COUNT(*) AS trips FROM trips GROUP BY EXTRACT(DOW FROM requested_at)
