package flexdp.server.pgcatalog;

import flexdp.server.session.ServerFacts.Found;
import flexdp.server.session.SqlError;
import flexdp.server.session.WireColumn;
import flexdp.server.sql.Token;
import flexdp.server.types.PgType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/**
 * What the server and a worker say to each other, as bytes. They are read as plain values and as
 * nothing else: a worker that an analyst's statement has taken over can answer wrongly, no more.
 * What it sends takes no more memory than the largest honest answer, lists nest as deep as a
 * statement does, and numbers have a length.
 */
final class WorkerMessage {
  /**
   * A statement to be answered.
   *
   * @param file of the catalogue
   * @param settings of the connection, when the statement asks for some
   * @param tables rows of the door's own tables that it names
   */
  record Request(
      String file,
      String user,
      String database,
      List<Token> tokens,
      List<Object> values,
      boolean describe,
      Map<String, String> settings,
      Map<String, List<List<Object>>> tables) {}

  /** What comes back. */
  sealed interface Answer {}

  /**
   * Columns and rows.
   *
   * @param set settings that the statement changes
   */
  record Rows(Found found, List<Map.Entry<String, String>> set) implements Answer {}

  /**
   * A refusal.
   *
   * @param cause for the owner's log; empty when there is nothing to know
   */
  record Refused(SqlError error, String cause) implements Answer {}

  /** As deep as a statement may nest, and one for its row and its rows. */
  private static final int DEEPEST_LIST = 202;

  private static final int LONGEST_NUMBER = 400;
  private static final long OBJECT = 32;

  /** What the values of an answer may take; one of those that are let go weighs half of it. */
  private static final long MOST_OF_ANSWER = 2 * UserCatalog.MOST_BYTES;

  private static final Token.Kind[] KINDS = Token.Kind.values();
  private static final PgType[] TYPES = PgType.values();

  private WorkerMessage() {}

  /** Writes a part. */
  private interface Part {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] bytes(Part part) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    part.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  static byte[] of(Request request) throws IOException {
    return bytes(
        out -> {
          text(out, request.file());
          text(out, request.user());
          text(out, request.database());
          out.writeInt(request.tokens().size());
          for (Token token : request.tokens()) {
            out.writeByte(token.kind().ordinal());
            text(out, token.text());
            out.writeInt(token.from());
            out.writeInt(token.to());
          }
          value(out, request.values());
          out.writeBoolean(request.describe());
          out.writeInt(request.settings().size());
          for (Map.Entry<String, String> setting : request.settings().entrySet()) {
            text(out, setting.getKey());
            text(out, setting.getValue());
          }
          out.writeInt(request.tables().size());
          for (Map.Entry<String, List<List<Object>>> table : request.tables().entrySet()) {
            text(out, table.getKey());
            value(out, table.getValue());
          }
        });
  }

