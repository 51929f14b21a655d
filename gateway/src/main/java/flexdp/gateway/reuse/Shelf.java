package flexdp.gateway.reuse;

import flexdp.question.ReleasePoint;
import flexdp.reuse.Parts;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The kept answers that may serve one release point.
 *
 * @param parts of the release point, where others can be recognised in it
 * @param same answers to this very release point
 * @param family answers about the same rows
 */
record Shelf(
    ReleasePoint point, Optional<Parts> parts, List<KeptAnswer> same, List<KeptAnswer> family) {

  /** Of the answers to this very release point, those of one analyst. */
  Shelf of(String analyst) {
    List<KeptAnswer> own = same.stream().filter(a -> a.answer().analyst().equals(analyst)).toList();
    return new Shelf(point, parts, own, family);
  }

  /** What was read in this state of the data; the most useful answers to an analyst first. */
  Shelf in(String state, String analyst) {
    List<KeptAnswer> best =
        in(state, same).stream().sorted(Comparator.comparing(a -> use(a, analyst))).toList();
    return new Shelf(point, parts, best, in(state, family));
  }

  /** The most accurate of one's own answers, then the cheapest of the others. */
  private static BigDecimal use(KeptAnswer kept, String analyst) {
    BigDecimal epsilon = kept.answer().cost().epsilon();
    return kept.answer().analyst().equals(analyst) ? epsilon.negate() : epsilon;
  }

  private static List<KeptAnswer> in(String state, List<KeptAnswer> answers) {
    return answers.stream().filter(a -> a.state().equals(state)).toList();
  }

  /**
   * The states of the data that were read, in the order of the answers. One answer must not mix
   * them: each of its numbers would be private and as accurate as it says, and still they might
   * contradict each other.
   */
  static Set<String> states(List<Shelf> shelves) {
    Set<String> states = new LinkedHashSet<>();
    for (Shelf shelf : shelves) {
      shelf.same().forEach(a -> states.add(a.state()));
      shelf.family().forEach(a -> states.add(a.state()));
    }
    return states;
  }
}
