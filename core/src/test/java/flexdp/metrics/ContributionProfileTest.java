package flexdp.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.metrics.ContributionProfile.Group;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContributionProfileTest {
  private static ContributionProfile rows(int... people) {
    List<BigDecimal> upTo =
        List.of("1", "2", "4", "8", "16", "32").stream().map(BigDecimal::new).toList();
    return new ContributionProfile(
        "visit",
        Optional.empty(),
        "patient",
        upTo,
        Arrays.stream(people).mapToObj(BigInteger::valueOf).toList(),
        new BigDecimal(5),
        new BigDecimal("0.2"));
  }

  @Test
  void whatNoiseMayHaveMadeIsNobody() {
    ContributionProfile profile = rows(1000, 0, 400, -7, 29, 3, -2);
    assertEquals(List.of(new Group(1, 1000), new Group(3, 400)), profile.groups());
    assertEquals(1400, profile.count());
    assertEquals(2200, profile.total());
  }

  @Test
  void oneBucketByChanceFarAboveTheOthersIsNobody() {
    // Of seven buckets one is above 40 by noise alone once in five thousand profiles.
    assertEquals(List.of(new Group(1, 1000)), rows(1000, 0, 0, 0, 0, 0, 55).groups());
    assertEquals(2, rows(1000, 0, 0, 0, 0, 0, 70).groups().size());
  }

  @Test
  void aTailThatTheNoiseHidesGoesOnAsItBegan() {
    List<Group> groups = rows(1000, 500, 250, 28, 12, 4, 0).groupsAndTail();
    assertEquals(
        List.of(
            new Group(1, 1000),
            new Group(1.5, 500),
            new Group(3, 250),
            new Group(6, 33),
            new Group(12, 16.5),
            new Group(24, 8.25),
            new Group(64, 4.125)),
        groups);
  }

  @Test
  void nobodyIsPutWhereTheNoisyNumberLeavesNoRoom() {
    assertEquals(2, rows(1000, 500, -8, 28, 0, 0, 0).groupsAndTail().size());
    assertEquals(1, rows(1000, 0, 0, 0, 0, 0, 0).groupsAndTail().size());
    assertEquals(List.of(), rows(0, 0, 0, 0, 0, 0, 0).groupsAndTail());
  }

  @Test
  void aFewRowsAreAddedByTheTailOfAFallingNumber() {
    double extra =
        rows(1000, 500, 250, 28, 12, 4, 0).groupsAndTail().stream()
            .skip(3)
            .mapToDouble(Group::people)
            .sum();
    assertTrue(extra < 65, String.valueOf(extra));
  }

  @Test
  void boundsGoUpAndEveryBucketHasANumber() {
    assertThrows(IllegalArgumentException.class, () -> rows(1, 2, 3));
    assertThrows(
        IllegalArgumentException.class,
        () ->
            new ContributionProfile(
                "t",
                Optional.empty(),
                "k",
                List.of(BigDecimal.TWO, BigDecimal.ONE),
                List.of(BigInteger.ONE, BigInteger.ONE, BigInteger.ONE),
                BigDecimal.ONE,
                BigDecimal.ONE));
  }
}
