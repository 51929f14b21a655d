package flexdp.release;

import flexdp.cells.ExactHistogram;
import flexdp.noise.Mechanism;
import flexdp.noise.Noise;
import flexdp.plan.CalibratedMechanism;
import flexdp.plan.EstimateNoise;
import flexdp.plan.JointClipping;
import flexdp.plan.PublicNoise;
import flexdp.query.NoisyAggregate;
import flexdp.release.ReleasePlan.Exact;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Measurements of one release point that are not all clipped together: each part has a level of its
 * own, chosen from a histogram of people of its own, and all have the same labels. What every part
 * draws costs the ε of its measurements; labels that come from the data are chosen once, by a
 * quarter of each.
 *
 * @param parts the release of each part
 * @param places of the measurements of each part among those of the release point
 */
public record ClippedParts(
    NoisyAggregate target, List<ClippedRelease> parts, List<List<Integer>> places)
    implements ReleasePlan {
  record Each(List<ClippedRelease.Clips> clips) implements Exact {
    Each {
      clips = List.copyOf(clips);
    }
  }

  public ClippedParts {
    parts = List.copyOf(parts);
    places = List.copyOf(places);
  }

  /**
   * @param read the release point over the rows that are read
   * @param noise of each measurement
   */
  static ClippedParts of(
      NoisyAggregate target,
      NoisyAggregate read,
      List<CalibratedMechanism.Clipped> noise,
      Optional<BigDecimal> thresholding) {
    List<List<Integer>> places = JointClipping.of(target);
    List<ClippedRelease> parts = new ArrayList<>();
    for (List<Integer> part : places) {
      // The first one asks for the labels.
      boolean asks = parts.isEmpty();
      parts.add(
          new ClippedRelease(
              JointClipping.some(target, part),
              JointClipping.some(read, part),
              part.stream().map(noise::get).map(n -> asks ? n : n.ofLabels()).toList(),
              thresholding));
    }
    return new ClippedParts(target, parts, places);
  }

  @Override
  public List<Mechanism> draws() {
    return parts.stream().flatMap(part -> part.draws().stream()).toList();
  }

  @Override
  public List<Reading> readings() {
    return parts.stream().flatMap(part -> part.readings().stream()).toList();
  }

  @Override
  public Optional<BigDecimal> labelThreshold() {
    return parts.getFirst().labelThreshold(target.measurements().size());
  }

  @Override
  public Each read(ExactRows rows, Optional<List<List<Object>>> labels) {
    return new Each(parts.stream().map(part -> part.read(rows, labels)).toList());
  }

  @Override
  public Released draw(Exact exact, Noise drawing) {
    List<ClippedRelease.Clips> clips = ((Each) exact).clips();
    int measurements = target.measurements().size();
    List<List<Object>> labels = parts.getFirst().labels(clips.getFirst(), measurements, drawing);
    List<List<Object>> rows = rows(ExactHistogram.of(target, labels));
    List<String> notes = new ArrayList<>();
    List<ContributionCap> caps = new ArrayList<>();
    Map<Integer, PublicNoise> noise = new HashMap<>();
    Map<Integer, EstimateNoise> fits = new HashMap<>();
    for (int p = 0; p < parts.size(); p++) {
      ClippedRelease part = parts.get(p);
      Released released = part.draw(clips.get(p), labels, drawing);
      fill(rows, released.rows().rows(), places.get(p));
      String named = named(part);
      released.notes().forEach(note -> notes.add(named + ": " + note));
      noise.putAll(released.noise());
      fits.putAll(released.fits());
      caps.addAll(released.caps());
    }
    return new Released(
        new RowTable(ExactHistogram.columns(target), rows), notes, noise, fits, List.of(), caps);
  }

  /** The rows of an answer, with room for its values. */
  private List<List<Object>> rows(ExactHistogram bins) {
    List<List<Object>> rows = new ArrayList<>();
    for (ExactHistogram.Bin bin : bins.bins()) {
      List<Object> row = ExactHistogram.labels(target, bin);
      row.addAll(Collections.nCopies(target.measurements().size(), null));
      rows.add(row);
    }
    return rows;
  }

  /** All parts have the same labels in the same order, and their values behind them. */
  private void fill(List<List<Object>> rows, List<List<Object>> some, List<Integer> at) {
    int first = target.keys().size() + target.groupingIds().size();
    for (int row = 0; row < rows.size(); row++) {
      for (int m = 0; m < at.size(); m++) {
        rows.get(row).set(first + at.get(m), some.get(row).get(first + m));
      }
    }
  }

  private static String named(ClippedRelease part) {
    return part.noise().stream()
        .map(n -> NeighborDistance.words(n.measurement()))
        .distinct()
        .collect(Collectors.joining(", "));
  }

  @Override
  public List<NeighborDistance> distance(Exact one, ReleasePlan there, Exact other) {
    List<ClippedRelease> theirs = ((ClippedParts) there).parts();
    List<NeighborDistance> moved = new ArrayList<>();
    for (int p = 0; p < parts.size(); p++) {
      ClippedRelease.Clips here = ((Each) one).clips().get(p);
      moved.addAll(parts.get(p).distance(here, theirs.get(p), ((Each) other).clips().get(p)));
    }
    return moved;
  }

  @Override
  public List<String> shownOtherwise(Exact one, Exact other) {
    return parts
        .getFirst()
        .shownOtherwise(((Each) one).clips().getFirst(), ((Each) other).clips().getFirst());
  }

  @Override
  public boolean tellsItsNoise() {
    return true;
  }
}
