package flexdp.gateway.ledger.entry;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * What a hash is taken over: numbers big-endian, texts as length and UTF-8. Opening a ledger does
 * this for every entry, so it copies each text once and nothing else.
 */
final class CanonicalBytes {
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