  static Request request(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    String file = text(in);
    String user = text(in);
    String database = text(in);
    List<Token> tokens = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      tokens.add(new Token(KINDS[in.readByte()], text(in), in.readInt(), in.readInt()));
    }
    Room room = new Room(Long.MAX_VALUE, Integer.MAX_VALUE);
    List<Object> values = list(in, room);
    boolean describe = in.readBoolean();
    Map<String, String> settings = new LinkedHashMap<>();
    for (int n = in.readInt(); n > 0; n--) {
      settings.put(text(in), text(in));
    }
    Map<String, List<List<Object>>> tables = new LinkedHashMap<>();
    for (int n = in.readInt(); n > 0; n--) {
      tables.put(text(in), rows(in, room));
    }
    return new Request(file, user, database, tokens, values, describe, settings, tables);
  }

  static byte[] of(Answer answer) throws IOException {
    return bytes(
        out -> {
          switch (answer) {
            case Rows rows -> {
              out.writeBoolean(true);
              out.writeInt(rows.found().columns().size());
              for (WireColumn column : rows.found().columns()) {
                text(out, column.name());
                out.writeByte(column.type().ordinal());
                out.writeBoolean(column.array());
                out.writeInt(column.modifier());
              }
              value(out, rows.found().rows());
              out.writeInt(rows.set().size());
              for (Map.Entry<String, String> set : rows.set()) {
                text(out, set.getKey());
                text(out, set.getValue());
              }
            }
            case Refused refused -> {
              out.writeBoolean(false);
              text(out, refused.error().state());
              text(out, refused.error().getMessage());
              text(out, refused.error().hint());
              out.writeInt(refused.error().at().orElse(-1));
              text(out, refused.cause());
            }
          }
        });
  }

  /**
   * @throws IOException when it is not what a worker says
   */
  static Answer answer(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    try {
      return in.readBoolean() ? found(in) : refused(in);
    } catch (RuntimeException e) {
      throw new IOException(e);
    }
  }

  private static Rows found(DataInputStream in) throws IOException {
    List<WireColumn> columns = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      columns.add(new WireColumn(text(in), TYPES[in.readByte()], in.readBoolean(), in.readInt()));
    }
    List<List<Object>> rows = rows(in, new Room(MOST_OF_ANSWER, LONGEST_NUMBER));
    if (rows.stream().anyMatch(row -> row.size() != columns.size())) {
      throw new IOException("a row has other columns");
    }
    List<Map.Entry<String, String>> set = new ArrayList<>();
    for (int n = in.readInt(); n > 0; n--) {
      set.add(Map.entry(text(in), text(in)));
    }
    return new Rows(new Found(columns, rows), set);
  }

  private static Refused refused(DataInputStream in) throws IOException {
    String state = text(in);
    String message = text(in);
    String hint = text(in);
    int at = in.readInt();
    SqlError error =
        at < 0 ? SqlError.of(state, message, hint) : SqlError.at(at, state, message, hint);
    return new Refused(error, text(in));
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static String text(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("a text of " + length + " bytes");
    }
    return new String(in.readNBytes(length), StandardCharsets.UTF_8);
  }

  private static void value(DataOutputStream out, Object value) throws IOException {
    switch (value) {
      case null -> out.writeByte('0');
      case Boolean b -> out.writeByte(b ? 't' : 'f');
      case Long n -> {
        out.writeByte('n');
        out.writeLong(n);
      }
      case Double d -> {
        out.writeByte('d');
        out.writeDouble(d);
      }
      case BigDecimal d -> written(out, 'b', d.toString());
      case LocalDate d -> written(out, 'D', d.toString());
      case LocalTime t -> written(out, 'T', t.toString());
      case LocalDateTime t -> written(out, 'S', t.toString());
      case UUID u -> written(out, 'U', u.toString());
      case List<?> list -> {
        out.writeByte('l');
        out.writeInt(list.size());
        for (Object element : list) {
          value(out, element);
        }
      }
      default -> written(out, 's', value.toString());
    }
  }

  private static void written(DataOutputStream out, char kind, String text) throws IOException {
    out.writeByte(kind);
    text(out, text);
  }

  /** How much may still be read. */
  private static final class Room {
    private final int longest;
    private long left;
    private int depth;

    /**
     * @param longest number, in digits
     */
    Room(long most, int longest) {
      this.left = most;
      this.longest = longest;
    }

    void take(long bytes) throws IOException {
      left -= OBJECT + bytes;
      if (left < 0 || depth > DEEPEST_LIST) {
        throw new IOException("more than any honest answer has");
      }
    }
  }

  private static Object value(DataInputStream in, Room room) throws IOException {
    byte kind = in.readByte();
    room.take(0);
    return switch (kind) {
      case '0' -> null;
      case 't' -> true;
      case 'f' -> false;
      case 'n' -> in.readLong();
      case 'd' -> in.readDouble();
      case 'b' -> number(text(in), room);
      case 'D' -> LocalDate.parse(text(in));
      case 'T' -> LocalTime.parse(text(in));
      case 'S' -> LocalDateTime.parse(text(in));
      case 'U' -> UUID.fromString(text(in));
      case 's' -> {
        String text = text(in);
        room.take(text.length());
        yield text;
      }
      case 'l' -> {
        List<Object> list = new ArrayList<>();
        room.depth++;
        for (int n = in.readInt(); n > 0; n--) {
          list.add(value(in, room));
        }
        room.depth--;
        yield list;
      }
      default -> throw new IOException("a value of kind " + kind);
    };
  }

  /** One that can be written out: 1e999999999 is short until it is. */
  private static BigDecimal number(String text, Room room) throws IOException {
    if (text.length() <= room.longest) {
      BigDecimal number = new BigDecimal(text);
      if (Math.abs((long) number.scale()) <= room.longest) {
        return number;
      }
    }
    throw new IOException("a number of " + text.length() + " signs");
  }

  private static List<Object> list(DataInputStream in, Room room) throws IOException {
    if (value(in, room) instanceof List<?> list) {
      return new ArrayList<>(list);
    }
    throw new IOException("no list");
  }

  private static List<List<Object>> rows(DataInputStream in, Room room) throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    for (Object row : list(in, room)) {
      rows.add(
          row instanceof List<?> values
              ? new ArrayList<>(values)
              : Optional.<List<Object>>empty().orElseThrow(() -> new IOException("no row")));
    }
    return rows;
  }
}
