package flexdp.server.wire;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** What a client sends after its login. */
public sealed interface Message {
  record Query(String sql) implements Message {}

  /**
   * @param types of the first parameters, 0 where the server is to find out
   */
  record Parse(String name, String sql, List<Integer> types) implements Message {}

  /**
   * @param formats of the values: none for text, one for all, or one each
   * @param values null for NULL
   */
  record Bind(
      String portal,
      String statement,
      List<Integer> formats,
      List<byte[]> values,
      List<Integer> resultFormats)
      implements Message {}

  record Describe(boolean portal, String name) implements Message {}

  record Execute(String portal, int rows) implements Message {}

  record Close(boolean portal, String name) implements Message {}

  record Flush() implements Message {}

  record Sync() implements Message {}

  record Terminate() implements Message {}

  /** A call of a function by its number. */
  record Call() implements Message {}

  /** Belongs to a COPY towards the server, of which there is none. */
  record Copy() implements Message {}

  /**
   * @throws ProtocolError for what is no message
   * @throws BadText for text that is not UTF-8
   */
  static Message of(FrameReader.Frame frame) {
    MessageReader body = new MessageReader(frame.body());
    Message message =
        switch (frame.type()) {
          case 'Q' -> new Query(body.text());
          case 'P' -> new Parse(body.text(), body.text(), int32s(body));
          case 'B' -> bind(body);
          case 'D' -> new Describe(isPortal(body), body.text());
          case 'E' -> new Execute(body.text(), body.int32());
          case 'C' -> new Close(isPortal(body), body.text());
          case 'H' -> new Flush();
          case 'S' -> new Sync();
          case 'X' -> new Terminate();
          case 'F' -> {
            body.rest();
            yield new Call();
          }
          case 'd', 'c', 'f' -> {
            body.rest();
            yield new Copy();
          }
          default -> throw new ProtocolError("invalid frontend message type " + frame.type());
        };
    body.end();
    return message;
  }

  private static Bind bind(MessageReader body) {
    String portal = body.text();
    String statement = body.text();
    List<Integer> formats = int16s(body);
    int count = body.count();
    List<byte[]> values = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int length = body.int32();
      values.add(length == -1 ? null : body.bytes(length));
    }
    return new Bind(portal, statement, formats, Collections.unmodifiableList(values), int16s(body));
  }

  private static boolean isPortal(MessageReader body) {
    return switch (body.octet()) {
      case 'P' -> true;
      case 'S' -> false;
      default -> throw ProtocolError.malformed();
    };
  }

  private static List<Integer> int16s(MessageReader body) {
    int count = body.count();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(body.int16());
    }
    return List.copyOf(all);
  }

  private static List<Integer> int32s(MessageReader body) {
    int count = body.count();
    List<Integer> all = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      all.add(body.int32());
    }
    return List.copyOf(all);
  }
}
