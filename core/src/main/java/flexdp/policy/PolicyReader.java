package flexdp.policy;

import flexdp.document.DocumentNode;
import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.policy.OwnersReader.OwnersCheck;
import flexdp.policy.OwnersReader.PeopleReader;
import flexdp.policy.Policy.BudgetWindow;
import flexdp.policy.Policy.RegisteredProgram;
import flexdp.policy.TableReader.PartitionReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Makes a policy of a tree of maps and lists. Strict: what is misspelt, unknown or contradicts
 * itself is an error, since a declaration that is silently dropped weakens what the owner meant.
 */
public final class PolicyReader {
  private static final Set<String> ROOT_KEYS =
      Set.of(
          "flexdp",
          "database",
          "sqlDialect",
          "privacy",
          "tables",
          "failures",
          "people",
          "programs");
  private static final Set<String> PRIVACY_KEYS =
      Set.of(
          "neighbors",
          "epsilon",
          "delta",
          "budget",
          "thresholding",
          "maxLabels",
          "findRanges",
          "analysts",
          "roles");
  private static final Set<String> THRESHOLDING = Set.of("delta", "atLeast");
  private static final BigInteger MOST_LABELS = BigInteger.valueOf(10_000_000);
  private static final Policy.Privacy DEFAULTS =
      new Policy.Privacy(
          Neighbors.ADD_REMOVE_ONE,
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Optional.empty(),
          Policy.Privacy.DEFAULT_MAX_LABELS);

  private PolicyReader() {}

  public static Policy read(Object tree) {
    DocumentNode root = DocumentNode.root(tree, ConfigurationError.Code.BAD_POLICY);
    Map<String, DocumentNode> fields = root.fields(ROOT_KEYS);
    DocumentNode.optional(fields, "flexdp").ifPresent(PolicyReader::version);
    Optional<String> database = DocumentNode.optional(fields, "database").map(DocumentNode::text);
    Policy.Privacy privacy =
        DocumentNode.optional(fields, "privacy").map(PolicyReader::privacy).orElse(DEFAULTS);
    Map<String, TableReader> readers = new LinkedHashMap<>();
    Map<String, Table> rows = tables(root.required(fields, "tables"), readers);
    Map<String, PersonKind> people =
        DocumentNode.optional(fields, "people")
            .map(node -> PeopleReader.read(node, rows, ownersOf(readers), privacy.neighbors()))
            .orElse(Map.of());
    Map<String, Table> tables = owned(rows, readers, people);
    tables.values().forEach(table -> PartitionReader.require(privacy.neighbors(), table));
    Policy.Failures failures =
        DocumentNode.optional(fields, "failures")
            .map(FailuresReader::failures)
            .orElse(Policy.Failures.USUAL);
    return new Policy(
        database,
        privacy,
        tables,
        failures,
        Collections.unmodifiableMap(people),
        DocumentNode.optional(fields, "sqlDialect").map(PolicyReader::dialect),
        DocumentNode.optional(fields, "programs").map(ProgramsReader::programs).orElse(Map.of()));
  }

  private static InputDialect dialect(DocumentNode node) {
    return InputDialect.of(node.text())
        .orElseThrow(
            () ->
                node.error(
                    "must be one of "
                        + String.join(", ", words(InputDialect::word, InputDialect.values()))
                        + ". Provided value: "
                        + node.text()));
  }

  private static void version(DocumentNode node) {
    if (!node.integer().equals(BigInteger.ONE)) {
      throw node.error("this version reads policies of format 1 only");
    }
  }

  private static Policy.Privacy privacy(DocumentNode node) {
    Map<String, DocumentNode> fields = node.fields(PRIVACY_KEYS);
    return new Policy.Privacy(
        DocumentNode.optional(fields, "neighbors")
            .map(PolicyReader::neighbors)
            .orElse(Neighbors.ADD_REMOVE_ONE),
        DocumentNode.optional(fields, "epsilon").map(DocumentNode::epsilon),
        DocumentNode.optional(fields, "delta").map(DocumentNode::delta),
        DocumentNode.optional(fields, "budget").map(BudgetReader::budget),
        DocumentNode.optional(fields, "thresholding").map(PolicyReader::thresholding),
        DocumentNode.optional(fields, "maxLabels")
            .map(PolicyReader::maxLabels)
            .orElse(Policy.Privacy.DEFAULT_MAX_LABELS),
        BudgetReader.accounts(
            DocumentNode.optional(fields, "analysts"), DocumentNode.optional(fields, "roles")),
        DocumentNode.optional(fields, "thresholding").map(PolicyReader::labelsAtLeast).orElse(1),
        DocumentNode.optional(fields, "findRanges").map(DocumentNode::bool).orElse(true));
  }

