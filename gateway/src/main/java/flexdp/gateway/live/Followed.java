package flexdp.gateway.live;

import flexdp.gateway.catalog.Definitions;
import flexdp.gateway.catalog.Identities;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.TableIdentity;
import flexdp.gateway.catalog.Vendor;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Sees to it that a question is charged to the tables that it reads. Two tables may have swapped
 * their names since the database was opened, or one have become a partition of another: then
 * whoever keeps the accounts is told before anything is charged, and refuses a public word that
 * leads to protected rows. Nothing is asked while the definitions are as they were.
 */
final class Followed {
  /**
   * Which table a word was when its definition had these marks.
   *
   * @param table empty if it is public
   */
  private record Seen(List<String> marks, Optional<TableIdentity> table) {}

  private final Vendor vendor;
  private final Consumer<Identities> accounts;
  private final Map<String, Seen> seen = new ConcurrentHashMap<>();
  private volatile Identities known;

  Followed(Vendor vendor, Identities known, Consumer<Identities> accounts) {
    this.vendor = vendor;
    this.known = known;
    this.accounts = accounts;
  }

  /**
   * The protected tables among these, as they are in the state that is read.
   *
   * @param marks see {@link Definitions#marks}
   * @param news takes what has to be told to whoever keeps the accounts, once nothing is held; then
   *     one has to look again
   */
  Map<String, TableIdentity> look(
      Set<String> words,
      Map<Definitions.Name, List<String>> marks,
      Statements statements,
      List<Runnable> news)
      throws SQLException {
    Map<String, TableIdentity> tables = new TreeMap<>();
    Set<String> other = new TreeSet<>();
    for (String word : words) {
      Optional<Definitions.Name> name = known.physical(word).map(Definitions.Name::of);
      if (name.isPresent() && marks.containsKey(name.get())) {
        List<String> now = marks.get(name.get());
        Seen before = seen.get(word);
        if (before != null && before.marks().equals(now)) {
          before.table().ifPresent(table -> tables.put(word, table));
        } else {
          other.add(word);
        }
      }
    }
    if (!other.isEmpty()) {
      tables.putAll(again(other, marks, statements, news));
    }
    return tables;
  }

  private Map<String, TableIdentity> again(
      Set<String> words,
      Map<Definitions.Name, List<String>> marks,
      Statements statements,
      List<Runnable> news)
      throws SQLException {
    Identities before = known;
    Optional<Identities> moved = before.moved(vendor, statements, words, marks);
    if (moved.isPresent()) {
      news.add(() -> tell(moved.get()));
      return Map.of();
    }
    Map<String, TableIdentity> tables = new TreeMap<>();
    for (String word : words) {
      Optional<TableIdentity> table = Optional.ofNullable(before.named().get(word));
      table.ifPresent(t -> tables.put(word, t));
      List<String> of = marks.get(Definitions.Name.of(before.physical(word).orElseThrow()));
      seen.put(word, new Seen(of, table));
    }
    return tables;
  }

  private synchronized void tell(Identities moved) {
    accounts.accept(moved);
    known = moved;
  }
}
