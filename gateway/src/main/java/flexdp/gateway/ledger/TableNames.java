package flexdp.gateway.ledger;

import flexdp.gateway.catalog.TableIdentities.TableIdentity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;
import java.util.stream.Collectors;

/**
 * Which account a table's charges belong to: a fold over what policies called which table.
 *
 * <p>Charges name a table as its database does. Where no database has been asked yet, and in
 * entries of the first format, they name it by the policy's word; such a word becomes another name
 * of the table as soon as a database says which one it is.
 */
public final class TableNames {
  /** Two accounts become the second one. */
  interface Merge {
    void merge(String from, String into);
  }

  private final Map<String, String> others = new HashMap<>();
  private final Map<String, String> marks = new HashMap<>();
  private final Set<String> identities = new HashSet<>();

  /** By mark, the name that the table had when it was bound last. */
  private final Map<String, String> latest = new HashMap<>();

  /** By word, the latest last. */
  private final Map<String, String> words = new LinkedHashMap<>();

  /** The account of a name that stands in an entry. */
  String account(String name) {
    String at = name;
    if (others.isEmpty()) {
      return at;
    }
    for (String next = others.get(at); next != null; next = others.get(at)) {
      at = next;
    }
    return at;
  }

  /** Whether a database has said that it is this table's name. */
  boolean isKnown(String name) {
    return identities.contains(name);
  }

  /** The account of a table, if the ledger has met it under this name or before a renaming. */
  Optional<String> account(TableIdentity table) {
    if (identities.contains(table.name())) {
      return Optional.of(account(table.name()));
    }
    return marked(table);
  }

  /**
   * Whether a table that is to be public was protected under another name, or reads one that was. A
   * table that the policy makes public by the name that it was protected under is meant to be.
   */
  boolean hides(TableIdentity open) {
    Optional<String> own = marked(open);
    return (own.isPresent() && !open.name().equals(latest.get(open.mark())))
        || open.parts().stream()
            .map(this::marked)
            .anyMatch(account -> account.isPresent() && !account.equals(own));
  }

  private Optional<String> marked(TableIdentity table) {
    return Optional.ofNullable(table.mark().isEmpty() ? null : marks.get(table.mark()))
        .map(this::account);
  }

  /** Whether binding this would add anything. */
  boolean says(String word, TableIdentity table) {
    return table.name().equals(words.get(word))
        && (others.containsKey(word) || identities.contains(word))
        && isOf(table.name(), table)
        && table.parts().stream().allMatch(part -> isOf(table.name(), part));
  }

  /** Whether a table, or a partition of it, is known by its name and its mark as that of one. */
  private boolean isOf(String whole, TableIdentity table) {
    String account = account(whole);
    return identities.contains(table.name())
        && account(table.name()).equals(account)
        && (table.mark().isEmpty()
            || marks.containsKey(table.mark()) && account(marks.get(table.mark())).equals(account));
  }

  /** A policy's word is this table. */
  void bind(String word, TableIdentity table, Merge merge) {
    Optional<String> before = account(table);
    if (identities.add(table.name()) && before.isPresent()) {
      others.put(table.name(), before.get()); // it was renamed
    }
    if (!table.mark().isEmpty()) {
      latest.put(table.mark(), table.name());
      String marked = marks.putIfAbsent(table.mark(), table.name());
      if (marked != null) {
        // Renamed to a name that had an account of its own: both go on as one.
        unite(marked, table.name(), merge);
      }
    }
    if (!identities.contains(word) && !others.containsKey(word)) {
      unite(word, table.name(), merge);
    }
    for (TableIdentity part : table.parts()) {
      // What was attached has paid, and what will be detached goes on with what all have paid.
      identities.add(part.name());
      unite(part.name(), table.name(), merge);
      if (!part.mark().isEmpty()) {
        latest.put(part.mark(), part.name());
        String marked = marks.putIfAbsent(part.mark(), part.name());
        if (marked != null) {
          unite(marked, table.name(), merge);
        }
      }
    }
    words.remove(word);
    words.put(word, table.name());
  }

  /** Both names are one account from here on. */
  void unite(String one, String other, Merge merge) {
    String from = account(one);
    String into = account(other);
    if (!from.equals(into)) {
      others.put(from, into);
      merge.merge(from, into);
    }
  }

  /** What a word was bound to last; the word itself where no database was asked about it. */
  String bound(String word) {
    return words.getOrDefault(word, word);
  }

  /**
   * The account that a policy seems to mean by a word that is not bound: to show it, and not to
   * charge or grant anything, since without the database this is a guess.
   */
  Optional<String> likely(String word) {
    Set<String> found =
        words.entrySet().stream()
            .filter(e -> isLike(word, e.getKey()) || isLike(word, plain(e.getValue())))
            .map(e -> account(e.getValue()))
            .collect(Collectors.toSet());
    return found.size() == 1 ? Optional.of(found.iterator().next()) : Optional.empty();
  }

  static boolean isLike(String word, String name) {
    return word.equalsIgnoreCase(name)
        || word.equalsIgnoreCase(name.substring(name.lastIndexOf('.') + 1));
  }

  private static String plain(String identity) {
    return identity.replace("\"", "");
  }

  /** How people call an account: the latest word, or its name. */
  String called(String account, Map<String, String> own) {
    BinaryOperator<String> later = (one, other) -> other;
    return own.entrySet().stream()
        .filter(e -> account(e.getValue()).equals(account))
        .map(Map.Entry::getKey)
        .reduce(later)
        .or(
            () ->
                words.entrySet().stream()
                    .filter(e -> account(e.getValue()).equals(account))
                    .map(Map.Entry::getKey)
                    .reduce(later))
        .orElse(account);
  }

  /** Every name that an account has had. */
  List<String> names(String account) {
    List<String> all = new ArrayList<>(List.of(account));
    others.keySet().stream().filter(n -> account(n).equals(account)).sorted().forEach(all::add);
    return all;
  }
}
