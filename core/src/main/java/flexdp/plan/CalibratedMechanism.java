package flexdp.plan;

import flexdp.algebra.Column;
import flexdp.noise.ClippedNoise;
import flexdp.noise.ExponentialMechanism;
import flexdp.noise.Gaussian;
import flexdp.noise.LabelVotes;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.noise.PackedNoise;
import flexdp.ownership.MultiOwnerRelation;
import flexdp.people.clipping.ClippingBias;
import flexdp.policy.PrivacyUnit;
import flexdp.query.Measurement;
import flexdp.smooth.SmoothBound;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A mechanism, and what it is scaled to. */
public sealed interface CalibratedMechanism {
  Mechanism mechanism();

  /** What it is scaled to, in the measurement's own units. */
  BigDecimal sensitivity();

  /** How the sensitivity came about, when it is private; absent: it is public. */
  Optional<SmoothBound> smooth();

  /** Whether an analyst may see the scale. */
  default boolean isPublic() {
    return smooth().isEmpty();
  }

  /** This, where noise is added to numbers as they are. */
  default Optional<Additive> added() {
    return Optional.empty();
  }

  /** Whether all there is to it follows from the question and from what was released. */
  default boolean isPlain() {
    return false;
  }

  /** Whether nobody counts for more than a level, which is chosen when the answer is made. */
  default boolean hasLevel() {
    return false;
  }

  /** Whether an answer says how far it may be off, which nobody knows before. */
  default boolean tellsItsNoise() {
    return false;
  }

  /** By what noise labels are voted for, if they are. */
  default Optional<Gaussian> votes() {
    return Optional.empty();
  }

  /** Noise is added. */
  record Additive(
      Mechanism.Additive mechanism, BigDecimal sensitivity, Optional<SmoothBound> smooth)
      implements CalibratedMechanism {
    static Additive ofPublic(Mechanism.Additive mechanism, BigDecimal sensitivity) {
      return new Additive(mechanism, sensitivity, Optional.empty());
    }

    @Override
    public Optional<Additive> added() {
      return Optional.of(this);
    }

    @Override
    public boolean isPlain() {
      return isPublic() && (mechanism instanceof Laplace || mechanism instanceof Gaussian);
    }

    /**
     * What everybody may know of it, if its scale is public.
     *
     * @param grid of the values to which it is added
     */
    public Optional<PublicNoise> known(BigDecimal grid) {
      return isPublic()
          ? Optional.of(new PublicNoise(mechanism, sensitivity, grid, BigDecimal.ZERO))
          : Optional.empty();
    }
  }

  /** A value is chosen; the sensitivity is that of scores, and public. */
  record Selected(
      ExponentialMechanism mechanism, BigDecimal sensitivity, Measurement.Selected picked)
      implements CalibratedMechanism {
    @Override
    public boolean isPlain() {
      return true;
    }

    @Override
    public Optional<SmoothBound> smooth() {
      return Optional.empty();
    }
  }

  /**
   * What people contribute is clipped, and noise is added. The release point's measurements share
   * one level, which is chosen when the answer is made.
   *
   * @param bySet how they are clipped where grouping sets are estimated from cuboids, if they can
   * @param labels how labels that come from the data are chosen
   */
  record Clipped(
      ClippedNoise mechanism,
      ClippingPlan clipping,
      Optional<ClippingPlan> bySet,
      Column owner,
      Measurement measurement,
      Optional<LabelsByPeople> labels)
      implements CalibratedMechanism {
    @Override
    public boolean hasLevel() {
      return true;
    }

    @Override
    public boolean tellsItsNoise() {
      return measurement instanceof Measurement.Additive
          || measurement instanceof Measurement.Quantile quantile && quantile.isBetween();
    }

    @Override
    public Optional<Gaussian> votes() {
      return labels.flatMap(LabelsByPeople::votes).map(LabelVotes::noise);
    }

    /** At the lowest level; every next one is twice that. */
    @Override
    public BigDecimal sensitivity() {
      return at(0);
    }

    /** This noise where grouping sets are estimated from cuboids. */
    public Clipped ofCuboids() {
      return new Clipped(
          mechanism, bySet.orElseThrow(), Optional.empty(), owner, measurement, labels);
    }

    /** This noise where labels are known when it is drawn. */
    public Clipped ofLabels() {
      return new Clipped(mechanism, clipping, bySet, owner, measurement, Optional.empty());
    }

    /**
     * Its noise at a level as everybody may know it: that of the whole mechanism, scaled to as much
     * more as the other parts of it took away.
     *
     * @param cut of the sizes
     */
    public PublicNoise known(Measurement.Additive amount, int level, ClippingBias cut) {
      return new PublicNoise(
              mechanism.whole(), mechanism.widened(at(level)), amount.grid(), BigDecimal.ZERO)
          .cut(clipping.shortfall(amount, cut));
    }

    /** How far one person moves the measurement at a level, in its own units. */
    public BigDecimal at(int level) {
      return new BigDecimal(clipping.moved(measurement, level))
          .divide(new BigDecimal(java.math.BigInteger.ONE.shiftLeft(clipping.digits())))
          .multiply(measurement.grid());
    }

    @Override
    public Optional<SmoothBound> smooth() {
      return Optional.empty();
    }
  }

  /** Nobody weighs more than a level, which is chosen when the answer is made. */
  record Packed(
      PackedNoise mechanism,
      PackingPlan packing,
      List<MultiOwnerRelation.Owner> owners,
      Measurement measurement)
      implements CalibratedMechanism {
    public Packed {
      each(mechanism, packing.bins());
    }

    @Override
    public boolean hasLevel() {
      return true;
    }

    /** The columns that name owners, or are NULL. */
    public List<Column> columns() {
      return owners.stream().map(MultiOwnerRelation.Owner::column).distinct().toList();
    }

    /** What the columns name: the same number for the same unit. */
    public List<Integer> kinds() {
      List<PrivacyUnit> units =
          owners.stream().map(MultiOwnerRelation.Owner::unit).distinct().toList();
      List<Integer> kinds = new ArrayList<>();
      for (Column column : columns()) {
        PrivacyUnit unit =
            owners.stream().filter(o -> o.column().equals(column)).findFirst().orElseThrow().unit();
        kinds.add(units.indexOf(unit));
      }
      return kinds;
    }

    /** At the lowest level; every next one is twice that. */
    @Override
    public BigDecimal sensitivity() {
      return at(0);
    }

    /** The mechanism of one bin: all bins together cost ε. */
    public PackedNoise each() {
      return each(mechanism, packing.bins());
    }

    private static PackedNoise each(PackedNoise all, int bins) {
      return bins == 1
          ? all
          : new PackedNoise(
              all.epsilon()
                  .divide(BigDecimal.valueOf(bins), new MathContext(30, RoundingMode.FLOOR)));
    }

    /** How far one person moves the measurement at a level, in its own units. */
    public BigDecimal at(int level) {
      return new BigDecimal(packing.levels().at(level)).multiply(measurement.grid());
    }

    @Override
    public Optional<SmoothBound> smooth() {
      return Optional.empty();
    }
  }
}
