package flexdp.gateway.collect;

import flexdp.metrics.Profile;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;

/** A profile of people as the maps and lists that files hold. */
final class ProfileTree {
  private ProfileTree() {}

  static Map<String, Object> of(Profile profile, Instant at) {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("table", profile.table());
    profile.column().ifPresent(column -> tree.put("column", column));
    tree.put("kind", profile.kind());
    tree.put("upTo", profile.upTo());
    tree.put("people", profile.people());
    tree.put("scale", profile.scale());
    tree.put("epsilon", profile.epsilon());
    tree.put("releasedAt", at.toString());
    return tree;
  }

  /** What it is of. */
  static String name(Object tree) {
    return tree instanceof Map<?, ?> map ? map.get("table") + "\n" + map.get("column") : "";
  }
}
