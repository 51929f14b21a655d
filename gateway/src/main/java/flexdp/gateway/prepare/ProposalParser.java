package flexdp.gateway.prepare;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.ColumnNames;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.TableMetrics;
import flexdp.plan.ProposedMetrics;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Reads what is proposed: {@code trips.driver_id=300, trips.(driver_id, city_id)=9,
 * rows(trips)=5000}. A guess holds with NULL counting as a value too.
 */
final class ProposalParser {
  private static final int LONGEST = 10_000;
  private static final Pattern ONE =
      Pattern.compile("\\s*([^=]{1,1000}?)\\s*=\\s*(\\d{1,18})\\s*(?:,|$)");
  private static final Pattern ROWS = Pattern.compile("rows\\((.+)\\)");

  private final Policy policy;
  private final Map<String, BigInteger> rows = new LinkedHashMap<>();
  private final Map<String, Map<Set<String>, MaxFrequency>> frequencies = new LinkedHashMap<>();

  private ProposalParser(Policy policy) {
    this.policy = policy;
  }

  /**
   * @throws ConfigurationError when the text cannot be read, or names what the policy lacks
   */
  static ProposedMetrics read(String text, Policy policy) {
    ProposalParser guesses = new ProposalParser(policy);
    Matcher matcher = ONE.matcher(text);
    int at = 0;
    if (text.length() > LONGEST) {
      throw error("is too long");
    }
    while (at < text.length()) {
      if (!matcher.find(at) || matcher.start() != at) {
        throw error("cannot be read");
      }
      guesses.add(matcher.group(1), new BigInteger(matcher.group(2)));
      at = matcher.end();
    }
    if (guesses.rows.isEmpty() && guesses.frequencies.isEmpty()) {
      throw error("is empty");
    }
    return guesses.proposal();
  }

  private void add(String name, BigInteger guess) {
    Matcher counted = ROWS.matcher(name);
    if (counted.matches()) {
      String table = counted.group(1).replace("\"", "").strip();
      if (rows.put(protectedTable(table).name(), guess) != null) {
        throw error("has two numbers for " + name);
      }
      return;
    }
    List<ColumnNames> named = ColumnNames.parse(name, policy);
    if (named.size() != 1) {
      throw error("needs one number for each column or set of columns: " + name);
    }
    Optional<BigInteger> value = Optional.of(guess);
    MaxFrequency before =
        frequencies
            .computeIfAbsent(
                protectedTable(named.getFirst().table()).name(), t -> new LinkedHashMap<>())
            .put(named.getFirst().columns(), new MaxFrequency(value, value));
    if (before != null) {
      throw error("has two numbers for " + name);
    }
  }

  private Table protectedTable(String name) {
    Table table =
        policy
            .table(name)
            .orElseThrow(() -> error("names a table that the policy lacks: '" + name + "'"));
    if (table.isPublic()) {
      throw error("names the table '" + name + "', which is public and needs no guess");
    }
    return table;
  }

  private ProposedMetrics proposal() {
    Map<String, TableMetrics> tables = new LinkedHashMap<>();
    for (Table table : policy.tables().values()) {
      String name = table.name();
      if (rows.containsKey(name) || frequencies.containsKey(name)) {
        tables.put(
            name,
            new TableMetrics(
                Optional.ofNullable(rows.get(name)),
                frequencies.getOrDefault(name, Map.of()),
                table.ownership().rowsPerPerson()));
      }
    }
    return new ProposedMetrics(tables);
  }

  private static ConfigurationError error(String what) {
    return ConfigurationError.of(
        Code.BAD_REQUEST,
        "the proposal " + what,
        "Write table.column=N, table.(column, column)=N or rows(table)=N, separated by commas.");
  }
}
