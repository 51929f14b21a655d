setting grants

SELECT COUNT(*) FROM application;

SELECT COUNT(*) AS n FROM `fund.research.application`;

SELECT status, COUNT(*) AS n FROM application GROUP BY status ORDER BY n DESC;

SELECT EXTRACT(YEAR FROM submitted_at) AS year, COUNT(*) AS n, COUNTIF(status = 'funded') AS funded FROM application GROUP BY year ORDER BY year;

SELECT EXTRACT(YEAR FROM submitted_at) AS year, SAFE_DIVIDE(COUNTIF(status = 'funded'), COUNT(*)) AS rate FROM application GROUP BY 1 ORDER BY 1;

SELECT TIMESTAMP_TRUNC(submitted_at, MONTH) AS month, COUNT(*) FROM application GROUP BY month;

SELECT DATE_TRUNC(DATE(submitted_at), QUARTER) AS q, SUM(requested) FROM application GROUP BY q ORDER BY q;

SELECT FORMAT_TIMESTAMP('%Y-%m', submitted_at) AS ym, COUNT(*) FROM application GROUP BY ym;

SELECT FORMAT_DATE('%A', invited_on) AS weekday, COUNT(*) FROM review GROUP BY weekday;

SELECT EXTRACT(DAYOFWEEK FROM submitted_at) AS dow, COUNT(*) FROM application GROUP BY dow;

SELECT EXTRACT(HOUR FROM submitted_at) AS h, COUNT(*) FROM application WHERE status != 'withdrawn' GROUP BY h ORDER BY h;

SELECT EXTRACT(ISOWEEK FROM submitted_at) AS wk, COUNT(*) AS n FROM application WHERE submitted_at >= '2025-01-01' GROUP BY wk;

SELECT SUM(granted) AS euros FROM application WHERE status = 'funded' AND EXTRACT(YEAR FROM decided_on) = 2024;

SELECT p.field, SUM(a.granted) AS euros, AVG(a.granted) AS mean FROM application AS a JOIN programme AS p ON a.programme_id = p.programme_id GROUP BY p.field;

SELECT p.title, COUNT(*) AS applications FROM application a JOIN programme p USING (programme_id) GROUP BY p.title ORDER BY applications DESC LIMIT 10;

SELECT i.country, COUNT(DISTINCT ap.applicant_id) FROM applicant ap JOIN institution i USING (inst_id) GROUP BY i.country;

SELECT i.name, COUNT(*) AS n FROM application a JOIN applicant p ON p.applicant_id = a.applicant_id JOIN institution i ON i.inst_id = p.inst_id WHERE a.status = 'funded' GROUP BY i.name ORDER BY n DESC LIMIT 5;

SELECT gender, COUNT(*) AS n, AVG(h_index) AS h FROM applicant GROUP BY gender;

SELECT IFNULL(gender, 'n/a') AS gender, COUNT(*) FROM applicant GROUP BY gender;

SELECT p.gender, COUNTIF(a.status = 'funded') / COUNT(*) AS success FROM application a JOIN applicant p USING (applicant_id) GROUP BY p.gender;

SELECT DATE_DIFF(DATE '2025-12-31', phd_on, YEAR) AS years_since_phd, COUNT(*) FROM applicant GROUP BY 1 ORDER BY 1;

SELECT AVG(DATE_DIFF(CURRENT_DATE(), phd_on, DAY)) / 365.25 AS years FROM applicant;

SELECT AVG(DATE_DIFF(decided_on, DATE(submitted_at), DAY)) AS days_to_decision FROM application WHERE decided_on IS NOT NULL;

SELECT APPROX_QUANTILES(requested, 4) FROM application;

SELECT APPROX_QUANTILES(requested, 100)[OFFSET(50)] AS median FROM application;

SELECT PERCENTILE_CONT(score, 0.5) OVER () AS med FROM review LIMIT 1;

SELECT APPROX_COUNT_DISTINCT(applicant_id) FROM application;

SELECT APPROX_TOP_COUNT(reviewer_country, 3) FROM review;

SELECT COUNT(*) FROM application WHERE DATE(submitted_at) BETWEEN '2025-01-01' AND '2025-03-31';

SELECT COUNT(*) FROM application WHERE submitted_at >= TIMESTAMP('2025-01-01') AND submitted_at < TIMESTAMP '2025-07-01 00:00:00';

SELECT COUNT(*) FROM application WHERE DATE(submitted_at) >= DATE_SUB(CURRENT_DATE(), INTERVAL 90 DAY);

SELECT COUNT(*) FROM application WHERE submitted_at > TIMESTAMP_SUB(CURRENT_TIMESTAMP(), INTERVAL 365 DAY);

SELECT COUNT(*) FROM application WHERE decided_on > DATE_ADD(DATE(submitted_at), INTERVAL 6 MONTH);

SELECT COUNT(*) FROM application WHERE decided_on >= PARSE_DATE('%d.%m.%Y', '01.01.2025');

