package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.sql.bind.SqlBinder;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;

/**
 * Columns of different types meet on both sides of everything, over values that conversions merge
 * or lose: no neighbour changes a count by more than the bound. An analysis that overlooks the
 * conversions of one kind of place is caught by the same questions.
 */
class MixedTypesFuzzTest {
  private static final int QUERIES = Integer.getInteger("flexdp.fuzz.mixed", 500);

  private final List<String> violations = new ArrayList<>();
  private final Set<Blindness> uncaught = EnumSet.allOf(Blindness.class);
  private int accepted;

  @Test
  void noConversionChangesACountByMoreThanTheBound(TestReporter reporter) throws Exception {
    run(20_251_101L, QUERIES);
    reporter.publishEntry("mixed types", accepted + " of " + QUERIES + " accepted");
    assertEquals(List.of(), violations);
    assertTrue(accepted > QUERIES / 5, () -> "only " + accepted + " accepted");
    assertEquals(Set.of(), uncaught);
  }

  @Tag("soak")
  @Test
  void norInManyMoreQuestions() throws Exception {
    run(7L, 20_000);
    assertEquals(List.of(), violations);
  }

  private void run(long seed, int queries) throws Exception {
    Random random = new Random(seed);
    MixedSql generator = new MixedSql(random);
    SqlBinder binder = new SqlBinder(MixedTables.POLICY, LocalDateTime.of(2020, 1, 1, 0, 0));
    try (MixedTables tables = new MixedTables()) {
      for (int i = 0; i < queries; i++) {
        if (i % 10 == 0) {
          tables.fill(random);
        }
        String sql = generator.query();
        try {
          check(sql, binder.bind(sql), tables);
        } catch (Rejection e) {
          // Not every pair of types meets.
          continue;
        }
      }
    }
  }

  private void check(String sql, Relation relation, MixedTables tables) throws Exception {
    Optional<Long> bound = tables.bound(relation);
    List<Blindness> blind = new ArrayList<>();
    for (Blindness one : uncaught) {
      if (tables.bound(one.seen(relation)).isPresent()) {
        blind.add(one);
      }
    }
    if (bound.isEmpty() && blind.isEmpty()) {
      return;
    }
    long change = tables.change(relation);
    if (bound.isPresent()) {
      accepted++;
      if (change > bound.get()) {
        violations.add(sql + ": bound " + bound.get() + ", change " + change);
      }
    }
    for (Blindness one : blind) {
      if (change > tables.bound(one.seen(relation)).orElseThrow()) {
        uncaught.remove(one);
      }
    }
  }
}
