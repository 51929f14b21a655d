setting library

SELECT count(*) FROM loan;

SELECT count(*) FROM loan WHERE returned_at IS NULL;

SELECT count(DISTINCT reader_id) AS active_readers FROM loan WHERE taken_at >= '2024-01-01';

SELECT channel, count(*) FROM loan GROUP BY channel ORDER BY 2 DESC;

SELECT date_trunc('month', taken_at) AS month, count(*) AS loans FROM loan WHERE taken_at >= '2024-01-01' AND taken_at < '2025-01-01' GROUP BY 1 ORDER BY 1;

SELECT to_char(taken_at, 'YYYY-MM') AS ym, count(*) FROM loan GROUP BY ym ORDER BY ym;

SELECT extract(dow FROM taken_at) AS weekday, count(*) FROM loan GROUP BY weekday ORDER BY weekday;

SELECT extract(hour FROM taken_at)::int AS h, count(*) FROM loan WHERE channel = 'desk' GROUP BY h ORDER BY h;

SELECT b.name, count(*) AS loans FROM loan l JOIN branch b USING (branch_id) GROUP BY b.name ORDER BY loans DESC LIMIT 5;

SELECT b.district, count(DISTINCT l.reader_id) AS readers FROM loan l JOIN branch b ON b.branch_id = l.branch_id GROUP BY b.district;

SELECT bk.genre, count(*) AS n FROM loan l JOIN book bk ON bk.book_id = l.book_id GROUP BY bk.genre HAVING count(*) > 1000 ORDER BY n DESC;

SELECT avg(renewals) FROM loan;

SELECT avg(renewals)::numeric(5,2) AS avg_renewals, channel FROM loan GROUP BY channel;

SELECT round(avg(amount), 2) AS avg_fine, sum(amount) AS total FROM fine WHERE reason = 'late';

SELECT reason, count(*) FILTER (WHERE paid) AS paid, count(*) FILTER (WHERE NOT paid) AS unpaid FROM fine GROUP BY reason;

SELECT reason, round(100.0 * count(*) FILTER (WHERE paid) / count(*), 1) AS paid_pct FROM fine GROUP BY reason;

SELECT category, count(*) AS n, round(count(*) * 100.0 / sum(count(*)) OVER (), 1) AS pct FROM reader GROUP BY category;

SELECT extract(year FROM age(birth)) AS age, count(*) FROM reader GROUP BY 1 ORDER BY 1;

SELECT avg(extract(year FROM age('2025-01-01'::date, birth))) AS avg_age FROM reader;

SELECT avg(returned_at - taken_at) AS avg_loan_time FROM loan WHERE returned_at IS NOT NULL;

SELECT avg(extract(epoch FROM returned_at - taken_at) / 86400) AS avg_days FROM loan WHERE returned_at IS NOT NULL;

SELECT count(*) FROM loan WHERE returned_at::date > due;

SELECT count(*) FROM loan WHERE returned_at > due + interval '7 days';

SELECT avg(returned_at::date - due) AS days_late FROM loan WHERE returned_at::date > due;

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY amount) AS median_fine FROM fine;

SELECT percentile_disc(0.9) WITHIN GROUP (ORDER BY renewals) FROM loan;

SELECT mode() WITHIN GROUP (ORDER BY channel) FROM loan;

SELECT CASE WHEN pages < 200 THEN 'short' WHEN pages < 500 THEN 'medium' ELSE 'long' END AS length, count(*) FROM loan l JOIN book b USING (book_id) GROUP BY 1;

SELECT width_bucket(amount, 0, 100, 10) AS bucket, count(*) FROM fine GROUP BY bucket ORDER BY bucket;

WITH monthly AS (SELECT date_trunc('month', taken_at) AS m, count(*) AS n FROM loan GROUP BY 1) SELECT m, n, n - lag(n) OVER (ORDER BY m) AS change FROM monthly ORDER BY m;

