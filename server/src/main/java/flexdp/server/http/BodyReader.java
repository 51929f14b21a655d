package flexdp.server.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.OptionalLong;

/** Reads bodies, none larger than the limit. */
final class BodyReader {
  private static final int LONGEST_SIZE_LINE = 16;

  private final InputStream in;
  private final int limit;

  BodyReader(InputStream in, int limit) {
    this.in = in;
    this.limit = limit;
  }

  byte[] read(Head head) throws IOException {
    if (head.isChunked()) {
      return chunks();
    }
    OptionalLong length = head.length();
    if (length.orElse(0) > limit) {
      throw tooLarge();
    }
    return exactly((int) length.orElse(0));
  }

  Refusal tooLarge() {
    return Refusal.of(413, "BODY_TOO_LARGE", "the body has more than " + limit + " bytes");
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length < length) {
      throw new EOFException();
    }
    return bytes;
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (true) {
      int size = size();
      if (size == 0) {
        end();
        return all.toByteArray();
      }
      if (size > limit - all.size()) {
        throw tooLarge();
      }
      all.writeBytes(exactly(size));
      end();
    }
  }

  /** Hexadecimal digits and nothing else: extensions and trailers are not taken. */
  private int size() throws IOException {
    StringBuilder digits = new StringBuilder();
    while (true) {
      int b = in.read();
      if (b < 0) {
        throw new EOFException();
      }
      if (b == '\r') {
        break;
      }
      if (Character.digit(b, 16) < 0 || digits.length() == LONGEST_SIZE_LINE) {
        throw Refusal.malformed("the size of a chunk is no number");
      }
      digits.append((char) b);
    }
    if (in.read() != '\n' || digits.isEmpty()) {
      throw Refusal.malformed("the size of a chunk is no number");
    }
    long size = Long.parseUnsignedLong(digits.toString(), 16);
    return size < 0 || size > limit ? Integer.MAX_VALUE : (int) size;
  }

  private void end() throws IOException {
    if (in.read() != '\r' || in.read() != '\n') {
      throw Refusal.malformed("a chunk is longer than it says, or has a trailer");
    }
  }
}
