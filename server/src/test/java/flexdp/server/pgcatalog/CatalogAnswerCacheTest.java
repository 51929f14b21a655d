package flexdp.server.pgcatalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.server.session.ServerFacts.Found;
import flexdp.server.session.ServerFacts.Visitor;
import flexdp.server.session.SessionSettings;
import flexdp.server.sql.Lexer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Answers about the catalogue are kept for whoever got them, unless they pass. */
class CatalogAnswerCacheTest {
  private static DuckCatalog.CatalogAnswerCache.Look look(String user, String sql) {
    Visitor visitor =
        new Visitor(new SessionSettings(user), user, "rides", false, table -> List.of());
    return DuckCatalog.CatalogAnswerCache.Look.of(Lexer.tokens(sql), List.of(), visitor, false);
  }

  @Test
  void whatChangesByItselfIsAskedAnew() {
    for (String sql :
        List.of(
            "SELECT * FROM flexdp.budget",
            "SELECT * FROM \"flexdp\".history",
            "SELECT now()",
            "SELECT Current_Date",
            "SELECT 'today'::date",
            "SELECT age(x) FROM pg_catalog.pg_class")) {
      assertTrue(!DuckCatalog.CatalogAnswerCache.lasts(Lexer.tokens(sql)), sql);
    }
    assertTrue(
        DuckCatalog.CatalogAnswerCache.lasts(
            Lexer.tokens("SELECT relname FROM pg_catalog.pg_class")));
  }

  @Test
  void nobodyIsGivenWhatAnotherUserGot() {
    DuckCatalog.CatalogAnswerCache recent = new DuckCatalog.CatalogAnswerCache();
    Found found = new Found(List.of(), List.of(List.of("ann")));
    recent.keep(look("ann", "SELECT current_user"), found);
    assertEquals(Optional.of(found), recent.find(look("ann", "SELECT current_user")));
    assertEquals(Optional.empty(), recent.find(look("ben", "SELECT current_user")));
    assertEquals(Optional.empty(), recent.find(look("ann", "SELECT 1")));
  }

  @Test
  void theMemoryThatItTakesIsLimited() {
    DuckCatalog.CatalogAnswerCache recent = new DuckCatalog.CatalogAnswerCache();
    Found large = new Found(List.of(), List.of(List.of("x".repeat(900_000))));
    for (int i = 0; i < 100; i++) {
      recent.keep(look("ann", "SELECT " + i), large);
    }
    long kept = 0;
    for (int i = 0; i < 100; i++) {
      kept += recent.find(look("ann", "SELECT " + i)).isPresent() ? 1 : 0;
    }
    assertTrue(kept > 5 && kept < 20, kept + " are kept");
    recent.keep(
        look("ann", "SELECT"), new Found(List.of(), List.of(List.of("x".repeat(2_000_000)))));
    assertEquals(Optional.empty(), recent.find(look("ann", "SELECT")));
  }
}
