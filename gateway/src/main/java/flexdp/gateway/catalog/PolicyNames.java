package flexdp.gateway.catalog;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Finding what a policy names: exactly as written, or else by the only name that differs in case.
 */
final class PolicyNames {
  private PolicyNames() {}

  static <T> Optional<T> find(List<T> among, Function<T, String> name, String wanted) {
    Optional<T> exact = among.stream().filter(t -> name.apply(t).equals(wanted)).findFirst();
    if (exact.isPresent()) {
      return exact;
    }
    List<T> folded = among.stream().filter(t -> name.apply(t).equalsIgnoreCase(wanted)).toList();
    return folded.size() == 1 ? Optional.of(folded.getFirst()) : Optional.empty();
  }
}
