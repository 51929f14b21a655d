package flexdp.server.wire;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** Reads the fields of one message; whatever is not there is a {@link ProtocolError}. */
final class MessageReader {
  private final ByteBuffer bytes;

  MessageReader(byte[] bytes) {
    this.bytes = ByteBuffer.wrap(bytes);
  }

  byte octet() {
    need(1);
    return bytes.get();
  }

  int int16() {
    need(2);
    return bytes.getShort();
  }

  int count() {
    return int16() & 0xffff;
  }

  int int32() {
    need(4);
    return bytes.getInt();
  }

  byte[] bytes(int length) {
    if (length < 0) {
      throw malformed();
    }
    need(length);
    byte[] read = new byte[length];
    bytes.get(read);
    return read;
  }

  byte[] rest() {
    return bytes(bytes.remaining());
  }

  boolean hasMore() {
    return bytes.hasRemaining();
  }

  /** A text that ends with a zero. */
  String text() {
    int end = bytes.position();
    while (end < bytes.limit() && bytes.get(end) != 0) {
      end++;
    }
    if (end == bytes.limit()) {
      throw malformed();
    }
    byte[] read = bytes(end - bytes.position());
    bytes.get();
    return utf8(read);
  }

  void end() {
    if (hasMore()) {
      throw malformed();
    }
  }

  /**
   * @throws BadText for bytes that are not UTF-8
   */
  static String utf8(byte[] read) {
    try {
      return StandardCharsets.UTF_8
          .newDecoder()
          .onMalformedInput(CodingErrorAction.REPORT)
          .onUnmappableCharacter(CodingErrorAction.REPORT)
          .decode(ByteBuffer.wrap(read))
          .toString();
    } catch (CharacterCodingException e) {
      throw new BadText();
    }
  }

  private void need(int length) {
    if (bytes.remaining() < length) {
      throw malformed();
    }
  }

  private static ProtocolError malformed() {
    return ProtocolError.malformed();
  }
}
