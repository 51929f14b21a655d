setting energy

SELECT COUNT(*) FROM HOUSEHOLD;

SELECT heating, COUNT(*) AS cnt FROM household GROUP BY heating ORDER BY cnt DESC;

SELECT r.region_name, COUNT(*) FROM household h JOIN region r ON h.region_id = r.region_id GROUP BY 1 ORDER BY 2 DESC;

SELECT r.region_name, COUNT(*) FROM household h JOIN region r USING (region_id) GROUP BY ALL;

SELECT DATE_TRUNC('MONTH', read_at) AS month, SUM(kwh) AS total_kwh FROM reading GROUP BY 1 ORDER BY 1;

SELECT DATE_TRUNC(month, read_at)::DATE AS month, AVG(kwh) FROM reading WHERE quality = 'measured' GROUP BY month;

SELECT TO_CHAR(read_at, 'YYYY-MM') AS ym, SUM(kwh) FROM reading GROUP BY ym;

SELECT YEAR(read_at) AS yr, MONTH(read_at) AS mo, SUM(kwh) FROM reading GROUP BY yr, mo ORDER BY yr, mo;

SELECT HOUR(read_at) AS hr, AVG(kwh) AS avg_kwh FROM reading GROUP BY hr ORDER BY hr;

SELECT DAYOFWEEK(read_at) AS dow, AVG(kwh) FROM reading GROUP BY dow;

SELECT DAYNAME(read_at) AS d, SUM(kwh) FROM reading GROUP BY d;

SELECT quality, COUNT(*), RATIO_TO_REPORT(COUNT(*)) OVER () AS share FROM reading GROUP BY quality;

SELECT COUNT_IF(quality = 'missing') AS missing, COUNT(*) AS n FROM reading;

SELECT COUNT_IF(quality = 'missing') / COUNT(*) AS missing_share FROM reading WHERE read_at >= '2025-01-01';

SELECT APPROX_COUNT_DISTINCT(meter_id) FROM reading WHERE read_at::DATE = '2025-05-01';

SELECT MEDIAN(amount) FROM bill;

SELECT PERCENTILE_CONT(0.95) WITHIN GROUP (ORDER BY kwh) FROM reading;

SELECT APPROX_PERCENTILE(amount, 0.5) AS med, method FROM bill GROUP BY method;

SELECT MODE(heating) FROM household;

SELECT CORR(persons, floor_area) FROM household;

SELECT COVAR_POP(persons, floor_area), COVAR_SAMP(persons, floor_area) FROM household;

SELECT REGR_SLOPE(floor_area, persons), REGR_INTERCEPT(floor_area, persons) FROM household WHERE heating = 'gas';

SELECT STDDEV(amount), VAR_POP(amount) FROM bill WHERE YEAR(billed_on) = 2024;

SELECT AVG(DATEDIFF(day, billed_on, paid_on)) AS days_to_pay FROM bill WHERE paid_on IS NOT NULL;

SELECT COUNT(*) FROM bill WHERE paid_on > DATEADD(day, 14, due_on);

SELECT COUNT(*) FROM bill WHERE DATEDIFF('day', due_on, paid_on) > 30;

SELECT IFF(paid_on > due_on, 'late', 'in time') AS punctual, COUNT(*) FROM bill WHERE paid_on IS NOT NULL GROUP BY 1;

SELECT method, SUM(amount) AS billed, SUM(IFF(paid_on IS NULL, amount, 0)) AS open_amount FROM bill GROUP BY method;

SELECT ZEROIFNULL(SUM(amount)) FROM bill WHERE method = 'cash';

SELECT DIV0(SUM(amount), COUNT(*)) FROM bill;

SELECT NVL(heating, 'unknown') AS heating, AVG(floor_area) FROM household GROUP BY 1;

SELECT NVL2(heating, 'known', 'unknown') AS k, COUNT(*) FROM household GROUP BY k;

SELECT DECODE(method, 'debit', 'automatic', 'manual') AS how, COUNT(*) FROM bill GROUP BY how;

SELECT billed_on, SUM(amount) FROM bill WHERE billed_on BETWEEN '2025-01-01' AND '2025-01-31' GROUP BY billed_on;

SELECT LAST_DAY(billed_on) AS month_end, SUM(amount) FROM bill GROUP BY month_end ORDER BY month_end;

SELECT QUARTER(billed_on) AS q, SUM(amount) FROM bill WHERE billed_on >= '2024-01-01'::DATE AND billed_on < '2025-01-01'::DATE GROUP BY q;

SELECT WEEKOFYEAR(started_at) AS wk, COUNT(*) FROM call_log WHERE YEAR(started_at) = 2025 GROUP BY wk;

