package flexdp.gateway.propose;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.PhysicalTable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * Proposes a policy. Every table is protected; keys, NOT NULL, ranges and domains come from
 * constraints that the database enforces, and never from values that happen to be in it: a
 * neighbouring database need not have those. The rest stands in comments for the owner.
 */
public final class PolicyDraft {
  private static final String HEAD =
      """
      # Proposed by "flexdp policy init" from what the database enforces; no value was read.
      # Read every line: answers are only as private as it is right who owns what, what is public,
      # and what you add as "trusted", "maxFrequencyAtMost" or "static". Ranges and domains may be
      # chosen freely: values outside of them are clamped or left out (docs/assumptions.md).
      # GROUP BY shows the labels that a column lists, as in domain: [a, b], or a public table has.
      flexdp: 1
      database: %s
      privacy:
        neighbors: add-remove-one
        epsilon: 0.1
        delta: 1e-10
        budget: {epsilon: 10, delta: 1e-8, composition: %s
      """;

  /** With it many groups of people are clipped in L2, which costs a fraction of the noise. */
  private static final String ZCDP =
      """
      zcdp}
        # zcdp adds up ρ = ε²/2 of every answer, which is best for many questions with groups; below
        # forty questions of single numbers basic gives them more.\
      """;

  private final List<PhysicalTable> present;
  private final boolean files;
  private final List<String> left = new ArrayList<>();

  private PolicyDraft(List<PhysicalTable> present, boolean files) {
    this.present = present;
    this.files = files;
  }

  /** The text of a policy file for the database at that address, which protects rows. */
  public static String of(String url, List<PhysicalTable> present) {
    return of(url, present, List.of());
  }

  /**
   * The text of a policy file for the database at that address.
   *
   * @param people the tables whose rows, or the columns whose values, are people; none if each row
   *     is to stand for itself
   */
  public static String of(String url, List<PhysicalTable> present, List<String> people) {
    PolicyDraft draft = new PolicyDraft(present, url.startsWith("files:"));
    List<PhysicalTable> tables = draft.drafted();
    ForeignReferences references = new ForeignReferences(present);
    PeopleDraft whose = new PeopleDraft(references, tables, people);
    return HEAD.formatted(Yaml.text(url), people.isEmpty() ? "basic}" : ZCDP)
        + whose.head()
        + "tables:\n"
        + draft.text(tables, references, whose);
  }

  /** A policy without tables would look like a success and answer nothing. */
  private ConfigurationError nothing() {
    long unreadable =
        present.stream().filter(t -> t.kind() == PhysicalTable.Kind.UNREADABLE).count();
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_USAGE,
        unreadable > 0
            ? "the database user may read none of the " + unreadable + " tables"
            : "the database has no tables that its user may read",
        unreadable > 0 || left.isEmpty()
            ? "Check the address, and grant SELECT on the tables to the user of flexdp."
            : "What it has: " + String.join("; ", left) + ".");
  }

  /** The tables that a policy can name. */
  private List<PhysicalTable> drafted() {
    List<PhysicalTable> tables = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (PhysicalTable table : present) {
      String name = table.policyName();
      if (table.kind() != PhysicalTable.Kind.TABLE) {
        left.add(name + " is " + table.kind().words());
      } else if (table.columns().isEmpty()) {
        left.add(name + " has no columns");
      } else if (!names.add(name.toLowerCase(Locale.ROOT))) {
        left.add(name + " differs from another table in upper and lower case only");
      } else {
        tables.add(table);
      }
    }
    if (tables.isEmpty()) {
      throw nothing();
    }
    return tables;
  }

  private String text(List<PhysicalTable> tables, ForeignReferences references, PeopleDraft whose) {
    StringBuilder text = new StringBuilder();
    for (PhysicalTable table : tables) {
      text.append(new TableDraft(table, references, files, whose.of(table)).text());
    }
    left.forEach(l -> text.append("  # left out: ").append(Yaml.comment(l)).append('\n'));
    return text.toString();
  }
}
