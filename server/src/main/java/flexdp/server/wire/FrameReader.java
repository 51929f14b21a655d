package flexdp.server.wire;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Cuts what a client sends into frames. A length is checked before anything is allocated for it,
 * and memory grows with the bytes that arrive, not with those that were announced.
 */
public final class FrameReader {
  /** What comes before the login; PostgreSQL's own limit. */
  public static final int STARTUP_LIMIT = 10_000;

  /** A login has short messages. */
  public static final int LOGIN_LIMIT = 4_096;

  /** A statement with its parameters. */
  public static final int LIMIT = 16 << 20;

  private static final int STEP = 8_192;

  private final InputStream in;
  private final MemoryPool.Part part;

  /** With memory of its own: for what comes before the login, which is short. */
  public FrameReader(InputStream in) {
    this(in, new MemoryPool(LIMIT).part());
  }

  /**
   * @param part holds the room for a message until the next one is read
   */
  public FrameReader(InputStream in, MemoryPool.Part part) {
    this.in = in;
    this.part = part;
  }

  /** A message with its type. */
  public record Frame(byte type, byte[] body) {}

  /**
   * The first message, which has no type.
   *
   * @throws EOFException when the client left before it said anything
   */
  public byte[] startup() throws IOException {
    return body(STARTUP_LIMIT);
  }

  /**
   * The next message.
   *
   * @throws EOFException when the client is gone
   * @throws ProtocolError when it is longer than the limit, or shorter than its own head
   */
  public Frame next(int limit) throws IOException {
    part.hold(0);
    int type = in.read();
    if (type < 0) {
      throw new EOFException();
    }
    return new Frame((byte) type, body(limit));
  }

  private byte[] body(int limit) throws IOException {
    byte[] head = exactly(4);
    int length =
        (head[0] & 0xff) << 24 | (head[1] & 0xff) << 16 | (head[2] & 0xff) << 8 | head[3] & 0xff;
    if (length < 4 || length - 4 > limit) {
      throw new ProtocolError("invalid message length");
    }
    return exactly(length - 4);
  }

  private byte[] exactly(int length) throws IOException {
    byte[] bytes = new byte[Math.min(length, STEP)];
    int filled = 0;
    while (filled < length) {
      if (filled == bytes.length) {
        if (!part.hold(4L * bytes.length)) { // the text that is made of it, too
          throw new ProtocolError("out of memory");
        }
        bytes = Arrays.copyOf(bytes, Math.min(length, bytes.length * 2));
      }
      int read = in.read(bytes, filled, bytes.length - filled);
      if (read < 0) {
        throw new EOFException();
      }
      filled += read;
    }
    return bytes;
  }
}
