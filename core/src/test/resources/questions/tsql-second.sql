setting grants

SELECT COUNT(*) AS Cnt FROM dbo.application WHERE status = 'funded';

SELECT status, COUNT(*) FROM application GROUP BY status ORDER BY COUNT(*) DESC;

SELECT TOP 5 p.title, SUM(a.granted) AS total FROM application a JOIN programme p ON p.programme_id = a.programme_id GROUP BY p.title ORDER BY total DESC;

SELECT YEAR(submitted_at) AS y, DATEPART(quarter, submitted_at) AS q, COUNT(*) FROM application GROUP BY YEAR(submitted_at), DATEPART(quarter, submitted_at);

SELECT FORMAT(submitted_at, 'yyyy-MM') AS m, COUNT(*) FROM application GROUP BY FORMAT(submitted_at, 'yyyy-MM');

SELECT DATENAME(weekday, submitted_at) AS d, COUNT(*) FROM application GROUP BY DATENAME(weekday, submitted_at);

SELECT CONVERT(varchar(10), paid_at, 120) AS d, SUM(amount) FROM payment WHERE paid_at >= '20250101' AND paid_at < '20250201' GROUP BY CONVERT(varchar(10), paid_at, 120);

SELECT AVG(DATEDIFF(day, submitted_at, decided_on)) FROM application WHERE decided_on IS NOT NULL;

SELECT AVG(CAST(score AS float)), STDEV(score) FROM review;

SELECT ISNULL(gender, '?') AS g, COUNT(*) FROM applicant GROUP BY ISNULL(gender, '?');

SELECT IIF(interdisciplinary = 1, 'yes', 'no') AS i, AVG(requested) FROM application GROUP BY IIF(interdisciplinary = 1, 'yes', 'no');

SELECT gender + '-' + degree AS grp, COUNT(*) FROM applicant GROUP BY gender + '-' + degree;

SELECT birth_year / 10 * 10 AS decade, COUNT(*) FROM applicant GROUP BY birth_year / 10 * 10;

SELECT COUNT(*) FROM applicant WHERE orcid LIKE '0000-000[123]%';

SELECT COUNT(*) FROM applicant WHERE name LIKE '[A-C]%' AND LEN(name) < 20;

SELECT COUNT(*) FROM application WHERE CHARINDEX('climate', abstract) > 0;

SELECT EOMONTH(paid_at) AS m, SUM(amount) FROM payment GROUP BY EOMONTH(paid_at);

SELECT DATEADD(month, DATEDIFF(month, 0, paid_at), 0) AS m, SUM(amount) FROM payment GROUP BY DATEADD(month, DATEDIFF(month, 0, paid_at), 0);

SELECT category, SUM(amount) * 100.0 / SUM(SUM(amount)) OVER () AS pct FROM payment GROUP BY category;

WITH y AS (SELECT YEAR(paid_at) AS y, SUM(amount) AS s FROM payment GROUP BY YEAR(paid_at)) SELECT y, s, LAG(s) OVER (ORDER BY y) AS prev FROM y;

SELECT i.country, COUNT(DISTINCT a.applicant_id) FROM applicant a INNER JOIN institution i ON i.inst_id = a.inst_id GROUP BY i.country;

SELECT COUNT(*) FROM application a WHERE NOT EXISTS (SELECT * FROM review r WHERE r.app_id = a.app_id AND r.score >= 5);

SELECT COUNT(*) FROM applicant WHERE applicant_id IN (SELECT applicant_id FROM application WHERE granted > 500000);

SELECT reviewer_country, AVG(score) FROM review GROUP BY reviewer_country HAVING COUNT(*) >= 20;

SELECT CASE WHEN months <= 12 THEN 'short' WHEN months <= 36 THEN 'mid' ELSE 'long' END AS len, COUNT(*) FROM application GROUP BY CASE WHEN months <= 12 THEN 'short' WHEN months <= 36 THEN 'mid' ELSE 'long' END;

SELECT DATEDIFF(year, phd_on, GETDATE()) AS yrs, COUNT(*) FROM applicant GROUP BY DATEDIFF(year, phd_on, GETDATE());

SELECT COUNT(*) FROM application WHERE submitted_at >= DATEADD(day, -30, GETDATE());

SELECT COUNT(*) FROM review WITH (NOLOCK) WHERE returned_on IS NULL;

SELECT ROUND(AVG(requested), -3) FROM application;

SELECT FLOOR(requested / 250000) AS bucket, COUNT(*) FROM application GROUP BY FLOOR(requested / 250000);

SELECT CAST(score AS int) AS s, COUNT(*) FROM review GROUP BY CAST(score AS int);

SELECT MAX(requested), MIN(granted) FROM application;

SELECT COUNT_BIG(*) FROM review WHERE confidence = 5;

SELECT degree, AVG(h_index * 1.0) FROM applicant GROUP BY degree;

SELECT VAR(score), VARP(score) FROM review WHERE reviewer_country = 'US';

SELECT DATEPART(hour, submitted_at) AS h, COUNT(*) FROM application GROUP BY DATEPART(hour, submitted_at) ORDER BY h;

SELECT DATEDIFF(week, invited_on, returned_on) AS w, COUNT(*) FROM review WHERE returned_on IS NOT NULL GROUP BY DATEDIFF(week, invited_on, returned_on);

SELECT p.field, a.status, COUNT(*) FROM application a JOIN programme p ON p.programme_id = a.programme_id GROUP BY GROUPING SETS ((p.field, a.status), (p.field), ());

SELECT t.field, t.n FROM (SELECT p.field, COUNT(*) AS n, ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) AS rn FROM application a JOIN programme p ON p.programme_id = a.programme_id GROUP BY p.field) t WHERE t.rn <= 3;

SELECT CHOOSE(confidence, 'very low', 'low', 'mid', 'high', 'very high') AS c, COUNT(*) FROM review GROUP BY CHOOSE(confidence, 'very low', 'low', 'mid', 'high', 'very high');

SELECT AVG(CAST(n AS float)) FROM (SELECT app_id, COUNT(*) AS n FROM payment GROUP BY app_id) x;

SELECT SUM(granted) FROM application WHERE decided_on BETWEEN DATEFROMPARTS(2024, 1, 1) AND DATEFROMPARTS(2024, 12, 31);

SELECT COUNT(*) FROM application WHERE TRY_CONVERT(int, LEFT(abstract, 4)) IS NOT NULL;

SELECT COUNT(CASE WHEN status = 'funded' THEN 1 END) * 1.0 / COUNT(*) AS rate, YEAR(submitted_at) AS y FROM application GROUP BY YEAR(submitted_at);

SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY requested) FROM application;

SELECT COUNT(*) FROM application WHERE granted = requested;

SELECT SUM(amount) FROM payment WHERE category IN ('staff', 'travel') AND YEAR(paid_at) = 2024;

SELECT a.gender, AVG(r.score) FROM review r JOIN application p ON p.app_id = r.app_id JOIN applicant a ON a.applicant_id = p.applicant_id GROUP BY a.gender;

SELECT STR(AVG(score), 5, 2) FROM review;

SELECT COUNT(*) FROM application WHERE submitted_at BETWEEN '2025-01-01T00:00:00' AND '2025-03-31T23:59:59';
