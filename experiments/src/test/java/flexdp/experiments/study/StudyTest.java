package flexdp.experiments.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.Analyzer;
import flexdp.experiments.report.Plain;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.demo.RideSharing;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.Metrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.time.LocalDateTime;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a study says of a log. */
class StudyTest {
  private static final Policy POLICY =
      PolicyReader.read(YamlText.tree(RideSharing.policy("jdbc:duckdb:"), Code.BAD_POLICY));
  private static final KnownKeys KEYS = KnownKeys.of(POLICY, Metrics.NONE);
  private static final Optional<Analyzer> ANALYZER =
      Optional.of(new Analyzer(POLICY, Metrics.NONE, LocalDateTime.of(2016, 12, 1, 0, 0)));

  @Test
  void relationshipsFollowFromDeclaredKeys() {
    LogCounts tally =
        of(
            "SELECT 1 FROM trips t JOIN drivers d ON t.driver_id = d.id",
            "SELECT 1 FROM drivers d JOIN analytics a ON a.driver_id = d.id",
            "SELECT 1 FROM trips t JOIN trips o ON t.driver_id = o.driver_id",
            "SELECT 1 FROM trips t JOIN trips o ON t.driver_id = o.driver_id"
                + " AND o.requested_at = t.requested_at",
            "SELECT 1 FROM elsewhere t JOIN drivers d ON t.driver_id = d.id");
    assertEquals(1, tally.relationships().of("ONE_TO_MANY"));
    assertEquals(2, tally.relationships().of("ONE_TO_ONE"));
    assertEquals(1, tally.relationships().of("MANY_TO_MANY"));
    assertEquals(2, tally.selfJoins());
    assertEquals(4, tally.onlyEquijoins());
  }

  @Test
  void successIsToldByWhatQueriesReturn() {
    LogCounts tally =
        of(
            "SELECT COUNT(*) FROM trips",
            "SELECT COUNT(*) FROM trips t JOIN drivers d ON t.driver_id > d.id",
            "SELECT SUM(fare) FROM trips",
            "SELECT * FROM trips",
            "SELECT name FROM cities",
            "garbage");
    Success success = tally.success();
    assertEquals(0.5, Success.share(success.of(LogCounts.COUNTING)));
    assertEquals(1, success.of(LogCounts.COUNTING).of("JOIN_NOT_EQUI"));
    assertEquals(1.0, Success.share(success.of(LogCounts.STATISTICAL)));
    assertEquals(1, success.of(LogCounts.RAW).of("RAW_ROWS"));
    assertEquals(1, success.of(LogCounts.UNREADABLE).of("SYNTAX"));
    assertEquals("garbage", tally.unreadableSamples().of("SYNTAX"));
  }

  @Test
  void theTextHasThePapersNumbersBeside() {
    String text = Plain.of(StudySection.of("study", "A log", of("SELECT COUNT(*) FROM trips")));
    assertTrue(text.contains("queries with JOIN"), text);
    assertTrue(
        text.lines().anyMatch(l -> l.matches(".*counting queries accepted +76 % +100 %.*")), text);
  }

  @Test
  void manyWorkersCountTheSameAsOne() throws Exception {
    List<LogRecord> log =
        IntStream.range(0, 1_000)
            .mapToObj(
                i ->
                    (LogRecord)
                        LogRecord.Query.of("SELECT COUNT(*) FROM t" + i % 7 + " WHERE x = " + i))
            .toList();
    Iterator<LogRecord> entries = log.iterator();
    Study.Source source = () -> entries.hasNext() ? Optional.of(entries.next()) : Optional.empty();
    LogCounts parallel = new Study(KnownKeys.NONE, Optional.empty(), 3).of(source);
    LogCounts single = Study.of(log.stream(), KnownKeys.NONE, Optional.empty());
    assertEquals(1_000, parallel.queries());
    assertEquals(single.operators().descending(), parallel.operators().descending());
    assertEquals(single.clauses().cumulative(), parallel.clauses().cumulative());
  }

  @Test
  void garbageIsCountedWhateverItIs() {
    SplittableRandom random = new SplittableRandom(5);
    String words =
        "SELECT ( ) , FROM t JOIN ON = ' \" ; * CASE WITH UNION 1e9 \0 ü LIMIT GROUP BY :: [ ";
    String[] parts = words.split(" ");
    Stream<LogRecord> log =
        IntStream.range(0, 500)
            .mapToObj(
                i -> {
                  StringBuilder text = new StringBuilder();
                  for (int j = random.nextInt(40); j >= 0; j--) {
                    text.append(parts[random.nextInt(parts.length)]).append(' ');
                  }
                  return LogRecord.Query.of(text.toString());
                });
    LogCounts tally = Study.of(log, KEYS, ANALYZER);
    assertEquals(500, tally.queries());
    assertEquals(0, tally.unreadable().of("INTERNAL"));
    assertEquals(0, tally.success().all().of("INTERNAL"));
  }

  private static LogCounts of(String... queries) {
    return Study.of(Stream.of(queries).map(LogRecord.Query::of), KEYS, ANALYZER);
  }
}
