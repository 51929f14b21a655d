package flexdp.experiments.study;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * Bytes of a log, one after the other, and the piece that is being read. A piece grows to a limit;
 * what comes after is passed over and not kept.
 */
final class ByteLog {
  /** Four times what the analysis reads. */
  static final int LONGEST = 1_000_000;

  private static final int SHOWN = 400;
  private static final int END = -1;
  private static final int AHEAD = 256;

  private final InputStream in;
  private final byte[] buffer = new byte[1 << 16];
  private int at;
  private int filled;
  private byte[] piece = new byte[4096];
  private int length;
  private boolean overflowed;

  ByteLog(InputStream in) {
    this.in = in;
  }

  /** The next byte, or a negative number at the end. */
  int read() throws IOException {
    if (at == filled) {
      filled = in.read(buffer);
      at = 0;
      if (filled <= 0) {
        filled = 0;
        return END;
      }
    }
    return buffer[at++] & 0xFF;
  }

  /** The byte that the next read gives. */
  int peek() throws IOException {
    int next = read();
    if (next >= 0) {
      at--;
    }
    return next;
  }

  /** Whether after spaces a query begins here, as far as a few hundred bytes tell. */
  boolean queryFollows() throws IOException {
    if (filled - at < AHEAD) {
      System.arraycopy(buffer, at, buffer, 0, filled - at);
      filled -= at;
      at = 0;
      int more = in.readNBytes(buffer, filled, AHEAD);
      filled += more;
    }
    int i = at;
    while (i < filled && buffer[i] <= ' ' && buffer[i] >= 0) {
      i++;
    }
    String word = new String(buffer, i, Math.min(6, filled - i), StandardCharsets.ISO_8859_1);
    return i == filled
        || word.equalsIgnoreCase("select")
        || word.toLowerCase(Locale.ROOT).startsWith("with ");
  }

  void begin() {
    length = 0;
    overflowed = false;
  }

  void keep(int b) {
    if (length == LONGEST) {
      overflowed = true;
      return;
    }
    if (length == piece.length) {
      piece = Arrays.copyOf(piece, Math.min(LONGEST, 2 * length));
    }
    piece[length++] = (byte) b;
  }

  boolean isBlank() {
    for (int i = 0; i < length; i++) {
      if (piece[i] > ' ' || piece[i] < 0) {
        return false;
      }
    }
    return true;
  }

  /** What is wrong with the piece, or an empty text. */
  String fault() {
    if (overflowed) {
      return "TOO_LONG";
    }
    for (int i = 0; i < length; i++) {
      if (piece[i] < 0) {
        return isUtf8() ? "" : "NOT_UTF8";
      }
    }
    return "";
  }

  private boolean isUtf8() {
    try {
      StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(piece, 0, length));
      return true;
    } catch (CharacterCodingException e) {
      return false;
    }
  }

  String text() {
    return new String(piece, 0, length, StandardCharsets.UTF_8);
  }

  /** How the piece begins. */
  String start() {
    return new String(piece, 0, Math.min(length, SHOWN), StandardCharsets.UTF_8);
  }
}
