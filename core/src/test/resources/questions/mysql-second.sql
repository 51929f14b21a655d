setting football

SELECT COUNT(*) FROM player WHERE position = "GK";

SELECT nation, COUNT(*) AS n FROM player GROUP BY nation ORDER BY n DESC LIMIT 3;

SELECT AVG(wage) FROM player WHERE YEAR(signed) >= 2024;

SELECT c.name, AVG(p.wage) FROM player p JOIN club c ON c.id = p.club_id GROUP BY c.name;

SELECT YEAR(since) AS y, COUNT(*) FROM injury GROUP BY y;

SELECT MONTHNAME(since) AS m, COUNT(*) FROM injury GROUP BY MONTHNAME(since);

SELECT kind, AVG(DATEDIFF(until, since)) FROM injury GROUP BY kind;

SELECT TIMESTAMPDIFF(MONTH, since, until) AS months, COUNT(*) FROM injury WHERE until IS NOT NULL GROUP BY months;

SELECT DATE_FORMAT(bought, '%Y-%m') AS ym, SUM(price) FROM ticket GROUP BY ym;

SELECT DATE_FORMAT(bought, '%W') AS d, COUNT(*) FROM ticket GROUP BY d;

SELECT HOUR(bought) AS h, COUNT(*) FROM ticket GROUP BY h;

SELECT SUM(goals) / COUNT(*) AS per_game FROM appearance WHERE started = TRUE;

SELECT SUM(goals > 0) AS scored, COUNT(*) AS all_apps FROM appearance;

SELECT IF(minutes >= 60, 'long', 'short') AS t, AVG(rating) FROM appearance GROUP BY t;

SELECT FLOOR(wage / 10000) * 10000 AS step, COUNT(*) FROM player GROUP BY step;

SELECT wage DIV 50000 AS k, COUNT(*) FROM player GROUP BY k;

SELECT CONCAT(nation, '-', foot) AS k, COUNT(*) FROM player GROUP BY k;

SELECT COUNT(*) FROM player WHERE name REGEXP '^(Mc|Mac)';

SELECT COUNT(*) FROM player WHERE name REGEXP 'ov$|ic$';

SELECT COUNT(*) FROM player WHERE SUBSTRING_INDEX(name, ' ', 1) = 'Jan';

SELECT COUNT(DISTINCT fan_id) FROM ticket WHERE sector <> 'vip' && price > 20;

SELECT sector, STD(price) FROM ticket GROUP BY sector;

SELECT MAX(price), MIN(price) FROM ticket;

SELECT m.season, COUNT(*) AS tickets FROM ticket t JOIN `match` m ON m.id = t.match_id GROUP BY m.season WITH ROLLUP;

SELECT position, COUNT(*) * 100 / (SELECT COUNT(*) FROM player) AS pct FROM player GROUP BY position;

SELECT COUNT(*) FROM player p LEFT JOIN injury i ON i.player_id = p.id WHERE i.id IS NULL;

SELECT COUNT(*) FROM player WHERE id IN (SELECT player_id FROM appearance WHERE red = 1);

SELECT surgery, COUNT(*) FROM injury WHERE since > DATE_SUB('2025-12-31', INTERVAL 2 YEAR) GROUP BY surgery;

SELECT WEEKDAY(bought) IN (5, 6) AS weekend, COUNT(*), AVG(price) FROM ticket GROUP BY weekend;

SELECT QUARTER(bought) AS q, YEAR(bought) AS y, SUM(price) FROM ticket GROUP BY y, q ORDER BY y, q;

SELECT COUNT(*) FROM ticket WHERE bought BETWEEN STR_TO_DATE('2025-01-01', '%Y-%m-%d') AND STR_TO_DATE('2025-06-30', '%Y-%m-%d');

SELECT AVG(TIMESTAMPDIFF(DAY, bought, scanned)) FROM ticket WHERE scanned IS NOT NULL;

SELECT LAST_DAY(since) AS m, COUNT(*) FROM injury WHERE since >= '2025-01-01' GROUP BY m;

WITH s AS (SELECT sector, SUM(price) AS income FROM ticket GROUP BY sector) SELECT sector, income, RANK() OVER (ORDER BY income DESC) AS pos FROM s;

SELECT y, n, n - LAG(n) OVER (ORDER BY y) AS diff FROM (SELECT YEAR(signed) AS y, COUNT(*) AS n FROM player GROUP BY y) t;

SELECT AVG(height), VARIANCE(height) FROM player WHERE position = 'DF';

SELECT COUNT(*) FROM player WHERE weight / POW(height / 100, 2) BETWEEN 20 AND 25;

SELECT CASE WHEN TIMESTAMPDIFF(YEAR, born, CURDATE()) < 23 THEN 'U23' ELSE 'senior' END AS g, COUNT(*) FROM player GROUP BY g;

SELECT FIELD(position, 'GK', 'DF', 'MF', 'FW') AS line, AVG(wage) FROM player GROUP BY line;

SELECT COUNT(*) FROM appearance WHERE NOT started AND minutes > 30;

SELECT ROUND(AVG(rating), 1) AS r, COUNT(rating) AS n FROM appearance;

SELECT EXTRACT(YEAR_MONTH FROM since) AS ym, COUNT(*) FROM injury GROUP BY ym;

SELECT COUNT(*) FROM injury WHERE until - since > 30;

SELECT YEARWEEK(bought, 3) AS yw, COUNT(*) FROM ticket WHERE bought >= '2025-01-01' GROUP BY yw;

SELECT p.position, i.kind, COUNT(*) FROM injury i JOIN player p ON p.id = i.player_id GROUP BY p.position, i.kind;

SELECT AVG(cnt) FROM (SELECT player_id, COUNT(*) AS cnt FROM injury GROUP BY player_id) x;

SELECT COUNT(*) FROM club WHERE founded < 1950;

SELECT LEFT(nation, 1) AS first_letter, COUNT(*) FROM player GROUP BY first_letter;

SELECT minutes, COUNT(*) FROM appearance WHERE minutes BETWEEN 80 AND 90 GROUP BY minutes;

SELECT NULLIF(goals, 0) AS g, COUNT(*) FROM appearance GROUP BY g;
