package flexdp.server.catalogue;

import java.util.Set;

/** PostgreSQL's functions as the catalogue has them. */
final class Macros {
  private Macros() {}

  static Set<String> names() {
    return Set.of();
  }
}
