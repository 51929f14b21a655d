package flexdp.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/**
 * An invented bank: customers with their accounts, transactions, loans, payments and calls, and
 * public branches and kinds of merchant. Most customers have few transactions, some have hundreds;
 * one branch has no account and one kind of merchant no payment.
 */
final class BankData {
  private static final long SEED = 33;
  private static final int CUSTOMERS = 40_000;
  private static final LocalDate FIRST = LocalDate.of(2023, 1, 1);
  private static final LocalDate LAST = LocalDate.of(2025, 12, 31);

  private static final List<String> BRANCHES =
      List.of(
          "Abbey",
          "Bridge",
          "Castle",
          "Dean",
          "Elm Park",
          "Ferry",
          "Garden",
          "High Street",
          "Island",
          "Junction",
          "Kings",
          "Lakeside",
          "Market",
          "North Gate",
          "Old Town",
          "Parade",
          "Quay",
          "Riverside",
          "Station",
          "Tower",
          "University",
          "Valley",
          "West End",
          "Yard",
          "Harbour");
  private static final List<String> REGIONS = List.of("centre", "east", "north", "south", "west");
  private static final List<String> CITIES =
      List.of(
          "Ashford",
          "Barton",
          "Clifton",
          "Denham",
          "Easton",
          "Fairview",
          "Grafton",
          "Hadley",
          "Ilford",
          "Jarrow",
          "Kelso",
          "Linton",
          "Marlow",
          "Norton",
          "Oakham",
          "Penrith",
          "Quorn",
          "Redhill",
          "Selby",
          "Thorne",
          "Upton",
          "Verwood",
          "Weston",
          "Yarm");
  private static final List<String> SECTORS =
      List.of("food", "fuel", "health", "home", "leisure", "shops", "telecom", "travel");
  private static final List<Integer> TERMS = List.of(12, 24, 36, 48, 60, 84, 120);

  private final Drawn drawn = new Drawn(SEED);
  private final CsvTables tables;
  private int accounts;
  private int transactions;
  private int loans;
  private int payments;
  private int calls;

  private record Account(int id, LocalDate opened, LocalDate closed) {}

  private BankData(CsvTables tables) {
    this.tables = tables;
  }

  /** Writes all rows; a scale of 1 is what docs/questions.md tells the true answers of. */
  static CsvTables write(CsvTables tables, double scale) throws IOException {
    define(tables);
    BankData bank = new BankData(tables);
    for (int i = 0; i < BRANCHES.size(); i++) {
      tables.row("branches", i + 1, BRANCHES.get(i), REGIONS.get(i % REGIONS.size()));
    }
    for (int i = 0; i < 5 * SECTORS.size(); i++) {
      String sector = SECTORS.get(i % SECTORS.size());
      tables.row("merchants", 4000 + i, sector + " " + (i / SECTORS.size() + 1), sector);
    }
    int customers = (int) Math.max(1, Math.round(CUSTOMERS * scale));
    for (int id = 1; id <= customers; id++) {
      bank.customer(id);
    }
    return tables;
  }

  private static void define(CsvTables tables) throws IOException {
    tables.table(
        "branches",
        "branch_id INTEGER PRIMARY KEY, name VARCHAR NOT NULL, region VARCHAR NOT NULL");
    tables.table(
        "merchants",
        "merchant_code INTEGER PRIMARY KEY, description VARCHAR NOT NULL, sector VARCHAR NOT NULL");
    tables.table(
        "customers",
        "customer_id INTEGER PRIMARY KEY, birth_date DATE NOT NULL, city VARCHAR, segment VARCHAR"
            + " NOT NULL, joined_on DATE NOT NULL, employment VARCHAR, income NUMERIC(12,2)");
    tables.table(
        "accounts",
        "account_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES"
            + " customers(customer_id), branch_id INTEGER NOT NULL REFERENCES branches(branch_id),"
            + " product VARCHAR NOT NULL, opened_on DATE NOT NULL, closed_on DATE");
    tables.table(
        "transactions",
        "transaction_id INTEGER PRIMARY KEY, account_id INTEGER NOT NULL REFERENCES"
            + " accounts(account_id), booked_at TIMESTAMP NOT NULL, amount NUMERIC(12,2) NOT NULL,"
            + " kind VARCHAR NOT NULL, channel VARCHAR NOT NULL, merchant_code INTEGER REFERENCES"
            + " merchants(merchant_code), status VARCHAR NOT NULL");
    tables.table(
        "loans",
        "loan_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES"
            + " customers(customer_id), branch_id INTEGER NOT NULL REFERENCES branches(branch_id),"
            + " purpose VARCHAR NOT NULL, principal NUMERIC(12,2) NOT NULL, rate NUMERIC(5,2) NOT"
            + " NULL, term_months INTEGER NOT NULL, granted_on DATE NOT NULL, status VARCHAR NOT"
            + " NULL");
    tables.table(
        "payments",
        "payment_id INTEGER PRIMARY KEY, loan_id INTEGER NOT NULL REFERENCES loans(loan_id),"
            + " due_on DATE NOT NULL, paid_on DATE, amount NUMERIC(12,2) NOT NULL");
    tables.table(
        "calls",
        "call_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES"
            + " customers(customer_id), called_at TIMESTAMP NOT NULL, topic VARCHAR NOT NULL,"
            + " minutes INTEGER NOT NULL, resolved BOOLEAN NOT NULL, rating INTEGER");
  }

