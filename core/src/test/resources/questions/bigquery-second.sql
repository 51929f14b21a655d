setting energy

SELECT COUNT(*) FROM reading WHERE quality = "measured";

SELECT DATE_TRUNC(billed_on, MONTH) AS m, SUM(amount) FROM bill GROUP BY m ORDER BY m;

SELECT TIMESTAMP_TRUNC(read_at, DAY) AS d, SUM(kwh) FROM reading WHERE read_at >= '2025-01-01' AND read_at < '2025-02-01' GROUP BY d;

SELECT EXTRACT(HOUR FROM read_at) AS h, AVG(kwh) FROM reading GROUP BY h;

SELECT EXTRACT(DAYOFWEEK FROM read_at) AS d, AVG(kwh) FROM reading GROUP BY d;

SELECT FORMAT_DATE('%Y-%m', billed_on) AS ym, COUNT(*) FROM bill GROUP BY ym;

SELECT FORMAT_TIMESTAMP('%B', read_at) AS month, SUM(kwh) FROM reading GROUP BY month;

SELECT heating, COUNT(*) AS n FROM household GROUP BY heating ORDER BY n DESC;

SELECT IFNULL(heating, 'none') AS h, AVG(floor_area) FROM household GROUP BY h;

SELECT r.region_name, SAFE_DIVIDE(COUNTIF(h.has_pv), COUNT(*)) AS pv FROM household h JOIN region r USING (region_id) GROUP BY 1;

SELECT COUNTIF(paid_on > due_on) AS late, COUNT(*) AS n FROM bill;

SELECT AVG(DATE_DIFF(paid_on, billed_on, DAY)) FROM bill WHERE paid_on IS NOT NULL;

SELECT method, ROUND(AVG(amount), 2) AS mean, APPROX_COUNT_DISTINCT(household_id) AS hh FROM bill GROUP BY method;

SELECT DIV(built, 10) * 10 AS decade, COUNT(*) FROM household GROUP BY decade ORDER BY decade;

SELECT CASE WHEN persons = 1 THEN 'single' WHEN persons = 2 THEN 'couple' ELSE 'family' END AS kind, AVG(floor_area) FROM household GROUP BY kind;

SELECT COUNT(*) FROM call_log WHERE REGEXP_CONTAINS(transcript, r'refund|money back');

SELECT COUNT(*) FROM call_log WHERE LOWER(transcript) LIKE '%outage%';

SELECT CONTAINS_SUBSTR(transcript, 'angry') AS angry, AVG(satisfied) FROM call_log GROUP BY angry;

SELECT topic, AVG(TIMESTAMP_DIFF(ended_at, started_at, SECOND)) / 60 AS minutes FROM call_log GROUP BY topic;

SELECT CORR(persons, floor_area) AS r FROM household;

SELECT STDDEV_SAMP(amount), VAR_POP(amount) FROM bill;

SELECT topic, COUNT(*) AS n FROM call_log GROUP BY topic QUALIFY ROW_NUMBER() OVER (ORDER BY n DESC) = 1;

SELECT LAST_DAY(billed_on) AS m, SUM(amount) FROM bill GROUP BY m;

SELECT y, s, s - LAG(s) OVER (ORDER BY y) AS d FROM (SELECT EXTRACT(YEAR FROM billed_on) AS y, SUM(amount) AS s FROM bill GROUP BY y);

SELECT m.tariff_code, SUM(r.kwh) FROM reading r JOIN meter m ON m.meter_id = r.meter_id WHERE EXTRACT(YEAR FROM r.read_at) = 2024 GROUP BY m.tariff_code;

SELECT IF(smart, 'smart', 'old') AS meter, COUNT(*) FROM meter GROUP BY 1;

SELECT COUNT(*) FROM meter WHERE installed_at < TIMESTAMP '2015-01-01' AND removed_at IS NULL;

SELECT COUNT(*) FROM meter WHERE STARTS_WITH(serial_no, 'LG') OR ENDS_WITH(serial_no, '99');

SELECT SUBSTR(tariff_code, 1, 1) AS t, COUNT(*) FROM meter GROUP BY t;

SELECT COUNT(*) FROM household WHERE household_id NOT IN (SELECT household_id FROM meter WHERE smart);

SELECT COUNT(*) FROM household h WHERE EXISTS (SELECT 1 FROM bill b WHERE b.household_id = h.household_id AND b.reminders >= 2);

SELECT heating IN UNNEST(['gas', 'oil']) AS fossil, COUNT(*) FROM household GROUP BY fossil;

SELECT yr, IFNULL(n, 0) FROM UNNEST([2023, 2024, 2025]) AS yr LEFT JOIN (SELECT EXTRACT(YEAR FROM started_at) AS y, COUNT(*) AS n FROM call_log GROUP BY y) ON y = yr;

SELECT COUNT(*) FROM bill WHERE DATE_ADD(due_on, INTERVAL 2 WEEK) < paid_on;

SELECT COUNT(*) FROM bill WHERE billed_on >= DATE_SUB(CURRENT_DATE(), INTERVAL 1 YEAR);

SELECT RANGE_BUCKET(amount, [100, 500, 1000]) AS b, COUNT(*) FROM bill GROUP BY b;

SELECT ROUND(amount, -2) AS a, COUNT(*) FROM bill GROUP BY a;

SELECT reminders, AVG(amount), COUNT(*) FROM bill GROUP BY reminders ORDER BY reminders;

SELECT AVG(n) FROM (SELECT household_id, COUNT(*) AS n FROM bill GROUP BY household_id);

SELECT APPROX_QUANTILES(kwh, 2)[OFFSET(1)] FROM reading;

SELECT PERCENTILE_CONT(amount, 0.5) OVER () FROM bill LIMIT 1;

SELECT COUNT(DISTINCT CONCAT(CAST(region_id AS STRING), heating)) FROM household;

SELECT topic, COUNTIF(satisfied >= 4) / COUNTIF(satisfied IS NOT NULL) AS happy FROM call_log GROUP BY topic;

SELECT TIME(started_at) BETWEEN TIME '08:00:00' AND TIME '18:00:00' AS office, COUNT(*) FROM call_log GROUP BY office;

SELECT DATE_DIFF(DATE '2025-12-31', moved_in, YEAR) AS yrs, COUNT(*) FROM household GROUP BY yrs;

SELECT MAX(floor_area), MIN(built) FROM household;

SELECT has_pv, heating, COUNT(*) FROM household GROUP BY ROLLUP (has_pv, heating);

SELECT SUM(IF(method = 'debit', amount, 0)) / SUM(amount) FROM bill;

SELECT EXTRACT(ISOWEEK FROM read_at) AS w, SUM(kwh) FROM reading WHERE EXTRACT(YEAR FROM read_at) = 2025 GROUP BY w;

SELECT LOGICAL_AND(has_pv) FROM household WHERE heating = 'heatpump' AND built > 2020;
