package flexdp.workload;

/** What the shares of measured cuboids are shares of, which the composition decides. */
public enum BudgetNorm {
  /** Of ε: precisions go with the squares of shares. */
  SUM,
  /** Of Σε² or ρ: precisions go with shares. */
  SQUARES;

  /** The precision of a share, of what everything would give. */
  double precision(double share) {
    return switch (this) {
      case SUM -> share * share;
      case SQUARES -> share;
    };
  }
}
