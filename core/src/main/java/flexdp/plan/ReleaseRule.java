package flexdp.plan;

import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.noise.ClippedNoise;
import flexdp.noise.Gaussian;
import flexdp.noise.Laplace;
import flexdp.noise.Mechanism;
import flexdp.noise.PackedNoise;
import flexdp.plan.CalibrationInput.Outputs;
import flexdp.plan.MechanismRule.ProposeRule;
import flexdp.policy.Policy;
import flexdp.policy.PrivacyUnit;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import flexdp.sensitivity.Bound;
import flexdp.sensitivity.PublicBound;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;

/**
 * A way to make the noise of all measurements of a release point; the first that is open is taken
 * (guarantee §5 for rows, §10 for people). Whether it is open depends on the question, on the
 * policy and on released metrics only.
 */
interface ReleaseRule {
  /** In the order in which they are tried. */
  List<ReleaseRule> ALL =
      List.of(
          new ByRows(),
          new CountedPeople(),
          new SmallContribution(),
          new ClippedPeople(),
          new SharedRows());

  /**
   * The noise of each measurement, if this way is open.
   *
   * @throws Rejection if it would be open but for what was asked
   */
  Optional<List<PlannedMeasurement>> planned(
      NoisyAggregate point, ContributionBounding bounding, Wanted wanted);

  /**
   * What a question asks for.
   *
   * @param epsilon of each measurement
   * @param delta of each, where something needs one
   * @param together all measurements that are bounded by rows
   */
  record Wanted(
      Policy policy,
      PlanRequest request,
      BigDecimal epsilon,
      BigDecimal delta,
      List<CalibrationInput> together) {
    /** How many rows of a person count, at most, as the owner says. */
    Optional<BigInteger> most(PrivacyUnit unit) {
      return unit instanceof PrivacyUnit.Person person
          ? policy.people().get(person.kind()).perPersonAtMost()
          : Optional.empty();
    }

    /** P-L2: where every account that pays adds up ρ, of the ρ = ε²/2 that ε buys there. */
    Optional<Gaussian> gaussian(BigDecimal each) {
      return request.concentrated() ? CalibrationInput.gaussian(each, delta) : Optional.empty();
    }
  }

  /** Rows stand for themselves, those that are read of a person too: whatever offer is open. */
  record ByRows() implements ReleaseRule {
    @Override
    public Optional<List<PlannedMeasurement>> planned(
        NoisyAggregate point, ContributionBounding bounding, Wanted wanted) {
      if (bounding.isByPeople()) {
        return Optional.empty();
      }
      List<PlannedMeasurement> planned = new ArrayList<>();
      for (CalibrationInput m : wanted.together()) {
        if (m.release().id() == point.id()) {
          Optional<CalibratedMechanism> noise = noise(m, wanted);
          planned.add(
              new PlannedMeasurement(
                  m.release(), m.measurement(), m.bound(), m.measurement().unit(), noise));
        }
      }
      return Optional.of(planned);
    }

    private static Optional<CalibratedMechanism> noise(CalibrationInput m, Wanted wanted) {
      return wanted.request().proposal().isPresent()
          ? new ProposeRule(wanted.request().proposal().get()).tryCalibrate(m, wanted.together())
          : wanted.request().mechanism().noise(m, wanted.together());
    }
  }

  /** P-COUNT, people are counted: a person moves that by one, another unit by those it touches. */
  record CountedPeople() implements ReleaseRule {
    @Override
    public Optional<List<PlannedMeasurement>> planned(
        NoisyAggregate point, ContributionBounding bounding, Wanted wanted) {
      if (!(bounding instanceof ContributionBounding.Clipped owned)) {
        return Optional.empty();
      }
      boolean counts =
          point.keys().isEmpty()
              && point.groupingSets().size() == 1
              && point.measurements().size() == 1
              && point.measurements().getFirst() instanceof Measurement.CountDistinct
              && owned.keys().isEmpty();
      if (!counts) {
        return Optional.empty();
      }
      BigInteger moved =
          owned.otherUnits().stream()
              .map(PublicBound::people)
              .reduce(BigInteger.ONE, BigInteger::max);
      CalibratedMechanism noise =
          CalibratedMechanism.Additive.ofPublic(
              Laplace.of(wanted.epsilon()), new BigDecimal(moved));
      return Optional.of(
          List.of(byPeople(point, point.measurements().getFirst(), Optional.of(noise))));
    }
  }

  /**
   * Where the structure says that one person contributes little, nothing has to be clipped and no
   * level chosen: P-FEW, plain noise for all that she has. At most eight steps of the grid, so a
   * level could hardly be lower.
   */
  record SmallContribution() implements ReleaseRule {
    private static final BigInteger MOST = BigInteger.valueOf(8);

