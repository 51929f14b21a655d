setting shop

SELECT COUNT(*) FROM orders WHERE status = 'paid';

SELECT COUNT(*) AS n FROM `orders` WHERE `status` = "returned";

SELECT SUM(total) AS revenue FROM orders WHERE YEAR(ordered_at) = 2024;

SELECT YEAR(ordered_at) AS y, MONTH(ordered_at) AS m, SUM(total) AS revenue FROM orders GROUP BY y, m ORDER BY y, m;

SELECT DATE_FORMAT(ordered_at, '%Y-%m') AS ym, COUNT(*) AS n FROM orders GROUP BY ym ORDER BY ym;

SELECT DATE(ordered_at) AS d, COUNT(*) FROM orders WHERE ordered_at >= '2025-11-01' AND ordered_at < '2025-12-01' GROUP BY d;

SELECT HOUR(ordered_at) AS hr, COUNT(*) FROM orders GROUP BY HOUR(ordered_at) ORDER BY hr;

SELECT DAYNAME(ordered_at) AS weekday, COUNT(*) AS n FROM orders GROUP BY weekday ORDER BY n DESC;

SELECT DAYOFWEEK(ordered_at) AS dow, AVG(total) FROM orders GROUP BY dow;

SELECT QUARTER(ordered_at) AS q, SUM(total) FROM orders WHERE YEAR(ordered_at) = 2025 GROUP BY q;

SELECT WEEK(ordered_at, 3) AS wk, COUNT(*) FROM orders WHERE ordered_at BETWEEN '2025-01-01' AND '2025-12-31 23:59:59' GROUP BY wk;

SELECT YEARWEEK(ordered_at) AS yw, COUNT(*) FROM orders GROUP BY yw ORDER BY yw;

SELECT payment, COUNT(*) AS n, ROUND(AVG(total), 2) AS avg_total FROM orders GROUP BY payment ORDER BY n DESC;

SELECT payment, SUM(IF(status = 'returned', 1, 0)) / COUNT(*) AS return_rate FROM orders GROUP BY payment;

SELECT device, SUM(status = 'cancelled') AS cancelled, COUNT(*) AS all_orders FROM orders GROUP BY device;

SELECT IFNULL(device, 'unknown') AS device, COUNT(*) FROM orders GROUP BY 1;

SELECT AVG(DATEDIFF(delivered_on, ordered_at)) AS days FROM orders WHERE status = 'delivered';

SELECT AVG(TIMESTAMPDIFF(HOUR, ordered_at, shipped_at)) AS hours_to_ship FROM orders WHERE shipped_at IS NOT NULL;

SELECT TIMESTAMPDIFF(YEAR, birthday, '2025-12-31') AS age, COUNT(*) FROM customers GROUP BY age ORDER BY age;

SELECT FLOOR(TIMESTAMPDIFF(YEAR, birthday, '2025-12-31') / 10) * 10 AS age_group, COUNT(*) AS n FROM customers GROUP BY age_group;

SELECT AVG(TIMESTAMPDIFF(YEAR, birthday, CURDATE())) FROM customers;

SELECT COUNT(*) FROM customers WHERE created_at >= DATE_SUB(CURDATE(), INTERVAL 30 DAY);

SELECT COUNT(*) FROM customers WHERE created_at >= NOW() - INTERVAL 1 YEAR AND tier = 'gold';

SELECT COUNT(*) FROM orders WHERE ordered_at >= STR_TO_DATE('01/07/2025', '%d/%m/%Y');

SELECT COUNT(*) FROM orders WHERE LAST_DAY(ordered_at) = '2025-02-28';

SELECT c.name, COUNT(*) AS customers FROM customers cu JOIN countries c ON c.code = cu.country GROUP BY c.name ORDER BY customers DESC;

SELECT cu.country, SUM(o.total) AS revenue FROM orders o INNER JOIN customers cu ON cu.id = o.customer_id GROUP BY cu.country;

SELECT cat.name, SUM(l.quantity * l.unit_price) AS revenue FROM order_lines l JOIN products p ON p.id = l.product_id JOIN categories cat ON cat.id = p.category_id GROUP BY cat.name ORDER BY revenue DESC;

SELECT p.name, SUM(l.quantity) AS sold FROM order_lines l JOIN products p ON l.product_id = p.id GROUP BY p.id, p.name ORDER BY sold DESC LIMIT 10;

SELECT p.sku, AVG(r.stars) AS rating, COUNT(*) AS reviews FROM reviews r JOIN products p ON p.id = r.product_id GROUP BY p.sku HAVING COUNT(*) >= 20 ORDER BY rating DESC LIMIT 20;

SELECT stars, COUNT(*) FROM reviews GROUP BY stars WITH ROLLUP;