  private static Neighbors neighbors(DocumentNode node) {
    return Neighbors.values()[node.word(words(Neighbors::word, Neighbors.values()))];
  }

  @SafeVarargs
  private static <T> List<String> words(java.util.function.Function<T, String> word, T... all) {
    return Arrays.stream(all).map(word).toList();
  }

  private static BigDecimal thresholding(DocumentNode node) {
    DocumentNode value = node.isMap() ? node.required(node.fields(THRESHOLDING), "delta") : node;
    BigDecimal delta = value.delta();
    if (delta.signum() == 0) {
      throw value.error("thresholding needs a delta above 0");
    }
    return delta;
  }

  private static int labelsAtLeast(DocumentNode node) {
    return node.isMap()
        ? DocumentNode.optional(node.fields(THRESHOLDING), "atLeast")
            .map(PolicyReader::maxLabels)
            .orElse(1)
        : 1;
  }

  private static int maxLabels(DocumentNode node) {
    BigInteger labels = node.count();
    if (labels.signum() == 0 || labels.compareTo(MOST_LABELS) > 0) {
      throw node.error("must lie between 1 and " + MOST_LABELS + ". Provided value: " + labels);
    }
    return labels.intValueExact();
  }

  /** Where each table names the owners of its rows. */
  private static Map<String, DocumentNode> ownersOf(Map<String, TableReader> readers) {
    Map<String, DocumentNode> owners = new LinkedHashMap<>();
    readers.forEach((name, reader) -> reader.owners().ifPresent(n -> owners.put(name, n)));
    return owners;
  }

  private static Map<String, Table> owned(
      Map<String, Table> rows, Map<String, TableReader> readers, Map<String, PersonKind> people) {
    OwnersReader owners = new OwnersReader(rows, people);
    Map<String, Table> owned = new LinkedHashMap<>();
    Map<String, DocumentNode> places = new LinkedHashMap<>();
    readers.forEach(
        (name, reader) -> {
          Table table = rows.get(name);
          owned.put(name, table.ownedBy(reader.ownership(table, owners)));
          places.put(name, reader.node());
        });
    OwnersCheck check = new OwnersCheck(owned, places);
    check.check();
    Map<String, Table> tables = new LinkedHashMap<>();
    owned.forEach(
        (name, table) ->
            tables.put(name, readers.get(name).individual(table, check.naming(table, people))));
    return Collections.unmodifiableMap(tables);
  }

  private static Map<String, Table> tables(DocumentNode node, Map<String, TableReader> readers) {
    Map<String, Table> tables = new LinkedHashMap<>();
    node.entries()
        .forEach(
            (name, child) -> {
              if (name.startsWith("people:")) {
                throw child.error(
                    "a table of this name would share the account of people",
                    "Give the policy a view of it that has another name.");
              }
              TableReader reader = new TableReader(name, child);
              readers.put(name, reader);
              tables.put(name, reader.read());
            });
    TableReader.refuseNamesThatDifferInCase(node, tables.keySet());
    readers.forEach((name, reader) -> references(tables.get(name), reader, tables));
    return Collections.unmodifiableMap(tables);
  }

  private static void references(Table from, TableReader reader, Map<String, Table> tables) {
    reader
        .references()
        .forEach(
            (column, node) -> {
              ColumnSpec spec = from.column(column).orElseThrow();
              ColumnSpec target = resolve(node, tables);
              if (!isComparable(spec.type(), target.type())) {
                throw node.error(
                    "a column of type " + spec.type() + " cannot refer to one of " + target.type());
              }
            });
  }

  private static boolean isComparable(Type one, Type two) {
    return one.kind() == two.kind() || one.isNumeric() && two.isNumeric();
  }

