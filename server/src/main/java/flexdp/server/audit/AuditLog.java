package flexdp.server.audit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * One line of JSON for each login, question and refusal: who, from where, which text, how it ended.
 * It holds no secrets, no values of parameters and nothing that comes from the data.
 */
public final class AuditLog implements AutoCloseable {
  private static final int LONGEST = 2_000;

  /** How much of the end is kept of a text that is too long. */
  private static final int LAST = 500;

  /** How much of the end of the file is read back. */
  private static final long LATEST_BYTES = 8_000_000;

  private static final ObjectMapper JSON = new ObjectMapper();

  private final Path path;

  /** Not a channel: those are closed for ever when a thread that uses them is interrupted. */
  private OutputStream file;

  /** Which file is open, to notice that another stands in its place. */
  private Object key;

  private final Clock clock;

  /** A line that was written. */
  public record Event(
      Instant at,
      String event,
      String user,
      String address,
      String database,
      String sql,
      String outcome) {}

  /** Whether the last line has no end: the process was killed, or the disk full. */
  private boolean torn;

  private AuditLog(Path path, Clock clock) throws IOException {
    this.path = path;
    this.clock = clock;
    this.file = opened(path);
    this.key = key(path);
    this.torn = isTorn(path);
  }

  /** Appends to a file of mode 600. */
  public static AuditLog open(Path path, Clock clock) {
    try {
      return new AuditLog(path, clock);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static OutputStream opened(Path path) throws IOException {
    var options =
        Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
    boolean posix = path.getFileSystem().supportedFileAttributeViews().contains("posix");
    FileChannel made =
        posix
            ? FileChannel.open(
                path,
                options,
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")))
            : FileChannel.open(path, options);
    made.close();
    return new FileOutputStream(path.toFile(), true);
  }

  /** What tells one file from another in its place; the path where the system has no such thing. */
  private static Object key(Path path) throws IOException {
    Object key = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
    return key == null ? path : key;
  }

  /** Rotated away, the file of this name is another one or is gone: a new one is begun. */
  private void follow() throws IOException {
    if (!Files.exists(path) || !key(path).equals(key)) {
      OutputStream next = opened(path);
      file.close();
      file = next;
      key = key(path);
      torn = isTorn(path);
    }
  }

  private static boolean isTorn(Path path) throws IOException {
    try (FileChannel from = FileChannel.open(path, StandardOpenOption.READ)) {
      ByteBuffer last = ByteBuffer.allocate(1);
      return from.size() > 0 && from.read(last, from.size() - 1) == 1 && last.get(0) != '\n';
    }
  }

  /**
   * @param what such as login, refused login, question
   * @param outcome such as answered, or the code of a refusal
   */
  public void record(
      String what, String user, String address, String database, String text, String outcome) {
    ObjectNode line = JsonNodeFactory.instance.objectNode();
    line.put("at", clock.instant().toString()).put("event", what).put("user", shortened(user));
    line.put("address", address).put("database", shortened(database));
    if (!text.isEmpty()) {
      line.put("sql", shortened(text));
    }
    line.put("outcome", outcome);
    try {
      synchronized (this) {
        follow();
        byte[] bytes = ((torn ? "\n" : "") + line + "\n").getBytes(StandardCharsets.UTF_8);
        torn = true;
        file.write(bytes);
        torn = false;
      }
    } catch (IOException e) {
      // The ledger, which nothing is answered without, has every charge; a full disk must not
      // tell analysts apart.
      return;
    }
  }

  /** The latest events, newest first; a line that cannot be read is left out. */
  public List<Event> latest(int most) {
    List<Event> events = new ArrayList<>();
    try (FileChannel from = FileChannel.open(path, StandardOpenOption.READ)) {
      long start = Math.max(0, from.size() - LATEST_BYTES);
      ByteBuffer bytes = ByteBuffer.allocate((int) (from.size() - start));
      from.position(start);
      while (bytes.hasRemaining() && from.read(bytes) >= 0) {
        // until the end
      }
      String[] lines =
          new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8).split("\n");
      for (int i = lines.length - 1; i >= 0 && events.size() < most; i--) {
        event(lines[i]).ifPresent(events::add);
      }
    } catch (IOException e) {
      return events;
    }
    return events;
  }

  private static Optional<Event> event(String line) {
    try {
      JsonNode node = JSON.readTree(line);
      return Optional.of(
          new Event(
              Instant.parse(node.path("at").asText()),
              node.path("event").asText(),
              node.path("user").asText(),
              node.path("address").asText(),
              node.path("database").asText(),
              node.path("sql").asText(),
              node.path("outcome").asText()));
    } catch (IOException | DateTimeException e) {
      return Optional.empty();
    }
  }

  private static String shortened(String text) {
    return text.length() > LONGEST
        ? text.substring(0, LONGEST - LAST) + " … " + text.substring(text.length() - LAST)
        : text;
  }

  @Override
  public synchronized void close() {
    try {
      file.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