SELECT topic, AVG(DATEDIFF(second, started_at, ended_at)) / 60 AS minutes FROM call_log GROUP BY topic;

SELECT topic, AVG(TIMESTAMPDIFF(minute, started_at, ended_at)) FROM call_log WHERE ended_at IS NOT NULL GROUP BY topic;

SELECT topic, AVG(satisfied), COUNT(satisfied) FROM call_log GROUP BY topic HAVING COUNT(*) > 50;

SELECT COUNT(*) FROM call_log WHERE transcript ILIKE '%refund%';

SELECT COUNT(*) FROM call_log WHERE CONTAINS(transcript, 'lawyer');

SELECT COUNT(*) FROM call_log WHERE transcript ILIKE ANY ('%cancel%', '%quit%');

SELECT COUNT(*) FROM call_log WHERE REGEXP_LIKE(transcript, '.*(angry|upset).*', 'i');

SELECT COUNT(*) FROM call_log WHERE transcript RLIKE '.*price.*';

SELECT COUNT(*) FROM household WHERE STARTSWITH(contact_email, 'info@');

SELECT COUNT(*) FROM household WHERE ENDSWITH(LOWER(contact_email), '.org');

SELECT REGEXP_SUBSTR(serial_no, '^[A-Z]{2}') = 'LG' AS lg, COUNT(*) FROM meter GROUP BY 1;

SELECT SPLIT_PART(contact_email, '@', 2) = 'gmail.com' AS g, COUNT(*) FROM household GROUP BY g;

SELECT COUNT(*) FROM meter WHERE removed_at IS NULL AND smart;

SELECT tariff_code, COUNT(*) AS meters FROM meter GROUP BY tariff_code QUALIFY ROW_NUMBER() OVER (ORDER BY COUNT(*) DESC) <= 2;

SELECT t.tariff_name, SUM(r.kwh) FROM reading r JOIN meter m ON m.meter_id = r.meter_id JOIN tariff t ON t.tariff_code = m.tariff_code GROUP BY t.tariff_name;

SELECT t.green, SUM(r.kwh * t.cents_per_kwh / 100) AS euros FROM reading r JOIN meter m ON m.meter_id = r.meter_id JOIN tariff t ON t.tariff_code = m.tariff_code GROUP BY t.green;

SELECT h.heating, AVG(r.kwh) FROM reading r JOIN meter m ON r.meter_id = m.meter_id JOIN household h ON h.household_id = m.household_id WHERE MONTH(r.read_at) IN (12, 1, 2) GROUP BY h.heating;

SELECT h.has_pv, COUNT(DISTINCT h.household_id), SUM(b.amount) FROM bill b JOIN household h ON h.household_id = b.household_id GROUP BY h.has_pv;

SELECT w.mean_temp < 0 AS frost, SUM(r.kwh) FROM reading r JOIN weather w ON w.day = r.read_at::DATE GROUP BY frost;

SELECT FLOOR(floor_area / 25) * 25 AS area, COUNT(*) FROM household GROUP BY area ORDER BY area;

SELECT WIDTH_BUCKET(amount, 0, 4000, 8) AS b, COUNT(*) FROM bill GROUP BY b;

SELECT CASE WHEN built < 1919 THEN 'old' WHEN built < 1970 THEN 'mid' WHEN built < 2000 THEN 'late' ELSE 'new' END AS era, AVG(floor_area) FROM household GROUP BY era;

SELECT TRUNC(built, -1) AS decade, COUNT(*) FROM household GROUP BY decade;

SELECT persons, has_pv, COUNT(*) FROM household GROUP BY CUBE (persons, has_pv);

SELECT AVG(floor_area / persons) AS per_head FROM household;

SELECT AVG(n) FROM (SELECT household_id, COUNT(*) AS n FROM call_log WHERE household_id IS NOT NULL GROUP BY household_id);

WITH monthly AS (SELECT DATE_TRUNC('month', billed_on) AS m, SUM(amount) AS s FROM bill GROUP BY 1) SELECT m, s, LAG(s) OVER (ORDER BY m) AS prev, s / NULLIF(LAG(s) OVER (ORDER BY m), 0) - 1 AS growth FROM monthly ORDER BY m;

WITH d AS (SELECT read_at::DATE AS day, SUM(kwh) AS s FROM reading WHERE read_at >= '2025-01-01' AND read_at < '2025-04-01' GROUP BY 1) SELECT day, AVG(s) OVER (ORDER BY day ROWS BETWEEN 6 PRECEDING AND CURRENT ROW) AS week_avg FROM d;