SELECT LAST_DAY(decided_on, MONTH) AS m, COUNT(*) FROM application GROUP BY m;

SELECT DATE(2025, 1, 1) <= decided_on AS this_year, COUNT(*) FROM application WHERE decided_on IS NOT NULL GROUP BY this_year;

SELECT COUNT(*) FROM application WHERE REGEXP_CONTAINS(abstract, r'(?i)climate');

SELECT COUNT(*) FROM application WHERE REGEXP_CONTAINS(LOWER(abstract), 'quantum|photon');

SELECT COUNT(*) FROM applicant WHERE REGEXP_EXTRACT(orcid, r'^(\d{4})') = '0000';

SELECT COUNT(*) FROM applicant WHERE STARTS_WITH(orcid, '0000-0002');

SELECT COUNT(*) FROM applicant WHERE ENDS_WITH(orcid, 'X');

SELECT COUNT(*) FROM application WHERE STRPOS(abstract, 'gender') > 0;

SELECT COUNT(*) FROM application WHERE LOWER(abstract) LIKE '%artificial intelligence%';

SELECT CONTAINS_SUBSTR(abstract, 'energy') AS about_energy, COUNT(*) FROM application GROUP BY 1;

SELECT IF(interdisciplinary, 'inter', 'mono') AS kind, AVG(granted) FROM application GROUP BY kind;

SELECT interdisciplinary, COUNTIF(status = 'funded') AS funded, COUNTIF(status = 'rejected') AS rejected FROM application GROUP BY interdisciplinary;

SELECT LOGICAL_OR(interdisciplinary) FROM application WHERE programme_id = 4;

SELECT CASE WHEN requested < 100000 THEN 'S' WHEN requested < 500000 THEN 'M' ELSE 'L' END AS size, COUNT(*), AVG(months) FROM application GROUP BY size;

SELECT RANGE_BUCKET(requested, [0, 100000, 500000, 1000000]) AS b, COUNT(*) FROM application GROUP BY b;

SELECT CAST(FLOOR(requested / 100000) AS INT64) * 100000 AS bucket, COUNT(*) FROM application GROUP BY bucket;

SELECT DIV(h_index, 10) * 10 AS h, COUNT(*) FROM applicant GROUP BY h;

SELECT DIV(birth_year, 10) * 10 AS decade, gender, COUNT(*) FROM applicant GROUP BY decade, gender;

SELECT 2025 - birth_year AS age, COUNT(*) FROM applicant GROUP BY age ORDER BY age;

SELECT AVG(2025 - birth_year) AS age, degree FROM applicant GROUP BY degree;

SELECT ROUND(AVG(score), 2) AS mean, ROUND(STDDEV(score), 2) AS sd, COUNT(*) AS n FROM review;

SELECT reviewer_country, AVG(score) AS s FROM review GROUP BY reviewer_country HAVING COUNT(*) > 30 ORDER BY s;

SELECT confidence, AVG(score), VAR_SAMP(score) FROM review GROUP BY confidence;

SELECT CORR(score, confidence) FROM review;

SELECT CORR(score, words), COVAR_POP(score, words) FROM review WHERE words IS NOT NULL;

SELECT ROUND(score) AS s, COUNT(*) FROM review GROUP BY s;

SELECT AVG(DATE_DIFF(returned_on, invited_on, DAY)) FROM review WHERE returned_on IS NOT NULL;

SELECT COUNTIF(returned_on IS NULL) / COUNT(*) AS missing FROM review;

SELECT COUNT(*) FROM review WHERE returned_on > DATE_ADD(invited_on, INTERVAL 3 WEEK);

SELECT a.status, AVG(r.score) FROM review r JOIN application a USING (app_id) GROUP BY a.status;

SELECT AVG(n) FROM (SELECT app_id, COUNT(*) AS n FROM review GROUP BY app_id);

SELECT n, COUNT(*) FROM (SELECT applicant_id, COUNT(*) AS n FROM application GROUP BY applicant_id) GROUP BY n ORDER BY n;

SELECT COUNT(*) FROM (SELECT app_id, AVG(score) AS s FROM review GROUP BY app_id) WHERE s >= 8;

SELECT COUNT(*) FROM applicant WHERE applicant_id NOT IN (SELECT applicant_id FROM application WHERE status = 'funded');

SELECT COUNT(*) FROM application a WHERE NOT EXISTS (SELECT 1 FROM review r WHERE r.app_id = a.app_id);

SELECT COUNT(*) FROM application a LEFT JOIN payment p ON p.app_id = a.app_id WHERE a.status = 'funded' AND p.payment_id IS NULL;

SELECT category, SUM(amount) AS euros, SUM(amount) / SUM(SUM(amount)) OVER () AS share FROM payment GROUP BY category;

SELECT EXTRACT(YEAR FROM paid_at) AS y, category, SUM(amount) FROM payment GROUP BY y, category ORDER BY y, category;

