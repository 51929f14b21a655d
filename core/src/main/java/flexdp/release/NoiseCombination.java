package flexdp.release;

import flexdp.plan.SummedNoise;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Which draws of noise a value adds up, and with which factors. A draw that is met twice is one: x
 * − x has no noise.
 *
 * @param slack how far rounding may have moved the noisy value and the exact one apart
 */
record NoiseCombination(List<Part> parts, double slack) {
  /** Without noise. */
  static final NoiseCombination EXACT = new NoiseCombination(List.of(), 0);

  /** Of a value of which nothing is known. */
  static final NoiseCombination UNKNOWN = new NoiseCombination(List.of(), Double.NaN);

  /** Combinations of more parts are not followed. */
  private static final int MOST = 2_000;

  /** One draw, or those of a part of an arrangement. */
  sealed interface Part {
    int drawn();

    Part times(double by);
  }

  /**
   * @param drawn the column of the measurement
   * @param cell the number of its row
   */
  record Cell(int drawn, int cell, double factor) implements Part {
    @Override
    public Cell times(double by) {
      return new Cell(drawn, cell, factor * by);
    }
  }

  /** All draws from one place to before another. */
  record Run(DrawnCells cells, int from, int to, double factor) implements Part {
    @Override
    public int drawn() {
      return cells.drawn();
    }

    @Override
    public Run times(double by) {
      return new Run(cells, from, to, factor * by);
    }
  }

  static NoiseCombination of(int drawn, int cell) {
    return new NoiseCombination(List.of(new Cell(drawn, cell, 1)), 0);
  }

  boolean isUnknown() {
    return Double.isNaN(slack);
  }

  NoiseCombination plus(NoiseCombination other) {
    if (isUnknown() || other.isUnknown() || parts.size() + other.parts.size() > MOST) {
      return UNKNOWN;
    }
    if (parts.isEmpty() || other.parts.isEmpty()) {
      return new NoiseCombination(parts.isEmpty() ? other.parts : parts, slack + other.slack);
    }
    List<Part> both = new ArrayList<>(parts);
    both.addAll(other.parts);
    return new NoiseCombination(both, slack + other.slack);
  }

  NoiseCombination times(double by) {
    if (isUnknown() || !Double.isFinite(by)) {
      return UNKNOWN;
    }
    List<Part> scaled = new ArrayList<>(parts.size());
    parts.forEach(part -> scaled.add(part.times(by)));
    return new NoiseCombination(by == 0 ? List.of() : scaled, slack * Math.abs(by));
  }

  NoiseCombination rounded(double more) {
    return more == 0 ? this : new NoiseCombination(parts, slack + more);
  }

  /** Every draw once, those of one factor together; empty where they are too many to tell. */
  Optional<List<SummedNoise.Term>> terms() {
    Map<Integer, List<Part>> byDrawn = new TreeMap<>();
    parts.forEach(p -> byDrawn.computeIfAbsent(p.drawn(), d -> new ArrayList<>()).add(p));
    List<SummedNoise.Term> terms = new ArrayList<>();
    for (Map.Entry<Integer, List<Part>> one : byDrawn.entrySet()) {
      Optional<Map<Double, Integer>> times = times(one.getValue());
      if (times.isEmpty()) {
        return Optional.empty();
      }
      times.get().forEach((factor, n) -> terms.add(new SummedNoise.Term(one.getKey(), factor, n)));
    }
    return Optional.of(terms);
  }

  /** How many draws of one measurement have which factor. */
  private static Optional<Map<Double, Integer>> times(List<Part> parts) {
    DrawnCells cells = null;
    for (Part part : parts) {
      if (part instanceof Run run) {
        if (cells != null && cells != run.cells()) {
          return apart(parts);
        }
        cells = run.cells();
      }
    }
    return cells == null ? apart(parts) : Optional.of(along(cells, parts));
  }

  /** Draw by draw. */
  private static Optional<Map<Double, Integer>> apart(List<Part> parts) {
    Map<Integer, Double> factors = new HashMap<>();
    for (Part part : parts) {
      switch (part) {
        case Cell cell -> factors.merge(cell.cell(), cell.factor(), Double::sum);
        case Run run -> {
          if (run.to() - run.from() > MOST) {
            return Optional.empty();
          }
          run.cells()
              .between(run.from(), run.to())
              .forEach(cell -> factors.merge(cell, run.factor(), Double::sum));
        }
      }
    }
    Map<Double, Integer> times = new TreeMap<>();
    factors.values().forEach(factor -> add(times, factor, 1));
    return Optional.of(times);
  }

  /** Between the places where the factor changes; draws that stand elsewhere by themselves. */
  private static Map<Double, Integer> along(DrawnCells cells, List<Part> parts) {
    Map<Double, Integer> times = new TreeMap<>();
    Map<Integer, Double> elsewhere = new HashMap<>();
    List<Run> runs = new ArrayList<>();
    TreeSet<Integer> changes = new TreeSet<>();
    for (Part part : parts) {
      switch (part) {
        case Run run -> runs.add(run);
        case Cell cell ->
            cells
                .place(cell.cell())
                .ifPresentOrElse(
                    at -> runs.add(new Run(cells, at, at + 1, cell.factor())),
                    () -> elsewhere.merge(cell.cell(), cell.factor(), Double::sum));
      }
    }
    runs.forEach(
        run -> {
          changes.add(run.from());
          changes.add(run.to());
        });
    Integer from = null;
    for (int to : changes) {
      if (from != null) {
        int start = from;
        double factor =
            runs.stream()
                .filter(run -> run.from() <= start && start < run.to())
                .mapToDouble(Run::factor)
                .sum();
        add(times, factor, cells.count(start, to));
      }
      from = to;
    }
    elsewhere.values().forEach(factor -> add(times, factor, 1));
    return times;
  }

  private static void add(Map<Double, Integer> times, double factor, int count) {
    if (factor != 0 && count > 0) {
      times.merge(factor, count, Integer::sum);
    }
  }
}
