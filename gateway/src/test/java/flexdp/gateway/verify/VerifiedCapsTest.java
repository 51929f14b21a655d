package flexdp.gateway.verify;

import static org.junit.jupiter.api.Assertions.assertEquals;

import flexdp.gateway.verify.Verification.VerificationResult;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What is verified is what asking does: rows beyond a cap that is enforced are left out there, too.
 */
class VerifiedCapsTest {
  private static final String CAPS =
      """
      privacy: {epsilon: 1}
      tables:
        a:
          columns:
            id: {type: integer, unique: true, nullable: false}
            k: {type: integer, maxFrequencyAtMost: 1, enforce: true}
            m: {type: integer, maxFrequencyAtMost: 2, enforce: true}
            v: {type: integer, range: [0, 3], domain: [0, 1, 2, 3]}
        b:
          columns:
            id: {type: integer, unique: true, nullable: false}
            k: {type: integer, maxFrequencyAtMost: 2, enforce: true}
            m: {type: integer, maxFrequencyAtMost: 1, enforce: true}
      """;

  @Test
  void capsOfOneAndTwoOnBothSidesOfJoinsHold() {
    for (String sql :
        List.of(
            "SELECT COUNT(*) FROM a JOIN b ON a.k = b.k",
            "SELECT COUNT(*) FROM a x JOIN a y ON x.k = y.m",
            "SELECT SUM(a.v) FROM a JOIN b ON a.m = b.m",
            "SELECT COUNT(*) FROM a LEFT JOIN b ON a.k = b.k WHERE b.k IS NULL",
            "SELECT a.v, COUNT(*) FROM a JOIN b ON a.k = b.k AND a.m = b.m GROUP BY a.v")) {
      VerificationResult found = Verifying.of(CAPS, sql, 60);
      assertEquals(Optional.empty(), found.broken().map(Object::toString), sql);
      assertEquals("laplace", found.mechanism(), sql);
    }
  }
}
