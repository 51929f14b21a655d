package flexdp.corpus;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.Rejection;
import java.time.LocalDateTime;
import org.junit.jupiter.api.Test;

/** A rejection for want of a metric names the column that has to be measured, and no other. */
class MissingMetricTest {
  private final Setting rides = Setting.read("corpus/rides");
  private final Analyzer analyzer =
      new Analyzer(rides.policy(), rides.metrics(), LocalDateTime.of(2020, 1, 1, 0, 0));

  private String message(String sql) {
    return assertThrows(Rejection.class, () -> analyzer.analyze(sql, AnalysisOptions.DEFAULT), sql)
        .message();
  }

  @Test
  void aConstantFilterBesideACrossJoinIsNotToBlame() {
    String wanted = "No max frequency is known for trips.passengers.";
    String crossed = "SELECT COUNT(*) FROM drivers d LEFT JOIN (SELECT t.passengers FROM trips t";
    String on = ") x ON x.passengers = d.id";
    assertEquals(wanted, message(crossed + " CROSS JOIN cities c" + on));
    assertEquals(wanted, message(crossed + " CROSS JOIN cities c WHERE c.population = 5" + on));
  }
}
