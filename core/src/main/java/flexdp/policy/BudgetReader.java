package flexdp.policy;

import flexdp.tree.Node;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reads how much may be spent: by table, analyst and role. */
final class BudgetReader {
  private static final Set<String> BUDGET_KEYS =
      Set.of("epsilon", "delta", "composition", "window");
  private static final BigInteger LONGEST_DAYS = BigInteger.valueOf(36_500);

  private BudgetReader() {}

  static Policy.Budget budget(Node node) {
    Map<String, Node> fields = node.fields(BUDGET_KEYS);
    BigDecimal epsilon = node.required(fields, "epsilon").epsilon();
    BigDecimal delta = Node.optional(fields, "delta").map(Node::delta).orElse(BigDecimal.ZERO);
    Policy.Composition composition =
        Node.optional(fields, "composition")
            .map(BudgetReader::composition)
            .orElse(Policy.Composition.BASIC);
    if (composition != Policy.Composition.BASIC && delta.signum() == 0) {
      throw node.error(
          "composition "
              + composition.name().toLowerCase(Locale.ROOT)
              + " needs a delta above 0 in the budget");
    }
    return new Policy.Budget(
        epsilon, delta, composition, Node.optional(fields, "window").map(BudgetReader::window));
  }

  private static Policy.Composition composition(Node node) {
    Policy.Composition[] all = Policy.Composition.values();
    List<String> words = Arrays.stream(all).map(c -> c.name().toLowerCase(Locale.ROOT)).toList();
    return all[node.word(words)];
  }

  /**
   * A window makes the guarantee weaker, so the owner has to write what it means: {@code {days: 30,
   * guarantee: per-window}} or {@code {calendar: month, guarantee: per-window}}.
   */
  private static Window window(Node node) {
    Map<String, Node> fields = node.fields(Set.of("days", "calendar", "guarantee"));
    node.required(fields, "guarantee").word(List.of("per-window"));
    Optional<Node> calendar = Node.optional(fields, "calendar");
    if (calendar.isPresent()) {
      calendar.get().word(List.of("month"));
      if (Node.optional(fields, "days").isPresent()) {
        throw node.error("is either so many days or of the calendar, not both");
      }
      return new Window.CalendarMonth();
    }
    Node days = node.required(fields, "days");
    BigInteger count = days.count();
    if (count.signum() == 0 || count.compareTo(LONGEST_DAYS) > 0) {
      throw days.error("must lie between 1 and " + LONGEST_DAYS + ". Provided value: " + count);
    }
    return Window.days(count.intValueExact());
  }

  static Policy.Accounts accounts(Optional<Node> analysts, Optional<Node> roles) {
    Map<String, Policy.Budget> limits = new LinkedHashMap<>();
    roles.ifPresent(
        node ->
            node.entries()
                .forEach(
                    (name, role) ->
                        limits.put(
                            name, budget(role.required(role.fields(Set.of("budget")), "budget")))));
    Map<String, Policy.Analyst> people = new LinkedHashMap<>();
    analysts.ifPresent(
        node -> node.entries().forEach((name, entry) -> people.put(name, analyst(entry, limits))));
    return new Policy.Accounts(people, limits);
  }

  private static Policy.Analyst analyst(Node node, Map<String, Policy.Budget> roles) {
    Map<String, Node> fields = node.fields(Set.of("roles", "budget"));
    Set<String> names = Node.optional(fields, "roles").map(Node::names).orElse(Set.of());
    for (String name : names) {
      if (!roles.containsKey(name)) {
        throw fields
            .get("roles")
            .error("the policy has no role '" + name + "' under privacy.roles");
      }
    }
    return new Policy.Analyst(names, Node.optional(fields, "budget").map(BudgetReader::budget));
  }
}
