package flexdp.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class MetricsReaderTest {
  private static final Policy POLICY =
      PolicyReader.read(
          Map.of(
              "tables",
              Map.of(
                  "edges",
                  Map.of(
                      "columns",
                      Map.of(
                          "source", Map.of("type", "bigint"), "dest", Map.of("type", "bigint"))))));

  private static Metrics of(Map<String, Object> edges) {
    return MetricsReader.read(Map.of("edges", edges), POLICY);
  }

  private static String complaint(org.junit.jupiter.api.function.Executable reading) {
    ConfigurationError e = assertThrows(ConfigurationError.class, reading);
    assertEquals(ConfigurationError.Code.BAD_METRICS, e.code());
    return e.message();
  }

  @Test
  void frequenciesOfColumnsAndCompoundKeysAreRead() {
    Metrics metrics =
        of(
            Map.of(
                "rows",
                51971,
                "columns",
                Map.of("source", Map.of("maxFrequency", 65, "maxFrequencyWithNull", 70)),
                "keys",
                List.of(Map.of("columns", List.of("source", "dest"), "maxFrequency", 1)),
                "released",
                Map.of(
                    "columns",
                    Map.of("source", Map.of("maxFrequency", 90)),
                    "epsilon",
                    new BigDecimal("0.5"),
                    "delta",
                    new BigDecimal("1e-9"))));
    TableMetrics edges = metrics.table("edges");
    assertEquals(Optional.of(BigInteger.valueOf(51971)), edges.rows());
    assertEquals(
        new MaxFrequency(Optional.of(BigInteger.valueOf(65)), Optional.of(BigInteger.valueOf(70))),
        edges.frequencies().get(Set.of("source")));
    assertEquals(
        Optional.of(BigInteger.ONE), edges.frequencies().get(Set.of("dest", "source")).max());
    Metrics.Release released = metrics.released("edges").orElseThrow();
    assertEquals(new BigDecimal("0.5"), released.epsilon());
    assertEquals(
        Optional.of(BigInteger.valueOf(90)),
        released.values().frequencies().get(Set.of("source")).max());
  }

  @Test
  void aTableThatThePolicyHidesIsLeftOutButASlipIsAnError() {
    assertEquals(
        Map.of(), MetricsReader.read(Map.of("customers", Map.of("rows", 3)), POLICY).tables());
    assertTrue(
        complaint(() -> MetricsReader.read(Map.of("edgse", Map.of("rows", 3)), POLICY))
            .contains("Did you mean 'edges'?"));
    assertTrue(
        complaint(() -> of(Map.of("columns", Map.of("sourc", Map.of("maxFrequency", 1)))))
            .contains("Did you mean 'source'?"));
  }

  @Test
  void contradictionsAndWrongTypesAreErrors() {
    complaint(() -> of(Map.of("row", 3)));
    complaint(() -> of(Map.of("rows", -3)));
    complaint(() -> of(Map.of("rows", new BigDecimal("1.5"))));
    complaint(() -> of(Map.of("rows", 3, "columns", Map.of("source", Map.of("maxFrequency", 4)))));
    complaint(
        () ->
            of(
                Map.of(
                    "columns",
                    Map.of("source", Map.of("maxFrequency", 4, "maxFrequencyWithNull", 3)))));
    complaint(() -> of(Map.of("keys", List.of(Map.of("maxFrequency", 4)))));
    complaint(() -> of(Map.of("released", Map.of("rows", 4))));
    complaint(
        () ->
            of(
                Map.of(
                    "columns",
                    Map.of("source", Map.of("maxFrequency", 4)),
                    "keys",
                    List.of(Map.of("columns", List.of("source"), "maxFrequency", 5)))));
  }
}
