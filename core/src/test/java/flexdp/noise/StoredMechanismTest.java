package flexdp.noise;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.math.BigDecimal;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What is kept of a mechanism is enough to know its error bars later. */
class StoredMechanismTest {
  private static final BigDecimal EPSILON = new BigDecimal("0.5");
  private static final BigDecimal DELTA = new BigDecimal("1e-9");

  private static final List<Mechanism.Additive> ALL =
      List.of(
          Laplace.of(EPSILON),
          new Laplace(EPSILON, true),
          Gaussian.of(EPSILON, DELTA),
          Lomax.of(EPSILON, 3),
          Flex.of(EPSILON, DELTA, 2),
          ProposeTestRelease.of(EPSILON, DELTA).tested());

  @Test
  void everyMechanismThatAddsNoiseIsReadAsItWasKept() {
    for (Mechanism.Additive mechanism : ALL) {
      assertEquals(Optional.of(mechanism), mechanism.stored().additive());
    }
  }

  @Test
  void noMechanismIsLeftOut() {
    Set<Class<?>> permitted =
        Arrays.stream(Mechanism.Additive.class.getPermittedSubclasses())
            .collect(Collectors.toSet());
    assertEquals(permitted, ALL.stream().map(Object::getClass).collect(Collectors.toSet()));
  }

  @Test
  void whatChoosesAndWhatIsUnknownHasNoErrorBar() {
    assertEquals(Optional.empty(), new ExponentialMechanism(EPSILON).stored().additive());
    assertEquals(Optional.empty(), new Mechanism.Stored("other", EPSILON, DELTA, 1).additive());
  }
}