WITH y AS (SELECT EXTRACT(YEAR FROM paid_at) AS y, SUM(amount) AS s FROM payment GROUP BY 1) SELECT y, s, s - LAG(s) OVER (ORDER BY y) AS diff FROM y;

WITH y AS (SELECT EXTRACT(YEAR FROM submitted_at) AS y, COUNT(*) AS n FROM application GROUP BY 1) SELECT y, n, SUM(n) OVER (ORDER BY y) AS cumulative FROM y ORDER BY y;

SELECT p.field, a.status, COUNT(*) AS n FROM application a JOIN programme p USING (programme_id) GROUP BY ROLLUP (p.field, a.status);

SELECT p.field, COUNT(*) AS n FROM application a JOIN programme p USING (programme_id) GROUP BY p.field QUALIFY RANK() OVER (ORDER BY n DESC) <= 3;

SELECT year, n FROM UNNEST([2022, 2023, 2024]) AS year LEFT JOIN (SELECT EXTRACT(YEAR FROM submitted_at) AS y, COUNT(*) AS n FROM application GROUP BY y) ON y = year;

SELECT d, IFNULL(n, 0) AS n FROM UNNEST(GENERATE_DATE_ARRAY('2025-01-01', '2025-01-31')) AS d LEFT JOIN (SELECT DATE(submitted_at) AS s, COUNT(*) AS n FROM application GROUP BY s) ON s = d;

SELECT COUNT(*) FROM application WHERE status IN UNNEST(['funded', 'rejected']);

SELECT COUNT(*) FROM application WHERE granted < requested * 0.8;

SELECT AVG(granted / requested) FROM application WHERE status = 'funded' AND requested > 0;

SELECT SUM(granted) / SUM(requested) AS ratio FROM application WHERE status = 'funded';

SELECT AVG(SAFE_DIVIDE(granted, months)) AS per_month FROM application;

SELECT MAX(requested), MIN(requested) FROM application;

SELECT COUNT(DISTINCT IF(status = 'funded', applicant_id, NULL)) AS winners FROM application;

SELECT COUNT(DISTINCT CONCAT(CAST(applicant_id AS STRING), '-', CAST(programme_id AS STRING))) FROM application;

SELECT CONCAT(gender, '/', degree) AS grp, COUNT(*) FROM applicant GROUP BY grp;

SELECT STRING_AGG(name, ', ' ORDER BY name) FROM institution WHERE country = 'AT';

SELECT ARRAY_AGG(DISTINCT field) FROM programme;

SELECT degree, COUNT(*) AS n FROM applicant WHERE degree IS NOT NULL GROUP BY degree HAVING n > 10;

SELECT COALESCE(SUM(granted), 0) AS s FROM application WHERE programme_id IN (SELECT programme_id FROM programme WHERE field = 'physics');

SELECT COUNT(*) FROM application WHERE CAST(submitted_at AS DATE) = decided_on;

SELECT EXTRACT(DATE FROM submitted_at) AS d, COUNT(*) FROM application WHERE submitted_at >= '2025-10-01' AND submitted_at < '2025-11-01' GROUP BY d;

SELECT TIME(submitted_at) >= TIME '23:00:00' AS last_minute, COUNT(*) FROM application GROUP BY last_minute;

SELECT TIMESTAMP_DIFF(paid_at, submitted_at, DAY) > 365 AS slow, COUNT(*) FROM payment JOIN application USING (app_id) GROUP BY slow;

SELECT AVG(UNIX_SECONDS(paid_at) - UNIX_SECONDS(submitted_at)) / 86400 FROM payment JOIN application USING (app_id);

SELECT * EXCEPT (name) FROM applicant; -- rows

SELECT name, h_index FROM applicant ORDER BY h_index DESC LIMIT 10; -- rows

SELECT GREATEST(confidence, 2) AS c, COUNT(*) FROM review GROUP BY c;

SELECT MOD(app_id, 2) AS half, COUNT(*) FROM application GROUP BY half;

SELECT status, COUNT(*) AS n FROM application WHERE programme_id = 7 AND submitted_at BETWEEN '2024-01-01' AND '2024-12-31' GROUP BY status UNION ALL SELECT 'all', COUNT(*) FROM application WHERE programme_id = 7 AND submitted_at BETWEEN '2024-01-01' AND '2024-12-31';

SELECT a.y, a.n AS submitted, b.n AS decided FROM (SELECT EXTRACT(YEAR FROM submitted_at) AS y, COUNT(*) AS n FROM application GROUP BY y) a JOIN (SELECT EXTRACT(YEAR FROM decided_on) AS y, COUNT(*) AS n FROM application GROUP BY y) b ON a.y = b.y;

SELECT ANY_VALUE(title) FROM programme WHERE programme_id = 3;

SELECT ROUND(100 * COUNTIF(phd_on >= '2015-01-01') / COUNT(*), 1) AS early_career_pct FROM applicant WHERE phd_on IS NOT NULL;
