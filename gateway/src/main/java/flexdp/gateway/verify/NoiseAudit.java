package flexdp.gateway.verify;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Draws many answers of two neighbours, of several pairs of them, and looks for an event that tells
 * two apart. The pair and the event are chosen by some answers and judged by others, so that
 * looking for them costs no certainty.
 */
final class NoiseAudit {
  /** How many pairs are looked at closely, after a glance at each. */
  private static final int CLOSER = 2;

  private static final int GLANCED = 1_000;
  private static final int LEARNED = 4_000;
  private static final int JUDGED = 60_000;
  private static final int CUTS = 40;
  private static final int MOST_CELLS = 8;

  /** How sure a suspicion is of each event, a figure that is shown, and a verdict. */
  private static final double LIKELY = 0.2;

  private static final double SHOWN = 0.01;

  private static final double CERTAIN = 1e-9;

  /** An answer as numbers; what is missing is zero. */
  interface Answers extends Supplier<double[]> {}

  /** A number made of an answer, and between which ends the event lies. */
  private record Event(Statistic statistic, double low, double high) {
    boolean holds(double[] answer) {
      double value = statistic.of(answer);
      return value >= low && value <= high;
    }
  }

  private interface Statistic {
    double of(double[] answer);
  }

  /** The answers of two neighbours. */
  record Sides(Answers x, Answers y) {
    Sides turned() {
      return new Sides(y, x);
    }
  }

  /** An event that seems likelier on the first side, and by how much. */
  private record Suspicion(int pair, Sides sides, Event event, double loss) {}

  /**
   * @param pair the place of the pair that was judged
   * @param answers how many of each were judged
   */
  record Finding(int pair, double seen, double certain, long answers) {}

  private final double delta;

  NoiseAudit(double delta) {
    this.delta = delta;
  }

  /**
   * @param pairs the first is looked at closely whatever a glance says
   * @param late says when to come to an end
   */
  Finding of(List<Sides> pairs, BooleanSupplier late) {
    List<Integer> closer = IntStream.range(0, pairs.size()).boxed().toList();
    if (closer.size() > CLOSER) {
      List<Suspicion> glanced = suspicions(pairs, closer, GLANCED, late);
      closer =
          Stream.concat(Stream.of(0), glanced.stream().map(Suspicion::pair))
              .distinct()
              .limit(CLOSER)
              .toList();
    }
    List<Suspicion> learned = suspicions(pairs, closer, LEARNED, late);
    return learned.isEmpty() ? new Finding(0, 0, 0, 0) : judged(learned.getFirst(), late);
  }

  /** The worst first. */
  private List<Suspicion> suspicions(
      List<Sides> pairs, List<Integer> places, int draws, BooleanSupplier late) {
    return places.stream()
        .flatMap(place -> suspicion(place, pairs.get(place), draws, late).stream())
        .sorted(Comparator.comparingDouble(Suspicion::loss).reversed())
        .toList();
  }

  /** None when there was no time to learn anything. */
  private Optional<Suspicion> suspicion(int pair, Sides sides, int draws, BooleanSupplier late) {
    List<double[]> ofX = drawn(sides.x(), draws, late);
    List<double[]> ofY = drawn(sides.y(), draws, late);
    if (Math.min(ofX.size(), ofY.size()) < 200) {
      return Optional.empty();
    }
    Suspicion most = null;
    for (Statistic statistic : statistics(ofX, ofY)) {
      for (Event event : events(statistic, ofX, ofY)) {
        double p = share(event, ofX);
        double q = share(event, ofY);
        long n = Math.min(ofX.size(), ofY.size());
        double there = loss(p, q, n, LIKELY);
        double back = loss(q, p, n, LIKELY);
        if (most == null || Math.max(there, back) > most.loss()) {
          Sides likelier = back > there ? sides.turned() : sides;
          most = new Suspicion(pair, likelier, event, Math.max(there, back));
        }
      }
    }
    return Optional.ofNullable(most);
  }

  private Finding judged(Suspicion suspicion, BooleanSupplier late) {
    Event event = suspicion.event();
    long n = 0;
    long inX = 0;
    long inY = 0;
    while (n < JUDGED && (n < 2_000 || n % 200 != 0 || !late.getAsBoolean())) {
      inX += event.holds(suspicion.sides().x().get()) ? 1 : 0;
      inY += event.holds(suspicion.sides().y().get()) ? 1 : 0;
      n++;
    }
    double p = (double) inX / n;
    double q = (double) inY / n;
    return new Finding(suspicion.pair(), loss(p, q, n, SHOWN / 2), loss(p, q, n, CERTAIN / 2), n);
  }

