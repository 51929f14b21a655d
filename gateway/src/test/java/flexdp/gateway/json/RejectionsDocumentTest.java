package flexdp.gateway.json;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Rejection;
import flexdp.gateway.files.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** The examples in docs/rejections.md are rejected for the reason that is written beside them. */
class RejectionsDocumentTest {
  private static final Path DOCS = Path.of("..", "docs");
  private static final Pattern ROW =
      Pattern.compile("\\| `([A-Z_]+)` \\|.*\\| `((?:SELECT|WITH|DELETE)[^`]*)` \\|");

  @TestFactory
  Stream<DynamicTest> everyExampleIsRejectedWithItsCode() throws IOException {
    Policy policy =
        PolicyReader.read(TextFiles.tree(DOCS.resolve("example.yaml"), Code.BAD_POLICY));
    Metrics metrics =
        MetricsReader.read(
            TextFiles.tree(DOCS.resolve("example.metrics.json"), Code.BAD_METRICS), policy);
    Analyzer analyzer = new Analyzer(policy, metrics, LocalDateTime.of(2024, 1, 1, 0, 0));
    return Files.readAllLines(DOCS.resolve("rejections.md")).stream()
        .map(ROW::matcher)
        .filter(Matcher::matches)
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.group(1),
                    () ->
                        assertEquals(
                            row.group(1),
                            assertThrows(
                                    Rejection.class,
                                    () -> analyzer.analyze(row.group(2), AnalysisOptions.DEFAULT))
                                .codeName())));
  }
}
