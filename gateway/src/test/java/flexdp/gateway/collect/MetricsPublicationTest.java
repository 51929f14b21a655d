package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.budget.Account;
import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.files.YamlText;
import flexdp.gateway.ledger.Ledger;
import flexdp.gateway.ledger.LedgerPlace;
import flexdp.gateway.ledger.entry.LedgerEntry;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.noise.PrivacyParameters;
import flexdp.plan.MetricRelease.Kind;
import flexdp.plan.MetricRelease.Metric;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsPublicationTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "{privacy: {budget: {epsilon: 1, delta: 1e-6}}, tables: {t: {columns: {id: {type:"
                  + " bigint, unique: true}, a: {type: bigint}, s: {type: varchar, domain: [x]}}},"
                  + " p: {public: true, columns: {x: {type: bigint}}}}}",
              ConfigurationError.Code.BAD_POLICY));
  private static final PrivacyParameters PRIVACY =
      new PrivacyParameters(new BigDecimal("0.25"), new BigDecimal("1e-9"));
  private static final Metric A = new Metric("t", Kind.MAX_FREQUENCY, Set.of("a"));

  @TempDir Path folder;

  private static CollectedMetrics collected() {
    TableMetrics t =
        new TableMetrics(
            Optional.of(BigInteger.valueOf(90)),
            Map.of(
                Set.of("id"), frequency(1),
                Set.of("a"), frequency(40),
                Set.of("s"), frequency(90),
                Set.of("id", "a"), frequency(1)));
    TableMetrics p =
        new TableMetrics(Optional.of(BigInteger.TEN), Map.of(Set.of("x"), frequency(2)));
    return new CollectedMetrics(
        new Metrics(Map.of("t", t, "p", p), Map.of()), Map.of(), Instant.EPOCH, "state");
  }

  private static MaxFrequency frequency(long n) {
    return new MaxFrequency(Optional.of(BigInteger.valueOf(n)), Optional.of(BigInteger.valueOf(n)));
  }

  private Ledger ledger() {
    return LedgerPlace.of(folder.resolve("p.yaml"), Optional.empty())
        .open(Allowances.of(POLICY), false);
  }

  private static BigDecimal spent(Ledger ledger) {
    return ledger.standing(new Account.Table("t")).spent().epsilon();
  }

  @Test
  void theUsualChoiceLeavesOutWhatIsDeclaredOrPublic() {
    assertEquals(List.of(A), MetricsPublication.usual(POLICY, collected().metrics()));
  }

  @Test
  void theChargeIsThereBeforeAnythingIsKept() throws IOException {
    try (Ledger ledger = ledger()) {
      List<BigDecimal> seen = new ArrayList<>();
      Map<String, ReleasedTable> released =
          MetricsPublication.secure(POLICY, ledger)
              .publish(collected(), List.of(A), PRIVACY, "owner", r -> seen.add(spent(ledger)));
      assertEquals(0, new BigDecimal("0.25").compareTo(seen.getFirst()));
      ReleasedTable t = released.get("t");
      assertEquals("state", t.snapshot());
      assertEquals(PRIVACY.epsilon(), t.release().epsilon());
      assertTrue(t.release().values().frequencies().get(Set.of("a")).max().get().intValue() >= 40);
      List<String> entries = new ArrayList<>();
      ledger.read((LedgerEntry e) -> entries.add(e.event().toString()));
      assertTrue(entries.getLast().contains("RELEASED"), entries.getLast());
    }
  }

  @Test
  void whatCannotBeKeptStaysCharged() {
    try (Ledger ledger = ledger()) {
      assertThrows(
          IOException.class,
          () ->
              MetricsPublication.secure(POLICY, ledger)
                  .publish(
                      collected(),
                      List.of(A),
                      PRIVACY,
                      "owner",
                      r -> {
                        throw new IOException("disk full");
                      }));
      assertEquals(0, new BigDecimal("0.25").compareTo(spent(ledger)));
    }
  }

  @Test
  void aChoiceThatCannotBeReleasedCostsNothing() {
    try (Ledger ledger = ledger()) {
      for (List<Metric> choice :
          List.of(
              List.<Metric>of(),
              List.of(new Metric("p", Kind.MAX_FREQUENCY, Set.of("x"))),
              List.of(new Metric("t", Kind.MAX_FREQUENCY, Set.of("a", "s"))),
              List.of(Metric.rows("nowhere")))) {
        assertThrows(
            ConfigurationError.class,
            () ->
                MetricsPublication.secure(POLICY, ledger)
                    .publish(collected(), choice, PRIVACY, "owner", r -> {}));
      }
      assertEquals(0, spent(ledger).signum());
    }
  }
}
