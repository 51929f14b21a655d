package flexdp.budget;

import flexdp.policy.OwnerPath;
import flexdp.policy.PersonKind;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whom a charge protects, in words that a ledger keeps: a row, or people, each kind and each table
 * that they own under a name of its own. What a charge is worth to somebody depends on which rows
 * were hers, so none of these may change afterwards; others may come. Tables whose rows stand for
 * themselves are named, too: those have nothing to do with people, and nothing is asked of them.
 */
public final class PrivacyUnitKey {
  /** Each row stands for itself. */
  public static final String ROW = "row";

  private static final String PEOPLE = "people";
  private static final String ALONE = "row:";
  private static final String OWNED = "of:";
  private static final int BYTES = 8;

  private PrivacyUnitKey() {}

  static String of(Policy policy) {
    if (policy.people().isEmpty()) {
      return ROW;
    }
    Set<String> names = new TreeSet<>();
    policy.people().values().forEach(kind -> names.add(name(kind)));
    policy.tables().values().stream()
        .filter(Table::isProtected)
        .forEach(
            table -> {
              names.add(name(table));
              if (!table.ownership().owners().isEmpty()) {
                names.add(owned(table));
              }
            });
    return PEOPLE + " " + String.join(" ", names);
  }

  private static String name(PersonKind kind) {
    return name("kind", kind.name(), kind.type(), kind.nobody());
  }

  private static String name(Table table) {
    return table.ownership().owners().isEmpty()
        ? ALONE + name("row", table.name())
        : name(
            "table",
            table.name(),
            new TreeSet<>(table.ownership().owners().stream().map(OwnerPath::recorded).toList()),
            table.ownership().keepsUnowned());
  }

  /** However it is spelt: that a table is owned is remembered even when a policy left it out. */
  private static String owned(Table table) {
    String name = table.name().toLowerCase(Locale.ROOT);
    return OWNED + name("owned", name.substring(name.lastIndexOf('.') + 1));
  }

  /** Whether charges were made while people owned rows of this table, whoever it was. */
  public static boolean wasOwned(String before, Table table) {
    Set<String> names = names(before);
    return names.contains(owned(table)) || names.stream().noneMatch(n -> n.startsWith(OWNED));
  }

  /** Whether charges were made while the rows of this table were whose they are now. */
  public static boolean knows(String before, Table table) {
    return names(before).contains(name(table));
  }

  private static Set<String> names(String whose) {
    return Set.copyOf(Arrays.asList(whose.split(" ")));
  }

  /** Whether everything that charges were made for is still so. */
  public static boolean isKept(String before, String now) {
    Set<String> kept = names(now);
    return names(before).stream()
        .allMatch(name -> name.startsWith(ALONE) || name.startsWith(OWNED) || kept.contains(name));
  }

  private static String name(Object... parts) {
    StringBuilder text = new StringBuilder();
    for (Object part : parts) {
      String one = part.toString();
      text.append(one.length()).append(':').append(one);
    }
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256")
              .digest(text.toString().getBytes(StandardCharsets.UTF_8));
      return HexFormat.of().formatHex(hash, 0, BYTES);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
