package flexdp.gateway.collect;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.MetricsTree.ProfileTree;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.gateway.text.PolicyFiles;
import flexdp.gateway.text.TextFiles;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.metrics.Profile;
import flexdp.policy.Policy;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** NAME.metrics.json: private, mode 600, replaced as a whole or not at all. */
public final class MetricsFile {
  /** How far the ledger had got: {@link KnownLedger.Last}. */
  static final String LAST = "ledgerEntry";

  private MetricsFile() {}

  /**
   * What a file holds.
   *
   * @param snapshots the state of the data that each table was measured at, where the file says so
   * @param ledger the one that questions over this data are charged to, where the file says so
   * @param enforced by table: the declared keys that the database kept unique when it was measured
   */
  public record Content(
      Metrics metrics,
      Map<String, String> snapshots,
      Map<String, ReleasedTable> released,
      Optional<KnownLedger> ledger,
      Map<String, Set<Set<String>>> enforced) {
    public Content(
        Metrics metrics, Map<String, String> snapshots, Map<String, ReleasedTable> released) {
      this(metrics, snapshots, released, Optional.empty(), Map.of());
    }

    /** The state of data that nobody measured: nothing says that it is still the same. */
    public static final String NOT_MEASURED = "not measured";

    /** What is known without a file. */
    public static final Content NONE = new Content(Metrics.NONE, Map.of(), Map.of());

    /** The name of the measured state of the data. */
    public String state() {
      String measured = String.join("; ", new TreeSet<>(snapshots.values()));
      return measured.isEmpty() ? NOT_MEASURED : measured;
    }
  }

  /** The metrics file that belongs to a policy: rides.yaml has rides.metrics.json beside it. */
  public static Path beside(Path policy) {
    return new PolicyFiles(policy).metrics();
  }

  /** Where the public part is written by itself: rides.metrics.json has rides.released.json. */
  public static Path releasedBeside(Path metrics) {
    String name = metrics.getFileName().toString();
    String stem =
        name.endsWith(".metrics.json")
            ? name.substring(0, name.length() - ".metrics.json".length())
            : name.endsWith(".json") ? name.substring(0, name.length() - 5) : name;
    return metrics.resolveSibling(stem + ".released.json");
  }

  /** Replaces the private file. */
  public static void write(
      Path file, Policy policy, Collected collected, Map<String, ReleasedTable> released)
      throws IOException {
    write(file, policy, collected, released, Optional.empty());
  }

  /**
   * Writes metrics that belong to a ledger and have to stay with it: who lost it would begin
   * another one with the full budget. Profiles of people that stand there stay.
   */
  public static void write(
      Path file,
      Policy policy,
      Collected collected,
      Map<String, ReleasedTable> released,
      Optional<KnownLedger> ledger)
      throws IOException {
    Map<String, Object> tree = new MetricsTree(policy).all(collected, released, ledger);
    WholeFile.replace(file, json(with(tree, profiles(file))), true);
  }

  /**
   * Replaces the public file, which holds nothing private, nor a digest of anything private: it may
   * be given to analysts.
   */
  public static void writeReleased(
      Path file, Policy policy, Collected collected, Map<String, ReleasedTable> released)
      throws IOException {
    Map<String, Object> tree = new MetricsTree(policy).released(collected, released);
    WholeFile.replace(file, json(with(tree, profiles(file))), false);
  }

  /**
   * Puts profiles of people into both files, in place of earlier ones of the same, and keeps them
   * there: they foretell answers and bound none, so they need not be of the data that are measured.
   */
  public static void keep(Path file, List<Profile> profiles, Instant at) throws IOException {
    keep(file, profiles, at, true);
    keep(releasedBeside(file), profiles, at, false);
  }

