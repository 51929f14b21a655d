package flexdp.gateway.duckdb;

import java.util.List;
import java.util.Random;

/** Window functions over q(k, c, s, f, g, d), where k tells rows apart. */
final class RandomWindows {
  private static final List<String> KEYS = List.of("c", "s", "f", "g", "d", "k", "c + k", "-s");
  private static final List<String> AGGREGATES =
      List.of("SUM", "AVG", "MIN", "MAX", "COUNT", "VAR_POP", "STDDEV_SAMP");

  private final Random random;

  private RandomWindows(Random random) {
    this.random = random;
  }

  static String call(Random random) {
    return new RandomWindows(random).call();
  }

  private <T> T pick(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String call() {
    return switch (random.nextInt(10)) {
      case 0 -> pick(List.of("RANK()", "DENSE_RANK()", "PERCENT_RANK()", "CUME_DIST()")) + ties();
      case 1 -> "ROW_NUMBER()" + over(total(), "");
      case 2 -> "NTILE(" + (1 + random.nextInt(6)) + ")" + over(total(), "");
      case 3, 4 -> moved() + over(total(), "");
      case 5 -> aggregate() + ties();
      case 6 -> aggregate() + over("", "");
      case 7 -> aggregate() + range();
      case 8 -> nth() + over(total(), rows());
      default -> aggregate() + over(total(), rows());
    };
  }

  private String aggregate() {
    String kind = pick(AGGREGATES);
    String argument =
        switch (kind) {
          case "MIN", "MAX" -> pick(List.of("c", "s", "g", "d", "f"));
          case "COUNT" -> pick(List.of("*", "c", "g", "s"));
          default -> pick(List.of("c", "s", "f"));
        };
    String filter = random.nextInt(5) == 0 ? " FILTER (WHERE k > 5)" : "";
    return kind + "(" + argument + ")" + filter;
  }

  private String moved() {
    String otherwise = random.nextBoolean() ? "" : ", " + pick(List.of("k", "-1", "0"));
    String distance = random.nextInt(3) == 0 ? "" : ", " + random.nextInt(4) + otherwise;
    return pick(List.of("LAG", "LEAD")) + "(" + pick(List.of("c", "s", "f")) + distance + ")";
  }

  private String nth() {
    String value = pick(List.of("c", "g", "d", "s"));
    return switch (random.nextInt(3)) {
      case 0 -> "FIRST_VALUE(" + value + ")";
      case 1 -> "LAST_VALUE(" + value + ")";
      default -> "NTH_VALUE(" + value + ", " + (1 + random.nextInt(4)) + ")";
    };
  }

  private String ties() {
    return over(key(), "");
  }

  private String key() {
    return pick(KEYS) + direction();
  }

  private String direction() {
    return pick(List.of(" ASC", " DESC")) + pick(List.of(" NULLS FIRST", " NULLS LAST"));
  }

  private String total() {
    return key() + ", k" + pick(List.of("", " DESC"));
  }

  private String over(String order, String frame) {
    String partition =
        switch (random.nextInt(4)) {
          case 0 -> "PARTITION BY g";
          case 1 -> "PARTITION BY c, g";
          case 2 -> "PARTITION BY k % 3";
          default -> "";
        };
    return " OVER ("
        + partition
        + (order.isEmpty() ? "" : " ORDER BY " + order)
        + (frame.isEmpty() ? "" : " " + frame)
        + ")";
  }

  private String rows() {
    return "ROWS " + ends(List.of("0", "1", "2", "5", "100"));
  }

  private String ends(List<String> distances) {
    String before = pick(distances) + " PRECEDING";
    String after = pick(distances) + " FOLLOWING";
    return switch (random.nextInt(8)) {
      case 0 -> before;
      case 1 -> "UNBOUNDED PRECEDING";
      case 2 -> "BETWEEN " + before + " AND " + after;
      case 3 -> "BETWEEN " + before + " AND " + pick(distances) + " PRECEDING";
      case 4 -> "BETWEEN " + after + " AND " + pick(distances) + " FOLLOWING";
      case 5 -> "BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING";
      case 6 -> "BETWEEN UNBOUNDED PRECEDING AND " + before;
      default -> "BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING";
    };
  }

  private String range() {
    if (random.nextBoolean()) {
      List<String> days = List.of("INTERVAL '1' DAY", "INTERVAL '3' DAY", "INTERVAL '1' MONTH");
      return over("d" + direction(), "RANGE " + ends(days));
    }
    String key = pick(List.of("c", "s", "f", "k"));
    return over(key + direction(), "RANGE " + ends(List.of("0", "1", "2", "50")));
  }
}
