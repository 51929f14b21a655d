package flexdp.gateway.collect;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.collect.Collector.MeasuredParts;
import flexdp.gateway.files.TextFiles;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * NAME.metrics.json.part: what an interrupted run had measured; private, and gone after a whole
 * one.
 */
public final class PartFile implements MeasuredParts {
  private final Path file;
  private final Policy policy;

  public PartFile(Path metrics, Policy policy) {
    this.file = metrics.resolveSibling(metrics.getFileName() + ".part");
    this.policy = policy;
  }

  @Override
  public Map<String, MeasuredTable> before() {
    if (!Files.exists(file)) {
      return Map.of();
    }
    try {
      MetricsFile.Content content = MetricsFile.read(file, policy);
      Object tree = TextFiles.tree(file, Code.BAD_METRICS);
      Map<String, MeasuredTable> parts = new HashMap<>();
      content
          .snapshots()
          .forEach(
              (name, snapshot) ->
                  parts.put(
                      name,
                      new MeasuredTable(
                          content.metrics().table(name),
                          ranges(policy.table(name).orElseThrow(), tree),
                          snapshot)));
      return parts;
    } catch (ConfigurationError e) {
      return Map.of(); // of another policy, or not ours: everything is measured
    }
  }

  private static Map<String, Range> ranges(Table table, Object tree) {
    Map<String, Range> ranges = new HashMap<>();
    for (ColumnSpec column : table.columns()) {
      Object at = tree;
      for (String key : List.of(table.name(), "columns", column.name(), "range")) {
        at = at instanceof Map<?, ?> map ? map.get(key) : null;
      }
      if (at instanceof List<?> ends && ends.size() == 2) {
        ranges.put(
            column.name(),
            new Range(
                RangeEnd.read(ends.get(0), column.type()),
                RangeEnd.read(ends.get(1), column.type())));
      }
    }
    return ranges;
  }

  @Override
  public void keep(Map<String, MeasuredTable> parts) {
    try {
      MetricsFile.write(file, policy, CollectedMetrics.of(parts, Instant.EPOCH, ""), Map.of());
    } catch (IOException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "the file " + file + " cannot be written");
    }
  }

  /** After everything was measured and written. */
  public void delete() throws IOException {
    Files.deleteIfExists(file);
  }
}
