package flexdp.gateway.ledger.entry;

import flexdp.budget.Account;
import flexdp.budget.Cost;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

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
 */
public record Request(
    String analyst,
    Set<String> roles,
    String query,
    Set<String> tables,
    String mechanism,
    Cost cost,
    String snapshot,
    Set<String> meanings) {
  /** The mechanism of a charge that stays open, and counts, until its watch is closed. */
  public static final String WATCH = "watch";

  private static final String PEOPLE = "people:";

  public Request {
    roles = Set.copyOf(roles);
    tables = Set.copyOf(tables);
    meanings = Set.copyOf(meanings);
  }

  /** Of something that is not put to the database as a question. */
  public Request(
      String analyst,
      Set<String> roles,
      String query,
      Set<String> tables,
      String mechanism,
      Cost cost,
      String snapshot) {
    this(analyst, roles, query, tables, mechanism, cost, snapshot, Set.of());
  }

  /** The same, with what it measures. */
  public Request measuring(Set<String> hashes) {
    return new Request(analyst, roles, query, tables, mechanism, cost, snapshot, hashes);
  }

  /** The same, its tables by other names. */
  public Request charging(Set<String> names) {
    return new Request(analyst, roles, query, names, mechanism, cost, snapshot, meanings);
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
}
