package flexdp.gateway.hostile;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.ColumnNames;
import flexdp.gateway.collect.RequiredFrequencies;
import flexdp.gateway.files.YamlText;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;

/** What an owner would write about the tables. */
final class HostilePolicy {
  /** In place of a cap: the column is a key that the database keeps unique. */
  private static final int KEY = 0;

  /** In place of a cap: such a key that is never NULL. */
  private static final int FILLED_KEY = -1;

  private HostilePolicy() {}

  /** Questions are read as a random database reads them, more often than not as most do. */
  static InputDialect dialect(Random random) {
    InputDialect[] all = InputDialect.values();
    return random.nextBoolean() ? InputDialect.GENERAL : all[random.nextInt(all.length)];
  }

  /** A column of any type that is a key in all tables, where the database keeps it; or caps. */
  static Map<String, Integer> keyOrCaps(Random random, List<HostileColumn> columns) {
    HostileColumn key = columns.get(random.nextInt(columns.size()));
    int how = random.nextBoolean() ? KEY : FILLED_KEY;
    boolean fits =
        key.family() != Family.OPAQUE && (how == KEY || !key.declared().contains("null"));
    if (!fits || random.nextInt(3) > 0) {
      return caps(random, columns);
    }
    Map<String, Integer> keys = new HashMap<>();
    HostileTables.NAMES.forEach(table -> keys.put(table + "." + key.name(), how));
    return keys;
  }

  /** Caps that are enforced, on none, one or two columns of each protected table. */
  static Map<String, Integer> caps(Random random, List<HostileColumn> columns) {
    Map<String, Integer> caps = new HashMap<>();
    for (String table : List.of("t", "u")) {
      for (int i = random.nextInt(3); i > 0; i--) {
        HostileColumn column = columns.get(random.nextInt(columns.size()));
        if (random.nextBoolean() && column.family() != Family.OPAQUE) {
          caps.put(table + "." + column.name(), 1 + random.nextInt(3));
        }
      }
    }
    return caps;
  }

  static Policy of(List<HostileColumn> columns, boolean replaced, boolean thresholding) {
    return of(columns, replaced, thresholding, Map.of());
  }

  /**
   * @param caps how many rows of a value are read, by table and column
   */
  static Policy of(
      List<HostileColumn> columns,
      boolean replaced,
      boolean thresholding,
      Map<String, Integer> caps) {
    return of(columns, replaced, thresholding, caps, "");
  }

  /**
   * @param caps how many rows of a value are read, by table and column
   * @param more what else the policy says, line by line
   */
  static Policy of(
      List<HostileColumn> columns,
      boolean replaced,
      boolean thresholding,
      Map<String, Integer> caps,
      String more) {
    return of(columns, replaced, thresholding, caps, more, false);
  }

  private static Policy of(
      List<HostileColumn> columns,
      boolean replaced,
      boolean thresholding,
      Map<String, Integer> caps,
      String more,
      boolean finds) {
    StringBuilder yaml =
        new StringBuilder(
            """
            flexdp: 1
            failures: {atMost: 1000}
            privacy:
              neighbors: %s
              delta: 1e-6
              budget: {epsilon: 1e12, delta: 0.9, composition: basic}
              findRanges: %s
            %s
            %s
            tables:
            """
                .formatted(
                    replaced ? "replace-one" : "add-remove-one",
                    finds,
                    thresholding ? "  thresholding: {delta: 1e-9}" : "",
                    more));
    for (String table : HostileTables.NAMES) {
      yaml.append("  ").append(table).append(":\n");
      if (table.equals("p")) {
        yaml.append("    public: true\n");
      }
      yaml.append("    columns:\n      id: {type: bigint, unique: true, nullable: false}\n");
      columns.forEach(
          c -> yaml.append("      " + c.name() + ": " + declared(c, caps, table) + "\n"));
    }
    return PolicyReader.read(YamlText.tree(yaml.toString(), ConfigurationError.Code.BAD_POLICY));
  }

  /** A policy without a range of any column, so that ranges are found. */
  static Policy unranged(List<HostileColumn> columns, boolean replaced, Random random) {
    List<HostileColumn> plain =
        columns.stream()
            .map(
                c ->
                    new HostileColumn(
                        c.name(),
                        c.family(),
                        c.physical(),
                        c.family().isNumber()
                            ? c.declared().replaceAll(", (range|domain): \\[[^]]*\\]", "")
                            : c.declared(),
                        c.values(),
                        c.twins(),
                        c.crowds()))
            .toList();
    boolean thresholding = random.nextBoolean();
    return of(plain, replaced, thresholding, caps(random, plain), "", true).in(dialect(random));
  }

  private static String declared(HostileColumn column, Map<String, Integer> caps, String table) {
    Integer most = caps.get(table + "." + column.name());
    String declared = column.declared();
    String more =
        most == null
            ? ""
            : switch (most) {
              case KEY -> ", unique: true";
              case FILLED_KEY -> ", unique: true, nullable: false";
              default -> ", maxFrequencyAtMost: " + most + ", enforce: true";
            };
    return declared.substring(0, declared.length() - 1) + more + "}";
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
  static RequiredFrequencies wanted(Policy policy, List<HostileColumn> columns) {
    if (columns.isEmpty()) {
      return RequiredFrequencies.of(policy);
    }
    String names =
        HostileTables.NAMES.stream()
            .flatMap(table -> columns.stream().map(c -> table + "." + c.name()))
            .collect(Collectors.joining(", "));
    return RequiredFrequencies.of(policy).and(ColumnNames.parse(names, policy));
  }
}
