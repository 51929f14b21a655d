setting football

SELECT count(*) FROM player;

SELECT position, count(*) FROM player GROUP BY position;

SELECT position, round(avg(height), 1) AS h, round(avg(weight), 1) AS w FROM player GROUP BY position ORDER BY h DESC;

SELECT avg(wage) FROM player WHERE position = 'FW';

SELECT avg(wage * 1.0) FROM player WHERE club_id = 3;

SELECT total(wage) FROM player;

SELECT c.name, sum(p.wage) AS wages FROM player p JOIN club c ON c.id = p.club_id GROUP BY c.name ORDER BY wages DESC;

SELECT c.league, count(*), avg(p.wage) FROM player p JOIN club c ON p.club_id = c.id GROUP BY c.league;

SELECT strftime('%Y', born) AS year, count(*) FROM player GROUP BY year ORDER BY year;

SELECT strftime('%m', born) AS month, count(*) AS n FROM player GROUP BY month ORDER BY n DESC;

SELECT CAST(strftime('%Y', born) AS INTEGER) / 10 * 10 AS decade, count(*) FROM player GROUP BY decade;

SELECT (strftime('%Y', '2025-12-31') - strftime('%Y', born)) AS age, count(*) FROM player GROUP BY age;

SELECT avg((julianday('2025-12-31') - julianday(born)) / 365.25) AS avg_age FROM player;

SELECT CAST((julianday('2025-12-31') - julianday(born)) / 365.25 AS INTEGER) AS age, count(*) FROM player GROUP BY 1 ORDER BY 1;

SELECT count(*) FROM player WHERE born > date('now', '-21 years');

SELECT count(*) FROM player WHERE born >= date('2025-12-31', '-18 years');

SELECT avg(julianday(until) - julianday(since)) AS days FROM injury WHERE until IS NOT NULL;

SELECT kind, avg(julianday(until) - julianday(since)) AS days, count(*) FROM injury GROUP BY kind;

SELECT kind, sum(surgery) AS operated, count(*) AS n FROM injury GROUP BY kind;

SELECT kind, 100.0 * sum(CASE WHEN surgery THEN 1 ELSE 0 END) / count(*) AS pct FROM injury GROUP BY kind;

SELECT strftime('%Y-%m', since) AS ym, count(*) FROM injury WHERE since >= '2024-01-01' GROUP BY ym;

SELECT CASE strftime('%w', since) WHEN '0' THEN 'Sunday' WHEN '6' THEN 'Saturday' ELSE 'weekday' END AS d, count(*) FROM injury GROUP BY d;

SELECT count(*) FROM injury WHERE until IS NULL;

SELECT count(*) FROM injury WHERE julianday(until) - julianday(since) > 90;

SELECT p.position, count(*) FROM injury i JOIN player p ON p.id = i.player_id GROUP BY p.position;

SELECT sum(goals) FROM appearance;

SELECT sum(goals), sum(assists), sum(yellow), sum(red) FROM appearance a JOIN match m ON m.id = a.match_id WHERE m.season = '2024/25';

SELECT m.season, sum(a.goals) AS goals, count(DISTINCT a.player_id) AS players FROM appearance a JOIN match m ON m.id = a.match_id GROUP BY m.season;

SELECT p.position, sum(a.goals) AS goals FROM appearance a JOIN player p ON p.id = a.player_id GROUP BY p.position;

SELECT p.foot, avg(a.rating) FROM appearance a JOIN player p ON a.player_id = p.id WHERE a.minutes >= 60 GROUP BY p.foot;

SELECT goals, count(*) FROM appearance GROUP BY goals;

SELECT minutes / 15 AS quarter, count(*) FROM appearance GROUP BY quarter ORDER BY quarter;

SELECT iif(minutes >= 90, 'full', 'part') AS kind, count(*) FROM appearance GROUP BY kind;

SELECT count(*) FILTER (WHERE started) AS started, count(*) FILTER (WHERE NOT started) AS subbed FROM appearance;

SELECT started, avg(minutes), avg(rating) FROM appearance GROUP BY started;

SELECT 1.0 * sum(goals) / sum(minutes) * 90 AS goals_per_90 FROM appearance;

SELECT sum(goals) * 90.0 / sum(minutes) AS per90, p.position FROM appearance a JOIN player p ON p.id = a.player_id GROUP BY p.position;

SELECT count(*) FROM player WHERE id NOT IN (SELECT player_id FROM injury);

SELECT count(*) FROM player p WHERE NOT EXISTS (SELECT 1 FROM appearance a WHERE a.player_id = p.id);

SELECT count(*) FROM player p LEFT JOIN injury i ON i.player_id = p.id WHERE i.id IS NULL;

SELECT count(*) FROM (SELECT player_id, sum(goals) AS g FROM appearance GROUP BY player_id HAVING g >= 10);

SELECT g, count(*) FROM (SELECT player_id, sum(goals) AS g FROM appearance GROUP BY player_id) GROUP BY g;

SELECT avg(n) FROM (SELECT player_id, count(*) AS n FROM injury GROUP BY player_id);

SELECT max(n) FROM (SELECT player_id, count(*) AS n FROM appearance GROUP BY player_id);

SELECT nation, count(*) AS n FROM player GROUP BY nation HAVING n > 20 ORDER BY n DESC;

SELECT nation, position, count(*) FROM player WHERE nation IN ('AT', 'DE', 'CH') GROUP BY nation, position;

SELECT ifnull(nation, '?') AS nation, count(*) FROM player GROUP BY 1;

SELECT coalesce(foot, 'unknown') foot, count(*) FROM player GROUP BY foot;

SELECT round(height / 5) * 5 AS h, count(*) FROM player GROUP BY h;

