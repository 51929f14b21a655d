setting clinic

SELECT COUNT(*) FROM Patient;

SELECT COUNT(*) FROM dbo.Visit WHERE Kind = 'emergency';

SELECT COUNT(*) AS Visits FROM [dbo].[Visit] AS v WHERE v.[Kind] = N'booked';

SELECT Sex, COUNT(*) AS N FROM Patient GROUP BY Sex ORDER BY N DESC;

SELECT TOP 5 c.ClinicName, COUNT(*) AS Visits FROM Visit v INNER JOIN Clinic c ON c.ClinicID = v.ClinicID GROUP BY c.ClinicName ORDER BY Visits DESC;

SELECT TOP (3) WITH TIES d.Chapter, COUNT(*) AS n FROM Visit v JOIN Diagnosis d ON d.Code = v.DiagnosisCode GROUP BY d.Chapter ORDER BY COUNT(*) DESC;

SELECT YEAR(ArrivedAt) AS Yr, MONTH(ArrivedAt) AS Mo, COUNT(*) AS Visits FROM Visit GROUP BY YEAR(ArrivedAt), MONTH(ArrivedAt) ORDER BY Yr, Mo;

SELECT DATEPART(hour, ArrivedAt) AS Hr, COUNT(*) FROM Visit GROUP BY DATEPART(hour, ArrivedAt) ORDER BY Hr;

SELECT DATEPART(weekday, ArrivedAt) AS Wd, COUNT(*) FROM Visit GROUP BY DATEPART(weekday, ArrivedAt);

SELECT DATENAME(month, ArrivedAt) AS MonthName, COUNT(*) AS n FROM Visit WHERE YEAR(ArrivedAt) = 2024 GROUP BY DATENAME(month, ArrivedAt);

SELECT FORMAT(ArrivedAt, 'yyyy-MM') AS YM, COUNT(*) FROM Visit GROUP BY FORMAT(ArrivedAt, 'yyyy-MM');

SELECT CAST(ArrivedAt AS date) AS D, COUNT(*) FROM Visit WHERE ArrivedAt >= '20250101' AND ArrivedAt < '20250201' GROUP BY CAST(ArrivedAt AS date);

SELECT CONVERT(date, ArrivedAt) AS D, COUNT(*) FROM Visit WHERE ArrivedAt >= '2025-06-01' AND ArrivedAt < '2025-07-01' GROUP BY CONVERT(date, ArrivedAt);

SELECT CONVERT(varchar(7), ArrivedAt, 126) AS YM, COUNT(*) FROM Visit GROUP BY CONVERT(varchar(7), ArrivedAt, 126);

SELECT AVG(DATEDIFF(minute, ArrivedAt, SeenAt)) AS WaitMinutes FROM Visit WHERE SeenAt IS NOT NULL;

SELECT AVG(CAST(DATEDIFF(minute, ArrivedAt, SeenAt) AS float)) AS Wait FROM Visit;

SELECT Triage, AVG(1.0 * DATEDIFF(mi, ArrivedAt, SeenAt)) AS Wait FROM Visit GROUP BY Triage ORDER BY Triage;

SELECT COUNT(*) FROM Visit WHERE DATEDIFF(hour, ArrivedAt, LeftAt) > 4;

SELECT DATEDIFF(year, BirthDate, '2025-12-31') AS Age, COUNT(*) FROM Patient GROUP BY DATEDIFF(year, BirthDate, '2025-12-31');

SELECT (DATEDIFF(year, BirthDate, GETDATE()) / 10) * 10 AS AgeGroup, COUNT(*) AS n FROM Patient GROUP BY (DATEDIFF(year, BirthDate, GETDATE()) / 10) * 10;

SELECT AVG(DATEDIFF(day, BirthDate, GETDATE()) / 365.25) AS AvgAge FROM Patient;

SELECT CASE WHEN DATEDIFF(YEAR, BirthDate, '20251231') < 18 THEN 'child' WHEN DATEDIFF(YEAR, BirthDate, '20251231') < 65 THEN 'adult' ELSE 'senior' END AS Grp, COUNT(*) FROM Patient GROUP BY CASE WHEN DATEDIFF(YEAR, BirthDate, '20251231') < 18 THEN 'child' WHEN DATEDIFF(YEAR, BirthDate, '20251231') < 65 THEN 'adult' ELSE 'senior' END;