WITH monthly AS (SELECT date_trunc('month', taken_at)::date AS m, count(*) AS n FROM loan GROUP BY 1) SELECT m, n, avg(n) OVER (ORDER BY m ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS moving FROM monthly;

WITH y AS (SELECT extract(year FROM taken_at) AS y, count(*) AS n FROM loan GROUP BY 1) SELECT a.y, a.n, b.n AS year_before FROM y a LEFT JOIN y b ON b.y = a.y - 1 ORDER BY a.y;

SELECT b.name, count(*) AS n, rank() OVER (ORDER BY count(*) DESC) AS r FROM loan l JOIN branch b USING (branch_id) GROUP BY b.name;

SELECT * FROM (SELECT bk.genre, l.channel, count(*) AS n, row_number() OVER (PARTITION BY l.channel ORDER BY count(*) DESC) AS rn FROM loan l JOIN book bk USING (book_id) GROUP BY bk.genre, l.channel) t WHERE rn <= 3;

SELECT count(*) FROM reader WHERE email ILIKE '%@gmail.com';

SELECT count(*) FROM reader WHERE email ~* '@(gmail|yahoo)\.';

SELECT count(*) FROM reader WHERE email !~ '@';

SELECT count(*) FROM reader r WHERE NOT EXISTS (SELECT 1 FROM loan l WHERE l.reader_id = r.reader_id);

SELECT count(*) FROM reader WHERE reader_id IN (SELECT reader_id FROM loan WHERE taken_at >= date '2025-01-01');

SELECT count(*) FROM reader WHERE reader_id NOT IN (SELECT reader_id FROM reservation);

SELECT r.category, count(*) FROM loan l JOIN reader r ON r.reader_id = l.reader_id GROUP BY r.category;

SELECT r.category, avg(f.amount) FROM fine f JOIN loan l USING (loan_id) JOIN reader r USING (reader_id) GROUP BY r.category;

SELECT avg(n) FROM (SELECT reader_id, count(*) AS n FROM loan GROUP BY reader_id) t;

SELECT n AS loans_per_reader, count(*) AS readers FROM (SELECT reader_id, count(*) AS n FROM loan WHERE taken_at >= '2025-01-01' GROUP BY reader_id) x GROUP BY n ORDER BY n;

SELECT count(*) FROM (SELECT reader_id FROM loan GROUP BY reader_id HAVING count(*) >= 10) heavy;

SELECT postcode, sex, count(*) FROM reader GROUP BY postcode, sex ORDER BY postcode, sex;

SELECT postcode, count(*) FROM reader GROUP BY ROLLUP (postcode);

SELECT category, sex, count(*) FROM reader GROUP BY GROUPING SETS ((category), (sex), ());

SELECT coalesce(sex, 'unknown') AS sex, count(*) FROM reader GROUP BY 1;

SELECT count(*) FROM reader WHERE joined BETWEEN '2024-01-01' AND '2024-12-31';

SELECT date_part('year', joined) AS yr, count(*) FROM reader GROUP BY yr ORDER BY yr;

SELECT count(*) FROM reader WHERE joined > now() - interval '1 year';

SELECT count(*) FROM loan WHERE taken_at >= date_trunc('month', current_date) - interval '1 month' AND taken_at < date_trunc('month', current_date);

SELECT status, count(*) FROM reservation GROUP BY status;

SELECT sum(CASE WHEN status = 'expired' THEN 1 ELSE 0 END)::float / count(*) AS expired_share FROM reservation;

SELECT avg(CASE WHEN returned_at > due THEN 1 ELSE 0 END) AS late_rate FROM loan;

SELECT bool_or(paid) FROM fine WHERE reason = 'lost';

SELECT corr(renewals, b.pages) FROM loan JOIN book b USING (book_id);

SELECT regr_slope(f.amount, l.renewals), regr_intercept(f.amount, l.renewals) FROM fine f JOIN loan l USING (loan_id);

SELECT stddev(amount), variance(amount) FROM fine;

SELECT max(amount), min(amount) FROM fine;

SELECT g.m::date AS month, coalesce(c.n, 0) AS loans FROM generate_series('2025-01-01'::timestamp, '2025-12-01', interval '1 month') AS g(m) LEFT JOIN (SELECT date_trunc('month', taken_at) AS m, count(*) AS n FROM loan GROUP BY 1) c ON c.m = g.m ORDER BY 1;

SELECT count(*) FROM loan WHERE channel = ANY (ARRAY['desk', 'machine']);

SELECT count(*) FROM loan WHERE channel = ANY ('{desk,online}');

SELECT (SELECT count(*) FROM loan WHERE channel = 'online') AS online, (SELECT count(*) FROM loan) AS total;

SELECT (SELECT count(*) FROM loan WHERE channel = 'online')::numeric / nullif((SELECT count(*) FROM loan), 0) AS share;

SELECT split_part(email, '@', 2) IN ('gmail.com', 'gmx.at') AS freemail, count(*) FROM reader GROUP BY 1;

SELECT left(postcode, 2) AS area, count(*) FROM reader GROUP BY left(postcode, 2);

SELECT string_agg(DISTINCT genre, ', ') FROM book;

SELECT genre, count(*) FROM book GROUP BY genre ORDER BY count(*) DESC LIMIT 10;

SELECT count(*) FROM book WHERE published < '1950-01-01' AND language = 'de';

SELECT bk.language, count(*) FROM loan l INNER JOIN book bk ON l.book_id = bk.book_id WHERE bk.genre = 'crime' AND l.taken_at BETWEEN '2025-06-01' AND '2025-08-31' GROUP BY bk.language;

SELECT bk.title, count(*) AS borrowed FROM loan l JOIN book bk USING (book_id) GROUP BY bk.book_id, bk.title ORDER BY borrowed DESC FETCH FIRST 10 ROWS ONLY;

SELECT DISTINCT ON (district) district, name FROM branch ORDER BY district, opened;

SELECT b.name, sum(f.amount) FROM fine f JOIN loan l ON l.loan_id = f.loan_id JOIN branch b ON b.branch_id = l.branch_id WHERE NOT f.paid GROUP BY b.name;

SELECT b.name, count(l.loan_id) FROM branch b LEFT JOIN loan l ON l.branch_id = b.branch_id AND l.taken_at >= '2025-01-01' GROUP BY b.name;

SELECT date_trunc('quarter', taken_at) AS q, channel, count(*) FROM loan GROUP BY 1, 2 ORDER BY 1, 2;

SELECT to_char(taken_at, 'Day') AS weekday, count(*) FROM loan GROUP BY 1;

SELECT count(*) FROM public.loan;

SELECT "channel", COUNT(*) AS "Number of loans" FROM "loan" GROUP BY "channel";

SELECT count(*) FROM loan l WHERE l.taken_at::time >= '18:00';

SELECT count(*) FROM reader WHERE extract(month FROM birth) = 12 AND extract(day FROM birth) = 24;

SELECT floor(extract(year FROM birth) / 10) * 10 AS decade, count(*) FROM reader GROUP BY decade ORDER BY decade;

SELECT (date '2025-06-30' - birth) / 365 AS age, count(*) FROM reader GROUP BY 1;

SELECT avg(length(note)) FROM fine WHERE note IS NOT NULL;

SELECT count(*), count(returned_at), count(*) - count(returned_at) AS still_out FROM loan;

SELECT channel, count(*) FROM loan WHERE taken_at::date = '2025-03-14' GROUP BY channel;

SELECT count(*) FROM loan WHERE taken_at >= to_date('01.03.2025', 'DD.MM.YYYY') AND taken_at < to_timestamp('2025-04-01 00:00', 'YYYY-MM-DD HH24:MI');

SELECT r.home_branch = l.branch_id AS at_home, count(*) FROM loan l JOIN reader r USING (reader_id) GROUP BY 1;

SELECT greatest(renewals, 3) AS r, count(*) FROM loan GROUP BY 1;

SELECT count(*) FROM reservation a JOIN reservation b ON a.book_id = b.book_id AND a.reader_id < b.reader_id WHERE a.status = 'waiting' AND b.status = 'waiting';

SELECT full_name, count(*) FROM loan JOIN reader USING (reader_id) GROUP BY full_name ORDER BY 2 DESC LIMIT 20; -- rows

SELECT * FROM fine WHERE amount > 50; -- rows

SELECT reader_id, email FROM reader WHERE newsletter; -- rows

SELECT newsletter, count(*) FROM reader WHERE category IN ('adult', 'senior') GROUP BY newsletter;

SELECT count(*) FROM reader WHERE newsletter IS TRUE AND sex IS DISTINCT FROM 'm';

SELECT count(*) AS n FROM loan WHERE (channel, renewals) IN (('desk', 0), ('online', 1));

SELECT sum(sum(amount)) OVER (ORDER BY date_trunc('month', paid_on)) AS running, date_trunc('month', paid_on) AS m FROM fine WHERE paid_on >= '2025-01-01' GROUP BY date_trunc('month', paid_on);

SELECT c.category, coalesce(t.n, 0) FROM (VALUES ('child'), ('student'), ('adult')) AS c(category) LEFT JOIN (SELECT category, count(*) n FROM reader GROUP BY category) t ON t.category = c.category;

SELECT EXISTS (SELECT 1 FROM fine WHERE amount > 90);

SELECT approx.n FROM (SELECT count(*) AS n FROM loan TABLESAMPLE SYSTEM (10)) approx;

SELECT count(*) FROM reader WHERE trim(lower(full_name)) LIKE 'dr.%';

SELECT category, array_agg(DISTINCT sex) FROM reader GROUP BY category;

SELECT channel, avg(n) FROM (SELECT channel, reader_id, count(*) AS n FROM loan GROUP BY channel, reader_id) s GROUP BY channel;
