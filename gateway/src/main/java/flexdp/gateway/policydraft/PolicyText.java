package flexdp.gateway.policydraft;

import flexdp.Analyzer;
import flexdp.gateway.collect.RangeEnd;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.PersonKind;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A policy as it was understood, defaults filled in, in words that leave nothing implied. */
public final class PolicyText {
  private PolicyText() {}

  public static String of(Policy policy) {
    StringBuilder text = new StringBuilder();
    policy.database().ifPresent(url -> text.append("database     ").append(url).append('\n'));
    Policy.Privacy privacy = policy.privacy();
    text.append("neighbours   ").append(privacy.neighbors().word()).append('\n');
    line(text, "one query", epsilonAndDelta(privacy));
    line(
        text,
        "budget",
        privacy
            .budget()
            .map(
                b ->
                    "epsilon "
                        + b.epsilon()
                        + ", delta "
                        + b.delta()
                        + (policy.people().isEmpty()
                            ? " for each protected table, composition "
                            : " for each kind of people and each table of rows, composition ")
                        + b.composition().name().toLowerCase(Locale.ROOT)
                        + window(b))
            .orElse("none: nothing can be asked"));
    accounts(text, privacy.accounts());
    line(
        text,
        "thresholding",
        privacy
            .thresholding()
            .map(
                d ->
                    "allowed, delta "
                        + d
                        + (privacy.labelsAtLeast() > 1
                            ? ", at least " + privacy.labelsAtLeast() + " for a label"
                            : ""))
            .orElse("not allowed"));
    line(text, "labels", "at most " + privacy.maxLabels() + " in one answer");
    if (!privacy.findRanges()) {
      line(text, "ranges", "declared or released, and never found with a question");
    }
    policy.people().values().forEach(kind -> kind(text, kind));
    String owners = OwnersText.of(policy);
    text.append(owners.isEmpty() ? "" : "\n" + owners.stripTrailing() + "\n");
    policy.tables().values().forEach(table -> table(text, table));
    return text.toString();
  }

  private static String window(Policy.Budget budget) {
    return budget.window().map(w -> ", per " + w.words()).orElse("");
  }

  private static void accounts(StringBuilder text, Policy.Accounts accounts) {
    new TreeMap<>(accounts.roles())
        .forEach((name, budget) -> line(text, "role", name + ": " + limit(budget)));
    new TreeMap<>(accounts.analysts())
        .forEach(
            (name, analyst) ->
                line(
                    text,
                    "analyst",
                    (name.equals(Policy.Accounts.ANYBODY) ? "everybody else" : name)
                        + (analyst.roles().isEmpty()
                            ? ""
                            : " as " + String.join(", ", new TreeSet<>(analyst.roles())))
                        + analyst.budget().map(b -> ": " + limit(b)).orElse("")));
  }

  private static String limit(Policy.Budget budget) {
    return "epsilon "
        + budget.epsilon()
        + ", delta "
        + budget.delta()
        + ", composition "
        + budget.composition().name().toLowerCase(Locale.ROOT)
        + window(budget);
  }

  private static String epsilonAndDelta(Policy.Privacy privacy) {
    return "epsilon "
        + privacy.epsilon().map(Object::toString).orElse("must be given")
        + ", delta "
        + privacy.delta().map(Object::toString).orElse(Analyzer.DEFAULT_DELTA + " unless given");
  }

  private static void line(StringBuilder text, String name, String value) {
    text.append(String.format(Locale.ROOT, "%-13s%s%n", name, value));
  }

  private static void kind(StringBuilder text, PersonKind kind) {
    String key = kind.key().map(PersonKind.Key::toString).orElse("the columns that name owners");
    List<String> words = new ArrayList<>(List.of(kind.name() + " by " + key));
    if (!kind.nobody().isEmpty()) {
      words.add("nobody is " + YamlScalars.list(kind.nobody()));
    }
    kind.perPersonAtMost().ifPresent(n -> words.add("at most " + n + " rows of one count"));
    line(text, "people", String.join(", ", words));
  }

  private static String protection(Table table) {
    if (table.isPublic()) {
      return "  (public: every row is known to everyone)";
    }
    return table.ownership().owners().isEmpty() ? "  (protected)" : "  (protected with its owners)";
  }

  private static void ownership(StringBuilder text, Table table) {
    for (OwnerPath owner : table.ownership().owners()) {
      text.append("  owned by ").append(owner.kind()).append(" over ").append(owner.path());
      text.append('\n');
    }
    if (table.ownership().keepsUnowned()) {
      text.append("  a row without an owner is a person of its own\n");
    }
    new TreeSet<>(table.ownership().sameOwner())
        .forEach(
            column ->
                text.append("  rows with the same ").append(column).append(" are one person's\n"));
    table
        .ownership()
        .rowsPerPerson()
        .ifPresent(n -> text.append("  at most ").append(n).append(" rows of one person\n"));
  }

  private static void partition(StringBuilder text, Table table) {
    table
        .partition()
        .ifPresent(
            p ->
                text.append("  in parts by ")
                    .append(p)
                    .append(
                        table.charged().isPresent()
                            ? ": each is charged for itself\n"
                            : ", which are not charged by themselves: people may own rows in"
                                + " all\n"));
  }

  private static String changes(Table table) {
    return table
        .insertsAtMost()
        .map(
            n ->
                n.signum() == 0
                    ? "  static: nothing is added or changed between two collects"
                    : "  at most " + n + " rows are added or changed between two collects")
        .orElse("  may change: bounds are taken from the state that a question reads");
  }

  private static void table(StringBuilder text, Table table) {
    text.append('\n').append(table.name());
    text.append(protection(table)).append(table.isClosed() ? "  CLOSED: not answered" : "");
    text.append('\n').append(changes(table)).append('\n');
    ownership(text, table);
    partition(text, table);
    int width = table.columns().stream().mapToInt(c -> c.name().length()).max().orElse(0);
    for (ColumnSpec column : table.columns()) {
      List<String> words = new ArrayList<>();
      words.add(column.type().toString());
      words.add(column.nullable() ? "may be NULL" : "never NULL");
      if (table.uniqueKeys().contains(Set.of(column.name()))) {
        words.add(unique(table, Set.of(column.name())));
      }
      column
          .range()
          .ifPresent(
              r ->
                  words.add(
                      "clamped to ["
                          + RangeEnd.of(r.low(), column.type())
                          + ", "
                          + RangeEnd.of(r.high(), column.type())
                          + "]"));
      column.domain().ifPresent(d -> words.add("labels " + YamlScalars.list(d)));
      column.references().ifPresent(r -> words.add("refers to " + r.table() + "." + r.column()));
      if (column.individual()) {
        words.add("individual: not compared with constants");
      }
      String name = column.name() + " ".repeat(width - column.name().length());
      text.append("  ").append(name).append("  ").append(String.join(", ", words)).append('\n');
    }
    for (Set<String> key : table.uniqueKeys()) {
      if (key.size() > 1) {
        text.append("  ").append(unique(table, key)).append(": ");
        text.append(String.join(", ", new TreeSet<>(key))).append('\n');
      }
    }
    for (Table.FrequencyCap cap : table.caps()) {
      text.append("  at most ").append(cap.atMost()).append(" rows share the same ");
      text.append(String.join(", ", new TreeSet<>(cap.columns())));
      text.append(cap.enforced() ? " (enforced)\n" : "\n");
    }
  }

  private static String unique(Table table, Set<String> key) {
    return table.trusted().contains(key) ? "unique (trusted)" : "unique";
  }
}
