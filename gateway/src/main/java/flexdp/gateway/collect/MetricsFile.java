package flexdp.gateway.collect;

import static java.util.stream.Collectors.toSet;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.collect.MetricsFile.MetricsTree.ProfileTree;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.gateway.ledger.KnownLedger;
import flexdp.metrics.ContributionProfile;
import flexdp.metrics.MaxFrequency;
import flexdp.metrics.Metrics;
import flexdp.metrics.MetricsReader;
import flexdp.metrics.TableMetrics;
import flexdp.metrics.TruncatedTables;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
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
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

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
      Path file, Policy policy, CollectedMetrics collected, Map<String, ReleasedTable> released)
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
      CollectedMetrics collected,
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
      Path file, Policy policy, CollectedMetrics collected, Map<String, ReleasedTable> released)
      throws IOException {
    Map<String, Object> tree = new MetricsTree(policy).released(collected, released);
    WholeFile.replace(file, json(with(tree, profiles(file))), false);
  }

  /**
   * Puts profiles of people into both files, in place of earlier ones of the same, and keeps them
   * there: they foretell answers and bound none, so they need not be of the data that are measured.
   */
  public static void keep(Path file, List<ContributionProfile> profiles, Instant at)
      throws IOException {
    keep(file, profiles, at, true);
    keep(releasedBeside(file), profiles, at, false);
  }

  private static void keep(
      Path file, List<ContributionProfile> profiles, Instant at, boolean secret)
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

  /** Metrics as the tree of maps and lists that their file holds. */
  static final class MetricsTree {
    private final Policy policy;

    MetricsTree(Policy policy) {
      this.policy = policy;
    }

    /** Everything, in the order of the policy. Each table's released part stands by itself. */
    Map<String, Object> all(
        CollectedMetrics collected,
        Map<String, ReleasedTable> released,
        Optional<KnownLedger> ledger) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("flexdp", 1);
      for (Table table : policy.tables().values()) {
        if (!collected.metrics().tables().containsKey(table.name())) {
          continue;
        }
        Map<String, Range> ranges = collected.ranges().getOrDefault(table.name(), Map.of());
        Map<String, Object> entry =
            new LinkedHashMap<>(values(table, collected.metrics().table(table.name()), ranges));
        if (collected.metrics().table(table.name()).rowsPerPerson().isPresent()) {
          TruncatedTables.name(table, policy).ifPresent(name -> entry.put("cut", name));
        }
        entry.put("measuredAt", collected.measuredAt(table.name()));
        entry.put("snapshot", collected.snapshot(table.name()));
        ledger.ifPresent(known -> entry.put("ledger", known.id()));
        ledger
            .flatMap(KnownLedger::last)
            .ifPresent(last -> entry.put(MetricsFile.LAST, last.text()));
        if (collected.enforced().containsKey(table.name())) {
          entry.put("enforced", lists(collected.enforced().get(table.name())));
        }
        if (released.containsKey(table.name())) {
          ReleasedTable part = released.get(table.name());
          Map<String, Object> both = release(table, part, part.snapshot());
          both.put("name", part.name());
          entry.put("released", both);
        }
        found(collected, table).ifPresent(some -> entry.put("foundRanges", some));
        tree.put(table.name(), entry);
      }
      return tree;
    }

    /** Ranges that were found of its columns: public, and of no state of the data. */
    private static Optional<Map<String, Object>> found(CollectedMetrics collected, Table table) {
      Map<String, Metrics.FoundRange> all =
          collected.metrics().found().getOrDefault(table.name(), Map.of());
      Map<String, Object> tree = new LinkedHashMap<>();
      for (ColumnSpec column : table.columns()) {
        Metrics.FoundRange one = all.get(column.name());
        if (one != null) {
          Map<String, Object> entry = new LinkedHashMap<>();
          entry.put("range", List.of(one.range().low(), one.range().high()));
          entry.put("epsilon", one.epsilon());
          entry.put("foundAt", one.at());
          tree.put(column.name(), entry);
        }
      }
      return tree.isEmpty() ? Optional.empty() : Optional.of(tree);
    }

    /**
     * Only what is public: what was released, and everything of public tables. The state that was
     * released from goes by a random name.
     */
    Map<String, Object> released(CollectedMetrics collected, Map<String, ReleasedTable> released) {
      Map<String, Object> tree = new LinkedHashMap<>();
      tree.put("flexdp", 1);
      for (Table table : policy.tables().values()) {
        if (table.isPublic()) {
          Map<String, Range> ranges = collected.ranges().getOrDefault(table.name(), Map.of());
          tree.put(table.name(), values(table, collected.metrics().table(table.name()), ranges));
        } else {
          Map<String, Object> entry = new LinkedHashMap<>();
          if (released.containsKey(table.name())) {
            ReleasedTable part = released.get(table.name());
            entry.put("released", release(table, part, part.name()));
          }
          found(collected, table).ifPresent(some -> entry.put("foundRanges", some));
          if (!entry.isEmpty()) {
            tree.put(table.name(), entry);
          }
        }
      }
      return tree;
    }

    private static List<List<String>> lists(Set<Set<String>> keys) {
      return keys.stream()
          .map(key -> List.copyOf(new TreeSet<>(key)))
          .sorted(java.util.Comparator.comparing(List::toString))
          .toList();
    }

    private Map<String, Object> release(Table table, ReleasedTable released, String state) {
      Map<String, Object> tree = values(table, released.release().values(), Map.of());
      if (released.release().values().rowsPerPerson().isPresent()) {
        TruncatedTables.name(table, policy).ifPresent(name -> tree.put("cut", name));
      }
      tree.put("epsilon", released.release().epsilon());
      tree.put("delta", released.release().delta());
      tree.put("releasedAt", released.releasedAt().toString());
      tree.put("snapshot", state);
      return tree;
    }

    private static Map<String, Object> values(
        Table table, TableMetrics metrics, Map<String, Range> ranges) {
      Map<String, Object> tree = new LinkedHashMap<>();
      metrics.rows().ifPresent(rows -> tree.put("rows", rows));
      Map<String, Object> columns = new LinkedHashMap<>();
      for (ColumnSpec column : table.columns()) {
        Map<String, Object> entry = new LinkedHashMap<>();
        MaxFrequency frequency = metrics.frequencies().get(Set.of(column.name()));
        if (frequency != null) {
          put(entry, frequency);
        }
        Range range = ranges.get(column.name());
        if (range != null) {
          entry.put(
              "range",
              List.of(
                  RangeEnd.of(range.low(), column.type()),
                  RangeEnd.of(range.high(), column.type())));
        }
        if (!entry.isEmpty()) {
          columns.put(column.name(), entry);
        }
      }
      tree.put("columns", columns);
      List<Object> keys = new ArrayList<>();
      metrics.frequencies().entrySet().stream()
          .filter(e -> e.getKey().size() > 1)
          .map(e -> Map.entry(List.copyOf(new TreeSet<>(e.getKey())), e.getValue()))
          .sorted(java.util.Comparator.comparing(e -> e.getKey().toString()))
          .forEach(
              e -> {
                Map<String, Object> entry = new LinkedHashMap<>();
                entry.put("columns", e.getKey());
                put(entry, e.getValue());
                keys.add(entry);
              });
      tree.put("keys", keys);
      return tree;
    }

    private static void put(Map<String, Object> entry, MaxFrequency frequency) {
      frequency.max().ifPresent(n -> entry.put("maxFrequency", n));
      frequency.maxWithNull().ifPresent(n -> entry.put("maxFrequencyWithNull", n));
    }

    /** A profile of people as the maps and lists that files hold. */
    static final class ProfileTree {
      private ProfileTree() {}

      static Map<String, Object> of(ContributionProfile profile, Instant at) {
        Map<String, Object> tree = new LinkedHashMap<>();
        tree.put("table", profile.table());
        profile.column().ifPresent(column -> tree.put("column", column));
        tree.put("kind", profile.kind());
        tree.put("upTo", profile.upTo());
        tree.put("people", profile.people());
        tree.put("scale", profile.scale());
        tree.put("epsilon", profile.epsilon());
        tree.put("releasedAt", at.toString());
        return tree;
      }

      /** What it is of. */
      static String name(Object tree) {
        return tree instanceof Map<?, ?> map ? map.get("table") + "\n" + map.get("column") : "";
      }
    }
  }

  /**
   * Metrics of one table that were paid for and are public.
   *
   * @param snapshot the state of the data that they bound; for another they promise nothing. It may
   *     be a digest of the data, and stays private
   * @param name what the public file calls that state: drawn at random, and so nothing of the data
   */
  public record ReleasedTable(
      Metrics.Release release, String snapshot, String name, Instant releasedAt) {
    private static final String RANDOM = "release:";

    /** With a name that nobody had before. */
    public ReleasedTable(Metrics.Release release, String snapshot, Instant releasedAt) {
      this(release, snapshot, RANDOM + UUID.randomUUID(), releasedAt);
    }

    /** Whether a name was drawn so. */
    static boolean isRandom(String name) {
      return name.startsWith(RANDOM);
    }
  }
}
