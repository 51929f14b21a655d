package flexdp.gateway;

import flexdp.gateway.ledger.AnswerCache;
import flexdp.gateway.ledger.ReleasedAnswer;
import flexdp.plan.MechanismChoice;
import flexdp.plan.Planned;
import flexdp.policy.Policy;
import flexdp.question.Canonical;
import flexdp.question.Parts;
import flexdp.question.Question;
import flexdp.question.ReleasePoint;
import flexdp.release.Rows;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Released answers given again (guarantee section 9). What is kept are the noisy cells of release
 * points, so that whatever is computed above them is a repeat, and so is every question whose
 * numbers are among those cells or sums of them; see {@link FoundPoint} and {@link Deriving}.
 */
final class Repeats {
  /** Larger histograms are not kept. */
  private static final int LONGEST = 4_000_000;

  /** The snapshot of data that nobody measured: nothing says that it is still the same. */
  static final String UNKNOWN_SNAPSHOT = "not measured";

  private final AnswerCache cache;
  private final boolean known;
  private final String state;
  private final RecentReadings reading = new RecentReadings();

  /**
   * @param policy whose declarations give the answers their meaning; other ones make other answers
   */
  Repeats(AnswerCache cache, String snapshot, Policy policy) {
    this.cache = cache;
    this.known = !snapshot.equals(UNKNOWN_SNAPSHOT);
    this.state = snapshot + " " + Meaning.of(policy);
  }

  /** Answers for all of the question, each at least as accurate as asked for. */
  Optional<Found> find(Ask ask, Question question, Prepared prepared) {
    if (ask.fresh() || !known) {
      return Optional.empty();
    }
    return find(ask, question, prepared, true).or(() -> find(ask, question, prepared, false));
  }

  private Optional<Found> find(Ask ask, Question question, Prepared prepared, boolean own) {
    List<FoundPoint> points = new ArrayList<>();
    for (ReleasePoint point : question.releases()) {
      List<Planned> planned = prepared.of(point);
      Optional<FoundPoint> found =
          again(ask, point, planned, own)
              .or(
                  () ->
                      prepared
                          .labels()
                          .get(point.id())
                          .flatMap(l -> derived(ask, point, planned, l, own)));
      if (found.isEmpty()) {
        return Optional.empty();
      }
      points.add(found.get());
    }
    Found found = Found.of(points, ask.analyst());
    // Nobody is charged more for the answer of another than they offered for one of their own.
    return found.own() || found.cost().epsilon().compareTo(prepared.epsilon()) <= 0
        ? Optional.of(found)
        : Optional.empty();
  }

  /** The same release point, released before. */
  private Optional<FoundPoint> again(
      Ask ask, ReleasePoint point, List<Planned> planned, boolean own) {
    Map<Integer, String> names = Canonical.columns(point);
    for (KeptAnswer kept : read(cache.find(Canonical.key(Canonical.of(point)), state), ask, own)) {
      List<FoundPoint.Column> columns = new ArrayList<>();
      for (Planned p : planned) {
        kept.noise(names.get(p.measurement().output().id()))
            .filter(n -> fits(ask, n, p))
            .ifPresent(
                n -> columns.add(new FoundPoint.Column(p.measurement(), n, 1, kept.answer())));
      }
      if (columns.size() == planned.size()) {
        try {
          return Optional.of(new FoundPoint(point, kept.rows(point), columns));
        } catch (IllegalArgumentException | DateTimeException e) {
          // Not one of ours after all.
        }
      }
    }
    return Optional.empty();
  }

  private Optional<FoundPoint> derived(
      Ask ask, ReleasePoint point, List<Planned> planned, List<List<Object>> labels, boolean own) {
    Optional<Parts> parts = Parts.of(point);
    if (parts.isEmpty()) {
      return Optional.empty();
    }
    List<KeptAnswer> answers = read(cache.family(parts.get().family(), state), ask, own);
    return new Deriving(point, parts.get(), labels, (noise, p) -> fits(ask, noise, p))
        .from(answers, planned);
  }

  /** Bought with no smaller ε than asked for now, by the mechanism asked for. */
  private static boolean fits(Ask ask, KeptNoise noise, Planned planned) {
    MechanismChoice choice = ask.options().mechanism();
    boolean chosen =
        choice == MechanismChoice.AUTO
            || noise.mechanism().equals(choice.word())
            || noise.mechanism().equals(planned.noise().orElseThrow().mechanism().name());
    BigDecimal wanted = planned.noise().orElseThrow().mechanism().epsilon();
    return chosen && noise.epsilon().compareTo(wanted) >= 0;
  }

  private List<KeptAnswer> read(List<ReleasedAnswer> answers, Ask ask, boolean own) {
    return answers.stream()
        .filter(answer -> !own || answer.analyst().equals(ask.analyst()))
        .flatMap(answer -> reading.read(answer).stream())
        .toList();
  }

  /** What is kept of an answer that is being released. */
  List<ReleasedAnswer> released(
      Ask ask, Question question, Prepared prepared, Map<Integer, Rows> rows) {
    List<ReleasedAnswer> answers = new ArrayList<>();
    for (ReleasePoint point : known ? question.releases() : List.<ReleasePoint>of()) {
      Optional<Parts> parts = Parts.of(point);
      String key = Canonical.key(Canonical.of(point));
      String text =
          KeptAnswer.write(
              point, parts, prepared.of(point), prepared.errors(), rows.get(point.id()));
      // A common table expression that is read twice is measured twice; one of both is kept.
      if (text.length() <= LONGEST && answers.stream().noneMatch(a -> a.key().equals(key))) {
        answers.add(
            new ReleasedAnswer(
                key,
                parts.map(Parts::family).orElse(""),
                state,
                ask.analyst(),
                prepared.mechanism(),
                prepared.cost(point),
                text));
      }
    }
    return answers;
  }
}
