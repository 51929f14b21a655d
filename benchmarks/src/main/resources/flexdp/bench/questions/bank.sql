-- How many customers do we have?
SELECT COUNT(*) FROM customers;

-- Customers by segment
SELECT segment, COUNT(*) AS customers FROM customers GROUP BY segment ORDER BY customers DESC;

-- How many customers joined in each year?
SELECT EXTRACT(YEAR FROM joined_on) AS year, COUNT(*) AS joined
FROM customers GROUP BY 1 ORDER BY 1;

-- Average income by employment
SELECT employment, AVG(income) AS average_income FROM customers GROUP BY employment ORDER BY 2 DESC;

-- How many customers have not told us their income?
SELECT COUNT(*) FROM customers WHERE income IS NULL;

-- Median income
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY income) AS median_income FROM customers;

-- Customers by age band at the end of 2025
SELECT CASE WHEN birth_date > DATE '2007-12-31' THEN 'under 18'
            WHEN birth_date > DATE '1995-12-31' THEN '18 to 29'
            WHEN birth_date > DATE '1975-12-31' THEN '30 to 49'
            WHEN birth_date > DATE '1960-12-31' THEN '50 to 64'
            ELSE '65 and over' END AS age, COUNT(*) AS customers
FROM customers GROUP BY 1 ORDER BY 1;

-- The ten cities with most customers
SELECT city, COUNT(*) AS customers FROM customers GROUP BY city ORDER BY customers DESC LIMIT 10;

-- Open accounts by product
SELECT product, COUNT(*) AS open_accounts FROM accounts WHERE closed_on IS NULL GROUP BY product ORDER BY product;

-- Accounts opened in each month of 2025
SELECT date_trunc('month', opened_on) AS month, COUNT(*) AS opened
FROM accounts WHERE opened_on >= DATE '2025-01-01' AND opened_on < DATE '2026-01-01'
GROUP BY 1 ORDER BY 1;

-- How many accounts does a customer with an account have on average?
SELECT COUNT(*) * 1.0 / COUNT(DISTINCT customer_id) AS accounts_per_customer FROM accounts;

-- How many customers have more than one account?
SELECT COUNT(*) FROM (SELECT customer_id FROM accounts GROUP BY customer_id HAVING COUNT(*) > 1) t;

-- How many customers have one, two, three accounts and so on?
SELECT n AS accounts, COUNT(*) AS customers
FROM (SELECT customer_id, COUNT(*) AS n FROM accounts GROUP BY customer_id) t
GROUP BY n ORDER BY n;

-- Accounts by region of the branch
SELECT b.region, COUNT(*) AS accounts
FROM accounts a JOIN branches b ON a.branch_id = b.branch_id
GROUP BY b.region ORDER BY b.region;

-- Every branch with its number of accounts, those without any too
SELECT b.name, COUNT(a.account_id) AS accounts
FROM branches b LEFT JOIN accounts a ON a.branch_id = b.branch_id
GROUP BY b.name ORDER BY accounts DESC;

-- How many transactions were there in 2025?
SELECT COUNT(*) FROM transactions
WHERE booked_at >= '2025-01-01' AND booked_at < '2026-01-01';

-- Transactions by month
SELECT date_trunc('month', booked_at) AS month, COUNT(*) AS transactions
FROM transactions GROUP BY 1 ORDER BY 1;

-- What was spent by card in 2025?
SELECT SUM(-amount) AS spent FROM transactions
WHERE kind = 'card' AND booked_at >= '2025-01-01' AND booked_at < '2026-01-01';

-- Card payments by sector: number and money
SELECT m.sector, COUNT(*) AS payments, SUM(-t.amount) AS spent
FROM transactions t JOIN merchants m ON t.merchant_code = m.merchant_code
WHERE t.kind = 'card'
GROUP BY m.sector ORDER BY spent DESC;

-- The ten kinds of merchant where most is spent
SELECT m.description, SUM(-t.amount) AS spent
FROM transactions t JOIN merchants m USING (merchant_code)
GROUP BY m.description ORDER BY spent DESC LIMIT 10;

-- Average card payment by sector
SELECT m.sector, AVG(-t.amount) AS average_payment
FROM transactions t JOIN merchants m ON m.merchant_code = t.merchant_code
WHERE t.kind = 'card' GROUP BY m.sector;

-- Median card payment
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY -amount) AS median_payment
FROM transactions WHERE kind = 'card';

-- Transactions by day of the week
SELECT EXTRACT(DOW FROM booked_at) AS weekday, COUNT(*) AS transactions
FROM transactions GROUP BY 1 ORDER BY 1;

-- Transactions by hour of the day
SELECT EXTRACT(HOUR FROM booked_at) AS hour, COUNT(*) AS transactions
FROM transactions GROUP BY 1 ORDER BY 1;

