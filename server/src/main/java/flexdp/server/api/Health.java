package flexdp.server.api;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What is known of the parts that answers need, without anything that depends on the data. Looked
 * at from time to time and not when somebody asks for it: that costs nothing.
 *
 * @param databases whether each policy's database can be reached
 * @param ledgers the code of what keeps each policy's ledger from taking charges, or nothing
 * @param reloads whether what stands in each configuration file now is what is used
 * @param certificate when it ends, if there is one
 * @param valid whether the certificate may be used now
 * @param connections how many clients are connected
 * @param budgets what is left of accounts that hold for everybody
 * @param used which files each policy was opened with
 */
public record Health(
    Map<String, Boolean> databases,
    Map<String, Optional<String>> ledgers,
    Map<String, Boolean> reloads,
    Optional<Instant> certificate,
    boolean valid,
    int connections,
    List<Left> budgets,
    Map<String, Used> used) {
  /** Before anything was looked at. */
  public static final Health UNKNOWN =
      new Health(Map.of(), Map.of(), Map.of(), Optional.empty(), true, 0, List.of(), Map.of());

  public Health {
    databases = Map.copyOf(databases);
    ledgers = Map.copyOf(ledgers);
    reloads = Map.copyOf(reloads);
    budgets = List.copyOf(budgets);
    used = Map.copyOf(used);
  }

  /**
   * What an account has.
   *
   * @param left what is left of ε
   * @param allowed the whole ε
   */
  public record Left(String database, String account, double left, double allowed) {}

  /**
   * On what servers that share a ledger should agree.
   *
   * @param policy the hash of the policy's file; that of the metrics would tell what is in them
   * @param measured when the data were measured, where the metrics say so
   */
  public record Used(String policy, Optional<Instant> measured) {}

  /** With the budgets and files of some databases alone. */
  Health of(Predicate<String> shown) {
    return new Health(
        databases,
        ledgers,
        reloads,
        certificate,
        valid,
        connections,
        budgets.stream().filter(b -> shown.test(b.database())).toList(),
        used.entrySet().stream()
            .filter(p -> shown.test(p.getKey()))
            .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue)));
  }

  /** What keeps questions from being answered, a line for each. */
  List<String> faults() {
    List<String> faults = new ArrayList<>();
    databases.entrySet().stream()
        .filter(d -> !d.getValue())
        .map(d -> "database of " + d.getKey() + ": away")
        .sorted()
        .forEach(faults::add);
    ledgers.entrySet().stream()
        .filter(l -> l.getValue().isPresent())
        .map(l -> "ledger of " + l.getKey() + ": " + l.getValue().get())
        .sorted()
        .forEach(faults::add);
    if (!valid) {
      faults.add("certificate: not valid now");
    }
    return faults;
  }

  /** What should be seen to while questions are answered. */
  List<String> warnings() {
    return reloads.entrySet().stream()
        .filter(r -> !r.getValue())
        .map(r -> "reload of " + r.getKey() + ": refused; the server's output says why")
        .sorted()
        .toList();
  }
}
