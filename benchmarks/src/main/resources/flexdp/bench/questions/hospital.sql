-- Visits
SELECT COUNT(*) FROM visit;

-- Expensive emergencies
SELECT COUNT(*) FROM visit WHERE kind = 'emergency' AND charge > 500;

-- Charges in all
SELECT SUM(charge) FROM visit;

-- Average charge
SELECT AVG(charge) FROM visit;

-- Visits and charges
SELECT COUNT(*), SUM(charge) FROM visit;

-- Patients with a visit
SELECT COUNT(DISTINCT patient_id) FROM visit;

-- Patients by sex
SELECT sex, COUNT(*) FROM patient GROUP BY sex;

-- Visits by kind
SELECT kind, COUNT(*) FROM visit GROUP BY kind;

-- Visits by department
SELECT department, COUNT(*) FROM visit GROUP BY department;

-- Average charge by department
SELECT department, AVG(charge) FROM visit GROUP BY department;

-- Visits by department and kind
SELECT department, kind, COUNT(*) FROM visit GROUP BY department, kind;

-- Visits by year
SELECT EXTRACT(YEAR FROM admitted_at) AS y, COUNT(*) FROM visit GROUP BY 1;

-- Visits by month
SELECT DATE_TRUNC('month', admitted_at) AS m, COUNT(*) FROM visit GROUP BY 1;

-- Charges by month
SELECT DATE_TRUNC('month', admitted_at) AS m, SUM(charge) FROM visit GROUP BY 1;

-- Diagnoses by code
SELECT code, COUNT(*) FROM diagnosis GROUP BY code;

-- Diagnoses by severity
SELECT severity, COUNT(*) FROM diagnosis GROUP BY severity;

-- Average and spread of each test
SELECT test, AVG(value), STDDEV_POP(value) FROM lab GROUP BY test;

-- Median charge
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY charge) FROM visit;

-- Patients with a visit by city
SELECT city, COUNT(DISTINCT p.id) FROM patient p JOIN visit v ON v.patient_id = p.id GROUP BY city;

-- Visits by sex and kind
SELECT p.sex, v.kind, COUNT(*) FROM patient p JOIN visit v ON v.patient_id = p.id GROUP BY p.sex, v.kind;

-- Severe diagnoses by department
SELECT v.department, COUNT(*) FROM diagnosis d JOIN visit v ON d.visit_id = v.id
WHERE d.severity = 5 GROUP BY v.department;

-- Patients with ten visits or more
SELECT COUNT(*) FROM (SELECT patient_id, COUNT(*) AS n FROM visit GROUP BY patient_id) x WHERE n >= 10;

-- Visits by department, by kind and by both
SELECT department, kind, COUNT(*) FROM visit GROUP BY CUBE(department, kind);

-- Pairs of labs and diagnoses of a visit
SELECT COUNT(*) FROM lab a JOIN diagnosis d ON a.visit_id = d.visit_id;
