package flexdp.gateway.agree;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;
import java.util.SplittableRandom;

/**
 * A shop, with NULLs, orphans, leap days, floats, letters beyond ASCII and customers without
 * orders.
 */
final class AgreeShop {
  private static final int CUSTOMERS = 60;
  private static final int ORDERS = 180;
  private static final int ITEMS = 300;

  private AgreeShop() {}

  private static final List<String> CITIES =
      List.of(
          "'Berlin'",
          "'berlin'",
          "'Paris'",
          "'Lyon '",
          "' Lyon'",
          "'Zürich'",
          "'Orléans'",
          "'Orle\u0301ans'",
          "'東京'",
          "'Bern'",
          "''",
          "NULL");

  private static final List<String> NOTES =
      List.of(
          "NULL",
          "''",
          "' '",
          "'ab'",
          "'a1'",
          "'abc  '",
          "'12'",
          "' 12 '",
          "'12.5'",
          "'1e1'",
          "'10% off'",
          "'a_b'",
          "'\uD83D\uDE42'",
          "'\uD83D\uDE42b'",
          "'e\u0301'",
          "'back\tbar'",
          "'Cab'",
          "'naïve'",
          "'-7'",
          "'2024-02-29'");

  static void create(AgreeTestBed ground, Connection own) throws SQLException {
    SplittableRandom random = new SplittableRandom(5);
    String text = ground.physical(AgreeTable.Kind.TEXT);
    String day = ground.physical(AgreeTable.Kind.DAY);
    String moment = ground.physical(AgreeTable.Kind.MOMENT);
    String money = ground.physical(AgreeTable.Kind.MONEY);
    String real = ground.physical(AgreeTable.Kind.REAL);
    String truth = ground.physical(AgreeTable.Kind.TRUTH);
    try (Statement statement = own.createStatement()) {
      for (String table : List.of("items", "orders", "customers", "products", "regions")) {
        statement.execute("DROP TABLE IF EXISTS " + table);
      }
      statement.execute(
          "CREATE TABLE customers (id INTEGER PRIMARY KEY, country %s, city %s, segment %s, born %s,"
                  .formatted(text, text, text, day)
              + " email %s, vip %s, joined %s)".formatted(text, truth, moment));
      statement.execute(
          "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, placed %s, day %s,"
                  .formatted(moment, day)
              + " amount %s, discount %s, items INTEGER, status %s, note %s)"
                  .formatted(money, real, text, text));
      statement.execute(
          "CREATE TABLE items (id INTEGER PRIMARY KEY, order_id INTEGER, customer_id INTEGER,"
              + " product_id INTEGER, qty INTEGER)");
      statement.execute(
          "CREATE TABLE products (id INTEGER PRIMARY KEY, name %s, category %s, price %s)"
              .formatted(text, text, money));
      statement.execute("CREATE TABLE regions (country %s, region %s)".formatted(text, text));
      for (String row :
          List.of("'DE', 'EU'", "'FR', 'EU'", "'US', 'NA'", "'JP', NULL", "'BR', 'SA'")) {
        statement.execute("INSERT INTO regions VALUES (" + row + ")");
      }
      for (int i = 1; i <= 8; i++) {
        String category = i == 8 ? "NULL" : List.of("'book'", "'toy'", "'food'").get(i % 3);
        statement.execute(
            "INSERT INTO products VALUES (%d, 'p%d', %s, %d.95)".formatted(i, i, category, i * 3));
      }
      for (int i = 1; i <= CUSTOMERS; i++) {
        String mail =
            some(random, "anna", "Anna", "bob", "carl", "ina")
                + some(random, "@mail.org", "@example.com", ".x@example.com");
        statement.execute(
            "INSERT INTO customers VALUES ("
                + String.join(
                    ", ",
                    i + "",
                    some(random, "'DE'", "'DE'", "'FR'", "'US'", "'JP'", "NULL"),
                    CITIES.get(random.nextInt(CITIES.size())),
                    some(random, "'retail'", "'retail'", "'pro'", "'trial'"),
                    or(
                        random,
                        "'" + LocalDate.of(1960, 2, 28).plusDays(random.nextInt(16000)) + "'"),
                    "'" + mail + "'",
                    some(random, "TRUE", "FALSE", "FALSE", "NULL"),
                    or(random, moment(LocalDateTime.of(2023, 11, 1, 0, 0), random)))
                + ")");
      }
      for (int i = 1; i <= ORDERS; i++) {
        LocalDate on =
            random.nextInt(6) == 0
                ? LocalDate.of(2024, 2, 29)
                : LocalDate.of(2023, 12, 25).plusDays(random.nextInt(180));
        statement.execute(
            "INSERT INTO orders VALUES ("
                + String.join(
                    ", ",
                    i + "",
                    random.nextInt(12) == 0 ? "NULL" : 1 + i % 45 + "",
                    or(random, moment(on.atStartOfDay(), random)),
                    or(random, "'" + on + "'"),
                    or(random, random.nextInt(400) + some(random, ".00", ".50", ".25", ".99")),
                    some(random, "NULL", "0.0", "-0.0", "0.1", "0.3", "0.25", "0.15"),
                    or(random, random.nextInt(10) + ""),
                    some(random, "'paid'", "'paid'", "'sent'", "'new'", "'back'", "NULL"),
                    NOTES.get(random.nextInt(NOTES.size())))
                + ")");
      }
      for (int i = 1; i <= ITEMS; i++) {
        int order = 1 + i * 7 % 150;
        statement.execute(
            "INSERT INTO items VALUES ("
                + String.join(
                    ", ",
                    i + "",
                    or(random, order + ""),
                    1 + order % 45 + "",
                    or(random, 1 + random.nextInt(9) + ""),
                    or(random, 1 + random.nextInt(5) + ""))
                + ")");
      }
    }
  }

  private static String moment(LocalDateTime from, SplittableRandom random) {
    LocalDateTime at = from.plusSeconds(random.nextInt(4) == 0 ? 0 : random.nextInt(86_400));
    return "'"
        + at.toLocalDate()
        + " "
        + at.toLocalTime()
            .format(java.time.format.DateTimeFormatter.ofPattern("HH:mm:ss", java.util.Locale.ROOT))
        + "'";
  }

  private static String or(SplittableRandom random, String value) {
    return random.nextInt(9) == 0 ? "NULL" : value;
  }

  private static String some(SplittableRandom random, String... all) {
    return all[random.nextInt(all.length)];
  }
}
