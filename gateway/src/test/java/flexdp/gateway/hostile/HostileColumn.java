package flexdp.gateway.hostile;

import java.util.List;
import java.util.function.IntFunction;

/**
 * A column and what is put into it, as SQL of its database.
 *
 * @param physical its type in CREATE TABLE
 * @param declared its entry in the policy
 * @param values values at the ends of the type and beyond what others take for its ends
 * @param twins values that are equal in one sense and different in another
 * @param crowds each as many different values as wanted, so close together or so far out that
 *     conversions merge them; the first value of the first is what those of other columns become
 */
record HostileColumn(
    String name,
    Family family,
    String physical,
    String declared,
    List<String> values,
    List<String> twins,
    List<IntFunction<String>> crowds) {
  HostileColumn {
    values = List.copyOf(values);
    twins = List.copyOf(twins);
    crowds = List.copyOf(crowds);
  }
}