SELECT CAST(height AS INTEGER) / 10 * 10 AS h10, count(*) FROM player GROUP BY h10;

SELECT count(*) FROM player WHERE weight / (height / 100.0 * height / 100.0) > 25;

SELECT avg(weight / ((height / 100) * (height / 100))) AS bmi FROM player;

SELECT count(*) FROM player WHERE name LIKE 'm%';

SELECT count(*) FROM player WHERE name GLOB 'M*';

SELECT count(*) FROM player WHERE instr(name, '-') > 0;

SELECT count(*) FROM player WHERE substr(name, 1, 1) = 'A';

SELECT upper(substr(nation, 1, 1)) AS initial, count(*) FROM player GROUP BY initial;

SELECT length(name) > 12 AS long_name, count(*) FROM player GROUP BY long_name;

SELECT nation || '-' || position AS grp, count(*) FROM player GROUP BY grp;

SELECT sector, count(*) AS n, sum(price) AS income FROM ticket GROUP BY sector;

SELECT sector, printf('%.2f', avg(price)) FROM ticket GROUP BY sector;

SELECT date(bought) AS day, count(*) FROM ticket WHERE bought >= '2025-08-01' AND bought < '2025-09-01' GROUP BY day;

SELECT strftime('%H', bought) AS hour, count(*) FROM ticket GROUP BY hour;

SELECT count(*) FROM ticket WHERE scanned IS NULL;

SELECT 100.0 * count(scanned) / count(*) AS show_up FROM ticket;

SELECT count(DISTINCT fan_id) FROM ticket;

SELECT c.name, sum(t.price) FROM ticket t JOIN match m ON m.id = t.match_id JOIN club c ON c.id = m.home_id GROUP BY c.name ORDER BY 2 DESC LIMIT 3;

SELECT m.played, count(*) FROM ticket t JOIN match m ON t.match_id = m.id WHERE m.season = '2024/25' GROUP BY m.played;

SELECT avg(julianday(m.played) - julianday(t.bought)) AS days_before FROM ticket t JOIN match m ON m.id = t.match_id;

SELECT count(*) FROM (SELECT fan_id FROM ticket GROUP BY fan_id HAVING count(*) >= 5);

SELECT CASE WHEN price < 20 THEN 'cheap' WHEN price < 60 THEN 'normal' ELSE 'dear' END AS class, count(*) FROM ticket GROUP BY class;

SELECT strftime('%s', scanned) - strftime('%s', bought) > 86400 AS early, count(*) FROM ticket WHERE scanned IS NOT NULL GROUP BY early;

SELECT avg((strftime('%s', scanned) - strftime('%s', bought)) / 3600.0) FROM ticket;

SELECT avg(unixepoch(scanned) - unixepoch(bought)) FROM ticket WHERE scanned IS NOT NULL;

WITH w AS (SELECT strftime('%Y', bought) AS y, sum(price) AS s FROM ticket GROUP BY y) SELECT y, s, s - lag(s) OVER (ORDER BY y) AS more FROM w;

WITH w AS (SELECT sector, sum(price) AS s FROM ticket GROUP BY sector) SELECT sector, s, round(100.0 * s / (SELECT sum(s) FROM w), 1) AS pct FROM w ORDER BY pct DESC;

SELECT sector, count(*) AS n, rank() OVER (ORDER BY count(*) DESC) AS r FROM ticket GROUP BY sector;

SELECT season, count(*), sum(home_goals > away_goals) AS home_wins FROM match GROUP BY season;

SELECT h.name, count(*) FROM match m JOIN club h ON h.id = m.home_id WHERE m.home_goals = m.away_goals GROUP BY h.name;

SELECT group_concat(name, ', ') FROM club WHERE league = 'first';

SELECT count(*) FROM "player" WHERE [position] = 'GK' AND `foot` = 'left';

SELECT count(*) FROM player WHERE position == 'DF' AND foot <> 'left';

SELECT count(*) FROM player WHERE position = "DF";

SELECT count(*) FROM main.player WHERE signed BETWEEN '2024-07-01' AND '2024-08-31';

SELECT min(wage), max(wage) FROM player;

SELECT count(*) FROM player WHERE wage > (SELECT avg(wage) FROM player);

SELECT foot, count(*) FROM player WHERE date(signed, 'start of year') = '2023-01-01' GROUP BY foot;

SELECT date(signed, 'start of month') AS m, count(*) FROM player GROUP BY m ORDER BY m;

SELECT sum(started = 1 AND minutes < 90) AS subbed_off FROM appearance;

SELECT count(*) FROM appearance WHERE yellow = 2 OR red;

SELECT sqrt(avg(wage * wage) - avg(wage) * avg(wage)) AS sd FROM player;

SELECT abs(goals - assists) AS d, count(*) FROM appearance GROUP BY d;

SELECT count(*) FROM player WHERE nation NOT NULL AND foot IS NOT 'left';

SELECT min(goals, 3) AS g, count(*) FROM appearance GROUP BY g;

SELECT typeof(wage), count(*) FROM player GROUP BY typeof(wage);

SELECT 'goals' AS what, sum(goals) FROM appearance UNION ALL SELECT 'assists', sum(assists) FROM appearance;

SELECT name, wage FROM player ORDER BY wage DESC LIMIT 10; -- rows

SELECT p.name, sum(a.goals) AS g FROM appearance a JOIN player p ON p.id = a.player_id GROUP BY p.id ORDER BY g DESC LIMIT 10; -- rows

SELECT DISTINCT position FROM player;

SELECT c.city, avg(p.height) FROM club c LEFT JOIN player p ON p.club_id = c.id GROUP BY c.city;

SELECT round(avg(rating), 2), median(rating) FROM appearance WHERE rating IS NOT NULL;
