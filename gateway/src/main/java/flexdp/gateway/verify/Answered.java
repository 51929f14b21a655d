package flexdp.gateway.verify;

import flexdp.noise.Distributions;
import flexdp.release.Rows;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Answers to a question as rows of numbers, each number in its own place whatever labels an answer
 * shows; both neighbours' answers have the same places.
 */
final class Answered {
  private record Place(int point, List<Object> labels, int column) {}

  private final Distributions distributions = new Distributions();
  private final Map<Place, Integer> places = new HashMap<>();

  NoiseAudit.Answers of(ExactResults read) {
    return () -> answer(read.released(distributions), read);
  }

  private double[] answer(Map<Integer, Rows> released, ExactResults read) {
    double[] numbers = new double[places.size()];
    for (Map.Entry<Integer, Rows> point : released.entrySet()) {
      int keys =
          read.plan().question().releases().stream()
              .filter(p -> p.id() == point.getKey())
              .findFirst()
              .orElseThrow()
              .keys()
              .size();
      for (List<Object> row : point.getValue().rows()) {
        for (int column = keys; column < row.size(); column++) {
          Place place = new Place(point.getKey(), row.subList(0, keys), column);
          Integer at = places.get(place);
          if (at == null) {
            at = places.size();
            places.put(
                new Place(point.getKey(), Arrays.asList(row.subList(0, keys).toArray()), column),
                at);
          }
          if (at >= numbers.length) {
            numbers = Arrays.copyOf(numbers, places.size());
          }
          numbers[at] = number(row.get(column));
        }
      }
    }
    return numbers;
  }

  private static double number(Object value) {
    return switch (value) {
      case null -> 0;
      case Number n -> n.doubleValue();
      case LocalDate d -> d.toEpochDay();
      case LocalDateTime t -> t.toEpochSecond(ZoneOffset.UTC);
      default -> value.hashCode();
    };
  }
}
