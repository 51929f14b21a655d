package flexdp.gateway;

import flexdp.question.Parts;
import flexdp.question.ReleasePoint;
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

  /** What was read in this state of the data. */
  Shelf in(String state) {
    return new Shelf(point, parts, in(state, same), in(state, family));
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