SELECT AVG(stars) FROM reviews WHERE written_on > '2025-01-01';

SELECT COUNT(DISTINCT customer_id) FROM orders WHERE ordered_at > '2025-01-01';

SELECT COUNT(DISTINCT customer_id) / (SELECT COUNT(*) FROM customers) AS buyers_share FROM orders;

SELECT tier, COUNT(*) FROM customers WHERE gender = 'F' AND opted_in = 1 GROUP BY tier;

SELECT opted_in, COUNT(*) FROM customers GROUP BY opted_in;

SELECT COUNT(*) FROM customers WHERE email LIKE '%@example.com' OR email LIKE '%.edu';

SELECT COUNT(*) FROM customers WHERE email REGEXP '@(gmail|gmx)\\.';

SELECT COUNT(*) FROM customers WHERE email NOT RLIKE '^[a-z0-9._-]+@';

SELECT SUBSTRING_INDEX(email, '@', -1) = 'gmail.com' AS gmail, COUNT(*) FROM customers GROUP BY gmail;

SELECT COUNT(*) FROM customers WHERE LOCATE('+', email) > 0;

SELECT COUNT(*) FROM customers WHERE CHAR_LENGTH(last_name) < 4;

SELECT COUNT(*) FROM customers WHERE CONCAT(first_name, ' ', last_name) LIKE 'Anna M%';

SELECT COUNT(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM orders);

SELECT COUNT(*) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL;

SELECT COUNT(*) FROM customers c WHERE EXISTS (SELECT * FROM reviews r WHERE r.customer_id = c.id AND r.stars = 1);

SELECT AVG(order_count) FROM (SELECT customer_id, COUNT(*) AS order_count FROM orders GROUP BY customer_id) t;

SELECT order_count, COUNT(*) AS customers FROM (SELECT customer_id, COUNT(*) AS order_count FROM orders GROUP BY customer_id) t GROUP BY order_count ORDER BY order_count;

SELECT COUNT(*) FROM (SELECT customer_id FROM orders WHERE status <> 'cancelled' GROUP BY customer_id HAVING COUNT(*) > 1) repeaters;

SELECT COUNT(*) FROM (SELECT customer_id, SUM(total) AS spent FROM orders GROUP BY customer_id HAVING spent > 1000) big;

SELECT CASE WHEN total < 20 THEN 'small' WHEN total BETWEEN 20 AND 100 THEN 'medium' ELSE 'large' END AS basket, COUNT(*) AS n FROM orders GROUP BY basket;

SELECT FLOOR(total / 50) * 50 AS bucket, COUNT(*) FROM orders GROUP BY bucket ORDER BY bucket;

SELECT total DIV 100 AS hundred, COUNT(*) FROM orders GROUP BY hundred;

SELECT ROUND(total, -2) AS about, COUNT(*) FROM orders GROUP BY about;

SELECT STDDEV(total), VARIANCE(total) FROM orders WHERE status = 'delivered';

SELECT STDDEV_SAMP(stars) FROM reviews;

SELECT MIN(total), MAX(total), AVG(total) FROM orders;

SELECT GROUP_CONCAT(DISTINCT name ORDER BY name SEPARATOR ', ') FROM categories;

SELECT coupon IS NOT NULL AS with_coupon, COUNT(*), AVG(total) FROM orders GROUP BY with_coupon;

SELECT COUNT(*) FROM orders WHERE coupon <=> NULL;

SELECT COUNT(*) FROM orders WHERE coupon IN ('SUMMER25', 'WINTER24') && payment = 'card';

SELECT COUNT(*) FROM orders WHERE status != 'cancelled' AND !(payment = 'invoice');

SELECT AVG(TIMESTAMPDIFF(SECOND, began, ended)) / 60 AS minutes FROM sessions WHERE ended IS NOT NULL;

SELECT source, AVG(pages) FROM sessions GROUP BY source;

SELECT source, SUM(customer_id IS NULL) * 100 / COUNT(*) AS anonymous_pct FROM sessions GROUP BY source;

SELECT AVG(UNIX_TIMESTAMP(ended) - UNIX_TIMESTAMP(began)) FROM sessions;

SELECT AVG(TIME_TO_SEC(TIMEDIFF(ended, began))) FROM sessions WHERE source = 'ads';

SELECT COUNT(*) FROM sessions WHERE user_agent LIKE '%iPhone%' OR user_agent LIKE '%Android%';

SELECT COUNT(*) FROM sessions WHERE TIME(began) BETWEEN '09:00:00' AND '17:00:00';

SELECT COUNT(*) FROM sessions WHERE WEEKDAY(began) >= 5;