-- Share of reversed transactions by channel
SELECT channel, AVG(CASE WHEN status = 'reversed' THEN 1.0 ELSE 0 END) AS reversed
FROM transactions GROUP BY channel ORDER BY reversed DESC;

-- Active customers in each month (at least one transaction)
SELECT date_trunc('month', t.booked_at) AS month, COUNT(DISTINCT a.customer_id) AS active
FROM transactions t JOIN accounts a ON t.account_id = a.account_id
GROUP BY 1 ORDER BY 1;

-- How many customers paid by card in December 2025?
SELECT COUNT(DISTINCT a.customer_id)
FROM transactions t JOIN accounts a ON t.account_id = a.account_id
WHERE t.kind = 'card' AND t.booked_at BETWEEN '2025-12-01' AND '2025-12-31 23:59:59';

-- Money in and money out by month of 2025
SELECT date_trunc('month', booked_at) AS month,
       SUM(CASE WHEN amount > 0 THEN amount ELSE 0 END) AS money_in,
       SUM(CASE WHEN amount < 0 THEN -amount ELSE 0 END) AS money_out
FROM transactions WHERE EXTRACT(YEAR FROM booked_at) = 2025
GROUP BY 1 ORDER BY 1;

-- Average salary credited by segment
SELECT c.segment, AVG(t.amount) AS average_salary
FROM transactions t
JOIN accounts a ON t.account_id = a.account_id
JOIN customers c ON a.customer_id = c.customer_id
WHERE t.kind = 'salary'
GROUP BY c.segment;

-- How many customers have had no transaction since July 2025?
SELECT COUNT(*) FROM customers c
WHERE NOT EXISTS (SELECT 1 FROM accounts a JOIN transactions t ON t.account_id = a.account_id
                  WHERE a.customer_id = c.customer_id AND t.booked_at >= '2025-07-01');

-- How much does a card user spend in a year on average?
SELECT AVG(spent) FROM (
  SELECT a.customer_id, SUM(-t.amount) AS spent
  FROM transactions t JOIN accounts a ON a.account_id = t.account_id
  WHERE t.kind = 'card' AND t.booked_at >= '2025-01-01' AND t.booked_at < '2026-01-01'
  GROUP BY a.customer_id) s;

-- Cash withdrawals by generation
SELECT CASE WHEN c.birth_date < DATE '1965-01-01' THEN 'born before 1965'
            WHEN c.birth_date < DATE '1981-01-01' THEN '1965 to 1980'
            WHEN c.birth_date < DATE '1997-01-01' THEN '1981 to 1996'
            ELSE '1997 and later' END AS generation,
       COUNT(*) AS withdrawals, SUM(-t.amount) AS cash
FROM transactions t
JOIN accounts a ON a.account_id = t.account_id
JOIN customers c ON c.customer_id = a.customer_id
WHERE t.kind = 'cash'
GROUP BY 1;

-- The largest amount by kind of transaction
SELECT kind, MAX(ABS(amount)) AS largest FROM transactions GROUP BY kind;

-- Share of mobile among the transactions of each quarter, in percent
SELECT date_trunc('quarter', booked_at) AS quarter,
       COUNT(*) FILTER (WHERE channel = 'mobile') * 100.0 / COUNT(*) AS mobile_percent
FROM transactions GROUP BY 1 ORDER BY 1;

-- Card spending by month of 2025, and the change against the month before
WITH monthly AS (
  SELECT date_trunc('month', booked_at) AS month, SUM(-amount) AS spent
  FROM transactions
  WHERE kind = 'card' AND booked_at >= '2025-01-01' AND booked_at < '2026-01-01'
  GROUP BY 1)
SELECT month, spent, spent - LAG(spent) OVER (ORDER BY month) AS change
FROM monthly ORDER BY month;

-- Running total of the accounts opened in 2025
SELECT date_trunc('month', opened_on) AS month,
       SUM(COUNT(*)) OVER (ORDER BY date_trunc('month', opened_on)) AS opened_so_far
FROM accounts WHERE opened_on BETWEEN '2025-01-01' AND '2025-12-31'
GROUP BY 1 ORDER BY 1;

-- Fees by product and year
SELECT a.product, EXTRACT(YEAR FROM t.booked_at) AS year, SUM(-t.amount) AS fees
FROM transactions t JOIN accounts a ON a.account_id = t.account_id
WHERE t.kind = 'fee'
GROUP BY a.product, EXTRACT(YEAR FROM t.booked_at) ORDER BY 1, 2;

-- How many customers hold both a checking and a savings account?
SELECT COUNT(DISTINCT c.customer_id)
FROM accounts c JOIN accounts s ON c.customer_id = s.customer_id
WHERE c.product = 'checking' AND s.product = 'savings';

-- How many customers made more than 50 transactions in 2025?
SELECT COUNT(*) FROM (
  SELECT a.customer_id
  FROM transactions t JOIN accounts a ON a.account_id = t.account_id
  WHERE t.booked_at >= '2025-01-01' AND t.booked_at < '2026-01-01'
  GROUP BY a.customer_id HAVING COUNT(*) > 50) busy;

