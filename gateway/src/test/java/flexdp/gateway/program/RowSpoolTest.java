package flexdp.gateway.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Rows come out as they went in, however many there are and wherever they waited. */
class RowSpoolTest {
  @Test
  void everyRowComesBackOnceInItsOrder() {
    for (int width = 1; width <= 3; width++) {
      for (int count = 0; count <= 40; count++) {
        List<String> added = new ArrayList<>();
        List<String> found = new ArrayList<>();
        try (RowSpool spool = new RowSpool(width, 10)) {
          for (int i = 0; i < count; i++) {
            double[] row = new double[width];
            Arrays.fill(row, i % 7 == 3 ? Double.NaN : i);
            row[0] = -i;
            added.add(Arrays.toString(row));
            spool.add(row);
          }
          spool.forEach(row -> found.add(Arrays.toString(row)));
        }
        assertEquals(added, found, width + " × " + count);
      }
    }
  }
}