    @Override
    public Optional<List<PlannedMeasurement>> planned(
        NoisyAggregate point, ContributionBounding bounding, Wanted wanted) {
      Optional<BigInteger> rows =
          bounding instanceof ContributionBounding.Clipped owned ? rows(owned) : Optional.empty();
      // Labels that come from the data are shown by how many rows they have, if not by people.
      boolean unlisted = point.labels() instanceof Labels.Thresholded;
      if (rows.isEmpty()
          || unlisted && point.measurements().stream().noneMatch(Measurement::isOfAllRows)) {
        return Optional.empty();
      }
      BigInteger own = ((ContributionBounding.Clipped) bounding).rows().orElseThrow();
      List<PlannedMeasurement> planned = new ArrayList<>();
      for (Measurement measurement : point.measurements()) {
        BigInteger perRow = ClippingPlan.perRow(measurement);
        boolean isFew = own.multiply(perRow).compareTo(MOST) <= 0;
        if (!isFew || measurement instanceof Measurement.Selected) {
          return Optional.empty();
        }
        // Every grouping set shows all rows.
        BigInteger steps =
            rows.get().multiply(perRow).multiply(BigInteger.valueOf(point.groupingSets().size()));
        BigDecimal moved = new BigDecimal(steps).multiply(measurement.grid());
        CalibratedMechanism noise =
            CalibratedMechanism.Additive.ofPublic(Laplace.of(wanted.epsilon()), moved);
        planned.add(byPeople(point, measurement, Optional.of(noise)));
      }
      return Optional.of(planned);
    }

    /** How many rows change with one person, or with one step of another unit. */
    private static Optional<BigInteger> rows(ContributionBounding.Clipped route) {
      Optional<BigInteger> most = route.rows().map(BigInteger.ONE::max);
      for (PublicBound beside : route.otherUnits()) {
        most = most.flatMap(own -> beside.rows().map(own::max));
      }
      return most;
    }
  }

  /** Each person's contributions are clipped. */
  record ClippedPeople() implements ReleaseRule {
    private static final BigDecimal QUARTER = new BigDecimal("0.25");

    /** Of each ε, where votes take a quarter of ρ: √¾, rounded down. */
    private static final BigDecimal WITHOUT_VOTES =
        new BigDecimal("0.75").sqrt(new MathContext(20, RoundingMode.FLOOR));

    private static final MathContext DOWN = new MathContext(30, RoundingMode.FLOOR);

    @Override
    public Optional<List<PlannedMeasurement>> planned(
        NoisyAggregate point, ContributionBounding bounding, Wanted wanted) {
      return bounding instanceof ContributionBounding.Clipped owned
          ? Optional.of(clipped(point, owned, wanted))
          : Optional.empty();
    }

    private static List<PlannedMeasurement> clipped(
        NoisyAggregate point, ContributionBounding.Clipped route, Wanted wanted) {
      boolean open = point.labels() instanceof Labels.Thresholded;
      Optional<Gaussian> voting = open ? voting(point, wanted) : Optional.empty();
      Optional<LabelsByPeople> labels =
          open ? Optional.of(LabelsByPeople.of(point, route, voting)) : Optional.empty();
      BigDecimal epsilon = wanted.epsilon();
      BigDecimal each = voting.isPresent() ? epsilon.multiply(WITHOUT_VOTES, DOWN) : epsilon;
      Optional<BigInteger> most = wanted.most(route.kind());
      List<List<Integer>> parts = JointClipping.of(point);
      Optional<ClippingPlan> bySet =
          labels.isPresent() || parts.size() > 1
              ? Optional.empty()
              : ClippingPlan.bySet(point, most, route.otherUnits());
      Map<Integer, PlannedMeasurement> planned = new TreeMap<>();
      for (List<Integer> part : parts) {
        NoisyAggregate some = JointClipping.some(point, part);
        ClippingPlan byCells = ClippingPlan.of(some, route.keys(), most, route.otherUnits());
        Optional<Gaussian> normal =
            open && voting.isEmpty()
                ? Optional.empty()
                : byCells.inSquares(some).flatMap(c -> wanted.gaussian(each));
        ClippingPlan clipping = normal.flatMap(n -> byCells.inSquares(some)).orElse(byCells);
        for (int place : part) {
          Measurement measurement = point.measurements().get(place);
          boolean shared = measurement.origin().together() || clipping.byRows() && part.size() > 1;
          boolean together = shared && isWeighed(measurement, route);
          ClippedNoise mechanism =
              normal
                  .map(n -> new ClippedNoise(n, together))
                  .orElseGet(() -> new ClippedNoise(each, open && voting.isEmpty(), together));
          CalibratedMechanism noise =
              new CalibratedMechanism.Clipped(
                  mechanism, clipping, bySet, route.owner(), measurement, labels);
          planned.put(place, byPeople(point, measurement, Optional.of(noise)));
        }
      }
      return List.copyOf(planned.values());
    }

