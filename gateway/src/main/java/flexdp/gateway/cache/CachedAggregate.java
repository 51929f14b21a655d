package flexdp.gateway.cache;

import flexdp.gateway.ledger.entry.ReleasedAnswer;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.release.RowTable;
import java.util.List;

/**
 * The noisy rows of one release point, put together from what was released before.
 *
 * @param same what was released is this very point, in whatever words, and no other that it follows
 *     from
 */
record CachedAggregate(NoisyAggregate point, RowTable rows, List<Column> columns, boolean same) {
  /**
   * Where the values of a measurement come from.
   *
   * @param cells how many released numbers were added up for one value, at most
   */
  record Column(Measurement measurement, CachedNoise noise, int cells, ReleasedAnswer from) {
    boolean isEstimated() {
      return cells == ESTIMATED;
    }
  }

  /** In place of the number of cells: an estimate from whole cuboids. */
  static final int ESTIMATED = 0;
}
