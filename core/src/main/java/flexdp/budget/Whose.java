package flexdp.budget;

import flexdp.policy.Kind;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Set;
import java.util.TreeSet;

/**
 * Whom a charge protects, in words that a ledger keeps: a row, or people, each kind and each table
 * that they own under a name of its own. What a charge is worth to somebody depends on which rows
 * were hers, so none of these may change afterwards; others may come.
 */
public final class Whose {
  /** Each row stands for itself. */
  public static final String ROW = "row";

  private static final String PEOPLE = "people";
  private static final int BYTES = 8;

  private Whose() {}

  static String of(Policy policy) {
    if (policy.people().isEmpty()) {
      return ROW;
    }
    Set<String> names = new TreeSet<>();
    for (Kind kind : policy.people().values()) {
      names.add(name("kind", kind.name(), kind.type(), kind.nobody()));
    }
    for (Table table : policy.tables().values()) {
      if (!table.ownership().owners().isEmpty()) {
        names.add(
            name(
                "table",
                table.name(),
                new TreeSet<>(table.ownership().owners().stream().map(Object::toString).toList()),
                table.ownership().keepsUnowned()));
      }
    }
    return PEOPLE + " " + String.join(" ", names);
  }

  /** Whether everything that charges were made for is still so. */
  public static boolean isKept(String before, String now) {
    return Set.copyOf(Arrays.asList(now.split(" ")))
        .containsAll(Set.copyOf(Arrays.asList(before.split(" "))));
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
