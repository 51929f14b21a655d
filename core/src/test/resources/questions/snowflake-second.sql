setting library

SELECT COUNT(*) FROM loan WHERE channel = 'online';

SELECT DATE_TRUNC('QUARTER', taken_at) AS q, COUNT(*) FROM loan GROUP BY q ORDER BY q;

SELECT TO_CHAR(taken_at, 'YYYY-MM') AS m, COUNT(*) FROM loan GROUP BY ALL;

SELECT DAYNAME(taken_at) AS d, COUNT(*) FROM loan GROUP BY d;

SELECT MONTHNAME(paid_on) AS m, SUM(amount) FROM fine GROUP BY 1;

SELECT reason, SUM(amount), COUNT_IF(paid) FROM fine GROUP BY reason;

SELECT DIV0(SUM(IFF(paid, amount, 0)), SUM(amount)) AS paid_share FROM fine;

SELECT AVG(DATEDIFF(day, taken_at, returned_at)) FROM loan;

SELECT b.name, COUNT(*) FROM loan l JOIN branch b ON b.branch_id = l.branch_id GROUP BY b.name QUALIFY RANK() OVER (ORDER BY COUNT(*) DESC) <= 5;

SELECT category, RATIO_TO_REPORT(COUNT(*)) OVER () AS share FROM reader GROUP BY category;

SELECT DATEDIFF(year, birth, CURRENT_DATE()) AS age, COUNT(*) FROM reader GROUP BY age;

SELECT FLOOR(DATEDIFF(year, birth, '2025-12-31') / 10) * 10 AS g, COUNT(*) FROM reader GROUP BY g ORDER BY g;

SELECT MEDIAN(amount), AVG(amount) FROM fine WHERE reason = 'late';

SELECT APPROX_COUNT_DISTINCT(reader_id) FROM loan WHERE taken_at >= DATEADD(month, -3, CURRENT_DATE);

SELECT CORR(renewals, DATEDIFF(day, taken_at, due)) FROM loan;

SELECT NVL(sex, 'unknown') AS sex, COUNT(*) FROM reader GROUP BY sex;

SELECT COUNT(*) FROM reader WHERE email ILIKE '%@gmail.com' OR CONTAINS(email, '.edu');

SELECT COUNT(*) FROM reader WHERE REGEXP_LIKE(email, '.*@(gmail|gmx)[.](com|at)');

SELECT SPLIT_PART(email, '@', -1) = 'gmail.com' AS gmail, COUNT(*) FROM reader GROUP BY 1;

SELECT COUNT(*) FROM reader WHERE full_name LIKE ANY ('Dr.%', 'Prof.%');

SELECT k.genre, YEAR(l.taken_at) AS y, COUNT(*) FROM loan l JOIN book k USING (book_id) GROUP BY 1, 2 ORDER BY 1, 2;

SELECT LAST_DAY(asked_at) AS m, COUNT(*) FROM reservation GROUP BY m;

SELECT status, COUNT(*) FROM reservation WHERE asked_at BETWEEN '2025-01-01' AND '2025-06-30' GROUP BY status;

SELECT WEEKISO(taken_at) AS w, COUNT(*) FROM loan WHERE YEAR(taken_at) = 2025 GROUP BY w;

SELECT HOUR(taken_at) AS h, channel, COUNT(*) FROM loan GROUP BY h, channel;

WITH m AS (SELECT DATE_TRUNC('month', taken_at) AS mon, COUNT(*) AS n FROM loan GROUP BY 1) SELECT mon, n, AVG(n) OVER (ORDER BY mon ROWS BETWEEN 2 PRECEDING AND CURRENT ROW) AS ma3 FROM m;

WITH m AS (SELECT YEAR(joined) AS y, COUNT(*) AS n FROM reader GROUP BY y) SELECT y, n, SUM(n) OVER (ORDER BY y ROWS UNBOUNDED PRECEDING) AS total FROM m ORDER BY y;

SELECT COUNT(*) FROM loan WHERE returned_at IS NULL AND due < CURRENT_DATE();

SELECT DECODE(channel, 'desk', 'staff', 'machine', 'self', 'web') AS how, COUNT(*) FROM loan GROUP BY how;

SELECT renewals, COUNT(*) FROM loan GROUP BY renewals ORDER BY renewals DESC;

SELECT COUNT(*) FROM reader r LEFT JOIN loan l ON l.reader_id = r.reader_id WHERE l.loan_id IS NULL;

SELECT postcode, category, COUNT(*) FROM reader GROUP BY GROUPING SETS ((postcode, category), (postcode));

SELECT AVG(cnt) FROM (SELECT reader_id, COUNT(*) AS cnt FROM reservation GROUP BY reader_id);

SELECT MODE(channel) FROM loan;

SELECT VARIANCE(amount), STDDEV_POP(amount) FROM fine;

SELECT TRUNC(amount) AS euros, COUNT(*) FROM fine GROUP BY euros;

SELECT TO_DATE(taken_at) AS d, COUNT(*) FROM loan WHERE taken_at >= '2025-05-01' AND taken_at < '2025-06-01' GROUP BY d;

SELECT COUNT(*) FROM loan WHERE TO_TIME(taken_at) > '18:00:00';

SELECT newsletter::INT AS n, COUNT(*) FROM reader GROUP BY n;

SELECT BOOLAND_AGG(paid) FROM fine WHERE amount < 1;

SELECT SUM(amount)::NUMBER(12, 2) FROM fine WHERE paid_on >= '2025-01-01'::DATE;

SELECT IFNULL(k.language, 'xx') AS lang, COUNT(*) FROM loan l JOIN book k ON k.book_id = l.book_id GROUP BY lang;

SELECT CASE WHEN k.pages > 400 THEN 'thick' ELSE 'thin' END AS size, AVG(l.renewals) FROM loan l JOIN book k USING (book_id) GROUP BY size;

SELECT COUNT(DISTINCT reader_id, book_id) FROM loan;

SELECT MONTHS_BETWEEN(CURRENT_DATE(), joined) > 24 AS old, COUNT(*) FROM reader GROUP BY old;

SELECT GREATEST(renewals, 1) AS r, COUNT(*) FROM loan GROUP BY r;

SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY amount) FROM fine;

SELECT DATEDIFF('week', asked_at, CURRENT_TIMESTAMP) AS weeks, COUNT(*) FROM reservation WHERE status = 'waiting' GROUP BY weeks;

SELECT UPPER(category) AS c, COUNT(*) FROM reader GROUP BY c;

SELECT MAX(amount) FROM fine WHERE reason IN ('lost', 'damaged');
