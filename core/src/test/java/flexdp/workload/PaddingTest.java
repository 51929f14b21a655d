package flexdp.workload;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.time.LocalDate;
import java.time.YearMonth;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Months of 28 to 31 days as blocks of 31 cells, some of them always empty and measured all the
 * same: what that costs, against least squares on the days that there are.
 */
class PaddingTest {
  private static final CuboidLattice YEARS = new CuboidLattice(List.of(new int[] {1, 2, 24, 744}));
  private static final double DAY = 0.38;
  private static final double MONTH = 0.34;
  private static final double YEAR = 0.28;
  private static final LocalDate FIRST = LocalDate.of(2015, 1, 1);
  private static final int DAYS = 731;

  private static LeastSquares padded() {
    return new LeastSquares(
        YEARS, new double[] {0, YEAR * YEAR / 2, MONTH * MONTH / 2, DAY * DAY / 2});
  }

  private static int month(int day) {
    LocalDate date = FIRST.plusDays(day);
    return 12 * (date.getYear() - 2015) + date.getMonthValue() - 1;
  }

  private static int place(int day) {
    return 31 * month(day) + FIRST.plusDays(day).getDayOfMonth() - 1;
  }

  /** The covariance of the days when each day, month and year is measured. */
  private static double[][] covariance() {
    double[][] information = new double[DAYS][DAYS];
    for (int i = 0; i < DAYS; i++) {
      for (int j = 0; j < DAYS; j++) {
        information[i][j] =
            ((i == j ? DAY * DAY : 0)
                    + (month(i) == month(j) ? MONTH * MONTH : 0)
                    + (month(i) / 12 == month(j) / 12 ? YEAR * YEAR : 0))
                / 2;
      }
    }
    return inverse(information);
  }

  private static double[][] inverse(double[][] matrix) {
    int n = matrix.length;
    double[][] a = new double[n][2 * n];
    for (int i = 0; i < n; i++) {
      System.arraycopy(matrix[i], 0, a[i], 0, n);
      a[i][n + i] = 1;
    }
    // Positive definite, so no pivots are needed.
    for (int i = 0; i < n; i++) {
      double pivot = a[i][i];
      for (int k = i; k <= n + i; k++) {
        a[i][k] /= pivot;
      }
      for (int j = 0; j < n; j++) {
        double factor = a[j][i];
        if (j != i && factor != 0) {
          for (int k = i; k <= n + i; k++) {
            a[j][k] -= factor * a[i][k];
          }
        }
      }
    }
    double[][] inverse = new double[n][];
    for (int i = 0; i < n; i++) {
      inverse[i] = Arrays.copyOfRange(a[i], n, 2 * n);
    }
    return inverse;
  }

  private static double variance(double[][] covariance, int from, int to) {
    double sum = 0;
    for (int i = from; i < to; i++) {
      for (int j = from; j < to; j++) {
        sum += covariance[i][j];
      }
    }
    return sum;
  }

  /** Of cells from one place to another. */
  private static double variance(LeastSquares fit, int from, int to) {
    double[] cells = new double[744];
    Arrays.fill(cells, from, to, 1);
    return fit.variance(YEARS.product(new double[][] {cells}));
  }

  /** Of every eighteenth day, as the design measured it, and of all days: 0.4 % and 0.9 %. */
  @Test
  void runningTotalsCostLessThanAHundredthAndNothingElseCostsAnything() {
    double[][] covariance = covariance();
    LeastSquares fit = padded();
    double exact = 0;
    double padded = 0;
    double sampled = 0;
    double prefix = 0;
    for (int day = 0; day < DAYS; day++) {
      for (int i = 0; i < day; i++) {
        prefix += 2 * covariance[i][day];
      }
      prefix += covariance[day][day];
      exact += prefix / DAYS;
      LocalDate date = FIRST.plusDays(day);
      boolean last = date.getDayOfMonth() == YearMonth.from(date).lengthOfMonth();
      padded += variance(fit, 0, last ? 31 * (month(day) + 1) : place(day) + 1) / DAYS;
      sampled += day % 18 == 0 ? variance(fit, 0, place(day) + 1) / 41 : 0;
    }
    double cost = Math.sqrt(padded / exact) - 1;
    assertEquals(10.94, Math.sqrt(exact), 0.005, "the error that there is");
    assertEquals(10.98, Math.sqrt(sampled), 0.005);
    assertTrue(cost >= 0 && cost < 0.01, "costs " + cost);
    double day = Math.sqrt(variance(covariance, 40, 41));
    assertEquals(day, Math.sqrt(variance(fit, place(40), place(40) + 1)), 0.005 * day);
    double february = Math.sqrt(variance(covariance, 31, 59));
    assertEquals(february, Math.sqrt(variance(fit, 31, 62)), 0.005 * february);
    double year = Math.sqrt(variance(covariance, 0, 365));
    assertEquals(year, Math.sqrt(variance(fit, 0, 372)), 0.005 * year);
    double total = Math.sqrt(variance(covariance, 0, DAYS));
    assertEquals(total, Math.sqrt(variance(fit, 0, 744)), 0.005 * total);
    assertEquals(6.73, total, 0.05);
  }
}
