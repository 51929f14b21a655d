package flexdp.gateway.render;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import java.util.stream.Stream;

/**
 * A database that has too little memory to sort by many texts fails as soon as there is a row to
 * sort: what it cannot do is refused before.
 */
final class SortedTexts {
  private SortedTexts() {}

  /**
   * @param keys what rows are sorted or grouped by together
   */
  static void check(TargetDialect dialect, Stream<Type> keys) {
    int most = dialect.mostTextKeys();
    if (keys.filter(SortedTexts::isText).count() > most) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The database sorts and groups by at most " + most + " texts at once.",
          "Group or order by fewer texts.");
    }
  }

  private static boolean isText(Type type) {
    return type.kind() == Type.Kind.VARCHAR || type.kind() == Type.Kind.OPAQUE;
  }
}