  private static ColumnSpec resolve(DocumentNode node, Map<String, Table> tables) {
    String text = node.text();
    int dot = text.lastIndexOf('.');
    if (dot < 1 || dot == text.length() - 1) {
      throw node.error("must be written table.column");
    }
    String name = text.substring(0, dot);
    String column = text.substring(dot + 1);
    Table table = tables.get(name);
    if (table == null) {
      throw node.error(
          "the policy has no table '" + name + "'." + NearestName.question(name, tables.keySet()));
    }
    Stream<String> columns = table.columns().stream().map(ColumnSpec::name);
    return table
        .column(column)
        .orElseThrow(
            () ->
                node.error(
                    "table '"
                        + name
                        + "' has no column '"
                        + column
                        + "'."
                        + NearestName.question(column, columns.toList())));
  }

  /** Reads how much may be spent: by table, analyst and role. */
  private static final class BudgetReader {
    private static final Set<String> BUDGET_KEYS =
        Set.of("epsilon", "delta", "composition", "window");
    private static final BigInteger LONGEST_DAYS = BigInteger.valueOf(36_500);

    private BudgetReader() {}

    static Policy.Budget budget(DocumentNode node) {
      Map<String, DocumentNode> fields = node.fields(BUDGET_KEYS);
      BigDecimal epsilon = node.required(fields, "epsilon").epsilon();
      BigDecimal delta =
          DocumentNode.optional(fields, "delta").map(DocumentNode::delta).orElse(BigDecimal.ZERO);
      Policy.Composition composition =
          DocumentNode.optional(fields, "composition")
              .map(BudgetReader::composition)
              .orElse(Policy.Composition.BASIC);
      if (composition != Policy.Composition.BASIC && delta.signum() == 0) {
        throw node.error(
            "composition "
                + composition.name().toLowerCase(Locale.ROOT)
                + " needs a delta above 0 in the budget");
      }
      return new Policy.Budget(
          epsilon,
          delta,
          composition,
          DocumentNode.optional(fields, "window").map(BudgetReader::window));
    }

    private static Policy.Composition composition(DocumentNode node) {
      Policy.Composition[] all = Policy.Composition.values();
      List<String> words = Arrays.stream(all).map(c -> c.name().toLowerCase(Locale.ROOT)).toList();
      return all[node.word(words)];
    }

    /**
     * A window makes the guarantee weaker, so the owner has to write what it means: {@code {days:
     * 30, guarantee: per-window}} or {@code {calendar: month, guarantee: per-window}}.
     */
    private static BudgetWindow window(DocumentNode node) {
      Map<String, DocumentNode> fields = node.fields(Set.of("days", "calendar", "guarantee"));
      node.required(fields, "guarantee").word(List.of("per-window"));
      Optional<DocumentNode> calendar = DocumentNode.optional(fields, "calendar");
      if (calendar.isPresent()) {
        calendar.get().word(List.of("month"));
        if (DocumentNode.optional(fields, "days").isPresent()) {
          throw node.error("is either so many days or of the calendar, not both");
        }
        return new BudgetWindow.CalendarMonth();
      }
      DocumentNode days = node.required(fields, "days");
      BigInteger count = days.count();
      if (count.signum() == 0 || count.compareTo(LONGEST_DAYS) > 0) {
        throw days.error("must lie between 1 and " + LONGEST_DAYS + ". Provided value: " + count);
      }
      return BudgetWindow.days(count.intValueExact());
    }

    static Policy.Accounts accounts(Optional<DocumentNode> analysts, Optional<DocumentNode> roles) {
      Map<String, Policy.Budget> limits = new LinkedHashMap<>();
      roles.ifPresent(
          node ->
              node.entries()
                  .forEach(
                      (name, role) ->
                          limits.put(
                              name,
                              budget(role.required(role.fields(Set.of("budget")), "budget")))));
      Map<String, Policy.Analyst> people = new LinkedHashMap<>();
      analysts.ifPresent(
          node ->
              node.entries().forEach((name, entry) -> people.put(name, analyst(entry, limits))));
      return new Policy.Accounts(people, limits);
    }