SELECT COUNT(*) FROM Patient WHERE Registered >= DATEADD(month, -6, GETDATE());

SELECT COUNT(*) FROM Patient WHERE Registered >= DATEADD(yy, DATEDIFF(yy, 0, GETDATE()), 0);

SELECT COUNT(*) FROM Visit WHERE ArrivedAt BETWEEN '2024-01-01' AND EOMONTH('2024-02-01');

SELECT EOMONTH(ArrivedAt) AS MonthEnd, SUM(Cost) FROM Visit GROUP BY EOMONTH(ArrivedAt);

SELECT COUNT(*) FROM Visit WHERE ArrivedAt >= DATEFROMPARTS(2025, 3, 1);

SELECT SUM(Cost) AS Total, AVG(Cost) AS Mean, STDEV(Cost) AS Sd, VAR(Cost) AS V FROM Visit;

SELECT Kind, SUM(CASE WHEN NoShow = 1 THEN 1 ELSE 0 END) AS NoShows, COUNT(*) AS AllVisits FROM Visit GROUP BY Kind;

SELECT Kind, CAST(SUM(CASE WHEN NoShow = 1 THEN 1.0 ELSE 0 END) / COUNT(*) AS decimal(5,3)) AS Rate FROM Visit GROUP BY Kind;

SELECT Kind, AVG(CAST(NoShow AS float)) AS Rate FROM Visit GROUP BY Kind;

SELECT IIF(Smoker = 1, 'smoker', 'other') AS S, AVG(Weight) FROM Patient GROUP BY IIF(Smoker = 1, 'smoker', 'other');

SELECT ISNULL(Insurance, 'unknown') AS Ins, COUNT(*) FROM Patient GROUP BY ISNULL(Insurance, 'unknown');

SELECT COALESCE(Sex, 'U') AS Sex, Insurance, COUNT(*) FROM Patient GROUP BY COALESCE(Sex, 'U'), Insurance;

SELECT AVG(Weight / POWER(Height / 100.0, 2)) AS Bmi FROM Patient WHERE Height > 100;

SELECT COUNT(*) FROM Patient WHERE Weight / SQUARE(Height / 100) >= 30;

SELECT ZipCode, COUNT(*) FROM Patient WHERE ZipCode LIKE '80[123]%' GROUP BY ZipCode;

SELECT COUNT(*) FROM Patient WHERE FullName LIKE '%[0-9]%';

SELECT COUNT(*) FROM Patient WHERE LEFT(FullName, 1) = 'S' AND LEN(FullName) > 10;

SELECT COUNT(*) FROM Patient WHERE CHARINDEX('+43', Phone) = 1;

SELECT COUNT(*) FROM Patient WHERE PATINDEX('%[^0-9 +]%', Phone) > 0;

SELECT COUNT(*) FROM Patient WHERE LTRIM(RTRIM(FullName)) = '';

SELECT COUNT(*) FROM Patient WHERE ISNUMERIC(Phone) = 1;

SELECT COUNT(*) FROM Patient WHERE TRY_CAST(ZipCode AS int) BETWEEN 8010 AND 8036;

SELECT Drug, COUNT(*) AS n, AVG(Days) AS AvgDays FROM Prescription GROUP BY Drug HAVING COUNT(*) > 100;

SELECT Drug, SUM(Dose * Days) AS TotalDose FROM Prescription GROUP BY Drug ORDER BY TotalDose DESC;

SELECT p.Drug, pt.Sex, COUNT(*) FROM Prescription p JOIN Visit v ON v.VisitID = p.VisitID JOIN Patient pt ON pt.PatientID = v.PatientID GROUP BY p.Drug, pt.Sex;

SELECT Test, AVG(Value) AS Mean, COUNT(*) AS n FROM LabResult GROUP BY Test;

SELECT Test, Flag, COUNT(*) AS n FROM LabResult WHERE Flag IS NOT NULL GROUP BY Test, Flag ORDER BY Test, Flag;

SELECT Test, 100.0 * SUM(CASE Flag WHEN 'H' THEN 1 ELSE 0 END) / COUNT(*) AS PctHigh FROM LabResult GROUP BY Test;

SELECT DISTINCT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY Value) OVER () AS Med FROM LabResult WHERE Test = 'hba1c';

SELECT MAX(Value), MIN(Value) FROM LabResult WHERE Test = 'crp';