  /** At least so much ε was lost, but for the chance. */
  private double loss(double p, double q, long n, double chance) {
    double least = Confidence.least(p, n, chance) - delta;
    return least <= 0 ? 0 : Math.max(0, Math.log(least / Confidence.most(q, n, chance)));
  }

  private static List<double[]> drawn(Answers answers, int count, BooleanSupplier late) {
    List<double[]> all = new ArrayList<>();
    while (all.size() < count
        && (all.size() % 200 != 0 || all.size() < 200 || !late.getAsBoolean())) {
      all.add(answers.get());
    }
    return all;
  }

  private static double share(Event event, List<double[]> answers) {
    return answers.stream().filter(event::holds).count() / (double) answers.size();
  }

  /** Which of the two an answer is nearer to, and single cells. */
  private static List<Statistic> statistics(List<double[]> x, List<double[]> y) {
    int cells = Math.max(width(x), width(y));
    double[] mx = new double[cells];
    double[] my = new double[cells];
    double[] spread = new double[cells];
    for (int c = 0; c < cells; c++) {
      mx[c] = middle(x, c);
      my[c] = middle(y, c);
      spread[c] = Math.max(1e-12, spread(x, c, mx[c]));
    }
    List<Statistic> all = new ArrayList<>();
    all.add(
        answer -> {
          double sum = 0;
          for (int c = 0; c < cells; c++) {
            double value = at(answer, c);
            sum += (Math.abs(value - mx[c]) - Math.abs(value - my[c])) / spread[c];
          }
          return sum;
        });
    for (int c = 0; c < Math.min(cells, MOST_CELLS); c++) {
      int cell = c;
      all.add(answer -> at(answer, cell));
      all.add(answer -> Math.abs(at(answer, cell) - mx[cell]));
    }
    return all;
  }

  private static int width(List<double[]> answers) {
    return answers.stream().mapToInt(a -> a.length).max().orElse(0);
  }

  private static double at(double[] answer, int cell) {
    return cell < answer.length ? answer[cell] : 0;
  }

  private static double middle(List<double[]> answers, int cell) {
    double[] sorted = answers.stream().mapToDouble(a -> at(a, cell)).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static double spread(List<double[]> answers, int cell, double from) {
    double[] sorted = answers.stream().mapToDouble(a -> Math.abs(at(a, cell) - from)).toArray();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  /** Both tails at several cuts, pieces between cuts, and single values where they are few. */
  private static List<Event> events(Statistic statistic, List<double[]> x, List<double[]> y) {
    double[] values = new double[x.size() + y.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] = statistic.of(i < x.size() ? x.get(i) : y.get(i - x.size()));
    }
    Arrays.sort(values);
    List<Event> events = new ArrayList<>();
    double before = Double.NEGATIVE_INFINITY;
    for (int i = 1; i < CUTS; i++) {
      double cut = values[(int) ((long) i * (values.length - 1) / CUTS)];
      events.add(new Event(statistic, cut, Double.POSITIVE_INFINITY));
      events.add(new Event(statistic, Double.NEGATIVE_INFINITY, cut));
      events.add(new Event(statistic, before, cut));
      before = cut;
    }
    // A value that is chosen now and then lies beyond every cut.
    double[] single = Arrays.stream(values).distinct().limit(2 * CUTS).toArray();
    if (single.length < 2 * CUTS) {
      Arrays.stream(single).forEach(v -> events.add(new Event(statistic, v, v)));
    }
    return events;
  }

  /**
   * What a frequency says of a probability, for certain up to a small chance: bounds by Chernoff,
   * which hold for every number of draws.
   */
  private static final class Confidence {
    private static final int STEPS = 60;

    private Confidence() {}

    /** The probability is at least this, but for the chance. */
    static double least(double seen, long draws, double chance) {
      double low = 0;
      double high = seen;
      for (int i = 0; i < STEPS; i++) {
        double middle = (low + high) / 2;
        if (draws * divergence(seen, middle) > -Math.log(chance)) {
          low = middle;
        } else {
          high = middle;
        }
      }
      return low;
    }

    /** The probability is at most this, but for the chance. */
    static double most(double seen, long draws, double chance) {
      return 1 - least(1 - seen, draws, chance);
    }

    private static double divergence(double seen, double p) {
      return part(seen, p) + part(1 - seen, 1 - p);
    }

    private static double part(double a, double b) {
      return a == 0 ? 0 : b == 0 ? Double.POSITIVE_INFINITY : a * Math.log(a / b);
    }
  }
}
