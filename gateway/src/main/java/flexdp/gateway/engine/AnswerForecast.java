package flexdp.gateway.engine;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.forecast.Forecast;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.QueryOptions.NoiseLimit;
import flexdp.gateway.prepare.ErrorPredictions;
import flexdp.gateway.prepare.PreparedQuery;
import flexdp.metrics.Metrics;
import flexdp.plan.ErrorModel;
import flexdp.query.DpQuery;
import flexdp.query.Measurement;
import flexdp.release.ReleasePlan;
import flexdp.release.RowTable;
import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * How much of an answer will be noise or missing, before it is paid for: the answer is computed
 * from foretold numbers, error bars and all, as it will be from noisy ones. Nothing private takes
 * part.
 *
 * @param columns what is foretold of each noisy column, by its id
 * @param levels what people will count for, by the column of a measurement's value
 */
record AnswerForecast(
    Map<Integer, Explanation.Foretold> columns, Map<Integer, Forecast.Tau> levels) {
  static final AnswerForecast NONE = new AnswerForecast(Map.of(), Map.of());

  /** Of answers whose error bars reach no further than this, half are within a twentieth. */
  private static final double WORTH = 0.15;

  /** The label in the middle has so many times fewer rows than if all were equally frequent. */
  private static final double UNEVEN = 3;

  /** Fewer cells than these have no middle. */
  private static final int SEVERAL = 3;

  /** Labels that fewer people have than this part of all may be most of them. */
  private static final double FEW = 0.05;

  /** How many rows away from the end MIN and MAX are hardly what is asked for. */
  private static final double NEAR_THE_END = 20;

  /** What is off by no more than this part is near enough, whatever its error bar says. */
  private static final double MISSED = 0.05;

  /** Less than this part is an artefact of rounding. */
  private static final double FELT = 0.005;

  private static final double MOST_TIMES = 1_000;

  /** What is more than this is an artefact of numbers that cancel out. */
  private static final double MOST = 1e9;

  private static final MathContext SHOWN = new MathContext(2, RoundingMode.HALF_UP);

  AnswerForecast {
    columns = Map.copyOf(columns);
    levels = Map.copyOf(levels);
  }

  /**
   * @param metrics of which the released ones are read
   * @param publicRows of what is computed from public tables above the noise
   */
  static AnswerForecast of(
      PreparedQuery prepared, Metrics metrics, Function<Relation, RowTable> publicRows) {
    return of(prepared, prepared.errors(), metrics, publicRows);
  }

  /**
   * What is foretold of a question that is measured otherwise than by itself.
   *
   * @param known of its noise
   */
  static AnswerForecast of(
      PreparedQuery prepared,
      ErrorModel known,
      Metrics metrics,
      Function<Relation, RowTable> publicRows) {
    Optional<Forecast> found = Forecast.of(prepared.plan(), metrics, prepared.labels());
    if (found.isEmpty()) {
      return NONE;
    }
    Forecast forecast = found.get();
    DpQuery query = prepared.plan().query();
    ErrorModel errors = known.and(forecast.noise(), Map.of(), query);
    ConfidenceIntervals bars;
    List<List<Object>> kept;
    try {
      bars = ConfidenceIntervals.of(query, true, errors, forecast.rows(), publicRows);
      kept = ConfidenceIntervals.of(query, false, errors, forecast.kept(), publicRows).rows();
    } catch (Rejection e) {
      return new AnswerForecast(
          Map.of(), forecast.levels()); // of made-up numbers, and so of no answer
    }
    Map<Integer, Explanation.Foretold> columns = new LinkedHashMap<>();
    List<Integer> ids = query.columns().stream().map(c -> c.column().id()).toList();
    Map<Integer, Measurement> measured = query.measurements();
    for (Column column : new ErrorPredictions(query).columns()) {
      Optional.ofNullable(measured.get(column.id()))
          .map(m -> forecast.ranks().get(m.output().id()))
          .filter(rank -> rank.rows() >= 1)
          .ifPresent(rank -> columns.put(column.id(), said(rank, bars.rows().size(), forecast)));
      median(bars, ids.indexOf(column.id()))
          .ifPresent(cell -> columns.put(column.id(), said(cell, bars.rows().size(), forecast)));
      double missed = missed(bars, kept, ids.indexOf(column.id()));
      columns.computeIfPresent(column.id(), (id, one) -> cut(one, missed, forecast));
    }
    missing(prepared, forecast)
        .ifPresent(warning -> columns.replaceAll((id, one) -> one.warned(warning)));
    return new AnswerForecast(columns, forecast.levels());
  }

  /** What is said where few labels that come from the data will be shown. */
  private static Optional<String> missing(PreparedQuery prepared, Forecast forecast) {
    for (ReleasePlan release : prepared.releases()) {
      Optional<Double> people = Optional.ofNullable(forecast.people().get(release.target().id()));
      Optional<BigDecimal> above = release.labelThreshold();
      if (above.isPresent()
          && people.filter(p -> above.get().doubleValue() > p * FEW).isPresent()) {
        return Optional.of(
            "labels will be missing: only those are shown that more than about "
                + plain(shown(above.get().doubleValue()))
                + " of the about "
                + plain(shown(people.get()))
                + " people vouch for"
                + from(forecast)
                + "; list the labels (a domain in the policy, bins in the question), or ask with a"
                + " larger epsilon");
      }
    }
    return Optional.empty();
  }

  /** What is cut off, which error bars of many cells do not tell. */
  private static Explanation.Foretold cut(
      Explanation.Foretold known, double part, Forecast forecast) {
    Explanation.Foretold cut = known.cut(shown(part));
    return part > MISSED
        ? cut.warned(
            "about "
                + plain(shown(100 * part))
                + " % of it will be cut off: what people have beyond τ is missing"
                + from(forecast)
                + "; ask "
                + (known.cells() == 1 ? "" : "for fewer or coarser cells, or ")
                + "with a larger epsilon")
        : cut;
  }

  /** Which part of a column is missing once people are clipped: of the cell in the middle. */
  private static double missed(ConfidenceIntervals all, List<List<Object>> kept, int column) {
    double before = middle(all.rows(), column);
    double after = middle(kept, column);
    double missed = before == 0 || after == 0 ? 0 : Math.abs(1 - after / before);
    return missed < FELT ? 0 : missed;
  }

  private static double middle(List<List<Object>> rows, int column) {
    double[] sorted =
        rows.stream()
            .map(row -> row.get(column))
            .filter(Number.class::isInstance)
            .mapToDouble(value -> Math.abs(((Number) value).doubleValue()))
            .sorted()
            .toArray();
    return sorted.length == 0 ? 0 : sorted[sorted.length / 2];
  }

  /** A number and how far its error bar reaches. */
  private record Cell(double value, double noise) {
    /** A cell that is not shown, as it does not stand out of its noise. */
    private static final Cell NONE = new Cell(0, Double.POSITIVE_INFINITY);

    double share() {
      return noise / Math.abs(value);
    }

    boolean isNone() {
      return Double.isInfinite(noise);
    }
  }

  /** The cell that half of all are less noisy than. */
  private static Optional<Cell> median(ConfidenceIntervals bars, int column) {
    List<Cell> cells = new ArrayList<>();
    for (int row = 0; row < bars.rows().size(); row++) {
      Object value = bars.rows().get(row).get(column);
      Optional<AnalystView.Bar> bar = bars.intervals().get(row).get(column);
      if (value instanceof Number number && bar.isPresent() && number.doubleValue() != 0) {
        double width = bar.get().high().subtract(bar.get().low()).doubleValue() / 2;
        cells.add(new Cell(number.doubleValue(), width));
      } else if (value == null || bars.barred().contains(column) && bar.isEmpty()) {
        cells.add(Cell.NONE);
      }
    }
    if (cells.isEmpty()) {
      return Optional.empty();
    }
    cells.sort(java.util.Comparator.comparingDouble(Cell::share));
    return Optional.of(cells.get(cells.size() / 2)).filter(c -> c.isNone() || c.share() < MOST);
  }

  private static Explanation.Foretold said(Cell cell, int cells, Forecast forecast) {
    BigDecimal noise = cell.isNone() ? BigDecimal.ZERO : shown(cell.noise());
    BigDecimal value = shown(Math.abs(cell.value()));
    Optional<BigDecimal> share =
        cell.isNone() ? Optional.empty() : Optional.of(shown(cell.share()));
    return new Explanation.Foretold(
        noise, value, share, cells, BigDecimal.ZERO, warning(cell, noise, value, cells, forecast));
  }

  private static Explanation.Foretold said(Forecast.Rank rank, int cells, Forecast forecast) {
    double share = rank.off() / rank.rows();
    String warning = "";
    if (share <= WORTH && rank.isEnd() && rank.off() > NEAR_THE_END) {
      warning =
          "it will be noise: the value "
              + (cells == 1 ? "" : "in each of " + cells + " cells ")
              + "lies up to "
              + plain(shown(rank.off()))
              + " rows away from the last one, and the last rows may lie far apart"
              + from(forecast)
              + "; ask for a quantile, as percentile_cont(0.99), or"
              + " with a larger epsilon";
    } else if (share > WORTH) {
      warning =
          (share >= 1 ? "it" : "much of it")
              + " will be noise: the value "
              + (cells == 1 ? "" : "in each of " + cells + " cells ")
              + "is chosen with up to "
              + plain(shown(rank.off()))
              + " rows between it and the one that is wanted, of about "
              + plain(shown(rank.rows()))
              + (cells == 1 ? " in all" : " in a cell if rows are spread evenly")
              + from(forecast)
              + remedy(share, cells);
    }
    return new Explanation.Foretold(
        shown(rank.off()),
        shown(rank.rows()),
        Optional.of(shown(share)),
        cells,
        BigDecimal.ZERO,
        warning);
  }

  private static String from(Forecast forecast) {
    return forecast.from().isEmpty()
        ? ""
        : " (released numbers of "
            + String.join(", ", forecast.from().stream().sorted().toList())
            + ")";
  }

  private static String remedy(double share, int cells) {
    double times = Math.ceil(share / WORTH);
    String more =
        Double.isInfinite(share)
            ? "with a larger epsilon"
            : times <= MOST_TIMES
                ? "with about " + plain(shown(times)) + " times the epsilon"
                : "about more rows at once";
    return "; ask " + (cells == 1 ? "" : "for fewer or coarser cells, or ") + more;
  }

  private static String warning(
      Cell cell, BigDecimal noise, BigDecimal value, int cells, Forecast forecast) {
    boolean uneven = forecast.uneven() && cells >= SEVERAL && !cell.isNone();
    double felt = cell.share() * (uneven ? UNEVEN : 1);
    if (felt <= WORTH) {
      return "";
    }
    StringBuilder text =
        new StringBuilder(
            cell.share() >= 1
                ? "it"
                : cell.share() > WORTH ? "much of it" : "of rare labels much of it");
    text.append(" will be noise: ");
    if (cell.isNone()) {
      text.append(
          cells == 1
              ? "the number that it is divided by does not stand out of its noise"
              : "in most of "
                  + cells
                  + " cells the number that they are divided by does not stand out of its noise");
    } else {
      text.append(cells == 1 ? "the noise" : "the noise in each of " + cells + " cells");
      text.append(" is about ± ").append(plain(noise)).append(", ");
      text.append(plain(shown(100 * cell.share()))).append(" % of the about ").append(plain(value));
      text.append(
          cells == 1 ? " that it will show" : " that a cell holds if rows are spread evenly");
    }
    text.append(from(forecast));
    text.append(remedy(cell.isNone() ? Double.POSITIVE_INFINITY : felt, cells));
    return text.toString();
  }

  private static BigDecimal shown(double number) {
    return new BigDecimal(number).round(SHOWN);
  }

  private static String plain(BigDecimal number) {
    return number.signum() == 0 ? "0" : number.stripTrailingZeros().toPlainString();
  }

  /** The columns that will be noise, in the words of {@code explain}. */
  List<Note> notes(DpQuery query) {
    List<Note> notes = new ArrayList<>();
    for (DpQuery.ResultColumn column : query.columns()) {
      Explanation.Foretold one = columns.get(column.column().id());
      if (one != null && !one.warning().isEmpty()) {
        notes.add(
            new Note(
                Note.Code.WILL_BE_NOISE,
                column.column().name() + ": " + one.warning(),
                numbers(one)));
      }
    }
    return notes;
  }

  private static Map<String, BigDecimal> numbers(Explanation.Foretold one) {
    Map<String, BigDecimal> numbers = new LinkedHashMap<>();
    one.share()
        .ifPresent(
            share -> {
              numbers.put("noise", one.noise());
              numbers.put("value", one.value());
              numbers.put("share", share);
            });
    if (one.cut().signum() > 0) {
      numbers.put("cut", one.cut());
    }
    return numbers;
  }

  /**
   * @throws Rejection where more is foretold to be noise, or to be cut off, than is allowed
   */
  void require(DpQuery query, Optional<NoiseLimit> limit) {
    if (limit.isEmpty()) {
      return;
    }
    for (DpQuery.ResultColumn column : query.columns()) {
      Explanation.Foretold one = columns.get(column.column().id());
      if (one == null) {
        continue;
      }
      BigDecimal most = limit.get().share();
      if (one.share().map(s -> s.compareTo(most) > 0).orElse(true)) {
        throw refused(
            "More noise is foretold than is allowed. ",
            column,
            one.warning().isEmpty()
                ? "the noise is about ± " + plain(one.noise()) + " of about " + plain(one.value())
                : one.warning());
      }
      if (one.cut().compareTo(most) > 0) {
        throw refused(
            "More is foretold to be cut off than is allowed. ",
            column,
            one.warning().isEmpty()
                ? "what people have beyond τ is about "
                    + plain(shown(100 * one.cut().doubleValue()))
                    + " %"
                : one.warning());
      }
    }
  }

  private static Rejection refused(String what, DpQuery.ResultColumn column, String why) {
    return Rejection.of(
        RejectionCode.TOO_NOISY,
        what + column.column().name() + ": " + why + ".",
        "Nothing was charged. Without a noise limit it is answered all the same.");
  }
}