WITH heavy AS (SELECT household_id, SUM(amount) AS s FROM bill WHERE YEAR(billed_on) = 2024 GROUP BY household_id) SELECT COUNT(*) FROM heavy WHERE s > 2000;

SELECT COUNT(*) FROM household h WHERE NOT EXISTS (SELECT 1 FROM meter m WHERE m.household_id = h.household_id AND m.smart = TRUE);

SELECT COUNT(*) FROM household WHERE household_id IN (SELECT household_id FROM call_log WHERE topic = 'complaint');

SELECT COUNT(*) FROM meter WHERE installed_at >= DATEADD(year, -1, CURRENT_DATE());

SELECT COUNT(*) FROM meter WHERE installed_at >= CURRENT_TIMESTAMP() - INTERVAL '6 months';

SELECT COUNT(*) FROM meter WHERE installed_at > TO_TIMESTAMP('2024-06-30 12:00:00');

SELECT COUNT(*) FROM bill WHERE billed_on >= TO_DATE('2025-03-01') AND billed_on < TO_DATE('01-04-2025', 'DD-MM-YYYY');

SELECT COUNT(*) FROM bill WHERE billed_on >= DATE_FROM_PARTS(2025, 1, 1);

SELECT MONTHNAME(billed_on) AS m, COUNT(*) FROM bill GROUP BY m;

SELECT AVG(2025 - built) AS avg_house_age FROM household;

SELECT DATEDIFF(year, moved_in, '2025-12-31') AS yrs, COUNT(*) FROM household GROUP BY yrs ORDER BY yrs;

SELECT AVG(MONTHS_BETWEEN('2025-12-31', moved_in)) FROM household;

SELECT COUNT(*) FROM ENERGY_DB.PUBLIC.HOUSEHOLD WHERE has_pv = TRUE;

SELECT "HEATING", COUNT(*) FROM household GROUP BY "HEATING";

SELECT heating, COUNT(*) FROM household GROUP BY heating ORDER BY COUNT(*) DESC NULLS LAST LIMIT 3;

SELECT TOP 3 heating, COUNT(*) AS n FROM household GROUP BY heating ORDER BY n DESC;

SELECT BOOLOR_AGG(has_pv) FROM household WHERE heating = 'wood';

SELECT MAX(kwh), MIN(kwh) FROM reading WHERE quality = 'measured';

SELECT LISTAGG(region_name, ', ') WITHIN GROUP (ORDER BY region_name) FROM region;

SELECT EXTRACT(HOUR FROM started_at) BETWEEN 8 AND 17 AS office_hours, COUNT(*) FROM call_log GROUP BY office_hours;

SELECT started_at::TIME > '20:00'::TIME AS evening, COUNT(*) FROM call_log GROUP BY evening;

SELECT COUNT(*) FROM call_log WHERE topic IN ('billing', 'tariff') AND satisfied <= 2;

SELECT topic, satisfied, COUNT(*) AS n, SUM(COUNT(*)) OVER (PARTITION BY topic) AS per_topic FROM call_log GROUP BY topic, satisfied;

SELECT * FROM (SELECT topic, method, COUNT(*) AS n FROM call_log c JOIN bill b ON b.household_id = c.household_id GROUP BY topic, method) ORDER BY n DESC;

SELECT reminders, COUNT(*) FROM bill GROUP BY reminders;

SELECT SUM(reminders > 0)::FLOAT / COUNT(*) FROM bill;

SELECT GREATEST(reminders, 1) AS r, AVG(amount) FROM bill GROUP BY r;

SELECT 'billed' AS what, SUM(amount) AS eur FROM bill UNION ALL SELECT 'paid', SUM(amount) FROM bill WHERE paid_on IS NOT NULL;

SELECT BITAND(persons, 1) AS odd, COUNT(*) FROM household GROUP BY odd;

SELECT MOD(persons, 2) = 0 AS even, COUNT(*) FROM household GROUP BY even;

SELECT * FROM household WHERE persons > 8; -- rows

SELECT contact_email FROM household SAMPLE (10); -- rows

SELECT household_id, SUM(amount) FROM bill GROUP BY household_id ORDER BY 2 DESC LIMIT 10; -- rows

SELECT TIME_SLICE(read_at, 1, 'WEEK') AS wk, SUM(kwh) FROM reading GROUP BY wk;

SELECT COUNT(*) FROM reading r WHERE r.kwh > 10 AND r.read_at BETWEEN '2025-01-01 00:00:00' AND '2025-01-31 23:59:59';

SELECT has_pv, AVG(persons) AS p FROM household WHERE TRY_TO_NUMBER(SUBSTR(contact_email, 1, 1)) IS NULL GROUP BY has_pv;
