setting clinic

SELECT count(*) FROM visit WHERE noshow;

SELECT kind, count(*) FROM visit GROUP BY kind ORDER BY count(*) DESC;

SELECT date_trunc('week', arrivedat)::date AS week, count(*) FROM visit WHERE arrivedat >= '2025-01-01' GROUP BY 1 ORDER BY 1;

SELECT avg(extract(epoch FROM (seenat - arrivedat)) / 60) AS wait_min FROM visit WHERE seenat IS NOT NULL;

SELECT c.region, avg(v.cost)::numeric(10,2) FROM visit v JOIN clinic c USING (clinicid) GROUP BY c.region;

SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY cost) FROM visit WHERE kind = 'booked';

SELECT sex, round(avg(weight)::numeric, 1) FROM patient WHERE sex IN ('F', 'M') GROUP BY sex;

SELECT width_bucket(cost, 0, 2000, 20) AS b, count(*) FROM visit WHERE cost IS NOT NULL GROUP BY 1 ORDER BY 1;

SELECT extract(isodow FROM arrivedat) AS d, extract(hour FROM arrivedat) AS h, count(*) FROM visit GROUP BY 1, 2;

SELECT count(*) FILTER (WHERE smoker) * 100.0 / count(*) FROM patient;

SELECT date_part('year', age(current_date, birthdate)) AS age, count(*) FROM patient GROUP BY 1;

SELECT CASE WHEN age(birthdate) < interval '18 years' THEN 'minor' ELSE 'adult' END AS g, count(*) FROM patient GROUP BY g;

SELECT drug, sum(days) FROM prescription WHERE issuedon BETWEEN date '2024-01-01' AND date '2024-06-30' GROUP BY drug;

SELECT drug, count(DISTINCT v.patientid) FROM prescription p JOIN visit v ON v.visitid = p.visitid GROUP BY drug;

SELECT test, flag, count(*) FROM labresult GROUP BY CUBE (test, flag);

SELECT test, stddev_samp(value), avg(value) FROM labresult GROUP BY test HAVING count(*) > 30;

SELECT to_char(takenon, 'YYYY-"Q"Q') AS quarter, count(*) FROM labresult GROUP BY 1;

SELECT to_char(arrivedat, 'HH24:00') AS hour, count(*) FROM visit GROUP BY 1 ORDER BY 1;

SELECT count(*) FROM patient WHERE phone ~ '^\+43';

SELECT count(*) FROM patient WHERE fullname !~* '^(dr|prof)';

SELECT count(*) FROM visit WHERE notes ILIKE ANY (ARRAY['%fall%', '%injury%']);

SELECT corr(height, weight) FROM patient WHERE birthdate < '2005-01-01';

SELECT regr_slope(weight, height) FROM patient;

WITH per_month AS (SELECT date_trunc('month', arrivedat) AS m, count(*) AS n, sum(cost) AS s FROM visit GROUP BY 1) SELECT m, s / nullif(n, 0) AS per_visit, rank() OVER (ORDER BY n DESC) FROM per_month ORDER BY m;

SELECT m, n, round(100.0 * n / first_value(n) OVER (ORDER BY m), 1) AS index FROM (SELECT date_trunc('month', arrivedat) AS m, count(*) AS n FROM visit WHERE arrivedat >= '2024-01-01' GROUP BY 1) t;

SELECT count(*) FROM patient p WHERE EXISTS (SELECT 1 FROM visit v WHERE v.patientid = p.patientid AND v.kind = 'emergency');

SELECT count(DISTINCT patientid) FROM visit WHERE arrivedat::date BETWEEN '2025-03-01' AND '2025-03-31';

SELECT triage, count(*) FROM visit WHERE triage BETWEEN 1 AND 3 GROUP BY triage;

SELECT coalesce(insurance, 'n/a'), count(*) FROM patient GROUP BY 1;

SELECT count(*) FROM visit v JOIN diagnosis d ON d.code = v.diagnosiscode WHERE d.chapter = 'Respiratory' AND NOT d.chronic;

SELECT d.chapter, count(*) FROM diagnosis d LEFT JOIN visit v ON v.diagnosiscode = d.code GROUP BY d.chapter;

SELECT avg(days) AS mean_days, max(days) AS longest FROM prescription WHERE drug = 'metformin';

SELECT left(zipcode, 2) || 'xx' AS area, count(*) FROM patient GROUP BY 1;

SELECT date_trunc('year', registered) AS y, sex, count(*) FROM patient GROUP BY y, sex ORDER BY y;

SELECT sum(cost) FILTER (WHERE kind = 'emergency') AS emergency, sum(cost) AS total FROM visit;

SELECT (SELECT sum(cost) FROM visit WHERE extract(year FROM arrivedat) = 2024) - (SELECT sum(cost) FROM visit WHERE extract(year FROM arrivedat) = 2023) AS growth;

SELECT noshow, avg(triage) FROM visit GROUP BY noshow;

SELECT ceil(cost / 250) * 250 AS upto, count(*) FROM visit GROUP BY 1 ORDER BY 1;

SELECT make_date(extract(year FROM arrivedat)::int, extract(month FROM arrivedat)::int, 1) AS m, count(*) FROM visit GROUP BY 1;

SELECT count(*) FROM labresult WHERE test = 'ldl' AND value > 130 AND takenon > current_date - 365;

SELECT arrivedat::time < time '06:00' AS night, count(*) FROM visit GROUP BY 1;

SELECT count(*) FROM visit WHERE arrivedat AT TIME ZONE 'UTC' > '2025-01-01';

SELECT avg(x.n) FROM (SELECT patientid, count(*)::int AS n FROM labresult GROUP BY patientid) x;

SELECT mode() WITHIN GROUP (ORDER BY drug) FROM prescription;

SELECT kind, count(*) AS n, sum(count(*)) OVER () AS total FROM visit GROUP BY kind;

SELECT bool_and(noshow) FROM visit WHERE kind = 'control';

SELECT count(*) FROM visit WHERE leftat - arrivedat > interval '6 hours';

SELECT count(*) FROM visit WHERE cost IS NULL OR cost = 0;

SELECT insurance, smoker, avg(height) FROM patient GROUP BY insurance, smoker ORDER BY insurance NULLS LAST;

SELECT round(stddev_pop(weight)::numeric, 3) AS sd, count(weight) FROM patient;
