package flexdp.gateway;

import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.budget.Cost;
import flexdp.gateway.ledger.AnswerCache;
import flexdp.gateway.ledger.ReleasedAnswer;
import flexdp.plan.MechanismChoice;
import flexdp.question.Canonical;
import flexdp.question.Question;
import flexdp.question.ReleasePoint;
import flexdp.release.Releaser;
import flexdp.release.Rows;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Released answers given again (guarantee section 9). What is kept are the noisy rows of release
 * points, so that another ORDER BY, LIMIT, HAVING or arithmetic above them is a repeat too, and so
 * is the same question with a smaller ε.
 */
final class Repeats {
  /** Larger histograms are not kept. */
  private static final int LONGEST = 4_000_000;

  /** The snapshot of data that nobody measured: nothing says that it is still the same. */
  static final String UNKNOWN_SNAPSHOT = "not measured";

  /**
   * Rows that were released, for every release point of a question.
   *
   * @param own whether the analyst has paid for all of them
   */
  record Found(Map<Integer, Rows> rows, List<ReleasedAnswer> answers, boolean own) {
    /** What they cost when they were released. */
    Cost cost() {
      return Costs.sum(answers.stream().map(ReleasedAnswer::cost).toList());
    }

    /** The same answers, paid for by another analyst. */
    List<ReleasedAnswer> by(String analyst) {
      return answers.stream()
          .map(
              a ->
                  new ReleasedAnswer(
                      a.key(), a.snapshot(), analyst, a.mechanism(), a.cost(), a.body()))
          .toList();
    }
  }

  private final AnswerCache cache;
  private final String snapshot;

  Repeats(AnswerCache cache, String snapshot) {
    this.cache = cache;
    this.snapshot = snapshot;
  }

  /** Answers for all of the question, each at least as accurate as asked for. */
  Optional<Found> find(Ask ask, Question question, BigDecimal epsilon) {
    if (ask.fresh() || snapshot.equals(UNKNOWN_SNAPSHOT)) {
      return Optional.empty();
    }
    Map<Integer, Rows> rows = new HashMap<>();
    List<ReleasedAnswer> answers = new ArrayList<>();
    for (ReleasePoint point : question.releases()) {
      Share share = Share.of(point, question, epsilon);
      String key = Canonical.key(Canonical.of(point));
      Optional<ReleasedAnswer> answer =
          best(cache.find(key, snapshot).stream().filter(a -> serves(a, ask, share)).toList(), ask);
      if (answer.isEmpty()) {
        return Optional.empty();
      }
      Optional<Rows> known = rows(answer.get(), point);
      if (known.isEmpty()) {
        return Optional.empty();
      }
      rows.put(point.id(), known.get());
      answers.add(answer.get());
    }
    boolean own = answers.stream().allMatch(a -> a.analyst().equals(ask.analyst()));
    return Optional.of(new Found(rows, answers, own));
  }

  /** One's own answer is free; that of somebody else is not. */
  private static Optional<ReleasedAnswer> best(List<ReleasedAnswer> answers, Ask ask) {
    return answers.stream()
        .filter(a -> a.analyst().equals(ask.analyst()))
        .findFirst()
        .or(() -> answers.stream().findFirst());
  }

  private static boolean serves(ReleasedAnswer answer, Ask ask, Share wanted) {
    MechanismChoice choice = ask.options().mechanism();
    if (choice != MechanismChoice.AUTO && !answer.mechanism().equals(choice.word())) {
      return false;
    }
    try {
      return Share.read(RowsText.parse(answer.body())).isAtLeast(wanted);
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static Optional<Rows> rows(ReleasedAnswer answer, ReleasePoint point) {
    try {
      return Optional.of(
          RowsText.read(
              RowsText.parse(answer.body()), Releaser.columns(point), Canonical.columns(point)));
    } catch (IllegalArgumentException | DateTimeException e) {
      return Optional.empty();
    }
  }

  /** What is kept of an answer that is being released. */
  List<ReleasedAnswer> released(
      Ask ask, Question question, Prepared prepared, Map<Integer, Rows> rows) {
    if (snapshot.equals(UNKNOWN_SNAPSHOT)) {
      return List.of();
    }
    List<ReleasedAnswer> answers = new ArrayList<>();
    for (ReleasePoint point : question.releases()) {
      ObjectNode body = RowsText.empty();
      Share.of(point, question, prepared.epsilon()).write(body);
      RowsText.write(body, rows.get(point.id()), Canonical.columns(point));
      String text = body.toString();
      if (text.length() <= LONGEST) {
        answers.add(
            new ReleasedAnswer(
                Canonical.key(Canonical.of(point)),
                snapshot,
                ask.analyst(),
                prepared.mechanism(),
                prepared.cost(point),
                text));
      }
    }
    return answers;
  }

  /** The part of a question's ε that a release point gets: so many measurements of so many. */
  private record Share(BigDecimal epsilon, int measurements, int of) {
    static Share of(ReleasePoint point, Question question, BigDecimal epsilon) {
      int all = question.releases().stream().mapToInt(r -> r.measurements().size()).sum();
      return new Share(epsilon, point.measurements().size(), all);
    }

    static Share read(ObjectNode body) {
      return new Share(
          new BigDecimal(body.path("epsilon").asText()),
          body.path("measurements").asInt(),
          body.path("of").asInt());
    }

    void write(ObjectNode body) {
      body.put("epsilon", epsilon.toString());
      body.put("measurements", measurements);
      body.put("of", of);
    }

    /** Compared as fractions, exactly. */
    boolean isAtLeast(Share other) {
      BigDecimal mine = epsilon.multiply(BigDecimal.valueOf((long) measurements * other.of));
      BigDecimal theirs =
          other.epsilon.multiply(BigDecimal.valueOf((long) other.measurements * of));
      return mine.compareTo(theirs) >= 0;
    }
  }
}
