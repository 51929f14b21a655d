package flexdp.gateway.ledger.entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * A line of the ledger. Its hash covers the line and the hash of the line before, so that no line
 * can be changed, dropped or moved without the last hash showing it.
 *
 * @param texts the event as it is stored and hashed
 */
public record LedgerEntry(
    long seq,
    Instant at,
    LedgerEvent event,
    Map<EntryField, String> texts,
    String previous,
    String hash) {
  /** What the first entry follows. */
  public static final String START = "0".repeat(64);

  private static final String FORMAT = "flexdp-ledger-1";

  public LedgerEntry {
    texts = Collections.unmodifiableMap(texts);
  }

  public static LedgerEntry following(long seq, Instant at, LedgerEvent event, String previous) {
    EnumMap<EntryField, String> fields = EntryFields.of(event);
    String hash = hash(seq, at, fields, previous);
    return new LedgerEntry(seq, at, event, fields, previous, hash);
  }

  /**
   * An entry as a store holds it. The hash is checked over the stored text, before anything in it
   * is believed.
   *
   * @throws IllegalArgumentException when the hash is not that of the content
   */
  public static LedgerEntry stored(
      long seq, long micros, EnumMap<EntryField, String> fields, String previous, String hash) {
    Instant at = instant(micros);
    if (!hash(seq, at, fields, previous).equals(hash)) {
      throw new IllegalArgumentException("entry " + seq + " is not what was written");
    }
    return new LedgerEntry(seq, at, EntryFields.event(fields), fields, previous, hash);
  }

  /** The content by column name, for exports. */
  public Map<String, String> fields() {
    Map<String, String> all = new LinkedHashMap<>();
    texts.forEach((field, value) -> all.put(field.column(), value));
    return all;
  }

  public static long micros(Instant at) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, at);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  private static String hash(
      long seq, Instant at, EnumMap<EntryField, String> fields, String previous) {
    CanonicalBytes bytes = new CanonicalBytes().text(FORMAT).number(seq).number(micros(at));
    bytes.text(previous).number(fields.size());
    fields.forEach((field, value) -> bytes.text(field.utf8()).text(value));
    return bytes.sha256();
  }

  /** SHA-256 over texts, each with its length. */
  public static String digest(String... texts) {
    CanonicalBytes bytes = new CanonicalBytes();
    for (String text : texts) {
      bytes.text(text);
    }
    return bytes.sha256();
  }

  /**
   * What a hash is taken over: numbers big-endian, texts as length and UTF-8. Opening a ledger does
   * this for every entry, so it copies each text once and nothing else.
   */
  private static final class CanonicalBytes {
    private static final HexFormat HEX = HexFormat.of();

    private ByteBuffer bytes = ByteBuffer.allocate(1024);

    CanonicalBytes number(long value) {
      room(Long.BYTES).putLong(value);
      return this;
    }

    CanonicalBytes number(int value) {
      room(Integer.BYTES).putInt(value);
      return this;
    }

    CanonicalBytes text(String text) {
      return text(text.getBytes(StandardCharsets.UTF_8));
    }

    CanonicalBytes text(byte[] utf8) {
      room(Integer.BYTES + utf8.length).putInt(utf8.length).put(utf8);
      return this;
    }

    private ByteBuffer room(int more) {
      if (bytes.remaining() < more) {
        int size = Math.addExact(bytes.position(), more);
        bytes = ByteBuffer.allocate(Math.max(size, 2 * bytes.capacity())).put(bytes.flip());
      }
      return bytes;
    }

    /** SHA-256 in hexadecimal. */
    String sha256() {
      try {
        MessageDigest digest = MessageDigest.getInstance("SHA-256");
        digest.update(bytes.array(), 0, bytes.position());
        return HEX.formatHex(digest.digest());
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }
  }

  /** The columns of an entry. Their names enter its hash: add at the end, never rename. */
  public enum EntryField {
    KIND,
    LEDGER,
    ANALYST,
    ROLES,
    QUERY,
    TABLES,
    MECHANISM,
    COST,
    EPSILON,
    DELTA,
    SQUARES,
    RHO,
    FAILURE,
    SNAPSHOT,
    RESERVATION,
    OUTCOME,
    ACCOUNT,
    OWNER,
    NOTE,
    NEIGHBORS,
    COMPOSITION,
    UNIT,
    IDENTITIES,
    MEANING,
    PARTS;

    private final String column = name().toLowerCase(Locale.ROOT);
    private final byte[] utf8 = column.getBytes(StandardCharsets.UTF_8);

    /** The name of the column in a store and in an export. */
    public String column() {
      return column;
    }

    /** The name as it enters the hash; not to be written to. */
    byte[] utf8() {
      return utf8;
    }
  }
}
