package flexdp.gateway.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.verify.Verification.VerificationResult;
import java.math.BigDecimal;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Gaussian noise is held to the ε that its ρ means at its δ, with votes for labels and without. */
class VerifiedLengthsTest {
  private static VerificationResult verified(String sql) {
    return Verifying.of(Verifying.SQUARES, sql, 400);
  }

  @Test
  void lengthsKeepWhatTheirRhoMeans() {
    VerificationResult lengths = verified("SELECT a, COUNT(*) FROM orders GROUP BY a");
    assertEquals("clip-gaussian", lengths.mechanism());
    assertEquals(Optional.empty(), lengths.broken());
    // ρ = ½ at δ = 1e-6.
    assertEquals(5.756, lengths.audit().orElseThrow().epsilon().doubleValue(), 0.01);
  }

  @Test
  void noiseWithoutDeltaKeepsItsEpsilon() {
    VerificationResult clipped = verified("SELECT COUNT(*) FROM orders");
    assertTrue(clipped.broken().isEmpty());
    assertEquals(0, clipped.audit().orElseThrow().epsilon().compareTo(BigDecimal.ONE));
  }
}
