package flexdp.release;

import java.math.BigDecimal;

/** Nobody counts for more than a level, which is chosen when noise is drawn. */
public sealed interface LevelRelease extends ReleasePlan permits ClippedRelease, PackedRelease {
  /** The same with this ε for each measurement. */
  LevelRelease at(BigDecimal epsilon);

  /** How many levels there are. */
  int levels();

  /** τ of a level, in units of the first measurement. */
  BigDecimal level(int level);

  /** What the only measurement of the only bin is where nobody counts for more than τ; private. */
  BigDecimal value(Exact exact, int level);

  @Override
  default boolean tellsItsNoise() {
    return true;
  }
}
