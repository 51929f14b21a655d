package flexdp.bench;

import java.io.IOException;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;

/**
 * A shop's events in one table, as a tracker writes them: every row names its user, a fifth names
 * nobody, and no table has a row for each user. Most users have a few sessions, some have hundreds.
 */
final class EventsData {
  private static final long SEED = 40;
  private static final int USERS = 20_000;
  private static final LocalDate FIRST = LocalDate.of(2026, 7, 1);
  private static final int DAYS = 92;
  private static final int PAGES = 200;

  private static final List<String> COUNTRIES =
      List.of(
          "DE", "FR", "GB", "IT", "ES", "NL", "PL", "BE", "AT", "SE", "CH", "PT", "DK", "CZ", "FI",
          "IE", "NO", "GR", "HU", "RO");

  private final Drawn drawn = new Drawn(SEED);
  private final CsvTables tables;
  private int events;
  private int sessions;

  private EventsData(CsvTables tables) {
    this.tables = tables;
  }

  /** Writes all rows; a scale of 1 is what docs/questions.md tells the true answers of. */
  static CsvTables write(CsvTables tables, double scale) throws IOException {
    tables.table(
        "events",
        "event_id BIGINT PRIMARY KEY, ts TIMESTAMP NOT NULL, user_id INTEGER, session_id BIGINT NOT"
            + " NULL, event VARCHAR NOT NULL, page VARCHAR NOT NULL, device VARCHAR NOT NULL,"
            + " country VARCHAR, source VARCHAR NOT NULL, revenue NUMERIC(10,2), load_ms INTEGER");
    EventsData shop = new EventsData(tables);
    int users = (int) Math.max(1, Math.round(USERS * scale));
    for (int i = 0; i < users; i++) {
      shop.user(1001 + i);
    }
    int anonymous = shop.sessions / 4;
    for (int i = 0; i < anonymous; i++) {
      shop.session(null, shop.drawn.below(DAYS), shop.device(), shop.country(), false);
    }
    return tables;
  }

  private void user(int id) {
    int first = drawn.skewed(DAYS, 1.3);
    String usual = device();
    String country = country();
    int wanted = 1 + (int) drawn.tailed(1.8, 1.2);
    for (int i = 0; i < wanted; i++) {
      int day = i == 0 ? first : first + drawn.skewed(DAYS - first, 1.4);
      session(id, day, drawn.chance(0.85) ? usual : device(), country, i == 0 && drawn.chance(0.4));
    }
  }

  private String device() {
    return drawn.word("mobile", 55, "desktop", 38, "tablet", 7);
  }

  private String country() {
    return drawn.chance(0.02) ? null : COUNTRIES.get(drawn.skewed(COUNTRIES.size(), 2));
  }

  private void session(Integer user, int day, String device, String country, boolean signsUp) {
    sessions++;
    String source = drawn.word("direct", 30, "search", 34, "email", 12, "social", 14, "ads", 10);
    LocalDate date = FIRST.plusDays(day);
    int second = (6 + drawn.below(8) + drawn.below(9)) * 3600 + drawn.below(3600);
    int wanted = 1;
    while (wanted < 60 && drawn.chance(0.77)) {
      wanted++;
    }
    String before = "";
    for (int i = 0; i < wanted; i++) {
      String event =
          switch (before) {
            case "" -> "page_view";
            case "add_to_cart" ->
                drawn.word("page_view", 52, "checkout", user == null ? 25 : 40, "add_to_cart", 8);
            case "checkout" -> drawn.word("purchase", 62, "page_view", 38);
            default -> drawn.word("page_view", 72, "search", 15, "add_to_cart", 13);
          };
      if (signsUp && i == 1) {
        event = "signup";
      }
      before = event == null ? "page_view" : event;
      event(user, Drawn.moment(date, Math.min(second, 86_399)), before, device, country, source);
      second += 4 + (int) Math.min(1_500, drawn.tailed(35, 1.1));
    }
  }

  private void event(
      Integer user, String moment, String event, String device, String country, String source) {
    boolean isView = event.equals("page_view");
    BigDecimal revenue = event.equals("purchase") ? drawn.money(42, 0.8, 3, 900) : null;
    double usual = device.equals("desktop") ? 480 : 690;
    tables.row(
        "events",
        ++events,
        moment,
        user,
        sessions,
        event,
        page(event),
        device,
        country,
        source,
        revenue,
        isView ? (int) Math.min(20_000, drawn.tailed(usual, 0.55)) : null);
  }

  private String page(String event) {
    return switch (event) {
      case "search" -> "/search";
      case "checkout", "purchase" -> "/checkout";
      case "signup" -> "/signup";
      default -> {
        int page = drawn.skewed(PAGES, 2.6);
        yield page == 0 ? "/home" : page % 5 == 0 ? "/blog/" + page : "/product/" + page;
      }
    };
  }
}