  private void customer(int id) {
    LocalDate born = drawn.between(LocalDate.of(1938, 1, 1), LocalDate.of(2010, 12, 31));
    LocalDate earliest = born.isAfter(LocalDate.of(2004, 12, 31)) ? born : LocalDate.of(2005, 1, 1);
    LocalDate joined = drawn.between(earliest, LocalDate.of(2025, 11, 30));
    String segment = drawn.word("retail", 62, "student", 15, "affluent", 16, "private", 7);
    double usual =
        switch (segment) {
          case "student" -> 11_000;
          case "affluent" -> 62_000;
          case "private" -> 110_000;
          default -> 31_000;
        };
    BigDecimal income =
        drawn.chance(0.22)
            ? null
            : drawn.money(usual, 0.45, 0, 500_000).setScale(0, RoundingMode.UP);
    tables.row(
        "customers",
        id,
        born,
        drawn.chance(0.03) ? null : CITIES.get(drawn.skewed(CITIES.size(), 1.8)),
        segment,
        joined,
        drawn.word(
            "employed", 55, "self-employed", 12, "retired", 18, "in training", 7, "unemployed", 3),
        income);
    List<Account> own = accounts(id, joined);
    if (!own.isEmpty()) {
      int wanted = (int) drawn.tailed(5, 1.25);
      for (int i = 0; i < wanted; i++) {
        transaction(drawn.one(own), usual);
      }
    }
    if (born.getYear() < 2005 && drawn.chance(0.16)) {
      int wanted = 1 + (drawn.chance(0.15) ? 1 : 0) + (drawn.chance(0.03) ? 3 : 0);
      for (int i = 0; i < wanted; i++) {
        loan(id, joined, income != null && income.intValue() < 25_000 ? 0.08 : 0.035);
      }
    }
    if (drawn.chance(0.45)) {
      int wanted = 1 + (int) drawn.tailed(0.6, 1.3);
      for (int i = 0; i < wanted; i++) {
        call(id, joined);
      }
    }
  }

  private List<Account> accounts(int customer, LocalDate joined) {
    int share = drawn.below(1000);
    int wanted = share < 30 ? 0 : share < 720 ? 1 : share < 910 ? 2 : share < 975 ? 3 : 4;
    while (wanted >= 4 && wanted < 12 && drawn.chance(0.5)) {
      wanted++;
    }
    TreeSet<LocalDate> opened = new TreeSet<>();
    for (int i = 0; i < 2 * wanted && opened.size() < wanted; i++) {
      opened.add(i == 0 ? joined : drawn.between(joined, LocalDate.of(2025, 12, 20)));
    }
    List<Account> own = new ArrayList<>();
    for (LocalDate day : opened) {
      String product =
          own.isEmpty()
              ? drawn.word("checking", 84, "savings", 9, "youth", 7)
              : drawn.word("checking", 22, "savings", 51, "deposit", 27);
      LocalDate closed = drawn.chance(0.09) ? drawn.between(day, LAST) : null;
      Account account = new Account(++accounts, day, closed);
      own.add(account);
      int branch = 1 + drawn.skewed(BRANCHES.size() - 1, 1.4);
      tables.row("accounts", account.id(), customer, branch, product, day, closed);
    }
    return own;
  }

