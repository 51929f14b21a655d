setting shop

SELECT count(*) FROM orders WHERE status = 'shipped';

SELECT strftime('%Y-%m', ordered_at) AS ym, sum(total) FROM orders GROUP BY ym;

SELECT strftime('%H', ordered_at) AS h, count(*) FROM orders GROUP BY h;

SELECT strftime('%w', ordered_at) AS dow, avg(total) FROM orders GROUP BY dow;

SELECT date(ordered_at) AS d, count(*) FROM orders WHERE ordered_at >= '2025-12-01' GROUP BY d;

SELECT avg(julianday(shipped_at) - julianday(ordered_at)) FROM orders WHERE shipped_at IS NOT NULL;

SELECT payment, round(avg(total), 2) FROM orders GROUP BY payment;

SELECT payment, sum(status = 'returned') * 1.0 / count(*) FROM orders GROUP BY payment;

SELECT coalesce(device, '?') AS device, count(*) FROM orders GROUP BY 1;

SELECT CAST(total / 100 AS INTEGER) * 100 AS b, count(*) FROM orders GROUP BY b;

SELECT tier, count(*) FROM customers WHERE created_at >= date('now', '-1 year') GROUP BY tier;

SELECT (strftime('%Y', 'now') - strftime('%Y', birthday)) / 10 * 10 AS decade, count(*) FROM customers GROUP BY decade;

SELECT country, avg(total) FROM orders o JOIN customers c ON c.id = o.customer_id GROUP BY country;

SELECT k.name, sum(l.quantity) FROM order_lines l JOIN products p ON p.id = l.product_id JOIN categories k ON k.id = p.category_id GROUP BY k.name;

SELECT stars, count(*) FROM reviews GROUP BY stars ORDER BY stars;

SELECT avg(stars), count(*) FILTER (WHERE stars = 5) FROM reviews;

SELECT count(*) FROM reviews WHERE body LIKE '%broken%';

SELECT count(*) FROM customers WHERE email GLOB '*@gmail.com';

SELECT count(*) FROM customers WHERE substr(email, instr(email, '@') + 1) = 'gmx.at';

SELECT count(DISTINCT customer_id) FROM orders WHERE ordered_at > '2024-12-31';

SELECT source, avg(pages), max(pages) FROM sessions GROUP BY source;

SELECT avg(strftime('%s', ended) - strftime('%s', began)) FROM sessions;

SELECT sum(unixepoch(ended) - unixepoch(began)) / 3600.0 FROM sessions WHERE source = 'mail';

SELECT CASE WHEN customer_id IS NULL THEN 'guest' ELSE 'member' END AS who, count(*) FROM sessions GROUP BY who;

SELECT iif(coupon IS NULL, 'no', 'yes') AS c, avg(total) FROM orders GROUP BY c;

SELECT max(total, 10) > 50 AS big, count(*) FROM orders GROUP BY big;

SELECT count(*) FROM customers WHERE id NOT IN (SELECT customer_id FROM reviews);

SELECT gender, tier, count(*) FROM customers GROUP BY gender, tier;

SELECT total(total) FROM orders WHERE status = "paid";

SELECT min(unit_price), max(unit_price) FROM order_lines;

SELECT sum(quantity * unit_price * (1 - ifnull(discount, 0))) FROM order_lines;

SELECT status, count(*) AS n, round(100.0 * count(*) / sum(count(*)) OVER (), 1) AS pct FROM orders GROUP BY status;

WITH m AS (SELECT strftime('%Y', ordered_at) AS y, sum(total) AS s FROM orders GROUP BY 1) SELECT y, s, sum(s) OVER (ORDER BY y) FROM m;

SELECT * FROM (SELECT payment, device, count(*) AS n, row_number() OVER (PARTITION BY payment ORDER BY count(*) DESC) AS r FROM orders GROUP BY payment, device) WHERE r = 1;

SELECT date(created_at, 'start of month') AS m, count(*) FROM customers GROUP BY m;

SELECT strftime('%Y', created_at) || '-Q' || ((strftime('%m', created_at) + 2) / 3) AS q, count(*) FROM customers GROUP BY q;

SELECT count(*) FROM orders WHERE delivered_on > date(ordered_at, '+7 days');

SELECT count(*) FROM orders WHERE delivered_on IS NOT NULL AND status IS NOT 'returned';

SELECT opted_in, count(*) FROM customers WHERE country IN ('AT', 'DE') GROUP BY opted_in;

SELECT avg(n) FROM (SELECT order_id, count(*) AS n FROM order_lines GROUP BY order_id);

SELECT count(*) FROM (SELECT customer_id FROM orders GROUP BY customer_id HAVING sum(total) > 500);

SELECT c.name, count(*) FROM customers u, countries c WHERE c.code = u.country GROUP BY c.name;

SELECT count(*) FROM orders WHERE payment NOT IN ('card', 'paypal');

SELECT quantity, count(*) FROM order_lines GROUP BY quantity HAVING count(*) > 10;

SELECT printf('%d', count(*)) FROM orders;

SELECT avg(total) FROM orders WHERE strftime('%m', ordered_at) IN ('06', '07', '08');

SELECT discount > 0 AS reduced, avg(unit_price) FROM order_lines GROUP BY reduced;

SELECT device, avg(total - coalesce(shipping_fee, 0)) FROM orders GROUP BY device;

SELECT length(coupon) AS len, count(*) FROM orders WHERE coupon IN ('A1', 'BB2', 'CCC3') GROUP BY len;

SELECT round(total, -1) AS about, count(*) FROM orders WHERE total BETWEEN 0 AND 200 GROUP BY about;
