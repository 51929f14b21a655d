package flexdp.gateway.hostile;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/** Which columns a pair of neighbours has: few, and such that they meet. */
enum Theme {
  NUMBERS,
  DAYS,
  ALL;

  private static final int MOST = 6;

  private boolean has(Family family) {
    return switch (this) {
      case NUMBERS -> family.isNumber();
      case DAYS -> family.isDay() || family == Family.TIME || family == Family.OPAQUE;
      case ALL -> true;
    };
  }

  /** Some columns of a random theme, and always the one by which a victim is known. */
  static List<HostileColumn> columns(Random random, List<HostileColumn> all) {
    return columns(random, all, values()[random.nextInt(values().length)]);
  }

  /** Columns of one theme. */
  static List<HostileColumn> columns(Random random, List<HostileColumn> all, Theme theme) {
    List<HostileColumn> shuffled = new ArrayList<>(all);
    Collections.shuffle(shuffled, random);
    List<HostileColumn> some = new ArrayList<>();
    for (HostileColumn column : shuffled) {
      boolean known = column.name().equals("name");
      if (known || some.size() < MOST - 1 && theme.has(column.family())) {
        some.add(column);
      }
    }
    return some;
  }
}
