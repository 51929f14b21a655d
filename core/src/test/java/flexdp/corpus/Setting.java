package flexdp.corpus;

import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** A policy and what was measured, read from a pair of YAML files beside the queries. */
record Setting(Policy policy, Metrics metrics) {
  static final Path RESOURCES = Path.of("src", "test", "resources");

  static Setting read(String name) {
    Policy policy = PolicyReader.read(yaml(name + ".policy.yaml"));
    return new Setting(policy, MetricsReader.read(yaml(name + ".metrics.yaml"), policy));
  }

  private static Object yaml(String file) {
    return new Load(LoadSettings.builder().build()).loadFromString(text(RESOURCES.resolve(file)));
  }

  static String text(Path file) {
    try {
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
