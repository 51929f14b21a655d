package flexdp.server;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Sends statements that clients were heard to send, and gives what came back as text. */
final class Replay {
  private static final Pattern SYMBOL =
      Pattern.compile("\\{(class|type|constraint|database|role|extension|config):([^}]+)\\}");
  private static final Pattern NUMBER = Pattern.compile("(?<![\\w.])\\d{5,6}(?![\\w.])");

  private final RawClient raw;
  private final Map<String, String> numbers = new HashMap<>();
  private final Map<String, String> symbols = new HashMap<>();

  /**
   * @param raw a client whose login was accepted
   */
  Replay(RawClient raw) throws IOException {
    this.raw = raw;
    learn("class", "SELECT oid, relname FROM pg_class WHERE relname !~ '^pg_toast'");
    learn("type", "SELECT oid, typname FROM pg_type WHERE typname !~ '^_?pg_toast'");
    learn("constraint", "SELECT oid, conname FROM pg_constraint");
    learn("database", "SELECT oid, datname FROM pg_database");
    learn("role", "SELECT oid, rolname FROM pg_roles");
    learn("extension", "SELECT oid, extname FROM pg_extension");
    learn("config", "SELECT oid, cfgname FROM pg_ts_config");
  }

  /** The numbers of what people made differ from server to server. */
  private void learn(String kind, String sql) throws IOException {
    List<List<String>> all = query(sql);
    for (List<String> row : all.subList(1, all.size())) {
      if (Long.parseLong(row.getFirst()) >= 13_000) {
        String symbol = "{" + kind + ":" + row.getLast() + "}";
        numbers.put(symbol, row.getFirst());
        symbols.put(row.getFirst(), symbol);
      }
    }
  }

  private List<List<String>> query(String sql) throws IOException {
    raw.send('Q', (sql + "\0").getBytes(StandardCharsets.UTF_8));
    return answer();
  }

  /** Columns and rows, those in the order of their text; or the SQLSTATE of an error. */
  List<List<String>> run(JsonNode captured) throws IOException {
    List<List<String>> all = captured.has("values") ? bound(captured) : query(sql(captured));
    List<List<String>> rows = new ArrayList<>();
    for (List<String> row : all.subList(Math.min(1, all.size()), all.size())) {
      rows.add(row.stream().map(this::symbolic).toList());
    }
    rows.sort(Comparator.comparing(List::toString));
    rows.addAll(0, all.subList(0, Math.min(1, all.size())));
    return rows;
  }

  private String sql(JsonNode captured) {
    return numbered(captured.path("sql").asText());
  }

  private String numbered(String text) {
    return SYMBOL
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(numbers.getOrDefault(found.group(), "99999")));
  }

  /** A text with the names of what people made in place of its numbers. */
  String symbols(String text) {
    return NUMBER
        .matcher(text)
        .replaceAll(
            found -> Matcher.quoteReplacement(symbols.getOrDefault(found.group(), found.group())));
  }

  private String symbolic(String value) {
    return value == null
        ? null
        : symbols(value)
            .replaceAll("(?<=\\b(2200|13\\d{3}|pg_toast)_)\\d{4,5}(?=_\\d|_index|$|\\b)", "N");
  }

  private List<List<String>> bound(JsonNode captured) throws IOException {
    send(
        'P',
        data -> {
          text(data, "");
          text(data, sql(captured));
          data.writeShort(captured.path("types").size());
          for (JsonNode type : captured.path("types")) {
            data.writeInt(type.asInt());
          }
        });
    send(
        'B',
        data -> {
          text(data, "");
          text(data, "");
          JsonNode values = captured.path("values");
          data.writeShort(values.size());
          for (JsonNode value : values) {
            data.writeShort(value.isObject() ? 1 : 0);
          }
          data.writeShort(values.size());
          for (JsonNode value : values) {
            byte[] bytes = bytes(value);
            data.writeInt(bytes == null ? -1 : bytes.length);
            data.write(bytes == null ? new byte[0] : bytes);
          }
          data.writeShort(0);
        });
    send(
        'D',
        data -> {
          data.writeByte('P');
          text(data, "");
        });
    send(
        'E',
        data -> {
          text(data, "");
          data.writeInt(0);
        });
    raw.send('S', new byte[0]);
    return answer();
  }

  private byte[] bytes(JsonNode value) {
    if (value.isNull()) {
      return null;
    }
    if (value.has("hex")) {
      return HexFormat.of().parseHex(value.path("hex").asText());
    }
    if (value.has("oid")) {
      long number = Long.parseLong(numbers.get("{" + value.path("oid").asText() + "}"));
      int size = value.path("int").asInt();
      ByteBuffer buffer = ByteBuffer.allocate(size);
      return (size == 4 ? buffer.putInt((int) number) : buffer.putLong(number)).array();
    }
    return numbered(value.asText()).getBytes(StandardCharsets.UTF_8);
  }

  /** Writes the body of a message. */
  private interface Body {
    void write(DataOutputStream data) throws IOException;
  }

  private void send(char type, Body body) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    body.write(new DataOutputStream(bytes));
    raw.send(type, bytes.toByteArray());
  }

  private static void text(DataOutputStream data, String text) throws IOException {
    data.write((text + "\0").getBytes(StandardCharsets.UTF_8));
  }

  private List<List<String>> answer() throws IOException {
    List<List<String>> rows = new ArrayList<>();
    for (char type = raw.next(); type != 'Z'; type = raw.next()) {
      switch (type) {
        case 'T' -> rows.add(names());
        case 'D' -> rows.add(row());
        case 'E' -> rows.add(List.of("error " + raw.fields().get('C')));
        default -> {}
      }
    }
    return rows;
  }

  private List<String> names() {
    ByteBuffer body = ByteBuffer.wrap(raw.body);
    List<String> names = new ArrayList<>();
    for (int n = body.getShort(); n > 0; n--) {
      int from = body.position();
      while (body.get() != 0) {
        continue;
      }
      names.add(new String(raw.body, from, body.position() - from - 1, StandardCharsets.UTF_8));
      body.position(body.position() + 18);
    }
    return names;
  }

  private List<String> row() {
    ByteBuffer body = ByteBuffer.wrap(raw.body);
    List<String> values = new ArrayList<>();
    for (int n = body.getShort(); n > 0; n--) {
      int length = body.getInt();
      values.add(
          length < 0
              ? null
              : new String(raw.body, body.position(), length, StandardCharsets.UTF_8));
      body.position(body.position() + Math.max(0, length));
    }
    return values;
  }
}