  private void transaction(Account account, double usual) {
    LocalDate from = account.opened().isAfter(FIRST) ? account.opened() : FIRST;
    LocalDate to = account.closed() == null ? LAST : account.closed();
    if (!from.isBefore(to)) {
      return;
    }
    LocalDate day = drawn.between(from, to);
    if (drawn.chance(0.1)) {
      LocalDate december = day.withMonth(12).withDayOfMonth(1 + drawn.below(24));
      day = december.isAfter(to) || december.isBefore(from) ? day : december;
    }
    String kind =
        drawn.word(
            "card",
            48,
            "transfer",
            18,
            "direct_debit",
            14,
            "cash",
            8,
            "salary",
            6,
            "fee",
            4,
            "interest",
            2);
    String channel =
        switch (kind) {
          case "card" -> drawn.word("pos", 70, "online", 30);
          case "transfer" -> {
            int mobile = 30 + 15 * (day.getYear() - FIRST.getYear());
            yield drawn.word("mobile", mobile, "branch", 12, "online", 88 - mobile);
          }
          case "cash" -> drawn.word("atm", 86, "branch", 14);
          default -> "automatic";
        };
    int code = drawn.skewed(39, 1.5);
    BigDecimal amount =
        switch (kind) {
          case "card" -> drawn.money(18 + 9 * (code % 8), 0.8, 1, 5_000).negate();
          case "transfer" -> {
            BigDecimal moved = drawn.money(140, 1.2, 1, 20_000);
            yield drawn.chance(0.6) ? moved.negate() : moved;
          }
          case "direct_debit" -> drawn.money(75, 0.6, 5, 2_000).negate();
          case "cash" -> new BigDecimal(-10 * (2 + drawn.skewed(49, 2.5)));
          case "salary" -> drawn.money(usual / 14, 0.25, 100, 20_000);
          case "fee" -> drawn.money(4.5, 0.5, 1, 60).negate();
          default -> drawn.money(2.5, 1.1, 0, 500);
        };
    tables.row(
        "transactions",
        ++transactions,
        account.id(),
        drawn.moment(day),
        amount,
        kind,
        channel,
        kind.equals("card") && !drawn.chance(0.02) ? 4000 + code : null,
        drawn.chance(channel.equals("online") ? 0.03 : 0.012)
            ? "reversed"
            : drawn.chance(0.02) ? "pending" : "booked");
  }

  private void loan(int customer, LocalDate joined, double risk) {
    String purpose =
        drawn.word("home", 18, "car", 30, "consumer", 34, "education", 10, "business", 8);
    double usual =
        switch (purpose) {
          case "home" -> 90_000;
          case "car" -> 14_000;
          case "education" -> 9_000;
          case "business" -> 40_000;
          default -> 5_000;
        };
    BigDecimal principal = drawn.money(usual, 0.5, 500, 200_000).setScale(0, RoundingMode.UP);
    BigDecimal rate = BigDecimal.valueOf(150 + drawn.below(1_100), 2);
    int term = purpose.equals("home") ? 120 : drawn.one(TERMS);
    LocalDate earliest = LocalDate.of(2021, 1, 1);
    LocalDate granted =
        drawn.between(joined.isAfter(earliest) ? joined : earliest, LocalDate.of(2025, 11, 30));
    boolean isOver = !granted.plusMonths(term).isAfter(LAST);
    boolean isDefaulted = drawn.chance(risk);
    tables.row(
        "loans",
        ++loans,
        customer,
        1 + drawn.skewed(BRANCHES.size() - 1, 1.4),
        purpose,
        principal,
        rate,
        term,
        granted,
        isDefaulted ? "defaulted" : isOver ? "repaid" : "running");
    BigDecimal each = principal.divide(BigDecimal.valueOf(term), 2, RoundingMode.UP);
    for (int month = 1; month <= term; month++) {
      LocalDate due = granted.plusMonths(month);
      if (due.isAfter(LAST)) {
        break;
      }
      boolean isMissed = drawn.chance(0.015) || isDefaulted && month > 4;
      LocalDate paid =
          drawn.chance(0.12)
              ? due.plusDays(1 + drawn.skewed(60, 3))
              : due.minusDays(drawn.skewed(4, 3));
      tables.row("payments", ++payments, loans, due, isMissed ? null : paid, each);
    }
  }

  private void call(int customer, LocalDate joined) {
    String topic =
        drawn.word(
            "card", 27, "login", 22, "transfer", 17, "loan", 10, "complaint", 9, "other", 15);
    tables.row(
        "calls",
        ++calls,
        customer,
        drawn.moment(drawn.between(joined.isAfter(FIRST) ? joined : FIRST, LAST)),
        topic,
        (int) Math.clamp(drawn.tailed(topic.equals("complaint") ? 9 : 5, 0.8), 1, 90),
        drawn.chance(topic.equals("complaint") ? 0.6 : 0.83),
        drawn.chance(0.55)
            ? null
            : topic.equals("complaint") ? 1 + drawn.skewed(5, 1.8) : 5 - drawn.skewed(5, 1.8));
  }
}
