package flexdp.gateway.files;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TextTest {
  private static String yamlComplaint(String text) {
    return assertThrows(ConfigurationError.class, () -> YamlText.tree(text, Code.BAD_POLICY))
        .message();
  }

  private static String jsonComplaint(String text) {
    return assertThrows(ConfigurationError.class, () -> JsonText.tree(text, Code.BAD_REQUEST))
        .message();
  }

  @Test
  void yamlNumbersAreExact() {
    assertEquals(
        Map.of("a", new BigDecimal("0.1"), "b", new BigDecimal("1e-10"), "c", "x"),
        YamlText.tree("{a: 0.1, b: 1e-10, c: x}", Code.BAD_POLICY));
  }

  @Test
  void yamlTricksAreErrors() {
    assertTrue(yamlComplaint("a: 1\na: 2").contains("duplicate"));
    yamlComplaint("a: &x [1, 2]\nb: [*x, *x, *x]\nc: *x");
    yamlComplaint("[".repeat(100_000));
    yamlComplaint("a: [1, 2");
    yamlComplaint("");
    yamlComplaint("--- 1\n--- 2");
    yamlComplaint("a: !!java.net.URL [x]");
  }

  @Test
  void jsonNumbersAreExactAtAnySize() {
    assertEquals(
        List.of(new BigDecimal("0.1"), new BigInteger("123456789012345678901234567890")),
        JsonText.tree("[0.1, 123456789012345678901234567890]", Code.BAD_REQUEST));
  }

  @Test
  void jsonTricksAreErrors() {
    assertTrue(jsonComplaint("{\"a\": 1, \"a\": 2}").contains("Duplicate"));
    jsonComplaint("[".repeat(100_000));
    jsonComplaint("[1, 2");
    jsonComplaint("{\"a\": NaN}");
    jsonComplaint("{} {}");
    jsonComplaint("");
    jsonComplaint("[" + "9".repeat(5000) + "]");
  }

  @Test
  void theDocumentedPolicyIsRead() {
    Policy policy =
        PolicyReader.read(
            YamlText.tree(
                """
                flexdp: 1
                database: jdbc:postgresql://localhost/rides
                privacy:
                  neighbors: add-remove-one        # or replace-one
                  epsilon: 0.1                     # default for one query
                  delta: 1e-10
                  budget: {epsilon: 10, delta: 1e-8, composition: basic}
                tables:
                  trips:
                    columns:
                      id:        {type: bigint, unique: true}
                      driver_id: {type: bigint, nullable: false}
                      city_id:   {type: integer, references: cities.id}
                      fare:      {type: "decimal(9,2)", range: [0, 500]}
                      status:    {type: varchar, domain: [requested, completed, null]}
                      requested_at: {type: timestamp}
                    unique: [[driver_id, requested_at]]
                  cities:
                    public: true
                    columns: {id: {type: integer, unique: true}, name: {type: varchar}}
                """,
                Code.BAD_POLICY));
    assertEquals(new BigDecimal("0.1"), policy.privacy().epsilon().orElseThrow());
    assertEquals(6, policy.table("trips").orElseThrow().columns().size());
  }

  @Test
  void filesThatCannotBeReadAreNamedInOneLine(@TempDir Path folder) throws IOException {
    Path latin = Files.write(folder.resolve("latin.yaml"), new byte[] {'a', ':', ' ', (byte) 0xe9});
    Path broken = Files.writeString(folder.resolve("broken.json"), "{\"a\": }");
    for (Path file : List.of(latin, broken, folder, folder.resolve("missing.yaml"))) {
      String message =
          assertThrows(ConfigurationError.class, () -> TextFiles.tree(file, Code.BAD_POLICY))
              .message();
      assertTrue(message.contains(file.getFileName().toString()), message);
      assertEquals(1, message.lines().count(), message);
    }
  }
}