    private static Policy.Analyst analyst(DocumentNode node, Map<String, Policy.Budget> roles) {
      Map<String, DocumentNode> fields = node.fields(Set.of("roles", "budget"));
      Set<String> names =
          DocumentNode.optional(fields, "roles").map(DocumentNode::names).orElse(Set.of());
      for (String name : names) {
        if (!roles.containsKey(name)) {
          throw fields
              .get("roles")
              .error("the policy has no role '" + name + "' under privacy.roles");
        }
      }
      return new Policy.Analyst(
          names, DocumentNode.optional(fields, "budget").map(BudgetReader::budget));
    }
  }

  /** Reads after how many failures an analyst is stopped: {@code {atMost: 3, window: 24h}}. */
  private static final class FailuresReader {
    private static final Pattern SPAN = Pattern.compile("([1-9][0-9]{0,5})(m|h|d)");
    private static final BigInteger MOST = BigInteger.valueOf(1000);

    private FailuresReader() {}

    static Policy.Failures failures(DocumentNode node) {
      Map<String, DocumentNode> fields = node.fields(Set.of("atMost", "window"));
      return new Policy.Failures(
          DocumentNode.optional(fields, "atMost")
              .map(FailuresReader::atMost)
              .orElse(Policy.Failures.USUAL.atMost()),
          DocumentNode.optional(fields, "window")
              .map(FailuresReader::span)
              .orElse(Policy.Failures.USUAL.window()));
    }

    private static int atMost(DocumentNode node) {
      BigInteger count = node.count();
      if (count.signum() == 0 || count.compareTo(MOST) > 0) {
        throw node.error("must lie between 1 and " + MOST + ". Provided value: " + count);
      }
      return count.intValueExact();
    }

    private static Duration span(DocumentNode node) {
      Matcher parts = SPAN.matcher(node.text());
      if (!parts.matches()) {
        throw node.error("must be written as in 30m, 24h or 7d. Provided value: " + node.text());
      }
      long count = Long.parseLong(parts.group(1));
      return switch (parts.group(2)) {
        case "m" -> Duration.ofMinutes(count);
        case "h" -> Duration.ofHours(count);
        default -> Duration.ofDays(count);
      };
    }
  }

  /**
   * Reads which programs may run: {@code slope: {sha256: 3f…, instructions: 1000000, memory: 16}},
   * or the digest alone.
   */
  private static final class ProgramsReader {
    private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
    private static final BigInteger MOST_INSTRUCTIONS = BigInteger.TEN.pow(10);
    private static final BigInteger MOST_MEGABYTES = BigInteger.valueOf(256);

    private ProgramsReader() {}

    static Map<String, RegisteredProgram> programs(DocumentNode node) {
      Map<String, RegisteredProgram> programs = new LinkedHashMap<>();
      Set<String> seen = new HashSet<>();
      node.entries()
          .forEach(
              (name, child) -> {
                RegisteredProgram program = program(child);
                if (!seen.add(program.digest())) {
                  throw child.error("this program is registered under another name");
                }
                programs.put(name, program);
              });
      return Collections.unmodifiableMap(programs);
    }

    private static RegisteredProgram program(DocumentNode node) {
      if (!node.isMap()) {
        return RegisteredProgram.of(digest(node));
      }
      Map<String, DocumentNode> fields = node.fields(Set.of("sha256", "instructions", "memory"));
      return new RegisteredProgram(
          digest(node.required(fields, "sha256")),
          DocumentNode.optional(fields, "instructions")
              .map(n -> within(n, MOST_INSTRUCTIONS).longValueExact())
              .orElse(RegisteredProgram.USUAL_INSTRUCTIONS),
          DocumentNode.optional(fields, "memory")
              .map(n -> within(n, MOST_MEGABYTES).intValueExact())
              .orElse(RegisteredProgram.USUAL_MEGABYTES));
    }

    private static String digest(DocumentNode node) {
      String digest = node.text();
      if (!DIGEST.matcher(digest).matches()) {
        throw node.error(
            "must be a SHA-256 in 64 small hexadecimal digits",
            "Write what flexdp program FILE --check prints.");
      }
      return digest;
    }

    private static BigInteger within(DocumentNode node, BigInteger most) {
      BigInteger count = node.count();
      if (count.signum() == 0 || count.compareTo(most) > 0) {
        throw node.error("must lie between 1 and " + most + ". Provided value: " + count);
      }
      return count;
    }
  }
}
