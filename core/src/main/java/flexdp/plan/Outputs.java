package flexdp.plan;

import flexdp.question.LabelSource;
import flexdp.question.Labels;
import flexdp.question.ReleasePoint;
import java.util.OptionalInt;

/** How many numbers a measurement consists of, as far as that is known before anything is asked. */
final class Outputs {
  private static final int MANY = 1_000_000;

  private Outputs() {}

  static OptionalInt of(ReleasePoint release) {
    int sets = Math.max(1, release.groupingSets().size());
    return switch (release.labels()) {
      case Labels.None ignored -> OptionalInt.of(sets);
      case Labels.Supplied supplied -> times(sets, supplied.rows().size());
      case Labels.Enumerated enumerated -> product(sets, enumerated);
      case Labels.Thresholded ignored -> OptionalInt.empty();
    };
  }

  private static OptionalInt product(int sets, Labels.Enumerated enumerated) {
    OptionalInt product = OptionalInt.of(sets);
    for (LabelSource source : enumerated.sources()) {
      if (product.isEmpty() || !(source instanceof LabelSource.Constants constants)) {
        return OptionalInt.empty();
      }
      product = times(product.getAsInt(), constants.rows().size());
    }
    return product;
  }

  private static OptionalInt times(int a, int b) {
    long product = (long) a * b;
    return product > MANY ? OptionalInt.empty() : OptionalInt.of((int) product);
  }
}
