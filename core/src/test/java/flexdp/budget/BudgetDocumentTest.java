package flexdp.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.policy.Policy.Composition;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The numbers and formulas of docs/budget.md are those of the code. */
class BudgetDocumentTest {
  private static final double LN = Math.log(2e8);

  private static String page() throws IOException {
    return Files.readString(Path.of("..", "docs", "budget.md"));
  }

  private static PrivacyFilter filter(Composition composition) {
    return new Allowance(BigDecimal.TEN, new BigDecimal("1e-8"), composition, Optional.empty())
        .filter();
  }

  /** How many answers of ε = 0.1 are admitted. */
  private static int answers(Composition composition) {
    TotalCost spent = TotalCost.NOTHING;
    int answers = 0;
    while (filter(composition).admits(spent.plus(Cost.pure(new BigDecimal("0.1"))))) {
      spent = spent.plus(Cost.pure(new BigDecimal("0.1")));
      answers++;
    }
    return answers;
  }

  @Test
  void theTableOfAnswers() throws IOException {
    assertTrue(page().contains("| `basic` | " + answers(Composition.BASIC) + " |"));
    assertEquals(answers(Composition.ADAPTIVE), answers(Composition.ZCDP));
    assertTrue(page().contains("| `adaptive`, `zcdp` | " + answers(Composition.ADAPTIVE) + " |"));
  }

  @Test
  void theFormulasDecideWhereThePageSays() throws IOException {
    assertTrue(page().contains("√(2 ln(1/δ″)·Σε²) + ½Σε² ≤ ε_max"));
    assertTrue(page().contains("ρ + 2√(ρ ln(1/δ″)) ≤ ε_max"));
    for (int n = 1; n < 400; n++) {
      double squares = n * 0.01;
      double adaptive = Math.sqrt(2 * LN * squares) + squares / 2;
      double rho = squares / 2;
      double zcdp = rho + 2 * Math.sqrt(rho * LN);
      assertEquals(adaptive <= 10, n <= answers(Composition.ADAPTIVE), n + " answers");
      assertEquals(zcdp <= 10, n <= answers(Composition.ZCDP), n + " answers");
    }
  }
}