SELECT COUNT(DISTINCT PatientID) FROM LabResult WHERE Test = 'hba1c' AND Value > 65;

SELECT COUNT_BIG(*) FROM LabResult;

SELECT APPROX_COUNT_DISTINCT(PatientID) FROM Visit;

SELECT c.Region, COUNT(DISTINCT v.PatientID) AS Patients, SUM(v.Cost) AS Cost FROM Visit v JOIN Clinic c ON v.ClinicID = c.ClinicID GROUP BY c.Region;

SELECT c.ClinicName, YEAR(v.ArrivedAt) AS Y, COUNT(*) AS n FROM Visit v JOIN Clinic c ON v.ClinicID = c.ClinicID GROUP BY ROLLUP (c.ClinicName, YEAR(v.ArrivedAt));

SELECT d.Title, COUNT(*) AS n FROM Visit v JOIN Diagnosis d ON v.DiagnosisCode = d.Code WHERE d.Chronic = 1 GROUP BY d.Title ORDER BY n DESC OFFSET 0 ROWS FETCH NEXT 10 ROWS ONLY;

SELECT LEFT(DiagnosisCode, 3) AS Grp, COUNT(*) FROM Visit WHERE LEFT(DiagnosisCode, 3) IN ('E10', 'E11', 'I10') GROUP BY LEFT(DiagnosisCode, 3);

SELECT COUNT(*) FROM Visit WHERE DiagnosisCode LIKE 'J[01]%';

SELECT COUNT(*) FROM Visit v WHERE NOT EXISTS (SELECT 1 FROM Prescription p WHERE p.VisitID = v.VisitID);

SELECT COUNT(*) FROM Patient WHERE PatientID NOT IN (SELECT PatientID FROM Visit WHERE ArrivedAt >= '2025-01-01');

SELECT COUNT(*) FROM Patient p LEFT JOIN Visit v ON v.PatientID = p.PatientID WHERE v.VisitID IS NULL;

SELECT AVG(CAST(n AS float)) FROM (SELECT PatientID, COUNT(*) AS n FROM Visit GROUP BY PatientID) AS t;

SELECT n, COUNT(*) AS Patients FROM (SELECT PatientID, COUNT(*) AS n FROM Visit WHERE YEAR(ArrivedAt) = 2025 GROUP BY PatientID) t GROUP BY n ORDER BY n;

SELECT COUNT(*) FROM (SELECT PatientID FROM Visit WHERE Kind = 'emergency' GROUP BY PatientID HAVING COUNT(*) >= 3) AS f;

WITH m AS (SELECT DATEFROMPARTS(YEAR(ArrivedAt), MONTH(ArrivedAt), 1) AS M, COUNT(*) AS n FROM Visit GROUP BY DATEFROMPARTS(YEAR(ArrivedAt), MONTH(ArrivedAt), 1)) SELECT M, n, n - LAG(n) OVER (ORDER BY M) AS Diff FROM m ORDER BY M;

WITH q AS (SELECT DATEPART(quarter, ArrivedAt) AS Q, SUM(Cost) AS S FROM Visit WHERE YEAR(ArrivedAt) = 2024 GROUP BY DATEPART(quarter, ArrivedAt)) SELECT Q, S, SUM(S) OVER (ORDER BY Q ROWS UNBOUNDED PRECEDING) AS Running FROM q;

SELECT DATEADD(month, DATEDIFF(month, 0, ArrivedAt), 0) AS MonthStart, COUNT(*) FROM Visit GROUP BY DATEADD(month, DATEDIFF(month, 0, ArrivedAt), 0);

SELECT DATETRUNC(month, ArrivedAt) AS M, COUNT(*) AS n FROM Visit GROUP BY DATETRUNC(month, ArrivedAt);

SELECT Kind, COUNT(*) * 100.0 / SUM(COUNT(*)) OVER () AS Pct FROM Visit GROUP BY Kind;

SELECT c.Region, v.Kind, COUNT(*) AS n, RANK() OVER (PARTITION BY c.Region ORDER BY COUNT(*) DESC) AS R FROM Visit v JOIN Clinic c ON c.ClinicID = v.ClinicID GROUP BY c.Region, v.Kind;

SELECT * FROM (SELECT Kind, NTILE(2) OVER (ORDER BY COUNT(*)) AS Half, COUNT(*) AS n FROM Visit GROUP BY Kind) t;

