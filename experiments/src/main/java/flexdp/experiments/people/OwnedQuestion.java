package flexdp.experiments.people;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A question about people, as the literature asks it.
 *
 * @param name of the query whose shape it has
 * @param owners by kind, the column that names its people
 * @param tables that have owners, with theirs; the others are public
 * @param from tables and conditions
 * @param weight what a row of the join adds; empty for a count
 * @param unit by how much the race divides weights, so that its levels reach them
 * @param published error of the race in percent at ε = 0.8
 * @param design what the design of our mechanisms promised, in percent at ε = 0.8
 */
record OwnedQuestion(
    String name,
    Map<String, String> owners,
    Map<String, String> tables,
    String from,
    Optional<String> weight,
    double unit,
    Optional<Double> published,
    double design) {

  String sql() {
    return "SELECT " + weight.map(w -> "SUM(" + w + ")").orElse("COUNT(*)") + " FROM " + from;
  }

  /** How much each person of a kind has, and how many people have that much. */
  String degrees(String kind) {
    return "SELECT d, COUNT(*) FROM (SELECT "
        + owners.get(kind)
        + ", "
        + weight.map(w -> "SUM(" + w + ")").orElse("COUNT(*)")
        + " AS d FROM "
        + from
        + " GROUP BY "
        + owners.get(kind)
        + ") AS people GROUP BY d";
  }

  List<String> kinds() {
    return owners.keySet().stream().sorted().toList();
  }
}
