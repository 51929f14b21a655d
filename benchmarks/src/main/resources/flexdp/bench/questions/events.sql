-- How many events are there?
SELECT COUNT(*) FROM events;

-- Page views by day
SELECT date_trunc('day', ts) AS day, COUNT(*) AS views
FROM events WHERE event = 'page_view' GROUP BY 1 ORDER BY 1;

-- Daily active users
SELECT date_trunc('day', ts) AS day, COUNT(DISTINCT user_id) AS dau
FROM events GROUP BY 1 ORDER BY 1;

-- Weekly active users
SELECT date_trunc('week', ts) AS week, COUNT(DISTINCT user_id) AS wau
FROM events GROUP BY 1 ORDER BY 1;

-- Monthly active users
SELECT date_trunc('month', ts) AS month, COUNT(DISTINCT user_id) AS mau
FROM events GROUP BY 1 ORDER BY 1;

-- Stickiness in September: average daily over monthly active users
WITH daily AS (
  SELECT ts::date AS day, COUNT(DISTINCT user_id) AS dau
  FROM events WHERE ts >= '2026-09-01' AND ts < '2026-10-01' GROUP BY 1),
monthly AS (
  SELECT COUNT(DISTINCT user_id) AS mau
  FROM events WHERE ts >= '2026-09-01' AND ts < '2026-10-01')
SELECT AVG(daily.dau) / MAX(monthly.mau) AS stickiness FROM daily CROSS JOIN monthly;

-- Events by kind
SELECT event, COUNT(*) AS n FROM events GROUP BY event ORDER BY n DESC;

-- Top ten pages
SELECT page, COUNT(*) AS views FROM events
WHERE event = 'page_view' GROUP BY page ORDER BY views DESC LIMIT 10;

-- Top ten pages by users
SELECT page, COUNT(DISTINCT user_id) AS users FROM events
WHERE event = 'page_view' GROUP BY page ORDER BY users DESC LIMIT 10;

-- Revenue by day
SELECT ts::date AS day, SUM(revenue) AS revenue
FROM events WHERE event = 'purchase' GROUP BY 1 ORDER BY 1;

-- Revenue and orders by device
SELECT device, COUNT(*) AS orders, SUM(revenue) AS revenue
FROM events WHERE event = 'purchase' GROUP BY device ORDER BY revenue DESC;

-- Revenue per active user and day
SELECT date_trunc('day', ts) AS day, SUM(revenue) / COUNT(DISTINCT user_id) AS arpu
FROM events GROUP BY 1 ORDER BY 1;

-- Average order value by month
SELECT date_trunc('month', ts) AS month, AVG(revenue) AS order_value
FROM events WHERE event = 'purchase' GROUP BY 1 ORDER BY 1;

-- Orders by week
SELECT date_trunc('week', ts) AS week, COUNT(*) AS orders
FROM events WHERE event = 'purchase' GROUP BY 1 ORDER BY 1;

-- Funnel: users who viewed, put into the cart, went to the checkout, bought
SELECT COUNT(DISTINCT CASE WHEN event = 'page_view' THEN user_id END) AS viewed,
       COUNT(DISTINCT CASE WHEN event = 'add_to_cart' THEN user_id END) AS added,
       COUNT(DISTINCT CASE WHEN event = 'checkout' THEN user_id END) AS checked_out,
       COUNT(DISTINCT CASE WHEN event = 'purchase' THEN user_id END) AS bought
FROM events;

-- The same by device
SELECT device,
       COUNT(DISTINCT user_id) FILTER (WHERE event = 'page_view') AS viewed,
       COUNT(DISTINCT user_id) FILTER (WHERE event = 'add_to_cart') AS added,
       COUNT(DISTINCT user_id) FILTER (WHERE event = 'purchase') AS bought
FROM events GROUP BY device;

-- Which share of users has ever bought?
SELECT COUNT(DISTINCT CASE WHEN event = 'purchase' THEN user_id END) * 1.0
       / COUNT(DISTINCT user_id) AS conversion
FROM events;

-- How many users filled a cart and never bought?
SELECT COUNT(DISTINCT user_id) FROM events e
WHERE event = 'add_to_cart'
  AND NOT EXISTS (SELECT 1 FROM events p WHERE p.user_id = e.user_id AND p.event = 'purchase');

-- Sign-ups by week
SELECT date_trunc('week', ts) AS week, COUNT(*) AS signups
FROM events WHERE event = 'signup' GROUP BY 1 ORDER BY 1;

-- Users by the week in which they were first seen
SELECT date_trunc('week', first_seen) AS week, COUNT(*) AS new_users
FROM (SELECT user_id, MIN(ts) AS first_seen FROM events WHERE user_id IS NOT NULL GROUP BY user_id) f
GROUP BY 1 ORDER BY 1;

-- Retention by monthly cohort: users by month first seen and month active
WITH first_seen AS (
  SELECT user_id, MIN(date_trunc('month', ts)) AS cohort
  FROM events WHERE user_id IS NOT NULL GROUP BY user_id)