-- Loans by purpose: number and money lent
SELECT purpose, COUNT(*) AS loans, SUM(principal) AS lent FROM loans GROUP BY purpose ORDER BY lent DESC;

-- Average size and rate of a loan by purpose
SELECT purpose, AVG(principal) AS average_principal, AVG(rate) AS average_rate FROM loans GROUP BY purpose;

-- Loans granted by year and region
SELECT EXTRACT(YEAR FROM l.granted_on) AS year, b.region, COUNT(*) AS granted
FROM loans l JOIN branches b ON b.branch_id = l.branch_id
GROUP BY 1, 2 ORDER BY 1, 2;

-- Share of defaulted loans by purpose
SELECT purpose, SUM(CASE WHEN status = 'defaulted' THEN 1 ELSE 0 END) * 1.0 / COUNT(*) AS default_rate
FROM loans GROUP BY purpose;

-- Share of defaulted loans by income of the borrower
SELECT CASE WHEN c.income IS NULL THEN 'unknown'
            WHEN c.income < 25000 THEN 'under 25,000'
            WHEN c.income < 50000 THEN '25,000 to 50,000'
            ELSE '50,000 and more' END AS income,
       COUNT(*) AS loans,
       AVG(CASE WHEN l.status = 'defaulted' THEN 1.0 ELSE 0.0 END) AS default_rate
FROM loans l JOIN customers c ON c.customer_id = l.customer_id
GROUP BY 1;

-- Running loans by term
SELECT term_months, COUNT(*) AS running FROM loans WHERE status = 'running' GROUP BY term_months ORDER BY term_months;

-- Late payments by month due
SELECT to_char(due_on, 'YYYY-MM') AS month, COUNT(*) AS late
FROM payments WHERE paid_on > due_on GROUP BY 1 ORDER BY 1;

-- By how many days are late payments late?
SELECT AVG(paid_on - due_on) AS days_late FROM payments WHERE paid_on > due_on;

-- Share of payments never made
SELECT COUNT(*) FILTER (WHERE paid_on IS NULL) * 1.0 / COUNT(*) AS missed FROM payments WHERE due_on < '2026-01-01';

-- How many borrowers have missed a payment?
SELECT COUNT(DISTINCT l.customer_id)
FROM loans l JOIN payments p ON p.loan_id = l.loan_id
WHERE p.paid_on IS NULL;

-- Mean and standard deviation of what was lent
SELECT AVG(principal) AS mean, STDDEV(principal) AS deviation FROM loans;

-- Calls by topic
SELECT topic, COUNT(*) AS calls FROM calls GROUP BY topic ORDER BY calls DESC;

-- Calls by month of 2025 and topic
SELECT date_trunc('month', called_at) AS month, topic, COUNT(*) AS calls
FROM calls WHERE called_at >= '2025-01-01' AND called_at < '2026-01-01'
GROUP BY 1, 2 ORDER BY 1, 2;

-- Average rating by topic, of rated calls
SELECT topic, AVG(rating) AS rating, COUNT(rating) AS ratings FROM calls GROUP BY topic ORDER BY rating;

-- Share of resolved calls by day of the week
SELECT to_char(called_at, 'Day') AS weekday, AVG(CASE WHEN resolved THEN 1.0 ELSE 0.0 END) AS resolved
FROM calls GROUP BY 1;

-- How long do calls of borrowers take?
SELECT AVG(minutes) FROM calls WHERE customer_id IN (SELECT customer_id FROM loans);

-- How many customers called more than three times?
SELECT COUNT(*) FROM (SELECT customer_id, COUNT(*) AS n FROM calls GROUP BY customer_id) t WHERE n > 3;

-- Which share of calls came within seven days of the one before by the same customer?
SELECT AVG(CASE WHEN called_at - previous <= INTERVAL '7 days' THEN 1.0 ELSE 0.0 END) AS repeated
FROM (SELECT called_at, LAG(called_at) OVER (PARTITION BY customer_id ORDER BY called_at) AS previous
      FROM calls) c;

-- With which product did customers begin?
SELECT product, COUNT(*) AS customers
FROM (SELECT DISTINCT ON (customer_id) customer_id, product
      FROM accounts ORDER BY customer_id, opened_on) first_account
GROUP BY product ORDER BY customers DESC;

-- Calls per customer by segment
SELECT c.segment, COUNT(k.call_id) * 1.0 / COUNT(DISTINCT c.customer_id) AS calls_per_customer
FROM customers c LEFT JOIN calls k ON k.customer_id = c.customer_id
GROUP BY c.segment;

-- Length of the longest tenth of calls by topic
SELECT topic, percentile_cont(0.9) WITHIN GROUP (ORDER BY minutes) AS p90 FROM calls GROUP BY topic;
