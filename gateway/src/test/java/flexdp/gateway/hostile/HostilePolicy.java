package flexdp.gateway.hostile;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.Wanted;
import flexdp.gateway.text.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;

/** What an owner would write about the tables. */
final class HostilePolicy {
  private HostilePolicy() {}

  /** Questions are read as a random database reads them, more often than not as most do. */
  static Wording dialect(Random random) {
    Wording[] all = Wording.values();
    return random.nextBoolean() ? Wording.GENERAL : all[random.nextInt(all.length)];
  }

  static Policy of(List<HostileColumn> columns, boolean replaced, boolean thresholding) {
    StringBuilder yaml =
        new StringBuilder(
            """
            flexdp: 1
            failures: {atMost: 1000}
            privacy:
              neighbors: %s
              delta: 1e-6
              budget: {epsilon: 1e12, delta: 0.9, composition: basic}
            %s
            tables:
            """
                .formatted(
                    replaced ? "replace-one" : "add-remove-one",
                    thresholding ? "  thresholding: {delta: 1e-9}" : ""));
    for (String table : HostileTables.NAMES) {
      yaml.append("  ").append(table).append(":\n");
      if (table.equals("p")) {
        yaml.append("    public: true\n");
      }
      yaml.append("    columns:\n      id: {type: bigint, unique: true, nullable: false}\n");
      columns.forEach(c -> yaml.append("      " + c.name() + ": " + c.declared() + "\n"));
    }
    return PolicyReader.read(YamlText.tree(yaml.toString(), ConfigurationError.Code.BAD_POLICY));
  }

  /** A guess for everything that a bound may rest on, far above what a few rows can reach. */
  static String proposal(List<HostileColumn> columns) {
    List<String> guesses = new ArrayList<>();
    for (String table : HostileTables.NAMES) {
      if (!table.equals("p")) {
        guesses.add("rows(" + table + ")=1000000");
        columns.forEach(c -> guesses.add(table + "." + c.name() + "=1000000"));
      }
    }
    return String.join(", ", guesses);
  }

  /** Every column is measured. */
  static Wanted wanted(Policy policy, List<HostileColumn> columns) {
    if (columns.isEmpty()) {
      return Wanted.of(policy);
    }
    String names =
        HostileTables.NAMES.stream()
            .flatMap(table -> columns.stream().map(c -> table + "." + c.name()))
            .collect(Collectors.joining(", "));
    return Wanted.of(policy).and(ColumnNames.parse(names, policy));
  }
}
