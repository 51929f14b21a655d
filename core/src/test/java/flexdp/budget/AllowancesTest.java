package flexdp.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.ConfigurationError;
import flexdp.policy.Policy;
import flexdp.policy.Policy.BudgetWindow;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class AllowancesTest {
  private static final Map<String, Object> TABLES =
      Map.of("t", Map.of("columns", Map.of("a", Map.of("type", "integer"))));

  private static Policy policy(Map<String, Object> privacy) {
    return PolicyReader.read(Map.of("privacy", privacy, "tables", TABLES));
  }

  @Test
  void followThePolicy() {
    Map<String, Object> window = Map.of("days", 30, "guarantee", "per-window");
    Policy policy =
        policy(
            Map.of(
                "budget", Map.of("epsilon", 3, "delta", new BigDecimal("1e-8")),
                "roles", Map.of("research", Map.of("budget", Map.of("epsilon", 2))),
                "analysts",
                    Map.of(
                        "ann",
                        Map.of(
                            "roles",
                            List.of("research"),
                            "budget",
                            Map.of("epsilon", 1, "window", window)),
                        "bob",
                        Map.of("roles", List.of("research")))));
    Allowances allowances = Allowances.of(policy);
    assertEquals(Optional.of(Allowance.basic("3", "1e-8")), allowances.of(new Account.Table("t")));
    assertEquals(
        Optional.of(Allowance.basic("2", "0")), allowances.of(new Account.Role("research")));
    assertEquals(
        Optional.of(BudgetWindow.days(30)),
        allowances.of(new Account.Analyst("ann")).orElseThrow().window());
    assertEquals(Optional.empty(), allowances.of(new Account.Analyst("bob")));
    assertEquals(Set.of("research"), policy.privacy().accounts().rolesOf("bob"));
    assertEquals(Set.of(), policy.privacy().accounts().rolesOf("eve"));
  }

  @Test
  void aPolicyWithoutABudgetAllowsNothing() {
    assertEquals(
        Optional.of(Allowance.NOTHING), Allowances.of(policy(Map.of())).of(new Account.Table("t")));
  }

  @Test
  void aWindowMustSayWhatItMeans() {
    for (Object window :
        List.of(
            Map.of("days", 30),
            Map.of("days", 0, "guarantee", "per-window"),
            Map.of("days", 30, "guarantee", "forever"),
            30)) {
      assertThrows(
          ConfigurationError.class,
          () -> policy(Map.of("budget", Map.of("epsilon", 1, "window", window))));
    }
  }

  @Test
  void anUnknownRoleIsAnError() {
    assertThrows(
        ConfigurationError.class,
        () -> policy(Map.of("analysts", Map.of("ann", Map.of("roles", List.of("boss"))))));
  }
}