    /** Whether weights by rows make another number of it than its own norm does. */
    private static boolean isWeighed(Measurement measurement, ContributionBounding.Clipped route) {
      boolean isPeople =
          measurement instanceof Measurement.CountDistinct keys
              && !route.keys().contains(keys.output().id());
      return measurement instanceof Measurement.Additive && !measurement.isOfAllRows() && !isPeople;
    }

    /**
     * A quarter of the ρ of all measurements, where accounts add up ρ and what that means is within
     * what noise is made for.
     */
    private static Optional<Gaussian> voting(NoisyAggregate point, Wanted wanted) {
      BigDecimal measurements = BigDecimal.valueOf(point.measurements().size());
      BigDecimal rho =
          Mechanism.rhoOfPure(wanted.epsilon()).multiply(measurements).multiply(QUARTER);
      return wanted.request().concentrated() && Gaussian.isWithin(rho, wanted.delta())
          ? Optional.of(Gaussian.ofZcdp(rho, wanted.delta()))
          : Optional.empty();
    }
  }

  /**
   * Rows with several owners: a descent for every bin of every measurement. How many labels a
   * public table has is known later.
   */
  record SharedRows() implements ReleaseRule {
    /** Bins over rows with several owners, each of which is a descent of its own. */
    private static final int MOST_BINS = 8;

    @Override
    public Optional<List<PlannedMeasurement>> planned(
        NoisyAggregate point, ContributionBounding bounding, Wanted wanted) {
      return bounding instanceof ContributionBounding.Packed shared
          ? Optional.of(descended(point, shared, wanted))
          : Optional.empty();
    }

    private static List<PlannedMeasurement> descended(
        NoisyAggregate point, ContributionBounding.Packed route, Wanted wanted) {
      Optional<BigInteger> most =
          route.owners().stream()
              .map(owner -> wanted.most(owner.unit()))
              .reduce((a, b) -> a.flatMap(x -> b.map(x::max)))
              .orElse(Optional.empty());
      OptionalInt bins = bins(point);
      List<PlannedMeasurement> planned = new ArrayList<>();
      for (Measurement measurement : point.measurements()) {
        PackingPlan packing =
            PackingPlan.of(point, measurement, route.owners().size(), bins.orElse(1), most);
        CalibratedMechanism noise =
            new CalibratedMechanism.Packed(
                new PackedNoise(wanted.epsilon()), packing, route.owners(), measurement);
        planned.add(
            byPeople(point, measurement, bins.isPresent() ? Optional.of(noise) : Optional.empty()));
      }
      return planned;
    }

    private static OptionalInt bins(NoisyAggregate point) {
      if (point.groupingSets().size() > 1) {
        throw refused(
            point,
            "GROUPING SETS, ROLLUP and CUBE over rows with several owners are not answered.",
            "Ask for each grouping by itself.");
      }
      if (point.labels() instanceof Labels.Thresholded) {
        throw refused(
            point,
            "Labels that come from the data are not shown over rows with several owners.",
            "List the labels: with a domain in the policy, or with bins in the question.");
      }
      OptionalInt bins = Outputs.of(point);
      if (bins.isPresent() && bins.getAsInt() > MOST_BINS) {
        throw refused(
            point,
            "GROUP BY over rows with several owners is answered for at most "
                + MOST_BINS
                + " labels.",
            "Ask for fewer groups, with WHERE; or for one at a time.");
      }
      return bins.isPresent() ? OptionalInt.of(Math.max(1, bins.getAsInt())) : bins;
    }
  }

  /** What people move is bounded by the mechanism itself, so that no bound of rows says more. */
  private static PlannedMeasurement byPeople(
      NoisyAggregate point, Measurement measurement, Optional<CalibratedMechanism> noise) {
    BigDecimal unit = noise.map(CalibratedMechanism::sensitivity).orElse(BigDecimal.ONE);
    return new PlannedMeasurement(point, measurement, Bound.ONE, unit, noise);
  }

  static Rejection refused(NoisyAggregate point, String message, String hint) {
    return Rejection.of(RejectionCode.PEOPLE_UNSUPPORTED, message, hint, point.at());
  }
}