WITH m AS (SELECT DATE_FORMAT(ordered_at, '%Y-%m-01') AS month, SUM(total) AS rev FROM orders GROUP BY month) SELECT month, rev, rev - LAG(rev) OVER (ORDER BY month) AS diff FROM m;

WITH m AS (SELECT MONTH(ordered_at) AS mo, SUM(total) AS rev FROM orders WHERE YEAR(ordered_at) = 2025 GROUP BY mo) SELECT mo, rev, SUM(rev) OVER (ORDER BY mo) AS ytd FROM m ORDER BY mo;

SELECT payment, SUM(total) AS s, SUM(total) / SUM(SUM(total)) OVER () AS share FROM orders GROUP BY payment;

SELECT payment, status, COUNT(*) AS n FROM orders GROUP BY payment, status ORDER BY payment, n DESC;

SELECT * FROM (SELECT cat.name AS category, p.name AS product, SUM(l.quantity) AS sold, DENSE_RANK() OVER (PARTITION BY cat.name ORDER BY SUM(l.quantity) DESC) AS pos FROM order_lines l JOIN products p ON p.id = l.product_id JOIN categories cat ON cat.id = p.category_id GROUP BY cat.name, p.name) x WHERE pos <= 3;

SELECT SUM(l.quantity * l.unit_price * (1 - l.discount)) AS net FROM order_lines l JOIN orders o ON o.id = l.order_id WHERE o.ordered_at >= '2025-01-01';

SELECT AVG(items) FROM (SELECT order_id, SUM(quantity) AS items FROM order_lines GROUP BY order_id) b;

SELECT COUNT(*) FROM order_lines WHERE discount > 0.2 AND unit_price * quantity > 100;

SELECT SUM(CASE WHEN discount > 0 THEN 1 ELSE 0 END) / COUNT(*) * 100 AS discounted_pct FROM order_lines;

SELECT COUNT(*) FROM orders o JOIN customers c ON c.id = o.customer_id WHERE DATEDIFF(o.ordered_at, c.created_at) <= 7;

SELECT YEAR(c.created_at) AS cohort, YEAR(o.ordered_at) AS order_year, COUNT(DISTINCT o.customer_id) AS buyers FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY cohort, order_year;

SELECT c.tier, AVG(o.total) FROM customers c JOIN orders o ON o.customer_id = c.id WHERE c.country IN ('DE', 'AT') GROUP BY c.tier;

SELECT co.eu, SUM(o.total) FROM orders o JOIN customers c ON c.id = o.customer_id JOIN countries co ON co.code = c.country GROUP BY co.eu;

SELECT gender, COUNT(*) AS n FROM customers WHERE birthday BETWEEN '1990-01-01' AND '1999-12-31' GROUP BY gender LIMIT 0, 10;

SELECT MONTHNAME(created_at) AS month, COUNT(*) FROM customers WHERE YEAR(created_at) = 2024 GROUP BY month;

SELECT COUNT(*) FROM orders FORCE INDEX (PRIMARY) WHERE payment = 'paypal';

SELECT SQL_NO_CACHE COUNT(*) FROM orders;

SELECT COUNT(*) FROM shop.orders WHERE shop.orders.total > 500;

SELECT COUNT(*) FROM orders WHERE ordered_at LIKE '2025-03%';

SELECT FORMAT(SUM(total), 2) FROM orders;

SELECT COUNT(*) FROM customers WHERE MONTH(birthday) = MONTH(CURDATE());

SELECT 'new' AS kind, COUNT(*) AS n FROM customers WHERE created_at >= '2025-01-01' UNION ALL SELECT 'old', COUNT(*) FROM customers WHERE created_at < '2025-01-01';

SELECT GREATEST(stars - 1, 1) AS s, COUNT(*) FROM reviews GROUP BY s;

SELECT ELT(stars, 'awful', 'bad', 'ok', 'good', 'great') AS verdict, COUNT(*) FROM reviews GROUP BY verdict;

SELECT FIELD(tier, 'bronze', 'silver', 'gold') AS level, COUNT(*) FROM customers GROUP BY level;

SELECT COUNT(*) FROM reviews WHERE body IS NULL OR TRIM(body) = '';

SELECT COUNT(*) FROM orders WHERE EXTRACT(YEAR_MONTH FROM ordered_at) = 202506;

SELECT c.email, SUM(o.total) AS spent FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.email ORDER BY spent DESC LIMIT 10; -- rows

SELECT * FROM orders ORDER BY ordered_at DESC LIMIT 100; -- rows

SELECT o1.payment, COUNT(*) FROM orders o1 WHERE o1.total > (SELECT AVG(total) FROM orders) GROUP BY o1.payment;

SELECT COUNT(*) FROM orders WHERE total > 2 * shipping_fee + 100 AND shipping_fee IS NOT NULL;
