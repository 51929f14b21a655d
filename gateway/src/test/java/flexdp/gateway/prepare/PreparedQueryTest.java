package flexdp.gateway.prepare;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.budget.Cost;
import flexdp.noise.Flex;
import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Lomax;
import flexdp.noise.Mechanism;
import java.math.BigDecimal;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an answer costs, by the mechanisms that it is made of. */
class PreparedQueryTest {
  private static final BigDecimal HALF = new BigDecimal("0.5");
  private static final BigDecimal LABELS = new BigDecimal("1e-9");
  private static final Mechanism LAPLACE = Laplace.of(HALF);

  private static Cost cost(Mechanism... mechanisms) {
    return PreparedQuery.cost(BigDecimal.ONE, List.of(mechanisms), LABELS);
  }

  @Test
  void pureMechanismsArePureButForTheirLabels() {
    Cost cost = cost(LAPLACE, Lomax.of(HALF));
    assertEquals(new Cost.Pure(BigDecimal.ONE, HALF, LABELS), cost);
  }

  @Test
  void gaussianNoiseIsChargedByItsRhoAndNeverAsPure() {
    Gaussian gaussian = Gaussian.of(HALF, new BigDecimal("1e-8"));
    Cost.Gaussian cost = (Cost.Gaussian) cost(LAPLACE, gaussian);
    // A pure half is an eighth of zero-concentrated privacy.
    assertEquals(0, gaussian.concentration().add(new BigDecimal("0.125")).compareTo(cost.rho()));
    assertEquals(0, new BigDecimal("1.1e-8").compareTo(cost.delta()));
    assertEquals(0, LABELS.compareTo(cost.failure()));
  }

  @Test
  void whatHasNoRhoMakesTheWholeApproximate() {
    Flex flex = Flex.of(HALF, new BigDecimal("1e-8"), 1);
    Cost cost = cost(flex, Gaussian.of(HALF, new BigDecimal("1e-8")));
    assertEquals("approximate", cost.word());
    assertEquals(0, new BigDecimal("2.1e-8").compareTo(cost.delta()));
  }
}
