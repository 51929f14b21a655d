package flexdp.gateway.collect;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.MetricsFile.ReleasedTable;
import flexdp.gateway.files.YamlText;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.TableMetrics;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Range;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MetricsFileTest {
  private static final Policy POLICY =
      PolicyReader.read(
          YamlText.tree(
              "tables: {Ünicode \"t\": {columns: {a: {type: integer}, b: {type: date},"
                  + " c: {type: timestamp}}}, p: {public: true, columns: {x: {type: varchar}}}}",
              ConfigurationError.Code.BAD_POLICY));
  private static final String NAME = "Ünicode \"t\"";

  private static final TableMetrics PRIVATE =
      new TableMetrics(
          Optional.of(BigInteger.valueOf(1000)),
          Map.of(
              Set.of("a"), frequency(65, 70),
              Set.of("a", "b"), frequency(1, 9),
              Set.of("b", "c"), frequency(2, 2)));
  private static final TableMetrics PUBLIC =
      new TableMetrics(Optional.of(BigInteger.valueOf(123)), Map.of(Set.of("x"), frequency(1, 1)));
  private static final ReleasedTable RELEASED =
      new ReleasedTable(
          new Metrics.Release(
              new TableMetrics(
                  Optional.of(BigInteger.valueOf(1034)), Map.of(Set.of("a"), frequency(101, 99))),
              new BigDecimal("0.1"),
              new BigDecimal("1E-9")),
          "then files:0123456789abcdef",
          "release:1",
          Instant.parse("2026-01-01T00:00:00Z"));

  private static MaxFrequency frequency(long max, long withNull) {
    return new MaxFrequency(
        Optional.of(BigInteger.valueOf(max)),
        withNull < max ? Optional.empty() : Optional.of(BigInteger.valueOf(withNull)));
  }

  private static CollectedMetrics collected() {
    return new CollectedMetrics(
        new Metrics(Map.of(NAME, PRIVATE, "p", PUBLIC), Map.of()),
        Map.of(
            NAME,
            Map.of(
                "a", new Range(new BigDecimal("-1"), new BigDecimal("12")),
                "b", Range.of(-1, 17_000),
                "c", Range.of(-1, 1_000_001))),
        Instant.parse("2026-02-02T00:00:00Z"),
        "now");
  }

  @Test
  void whatIsWrittenIsReadBack(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("x.metrics.json");
    MetricsFile.write(file, POLICY, collected(), Map.of(NAME, RELEASED));
    MetricsFile.Content content = MetricsFile.read(file, POLICY);
    assertEquals(PRIVATE, content.metrics().table(NAME));
    assertEquals(Optional.of(RELEASED.release()), content.metrics().released(NAME));
    assertEquals(Map.of(NAME, RELEASED), content.released());
    assertEquals("now", content.snapshots().get(NAME));
    String text = Files.readString(file);
    assertTrue(text.contains("[ \"1969-12-31\", \"2016-07-18\" ]"), text);
    assertTrue(
        text.contains("[ \"1969-12-31 23:59:59.999999\", \"1970-01-01 00:00:01.000001\" ]"), text);
  }

  @Test
  void onlyItsOwnerMayReadIt(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("x.metrics.json");
    Files.writeString(file, "old");
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
    MetricsFile.write(file, POLICY, collected(), Map.of());
    assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(file)));
    try (var files = Files.list(folder)) {
      assertEquals(List.of(file), files.toList());
    }
  }

  @Test
  void thePublicFileHoldsNothingPrivate(@TempDir Path folder) throws Exception {
    Path file = MetricsFile.releasedBeside(folder.resolve("x.metrics.json"));
    assertEquals("x.released.json", file.getFileName().toString());
    MetricsFile.writeReleased(file, POLICY, collected(), Map.of(NAME, RELEASED));
    MetricsFile.Content content = MetricsFile.read(file, POLICY);
    assertEquals(Optional.of(RELEASED.release()), content.metrics().released(NAME));
    assertEquals(TableMetrics.UNKNOWN, content.metrics().table(NAME));
    assertEquals(PUBLIC, content.metrics().table("p"));
    String text = Files.readString(file);
    for (String secret :
        List.of("1000", "65", "70", "2016-07-18", "now", "then", "0123456789abcdef")) {
      assertFalse(text.contains(secret), secret + " in " + text);
    }
  }

  /** Files of earlier versions: what they called the state does not become public again. */
  @Test
  void aReleaseWithoutANameGetsOneAtRandom(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("x.metrics.json");
    MetricsFile.write(file, POLICY, collected(), Map.of(NAME, RELEASED));
    Files.writeString(file, Files.readString(file).replaceAll(",\\s*\"name\" : \"[^\"]*\"", ""));
    ReleasedTable one = MetricsFile.read(file, POLICY).released().get(NAME);
    ReleasedTable two = MetricsFile.read(file, POLICY).released().get(NAME);
    assertEquals(RELEASED.snapshot(), one.snapshot());
    assertNotEquals(one.name(), two.name());
    Path released = MetricsFile.releasedBeside(file);
    MetricsFile.writeReleased(released, POLICY, collected(), Map.of(NAME, one));
    assertFalse(Files.readString(released).contains("0123456789abcdef"));
  }

  @Test
  void aTornFileIsAnError(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("x.metrics.json");
    MetricsFile.write(file, POLICY, collected(), Map.of());
    String text = Files.readString(file);
    Files.writeString(file, text.substring(0, text.length() / 2));
    assertThrows(ConfigurationError.class, () -> MetricsFile.read(file, POLICY));
  }

  @Test
  void theFileStandsBesideThePolicy() {
    assertEquals(Path.of("a/rides.metrics.json"), MetricsFile.beside(Path.of("a/rides.yaml")));
    assertEquals(Path.of("rides.metrics.json"), MetricsFile.beside(Path.of("rides")));
  }
}
