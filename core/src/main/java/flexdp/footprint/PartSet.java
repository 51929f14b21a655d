package flexdp.footprint;

import java.util.List;
import java.util.Optional;
import java.util.SortedSet;

/** Parts of one partition: at least all those that can matter. Sets of two kinds never meet. */
sealed interface PartSet permits NumberedParts, NamedParts {
  /** Parts that are in this set and in the other. */
  PartSet and(PartSet other);

  /** Parts that are in this set or in one of the others. */
  PartSet or(List<PartSet> others);

  /** By name, if they are so many at most. */
  Optional<SortedSet<String>> names(int most);
}
