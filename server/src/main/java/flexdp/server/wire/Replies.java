package flexdp.server.wire;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** Writes the messages of the server. They are sent when {@link #flush} says so, or are many. */
public final class Replies {
  /** A column as the protocol describes it. */
  public record Field(String name, int type, int size, int modifier) {}

  private static final int FLUSH_AT = 32_768;

  private final OutputStream out;
  private byte[] buffer = new byte[1_024];
  private int length;
  private int start;

  public Replies(OutputStream out) {
    this.out = out;
  }

  /** A request for a login step, with what belongs to it. */
  public void authentication(int kind, byte[] data) throws IOException {
    begin('R').int32(kind).bytes(data).end();
  }

  public void parameter(String name, String value) throws IOException {
    begin('S').text(name).text(value).end();
  }

  public void keyData(int process, int secret) throws IOException {
    begin('K').int32(process).int32(secret).end();
  }

  /** Says which minor version is spoken, and which options are not known. */
  public void negotiate(List<String> unknown) throws IOException {
    begin('v').int32(0).int32(unknown.size());
    unknown.forEach(this::text);
    end();
  }

  /**
   * @param state I, T or E
   */
  public void ready(char state) throws IOException {
    begin('Z').octet(state).end();
    flush();
  }

  public void description(List<Field> fields, List<Integer> formats) throws IOException {
    begin('T').int16(fields.size());
    for (int i = 0; i < fields.size(); i++) {
      Field field = fields.get(i);
      text(field.name()).int32(0).int16(0).int32(field.type()).int16(field.size());
      int32(field.modifier()).int16(formats.get(i));
    }
    end();
  }

  public void parameters(List<Integer> types) throws IOException {
    begin('t').int16(types.size());
    types.forEach(this::int32);
    end();
  }

  /**
   * @param values encoded already; null for NULL
   */
  public void row(byte[][] values) throws IOException {
    begin('D').int16(values.length);
    for (byte[] value : values) {
      if (value == null) {
        int32(-1);
      } else {
        int32(value.length).bytes(value);
      }
    }
    end();
  }

  public void complete(String tag) throws IOException {
    begin('C').text(tag).end();
  }

  public void copyOut(boolean binary, int columns) throws IOException {
    begin('H').octet(binary ? 1 : 0).int16(columns);
    for (int i = 0; i < columns; i++) {
      int16(binary ? 1 : 0);
    }
    end();
  }

  public void copyData(byte[] data) throws IOException {
    begin('d').bytes(data).end();
  }

  /** A message without content: 1, 2, 3, n, s, I or c. */
  public void plain(char type) throws IOException {
    begin(type).end();
  }

  /**
   * An error or a notice.
   *
   * @param type E or N
   */
  public void report(char type, Map<Character, String> fields) throws IOException {
    begin(type);
    fields.forEach((field, value) -> octet(field).text(value));
    octet(0).end();
  }

  public void flush() throws IOException {
    out.write(buffer, 0, length);
    length = 0;
    if (buffer.length > FLUSH_AT * 2) {
      buffer = new byte[1_024];
    }
    out.flush();
  }

  private Replies begin(char type) {
    octet(type);
    start = length;
    return int32(0);
  }

  private void end() throws IOException {
    int size = length - start;
    buffer[start] = (byte) (size >> 24);
    buffer[start + 1] = (byte) (size >> 16);
    buffer[start + 2] = (byte) (size >> 8);
    buffer[start + 3] = (byte) size;
    if (length > FLUSH_AT) {
      out.write(buffer, 0, length);
      length = 0;
    }
  }

  private Replies octet(int value) {
    room(1);
    buffer[length++] = (byte) value;
    return this;
  }

  private Replies int16(int value) {
    return octet(value >> 8).octet(value);
  }

  private Replies int32(int value) {
    return int16(value >> 16).int16(value);
  }

  private Replies bytes(byte[] value) {
    room(value.length);
    System.arraycopy(value, 0, buffer, length, value.length);
    length += value.length;
    return this;
  }

  /** A zero would end the text early and let what follows be read as something else. */
  private Replies text(String value) {
    return bytes(value.replace('\0', ' ').getBytes(StandardCharsets.UTF_8)).octet(0);
  }

  private void room(int more) {
    if (buffer.length - length < more) {
      buffer = Arrays.copyOf(buffer, Math.max(buffer.length * 2, length + more));
    }
  }
}
