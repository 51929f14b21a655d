package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Cost;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.prepare.CostComposition;
import flexdp.noise.Flex;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.noise.Mechanism;
import flexdp.plan.MechanismChoice;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An answer is given again only where it is as accurate as a new one, and costs no more. */
class MechanismCacheHitsTest {
  private static final String JOIN =
      "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.city_id = d.city_id";

  @TempDir Path folder;
  private SmallRides rides;

  @BeforeEach
  void open() throws Exception {
    rides = new SmallRides(folder, SmallRides.noise(1));
  }

  @AfterEach
  void close() {
    rides.close();
  }

  private AnalystView ask(String analyst, MechanismChoice mechanism, String delta) {
    QueryOptions options =
        new QueryOptions(
            mechanism,
            Optional.of(BigDecimal.ONE),
            Optional.of(new BigDecimal(delta)),
            Optional.empty());
    return rides.gateway.ask(new QueryRequest(JOIN, options, analyst, Set.of(), false));
  }

  @Test
  void aSmallerDeltaMeansMoreNoise() {
    assertFalse(ask("ann", MechanismChoice.FLEX, "1e-12").repeat());
    assertFalse(ask("ann", MechanismChoice.FLEX, "1e-6").repeat(), "less noise is asked for");
    assertTrue(ask("ann", MechanismChoice.FLEX, "1e-9").repeat());
    assertTrue(ask("ann", MechanismChoice.FLEX, "1e-12").repeat());
  }

  @Test
  void theEpsilonsOfTwoMechanismsAreNotCompared() {
    ask("ann", MechanismChoice.FLEX, "1e-9");
    assertFalse(ask("ann", MechanismChoice.AUTO, "1e-9").repeat());
    assertTrue(ask("ann", MechanismChoice.AUTO, "1e-9").repeat());
    assertTrue(ask("ann", MechanismChoice.LOMAX, "1e-9").repeat(), "which is the automatic one");
  }

  @Test
  void nobodyIsChargedMoreDeltaThanTheyOffer() {
    ask("ann", MechanismChoice.FLEX, "1e-6");
    AnalystView less = ask("bob", MechanismChoice.FLEX, "1e-9");
    assertFalse(less.repeat());
    assertEquals(0, new BigDecimal("1e-9").compareTo(less.delta()), less.delta().toString());
    AnalystView as = ask("bob", MechanismChoice.FLEX, "1e-6");
    assertTrue(as.repeat());
    assertEquals(0, new BigDecimal("1e-6").compareTo(as.delta()), as.delta().toString());
  }

  private static boolean serves(Mechanism kept, Mechanism wanted) {
    return kept.stored().serves(wanted);
  }

  @Test
  void noiseIsComparedWithItsOwnKind() {
    BigDecimal one = BigDecimal.ONE;
    BigDecimal two = BigDecimal.TWO;
    BigDecimal delta = new BigDecimal("1e-9");
    assertTrue(serves(Laplace.of(two), Lomax.of(one, 1)));
    assertTrue(serves(Laplace.of(one), new Laplace(one, true)));
    assertFalse(serves(Laplace.of(one), Laplace.of(two)));
    assertTrue(serves(Lomax.of(two, 1), Laplace.of(one)));
    assertTrue(serves(Lomax.of(two, 2), Lomax.of(one, 3)));
    assertFalse(serves(Lomax.of(one, 3), Lomax.of(one, 2)), "more outputs share one draw");
    assertFalse(serves(Flex.of(two, delta, 1), Lomax.of(one, 1)));
    assertTrue(serves(Flex.of(one, delta, 1), Flex.of(one, delta, 1)));
  }

  @Test
  void partsKeepTheirCurrency() {
    Cost pure = Cost.pure(new BigDecimal("0.2"));
    Cost gaussian = Cost.gaussian(BigDecimal.ONE, new BigDecimal("1e-9"), new BigDecimal("0.01"));
    Cost both = CostComposition.sum(List.of(pure, gaussian));
    assertTrue(
        both instanceof Cost.Gaussian sum && sum.rho().compareTo(new BigDecimal("0.03")) == 0,
        both.toString());
    Cost rough = Cost.approximate(new BigDecimal("0.1"), BigDecimal.ZERO);
    assertTrue(CostComposition.sum(List.of(pure, rough)) instanceof Cost.Approximate);
    assertFalse(CostComposition.isAtMost(rough, pure), "zCDP does not count it");
    assertTrue(CostComposition.isAtMost(pure, Cost.approximate(BigDecimal.ONE, BigDecimal.ZERO)));
    assertFalse(CostComposition.isAtMost(gaussian, Cost.pure(BigDecimal.ONE)), "its delta");
  }
}
