package flexdp.gateway.agree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Spelling;
import flexdp.policy.Wording;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * A database's own words mean what the database itself says: every function below the noise and
 * above it, row by row, with NULLs, ties, halves, ends of months and letters beyond ASCII.
 */
class AgreeTest {
  private static final int GIVEN = 3;

  /** Of every template, a few. */
  private static List<String> given(Agreement agreement, Wording dialect, int most) {
    List<String> wrong = new ArrayList<>();
    AgreeExprs exprs = new AgreeExprs(2024);
    for (List<String> family : AgreeExprs.families()) {
      for (String template : family) {
        for (int i = 0; i < GIVEN && wrong.size() < most; i++) {
          String expression = exprs.filled(template, 0);
          if (!Differences.isKnown(dialect, expression)) {
            wrong.addAll(agreement.differences(expression));
            if (family == AgreeExprs.CONDITION) {
              wrong.addAll(agreement.counted(expression));
            }
          }
        }
      }
    }
    for (String column : List.of("i", "x", "c", "e", "ts", "d")) {
      wrong.addAll(agreement.orderings(column));
      wrong.addAll(agreement.orderings(column + " DESC"));
    }
    for (String aggregate : AgreeExprs.AGGREGATES) {
      for (String condition : List.of("id < 0", "id = 2", "id = 5", "id < 9", "id > 0")) {
        wrong.addAll(agreement.aggregated(aggregate, condition));
      }
    }
    return wrong;
  }

  private static void agrees(AgreeGround ground, int random, int least) throws Exception {
    List<String> wrong = new ArrayList<>();
    try (Agreement agreement = new Agreement(ground)) {
      wrong.addAll(given(agreement, ground.wording(), 1_000));
      AgreeExprs exprs = new AgreeExprs(31);
      for (int i = 0; i < random; i++) {
        String expression = exprs.any(2);
        if (!Differences.isKnown(ground.wording(), expression)) {
          wrong.addAll(agreement.differences(expression));
        }
      }
      assertTrue(agreement.agreed() >= least, agreement.summary());
      if (System.getProperty("flexdp.agree.said") != null) {
        System.err.println(agreement.summary());
      }
    }
    assertEquals("", String.join("\n", wrong));
  }

  private static final int SOME = Integer.getInteger("flexdp.agree.random", 150);
  private static final int MANY = Integer.getInteger("flexdp.agree.nightly", 50_000);

  @Test
  void duckDbSaysTheSame() throws Exception {
    agrees(new AgreeGround.Duck(), SOME, 2_000);
  }

  @Test
  void sqliteSaysTheSame() throws Exception {
    agrees(new AgreeGround.Lite(), SOME, 2_000);
  }

  @Test
  void postgreSqlSaysTheSame() throws Exception {
    agrees(new AgreeGround.Postgres(), SOME, 2_000);
  }

  @Test
  void mariaDbSaysTheSame() throws Exception {
    agrees(new AgreeGround.Maria(), SOME, 2_000);
  }

  @Test
  @Tag("nightly")
  void duckDbSaysTheSameAllNight() throws Exception {
    agrees(new AgreeGround.Duck(), MANY, 100_000);
  }

  @Test
  @Tag("nightly")
  void sqliteSaysTheSameAllNight() throws Exception {
    agrees(new AgreeGround.Lite(), MANY, 100_000);
  }

  @Test
  @Tag("nightly")
  void postgreSqlSaysTheSameAllNight() throws Exception {
    agrees(new AgreeGround.Postgres(), MANY, 100_000);
  }

  @Test
  @Tag("nightly")
  void mariaDbSaysTheSameAllNight() throws Exception {
    agrees(new AgreeGround.Maria(), MANY, 100_000);
  }

  /** Each dialect's own sense of a spelling is taken away from the table, and that is noticed. */
  @Test
  @Tag("nightly")
  void everyRowOfTheTableIsFoundWhereADatabaseReadsIt() throws Exception {
    List<String> missed = new ArrayList<>();
    for (AgreeGround ground :
        List.of(
            new AgreeGround.Duck(),
            new AgreeGround.Lite(),
            new AgreeGround.Postgres(),
            new AgreeGround.Maria())) {
      try (Agreement agreement = new Agreement(ground)) {
        for (Spelling spelling : Spelling.values()) {
          if (isOwn(spelling, ground.wording())
              && !UNSEEN.contains(spelling)
              && without(spelling, agreement, ground.wording()).isEmpty()) {
            missed.add(ground.wording() + " " + spelling);
          }
        }
      }
    }
    assertEquals(List.of(), missed);
  }

  /** What decimals are without digits is a known difference where they are too small. */
  private static final Set<Spelling> UNSEEN = Set.of(Spelling.DECIMAL);

  private static boolean isOwn(Spelling spelling, Wording dialect) {
    return spelling.in(dialect) != spelling.in(Wording.GENERAL);
  }

  /** The table has no way to be changed but this one. */
  private static List<String> without(Spelling spelling, Agreement agreement, Wording dialect)
      throws ReflectiveOperationException {
    Field others = Spelling.class.getDeclaredField("others");
    others.setAccessible(true);
    Object before = others.get(spelling);
    agreement.forget();
    others.set(spelling, List.of());
    try {
      return given(agreement, dialect, 1);
    } finally {
      others.set(spelling, before);
    }
  }
}
