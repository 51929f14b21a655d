package flexdp.server.catalogue;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/** What a fresh PostgreSQL 15 has in its catalogue, as scripts/catalogue wrote it. */
final class Snapshot {
  /**
   * A table or view.
   *
   * @param columns names and PostgreSQL's types
   * @param definition of a view
   * @param rows of a table, as text; null for NULL
   */
  record Relation(
      String schema,
      String name,
      Map<String, String> columns,
      Optional<String> definition,
      List<String[]> rows) {}

  private Snapshot() {}

  static List<Relation> read() {
    List<Relation> relations = new ArrayList<>();
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Snapshot.class.getResourceAsStream("pg15.gz")),
                StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        if (line.startsWith("@table ")) {
          relations.add(relation(line.split(" ", 4)));
        } else if (line.startsWith("@view ")) {
          Relation last = relations.removeLast();
          Optional<String> definition = Optional.of(unescaped(line.substring(6)));
          relations.add(
              new Relation(last.schema(), last.name(), last.columns(), definition, List.of()));
        } else {
          relations.getLast().rows().add(row(line));
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return relations;
  }

  private static Relation relation(String[] words) {
    Map<String, String> columns = new LinkedHashMap<>();
    for (String column : words[3].split(",")) {
      int colon = column.indexOf(':');
      columns.put(column.substring(0, colon), column.substring(colon + 1).replace('_', ' '));
    }
    return new Relation(words[1], words[2], columns, Optional.empty(), new ArrayList<>());
  }

  private static String[] row(String line) {
    String[] fields = line.split("\t", -1);
    for (int i = 0; i < fields.length; i++) {
      fields[i] = fields[i].equals("\\N") ? null : unescaped(fields[i]);
    }
    return fields;
  }

  private static String unescaped(String text) {
    if (text.indexOf('\\') < 0) {
      return text;
    }
    StringBuilder plain = new StringBuilder();
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c != '\\' || i + 1 == text.length()) {
        plain.append(c);
        continue;
      }
      char next = text.charAt(++i);
      switch (next) {
        case 'n' -> plain.append('\n');
        case 't' -> plain.append('\t');
        case 'r' -> plain.append('\r');
        case 'b' -> plain.append('\b');
        case 'x' -> {
          plain.append((char) Integer.parseInt(text.substring(i + 1, i + 3), 16));
          i += 2;
        }
        default -> plain.append(next);
      }
    }
    return plain.toString();
  }
}
