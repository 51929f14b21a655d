package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.files.YamlText;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Caps that are kept by leaving rows out. */
class EnforcedCapsTest {
  private static final String JOIN =
      "SELECT COUNT(*) FROM drivers d JOIN trips t ON t.driver_id = d.id";

  private static final String CAPPED =
      SmallRides.POLICY.replace(
          "driver_id: {type: integer}",
          "driver_id: {type: integer, maxFrequencyAtMost: 2, enforce: true}");

  @TempDir Path folder;

  private static QueryRequest ask(String sql, String epsilon) {
    QueryOptions d = QueryOptions.DEFAULT;
    return new QueryRequest(
        sql,
        new QueryOptions(d.mechanism(), Optional.of(new BigDecimal(epsilon)), d.delta(), d.bins()),
        "ann",
        Set.of(),
        true,
        true,
        Optional.empty());
  }

  private SmallRides rides(String policy) throws Exception {
    SmallRides.Replayed source = new SmallRides.Replayed(5);
    return new SmallRides(folder, () -> source, policy);
  }

  /** The first driver has three trips, of which two stay. */
  @Test
  void joinsHavePlainNoiseAndLeaveRowsOut() throws Exception {
    try (SmallRides rides = rides(CAPPED)) {
      AnalystView view = rides.gateway.ask(ask(JOIN, "5000"));
      assertEquals("laplace", view.mechanism());
      assertEquals(new BigDecimal(4), view.rows().get(0).get(0));
      assertTrue(view.leftOut().contains("driver_id 2 others have before them"), view.leftOut());
      assertEquals(0, view.delta().signum());
    }
  }

  @Test
  void questionsThatNeedNoCapSeeAllRows() throws Exception {
    try (SmallRides rides = rides(CAPPED)) {
      AnalystView view = rides.gateway.ask(ask("SELECT COUNT(*) FROM trips", "5000"));
      assertEquals(new BigDecimal(6), view.rows().get(0).get(0));
      assertEquals("", view.leftOut());
    }
  }

  /** The cap's data break it, so it must not be believed of the table as it is. */
  @Test
  void anEnforcedCapIsNotVouchedFor() throws Exception {
    try (SmallRides rides = rides(CAPPED)) {
      assertTrue(
          rides.policy.table("trips").orElseThrow().vouched().isEmpty(), "nothing is vouched for");
      assertEquals(
          new BigDecimal(5),
          rides
              .gateway
              .ask(ask("SELECT COUNT(driver_id) FROM trips", "5000"))
              .rows()
              .get(0)
              .get(0));
    }
  }

  /** One row more or less changes at most two rows that stay: of three, any may go. */
  @Test
  void noNeighbourIsFurtherAwayThanTheBoundSays() throws Exception {
    Path other = java.nio.file.Files.createDirectory(folder.resolve("other"));
    for (int trip = 1; trip <= 6; trip++) {
      SmallRides.Replayed source = new SmallRides.Replayed(6);
      Path place = java.nio.file.Files.createDirectory(other.resolve("t" + trip));
      try (SmallRides rides =
          new SmallRides(
              place,
              () -> source,
              CAPPED,
              java.util.List.of("DELETE FROM trips WHERE id = " + trip))) {
        BigDecimal count = (BigDecimal) rides.gateway.ask(ask(JOIN, "5000")).rows().get(0).get(0);
        assertTrue(count.subtract(new BigDecimal(4)).abs().compareTo(BigDecimal.ONE) <= 0);
      }
    }
  }

  private static final String TWICE =
      CAPPED.replace(
          "city_id: {type: integer, references: cities.id}",
          "city_id: {type: integer, references: cities.id, maxFrequencyAtMost: 1, enforce: true}");

  /** Only what a question needs is enforced, and of two caps every one lets one more row move. */
  @Test
  void twoCapsOnOneTableAreEnforcedWhereBothAreNeeded() throws Exception {
    try (SmallRides rides = rides(TWICE)) {
      AnalystView one = rides.gateway.ask(ask(JOIN, "5000"));
      assertEquals(new BigDecimal(4), one.rows().get(0).get(0));
      assertTrue(!one.leftOut().contains("city_id"), one.leftOut());
      String both =
          "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id = d.id"
              + " JOIN trips o ON o.city_id = t.city_id";
      AnalystView two = rides.gateway.ask(ask(both, "5000"));
      assertEquals("laplace", two.mechanism());
      assertTrue(two.leftOut().contains("driver_id 2 others"), two.leftOut());
      assertTrue(two.leftOut().contains("city_id 1 others"), two.leftOut());
    }
  }

  /** Rows without a key match nothing, so none of them is left out. */
  @Test
  void rowsWithoutAKeyStay() throws Exception {
    Path place = java.nio.file.Files.createDirectory(folder.resolve("nulls"));
    SmallRides.Replayed source = new SmallRides.Replayed(5);
    try (SmallRides rides =
        new SmallRides(
            place, () -> source, CAPPED, java.util.List.of("UPDATE trips SET driver_id = NULL"))) {
      AnalystView view =
          rides.gateway.ask(
              ask(
                  "SELECT COUNT(*) FROM trips t LEFT JOIN drivers d ON t.driver_id = d.id",
                  "5000"));
      assertEquals(new BigDecimal(6), view.rows().get(0).get(0));
    }
  }

  @Test
  void theListFormEnforcesToo() throws Exception {
    String listed =
        SmallRides.POLICY.replace(
            "  trips:\n",
            "  trips:\n    maxFrequencyAtMost:\n"
                + "      - {columns: [driver_id], maxFrequencyAtMost: 2, enforce: true}\n");
    try (SmallRides rides = rides(listed)) {
      AnalystView view = rides.gateway.ask(ask(JOIN, "5000"));
      assertEquals("laplace", view.mechanism());
      assertEquals(new BigDecimal(4), view.rows().get(0).get(0));
    }
  }

  @Test
  void badCapsAreRefused() {
    refused("enforce: true", "there is no maxFrequencyAtMost");
    StringBuilder many = new StringBuilder("maxFrequencyAtMost: 2, enforce: true");
    for (int i = 0; i < 4; i++) {
      many.append("}\n      c").append(i).append(": {type: integer, maxFrequencyAtMost: 3");
      many.append(", enforce: true");
    }
    refused(many.toString(), "at most 4 caps");
    String keyless =
        CAPPED.replace(
            "id: {type: bigint, unique: true, nullable: false}",
            "id: {type: bigint, unique: true}");
    ConfigurationError error =
        assertThrows(
            ConfigurationError.class,
            () -> PolicyReader.read(YamlText.tree(keyless, ConfigurationError.Code.BAD_POLICY)));
    assertTrue(error.getMessage().contains("unique key"), error.getMessage());
  }

  private static void refused(String cap, String words) {
    String policy =
        SmallRides.POLICY.replace(
            "driver_id: {type: integer}", "driver_id: {type: integer, " + cap + "}");
    ConfigurationError error =
        assertThrows(
            ConfigurationError.class,
            () -> PolicyReader.read(YamlText.tree(policy, ConfigurationError.Code.BAD_POLICY)));
    assertTrue(error.getMessage().contains(words), error.getMessage());
  }
}