SELECT Kind, [1], [2], [3] FROM (SELECT Kind, Triage, VisitID FROM Visit) s PIVOT (COUNT(VisitID) FOR Triage IN ([1], [2], [3])) p;

SELECT COUNT(*) FROM Visit WITH (NOLOCK) WHERE Cost > 500;

SELECT COUNT(*) FROM Visit OPTION (MAXDOP 1);

SELECT Triage, COUNT(*) FROM Visit WHERE Triage IN (1, 2) AND NoShow = 0 GROUP BY Triage;

SELECT ROUND(AVG(Cost), 0) AS c, Triage FROM Visit WHERE Cost IS NOT NULL GROUP BY Triage;

SELECT CEILING(Cost / 100) * 100 AS UpTo, COUNT(*) FROM Visit GROUP BY CEILING(Cost / 100) * 100;

SELECT Triage % 2 AS Odd, COUNT(*) FROM Visit GROUP BY Triage % 2;

SELECT CHOOSE(Triage, 'red', 'orange', 'yellow', 'green', 'blue') AS Colour, COUNT(*) FROM Visit GROUP BY CHOOSE(Triage, 'red', 'orange', 'yellow', 'green', 'blue');

SELECT COUNT(*) FROM Visit WHERE CAST(ArrivedAt AS time) BETWEEN '22:00' AND '23:59:59';

SELECT COUNT(*) FROM Visit WHERE Notes LIKE '%fall%' COLLATE Latin1_General_CI_AS;

SELECT Sex + '/' + Insurance AS Grp, COUNT(*) FROM Patient GROUP BY Sex + '/' + Insurance;

SELECT CONCAT(Sex, '-', Insurance) AS Grp, COUNT(*) FROM Patient GROUP BY CONCAT(Sex, '-', Insurance);

SELECT COUNT(*) FROM Patient WHERE MONTH(BirthDate) = 7 AND DAY(BirthDate) <= 15;

SELECT STRING_AGG(ClinicName, ', ') FROM Clinic WHERE Region = 'South';

SELECT SUM(Beds) FROM Clinic;

SELECT Region, COUNT(*) FROM Clinic GROUP BY Region;

SELECT COUNT(*) FROM ClinicDB.dbo.Visit;

SELECT 'F' AS S, COUNT(*) AS n FROM Patient WHERE Sex = 'F' UNION SELECT 'M', COUNT(*) FROM Patient WHERE Sex = 'M';

SELECT a.n AS total, b.n AS noshow FROM (SELECT COUNT(*) AS n FROM Visit) a CROSS JOIN (SELECT COUNT(*) AS n FROM Visit WHERE NoShow = 1) b;

SELECT * FROM Patient WHERE Smoker = 1; -- rows

SELECT TOP 10 FullName, COUNT(*) FROM Patient p JOIN Visit v ON v.PatientID = p.PatientID GROUP BY FullName ORDER BY 2 DESC; -- rows

SELECT pt.Smoker, AVG(l.Value) FROM LabResult l JOIN Patient pt ON pt.PatientID = l.PatientID WHERE l.Test = 'ldl' GROUP BY pt.Smoker;

SELECT COUNT(*) FROM Visit v JOIN Visit w ON w.PatientID = v.PatientID AND w.ArrivedAt > v.ArrivedAt AND DATEDIFF(day, v.ArrivedAt, w.ArrivedAt) <= 30;

SELECT AVG(Cost) FROM Visit v OUTER APPLY (SELECT COUNT(*) AS k FROM Prescription p WHERE p.VisitID = v.VisitID) x WHERE x.k > 0;

SELECT DATEPART(iso_week, ArrivedAt) AS wk, COUNT(*) FROM Visit WHERE ArrivedAt >= '2025-01-01' GROUP BY DATEPART(iso_week, ArrivedAt);

SELECT Insurance, AVG(Height) AS H FROM Patient WHERE DATEADD(year, 18, BirthDate) <= '2025-12-31' GROUP BY Insurance;

SELECT COUNT(CASE WHEN Triage <= 2 THEN 1 END) AS Urgent, COUNT(Triage) AS Triaged FROM Visit;

SELECT COUNT(*) FROM Prescription WHERE DATEDIFF(week, IssuedOn, '2025-12-31') < 4;
