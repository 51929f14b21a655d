package flexdp.server.pgcatalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The settings of the connection that a statement comes from, and what it sets. */
final class ConnectionSettings {
  private final Map<String, String> values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  private final List<Map.Entry<String, String>> set = new ArrayList<>();

  private final boolean described;

  /**
   * @param described whether only the columns are asked for: parameters have no values then
   */
  ConnectionSettings(Map<String, String> values, boolean described) {
    this.values.putAll(values);
    this.described = described;
  }

  boolean isDescribed() {
    return described;
  }

  Optional<String> value(String name) {
    return name.chars().allMatch(c -> c < 128)
        ? Optional.ofNullable(values.get(name))
        : Optional.empty();
  }

  void set(String name, String value) {
    values.put(name, value);
    set.add(Map.entry(name, value));
  }

  /** What it sets, in order. */
  List<Map.Entry<String, String>> set() {
    return List.copyOf(set);
  }
}
