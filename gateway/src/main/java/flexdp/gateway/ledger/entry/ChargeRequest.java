package flexdp.gateway.ledger.entry;

import flexdp.budget.Account;
import flexdp.budget.ChargedPartitions;
import flexdp.budget.Cost;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/**
 * A question that asks for budget.
 *
 * @param roles of the analyst
 * @param query normalised text, for the record
 * @param tables protected tables that are charged, and kinds of people as "people:NAME"; none for a
 *     repeat, which costs its analyst only
 * @param mechanism its name in the contract
 * @param snapshot the state of the data that the answer describes
 * @param meanings what is measured, each as a hash that all wordings of it share; none for what is
 *     not put to the database
 * @param parts by table, the parts of it that are charged; one that is missing is charged as a
 *     whole
 */
public record ChargeRequest(
    String analyst,
    Set<String> roles,
    String query,
    Set<String> tables,
    String mechanism,
    Cost cost,
    String snapshot,
    Set<String> meanings,
    Map<String, ChargedPartitions> parts) {
  /** The mechanism of a charge that stays open, and counts, until its watch is closed. */
  public static final String WATCH = "watch";

  private static final String PEOPLE = "people:";

  public ChargeRequest {
    roles = Set.copyOf(roles);
    tables = Set.copyOf(tables);
    meanings = Set.copyOf(meanings);
    parts = Map.copyOf(parts);
    if (!tables.containsAll(parts.keySet())) {
      throw new IllegalArgumentException("parts of a table that is not charged");
    }
  }

  /** Of all rows of its tables. */
  public ChargeRequest(
      String analyst,
      Set<String> roles,
      String query,
      Set<String> tables,
      String mechanism,
      Cost cost,
      String snapshot,
      Set<String> meanings) {
    this(analyst, roles, query, tables, mechanism, cost, snapshot, meanings, Map.of());
  }

  /** Of something that is not put to the database as a question. */
  public ChargeRequest(
      String analyst,
      Set<String> roles,
      String query,
      Set<String> tables,
      String mechanism,
      Cost cost,
      String snapshot) {
    this(analyst, roles, query, tables, mechanism, cost, snapshot, Set.of());
  }

  /** This request, with what it measures. */
  public ChargeRequest measuring(Set<String> hashes) {
    return new ChargeRequest(
        analyst, roles, query, tables, mechanism, cost, snapshot, hashes, parts);
  }

  /** This request, charged to parts of its tables. */
  public ChargeRequest reading(Map<String, ChargedPartitions> some) {
    return new ChargeRequest(
        analyst, roles, query, tables, mechanism, cost, snapshot, meanings, some);
  }

  /** This request, with its tables by other names. Two that get one name are charged together. */
  public ChargeRequest charging(UnaryOperator<String> name) {
    Set<String> names = new HashSet<>();
    Map<String, ChargedPartitions> named = new HashMap<>();
    Set<String> whole = new HashSet<>();
    for (String table : tables) {
      String other = name.apply(table);
      ChargedPartitions own = parts.get(table);
      Optional<ChargedPartitions> both =
          names.add(other)
              ? Optional.ofNullable(own)
              : Optional.ofNullable(named.get(other))
                  .flatMap(p -> Optional.ofNullable(own).flatMap(p::and));
      both.ifPresentOrElse(p -> named.put(other, p), () -> whole.add(other));
    }
    named.keySet().removeAll(whole);
    return new ChargeRequest(
        analyst, roles, query, names, mechanism, cost, snapshot, meanings, named);
  }

  /** The parts of a table that are charged; nothing where all of it is. */
  public Optional<ChargedPartitions> parts(Account account) {
    return account instanceof Account.Table table
        ? Optional.ofNullable(parts.get(table.name()))
        : Optional.empty();
  }

  /** Whether it pays for a watch. */
  public boolean isWatch() {
    return mechanism.equals(WATCH);
  }

  /** Whether a name among the tables is that of a kind of people, which has no other names. */
  public static boolean isPeople(String name) {
    return name.startsWith(PEOPLE);
  }

  /** A kind of people among the tables. */
  public static String people(String kind) {
    return PEOPLE + kind;
  }

  public static Account account(String name) {
    return isPeople(name)
        ? new Account.People(name.substring(PEOPLE.length()))
        : new Account.Table(name);
  }

  /** Every account that pays, tables first. */
  public List<Account> accounts() {
    List<Account> all = new ArrayList<>();
    tables.stream().sorted().forEach(t -> all.add(account(t)));
    roles.stream().sorted().forEach(r -> all.add(new Account.Role(r)));
    all.add(new Account.Analyst(analyst));
    return all;
  }

  /**
   * What the loss of a charge means.
   *
   * @param neighbors which databases were not to be told apart
   * @param composition by which the tables' charges were added up
   * @param unit what neighbours differ by: a row, or people; see {@link
   *     flexdp.budget.PrivacyUnitKey}
   */
  public record PrivacyBasis(Neighbors neighbors, Policy.Composition composition, String unit) {
    /** What the terms of a policy are stated in. */
    public static final String ROW = "row";

    /** How entries spell a choice. */
    public static String word(Enum<?> value) {
      return value.name().toLowerCase(Locale.ROOT);
    }
  }
}
