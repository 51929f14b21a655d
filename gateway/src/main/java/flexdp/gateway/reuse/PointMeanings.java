package flexdp.gateway.reuse;

import flexdp.cache.Recent;
import flexdp.facts.NeverNull;
import flexdp.meaning.Canonical;
import flexdp.question.ReleasePoint;
import flexdp.reuse.Parts;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What release points that were asked lately mean. Answering looks at it several times, and a
 * question asked again has the very same release points, since its plan is kept; comparing them by
 * their contents would take longer. Safe for several threads.
 */
final class PointMeanings {
  private static final int MOST = 1_000;

  /** The meaning of one. */
  static final class Known {
    private final String key;
    private final Map<Integer, String> columns;
    private final Supplier<Optional<Parts>> taking;
    private Optional<Parts> parts;

    private Known(String key, Map<Integer, String> columns, Supplier<Optional<Parts>> taking) {
      this.key = key;
      this.columns = columns;
      this.taking = taking;
    }

    /** In one form for all its wordings. */
    String key() {
      return key;
    }

    /** What its columns are called in that form, by id. */
    Map<Integer, String> columns() {
      return columns;
    }

    /** Where others can be recognised in it; taken apart when that is first looked for. */
    synchronized Optional<Parts> parts() {
      if (parts == null) {
        parts = taking.get();
      }
      return parts;
    }
  }

  private record Same(ReleasePoint point) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Same same && same.point == point;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(point);
    }
  }

  private final NeverNull neverNull;
  private final Recent<Same, Known> recent = new Recent<>(MOST);

  PointMeanings(NeverNull neverNull) {
    this.neverNull = neverNull;
  }

  Known of(ReleasePoint point) {
    return recent.of(
        new Same(point),
        () ->
            new Known(
                Canonical.key(Canonical.of(point)),
                Canonical.columns(point),
                () -> Parts.of(point, neverNull)));
  }
}