  private static void keep(Path file, List<Profile> profiles, Instant at, boolean secret)
      throws IOException {
    Map<String, Object> tree = new LinkedHashMap<>();
    tree.put("flexdp", 1);
    if (Files.exists(file)
        && TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS) instanceof Map<?, ?> before) {
      before.forEach((name, value) -> tree.put((String) name, value));
    }
    Map<String, Object> all = new LinkedHashMap<>();
    if (tree.get(MetricsReader.PROFILES) instanceof List<?> earlier) {
      earlier.forEach(one -> all.put(ProfileTree.name(one), one));
    }
    profiles.forEach(
        one -> {
          Map<String, Object> entry = ProfileTree.of(one, at);
          all.put(ProfileTree.name(entry), entry);
        });
    tree.put(MetricsReader.PROFILES, List.copyOf(all.values()));
    WholeFile.replace(file, json(tree), secret);
  }

  /** The profiles that a file has, as they stand there; none if it cannot be read. */
  public static List<Object> profiles(Path file) {
    try {
      return Files.exists(file)
              && TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS) instanceof Map<?, ?> tree
              && tree.get(MetricsReader.PROFILES) instanceof List<?> all
          ? List.copyOf(all)
          : List.of();
    } catch (ConfigurationError e) {
      return List.of();
    }
  }

  private static Map<String, Object> with(Map<String, Object> tree, List<Object> profiles) {
    if (!profiles.isEmpty()) {
      tree.put(MetricsReader.PROFILES, profiles);
    }
    return tree;
  }

  public static Content read(Path file, Policy policy) {
    Object tree = TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS);
    Metrics metrics;
    try {
      metrics = MetricsReader.read(tree, policy);
    } catch (ConfigurationError e) {
      throw ConfigurationError.of(e.code(), file + ": " + e.message(), e.hint());
    }
    Map<String, String> snapshots = new HashMap<>();
    Map<String, ReleasedTable> released = new HashMap<>();
    if (tree instanceof Map<?, ?> tables) {
      for (String name : metrics.tables().keySet()) {
        if (tables.get(name) instanceof Map<?, ?> table) {
          text(table, "snapshot").ifPresent(s -> snapshots.put(name, s));
          metrics
              .released(name)
              .ifPresent(
                  r -> {
                    Map<?, ?> part = (Map<?, ?>) table.get("released");
                    released.put(name, released(r, part, instant(file, part)));
                  });
        }
      }
    }
    return new Content(
        metrics, Map.copyOf(snapshots), Map.copyOf(released), ledger(tree), enforced(tree));
  }

  /**
   * When the last of the tables was measured; nothing of a file that is not there or cannot be
   * read.
   */
  public static Optional<Instant> measured(Path file) {
    try {
      if (Files.exists(file)
          && TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS) instanceof Map<?, ?> tree) {
        return tree.values().stream()
            .filter(Map.class::isInstance)
            .flatMap(table -> text((Map<?, ?>) table, "measuredAt").stream())
            .map(Instant::parse)
            .max(Comparator.naturalOrder());
      }
    } catch (ConfigurationError | DateTimeException e) {
      return Optional.empty(); // whoever opens it says what is wrong
    }
    return Optional.empty();
  }

  /** Of a file that may be of another policy, or not there: what the database kept unique. */
  public static Map<String, Set<Set<String>>> enforced(Path file) {
    try {
      return Files.exists(file)
          ? enforced(TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS))
          : Map.of();
    } catch (ConfigurationError e) {
      return Map.of();
    }
  }

  private static Map<String, Set<Set<String>>> enforced(Object tree) {
    Map<String, Set<Set<String>>> enforced = new HashMap<>();
    if (tree instanceof Map<?, ?> tables) {
      tables.forEach(
          (name, table) -> {
            if (table instanceof Map<?, ?> entry && entry.get("enforced") instanceof List<?> all) {
              enforced.put((String) name, all.stream().map(MetricsFile::key).collect(toSet()));
            }
          });
    }
    return Map.copyOf(enforced);
  }

  private static Set<String> key(Object columns) {
    return columns instanceof List<?> names
        ? names.stream().map(String::valueOf).collect(toSet())
        : Set.of();
  }

  /** As any table has it, those too that the policy no longer names. */
  private static Optional<KnownLedger> ledger(Object tree) {
    return tree instanceof Map<?, ?> tables
        ? tables.values().stream()
            .filter(Map.class::isInstance)
            .flatMap(table -> ledger((Map<?, ?>) table).stream())
            .findFirst()
        : Optional.empty();
  }

  private static Optional<KnownLedger> ledger(Map<?, ?> table) {
    try {
      Optional<KnownLedger.Last> last = text(table, LAST).map(KnownLedger.Last::of);
      return text(table, "ledger").map(id -> new KnownLedger(id, last));
    } catch (IllegalArgumentException e) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_METRICS,
          "'" + LAST + "' of the metrics is " + e.getMessage());
    }
  }

  /** Whether an earlier file holds released metrics; perhaps, where it cannot be read. */
  public static boolean hasReleased(Path file, Policy policy) {
    try {
      return Files.exists(file)
          && !MetricsReader.read(TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS), policy)
              .released()
              .isEmpty();
    } catch (ConfigurationError e) {
      return true;
    }
  }

  /** The ranges that an earlier file holds; nothing when it cannot be read. */
  public static Map<String, Map<String, Metrics.FoundRange>> found(Path file, Policy policy) {
    try {
      return Files.exists(file)
          ? MetricsReader.read(TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS), policy)
              .found()
          : Map.of();
    } catch (ConfigurationError e) {
      return Map.of();
    }
  }

  /** The ledger that an earlier file names; nothing when it cannot be read. */
  public static Optional<KnownLedger> ledger(Path file) {
    try {
      return Files.exists(file)
          ? ledger(TextFiles.tree(file, ConfigurationError.Code.BAD_METRICS))
          : Optional.empty();
    } catch (ConfigurationError e) {
      return Optional.empty();
    }
  }

  private static Optional<String> text(Map<?, ?> map, String key) {
    return map.get(key) instanceof String text ? Optional.of(text) : Optional.empty();
  }

  /** The public file has the random name alone, and files of earlier versions have none. */
  private static ReleasedTable released(Metrics.Release release, Map<?, ?> part, Instant at) {
    String state = text(part, "snapshot").orElse("");
    return text(part, "name")
        .or(() -> Optional.of(state).filter(ReleasedTable::isRandom))
        .map(name -> new ReleasedTable(release, state, name, at))
        .orElseGet(() -> new ReleasedTable(release, state, at));
  }

  private static Instant instant(Path file, Map<?, ?> part) {
    try {
      return text(part, "releasedAt").map(Instant::parse).orElse(Instant.EPOCH);
    } catch (DateTimeException e) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_METRICS, file + ": 'releasedAt' is not a time");
    }
  }

  private static String json(Object tree) throws IOException {
    StringWriter text = new StringWriter();
    try (JsonGenerator json = new JsonFactory().createGenerator(text)) {
      json.setPrettyPrinter(new DefaultPrettyPrinter());
      value(json, tree);
    }
    return text + "\n";
  }

  private static void value(JsonGenerator json, Object value) throws IOException {
    switch (value) {
      case Map<?, ?> map -> {
        json.writeStartObject();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          json.writeFieldName((String) entry.getKey());
          value(json, entry.getValue());
        }
        json.writeEndObject();
      }
      case List<?> list -> {
        json.writeStartArray();
        for (Object entry : list) {
          value(json, entry);
        }
        json.writeEndArray();
      }
      case BigInteger number -> json.writeNumber(number);
      case BigDecimal number -> json.writeNumber(number);
      case Integer number -> json.writeNumber(number);
      case String string -> json.writeString(string);
      default -> throw new IllegalArgumentException("not for JSON: " + value.getClass());
    }
  }

  /** Replaces a file by a complete new one; a reader sees the old or the new, never a part. */
  private static final class WholeFile {
    private WholeFile() {}

    static void replace(Path file, String text, boolean isPrivate) throws IOException {
      Path folder = file.toAbsolutePath().getParent();
      Path draft = Files.createTempFile(folder, ".flexdp", ".tmp", mode(folder, isPrivate));
      try {
        try (FileChannel channel = FileChannel.open(draft, StandardOpenOption.WRITE)) {
          ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
          while (bytes.hasRemaining()) {
            channel.write(bytes);
          }
          channel.force(true);
        }
        Files.move(
            draft, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
      } finally {
        Files.deleteIfExists(draft);
      }
    }

    private static FileAttribute<?>[] mode(Path folder, boolean isPrivate) {
      if (!folder.getFileSystem().supportedFileAttributeViews().contains("posix")) {
        return new FileAttribute<?>[0];
      }
      String mode = isPrivate ? "rw-------" : "rw-r--r--";
      return new FileAttribute<?>[] {
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString(mode))
      };
    }
  }
}
