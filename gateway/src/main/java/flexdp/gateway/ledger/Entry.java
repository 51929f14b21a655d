package flexdp.gateway.ledger;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * A line of the ledger. Its hash covers the line and the hash of the line before, so that no line
 * can be changed, dropped or moved without the last hash showing it.
 */
public record Entry(long seq, Instant at, Event event, String previous, String hash) {
  /** What the first entry follows. */
  static final String START = "0".repeat(64);

  private static final String FORMAT = "flexdp-ledger-1";

  static Entry following(long seq, Instant at, Event event, String previous) {
    return new Entry(seq, at, event, previous, hash(seq, at, Fields.of(event), previous));
  }

  /**
   * An entry as a store holds it. The hash is checked over the stored text, before anything in it
   * is believed.
   *
   * @throws IllegalArgumentException when the hash is not that of the content
   */
  static Entry stored(
      long seq, long micros, EnumMap<Field, String> fields, String previous, String hash) {
    Instant at = instant(micros);
    if (!hash(seq, at, fields, previous).equals(hash)) {
      throw new IllegalArgumentException("entry " + seq + " is not what was written");
    }
    return new Entry(seq, at, Fields.event(fields), previous, hash);
  }

  /** The content by column name, for exports. */
  public Map<String, String> fields() {
    Map<String, String> all = new LinkedHashMap<>();
    Fields.of(event).forEach((field, value) -> all.put(field.column(), value));
    return all;
  }

  static long micros(Instant at) {
    return ChronoUnit.MICROS.between(Instant.EPOCH, at);
  }

  static Instant instant(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS);
  }

  /** SHA-256 over the canonical bytes: numbers big-endian, texts as length and UTF-8. */
  static String hash(long seq, Instant at, EnumMap<Field, String> fields, String previous) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      text(out, FORMAT);
      out.writeLong(seq);
      out.writeLong(micros(at));
      text(out, previous);
      out.writeInt(fields.size());
      for (Map.Entry<Field, String> field : fields.entrySet()) {
        text(out, field.getKey().column());
        text(out, field.getValue());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(sha256().digest(bytes.toByteArray()));
  }

  /** SHA-256 over texts, each with its length. */
  static String digest(String... texts) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(512);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      for (String text : texts) {
        text(out, text);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return HexFormat.of().formatHex(sha256().digest(bytes.toByteArray()));
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