SELECT f.cohort, date_trunc('month', e.ts) AS month, COUNT(DISTINCT e.user_id) AS users
FROM events e JOIN first_seen f ON f.user_id = e.user_id
GROUP BY 1, 2 ORDER BY 1, 2;

-- How many users came back the day after they were first seen?
WITH first_day AS (
  SELECT user_id, MIN(ts::date) AS day FROM events WHERE user_id IS NOT NULL GROUP BY user_id)
SELECT COUNT(DISTINCT e.user_id)
FROM events e JOIN first_day f ON e.user_id = f.user_id
WHERE e.ts::date = f.day + 1;

-- How many of the users of July were active in August?
SELECT COUNT(DISTINCT user_id) FROM events
WHERE ts >= '2026-08-01' AND ts < '2026-09-01'
  AND user_id IN (SELECT user_id FROM events WHERE ts >= '2026-07-01' AND ts < '2026-08-01');

-- Sessions by day
SELECT ts::date AS day, COUNT(DISTINCT session_id) AS sessions
FROM events GROUP BY 1 ORDER BY 1;

-- Events per session
SELECT COUNT(*) * 1.0 / COUNT(DISTINCT session_id) AS events_per_session FROM events;

-- How long is a session, in seconds, on average?
SELECT AVG(EXTRACT(EPOCH FROM last_ts - first_ts)) AS seconds
FROM (SELECT session_id, MIN(ts) AS first_ts, MAX(ts) AS last_ts FROM events GROUP BY session_id) s;

-- How many users have one session, two, three, four, five or more?
SELECT LEAST(sessions, 5) AS sessions, COUNT(*) AS users
FROM (SELECT user_id, COUNT(DISTINCT session_id) AS sessions
      FROM events WHERE user_id IS NOT NULL GROUP BY user_id) u
GROUP BY 1 ORDER BY 1;

-- Bounce rate: share of sessions with a single event
SELECT AVG(CASE WHEN n = 1 THEN 1.0 ELSE 0.0 END) AS bounce_rate
FROM (SELECT session_id, COUNT(*) AS n FROM events GROUP BY session_id) s;

-- Users by device
SELECT device, COUNT(DISTINCT user_id) AS users FROM events GROUP BY device ORDER BY users DESC;

-- How many users use both a phone and a desktop?
SELECT COUNT(*) FROM (
  SELECT user_id FROM events WHERE device IN ('mobile', 'desktop') AND user_id IS NOT NULL
  GROUP BY user_id HAVING COUNT(DISTINCT device) = 2) both_devices;

-- The ten countries with most users
SELECT country, COUNT(DISTINCT user_id) AS users FROM events
GROUP BY country ORDER BY users DESC LIMIT 10;

-- Users, orders and revenue by source of the visit
SELECT source, COUNT(DISTINCT user_id) AS users,
       COUNT(*) FILTER (WHERE event = 'purchase') AS orders,
       SUM(revenue) AS revenue
FROM events GROUP BY source ORDER BY revenue DESC;

-- Events by day of the week and hour
SELECT EXTRACT(DOW FROM ts) AS weekday, EXTRACT(HOUR FROM ts) AS hour, COUNT(*) AS events
FROM events GROUP BY 1, 2 ORDER BY 1, 2;

-- Share of events without a user by device
SELECT device, AVG(CASE WHEN user_id IS NULL THEN 1.0 ELSE 0.0 END) AS anonymous
FROM events GROUP BY device;

-- Median time to load a page
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY load_ms) AS median_ms
FROM events WHERE event = 'page_view';

-- Slowest twentieth of page loads by device
SELECT device, percentile_cont(0.95) WITHIN GROUP (ORDER BY load_ms) AS p95_ms
FROM events WHERE event = 'page_view' GROUP BY device;

-- Users with more than 100 events in September
SELECT COUNT(*) FROM (
  SELECT user_id, COUNT(*) AS n FROM events
  WHERE ts >= '2026-09-01' AND ts < '2026-10-01' AND user_id IS NOT NULL
  GROUP BY user_id) u
WHERE n > 100;

-- Growth of weekly active users, in percent of the week before
WITH weekly AS (
  SELECT date_trunc('week', ts) AS week, COUNT(DISTINCT user_id) AS wau FROM events GROUP BY 1)
SELECT week, 100.0 * (wau - LAG(wau) OVER (ORDER BY week)) / LAG(wau) OVER (ORDER BY week) AS growth
FROM weekly ORDER BY week;

-- Orders per buyer
SELECT COUNT(*) * 1.0 / COUNT(DISTINCT user_id) AS orders_per_buyer
FROM events WHERE event = 'purchase';

-- Days from the first visit to the first order, on average
SELECT AVG(EXTRACT(EPOCH FROM first_order - first_seen) / 86400) AS days
FROM (SELECT user_id, MIN(ts) AS first_seen,
             MIN(CASE WHEN event = 'purchase' THEN ts END) AS first_order
      FROM events WHERE user_id IS NOT NULL GROUP BY user_id) u
WHERE first_order IS NOT NULL;
