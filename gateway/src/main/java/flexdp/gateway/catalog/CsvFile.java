package flexdp.gateway.catalog;

import flexdp.failure.DatabaseError;
import flexdp.gateway.render.SqlConstants;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A CSV file (RFC 4180, UTF-8) with a header. Nothing about its form or types is guessed from its
 * rows, since one row more could change the guess and with it every answer: all columns are text,
 * and the policy says as what they are read.
 */
record CsvFile(Path file, char delimiter, List<String> columns) {
  private static final Pattern LINE = Pattern.compile("CSV Error on Line: (\\d+)");

  static CsvFile of(Path file) {
    char delimiter = file.toString().toLowerCase(Locale.ROOT).endsWith(".tsv") ? '\t' : ',';
    try (BufferedReader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String header = reader.readLine();
      if (header == null) {
        throw bad(file, "has no header", "Its first line names the columns.");
      }
      List<String> columns =
          fields(header.startsWith("\ufeff") ? header.substring(1) : header, delimiter);
      Set<String> names = new HashSet<>();
      for (String column : columns) {
        if (column.isBlank()) {
          throw bad(file, "has a column without a name", "Its first line names the columns.");
        }
        if (!names.add(column.toLowerCase(Locale.ROOT))) {
          throw bad(file, "has two columns of one name", "Rename one of them.");
        }
      }
      return new CsvFile(file, delimiter, columns);
    } catch (IOException e) {
      throw bad(file, "cannot be read as UTF-8 text", "Write it in UTF-8.");
    }
  }

  private static DatabaseError bad(Path file, String what, String hint) {
    return DatabaseError.of("The file '" + file + "' " + what + ".", hint);
  }

  private static List<String> fields(String line, char delimiter) {
    List<String> fields = new ArrayList<>();
    StringBuilder field = new StringBuilder();
    boolean quoted = false;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '"') {
        boolean twice = quoted && i + 1 < line.length() && line.charAt(i + 1) == '"';
        if (twice) {
          field.append(c);
          i++;
        } else {
          quoted = !quoted;
        }
      } else if (c == delimiter && !quoted) {
        fields.add(field.toString());
        field.setLength(0);
      } else {
        field.append(c);
      }
    }
    fields.add(field.toString());
    return fields;
  }

  /** What DuckDB reads it with. */
  String source() {
    String types =
        columns.stream()
            .map(c -> SqlConstants.text(c) + ": 'VARCHAR'")
            .collect(Collectors.joining(", ", "{", "}"));
    return "read_csv("
        + SqlConstants.text(file.toString())
        + ", auto_detect = false, header = true, delim = '"
        + delimiter
        + "', quote = '\"', escape = '\"', nullstr = '', allow_quoted_nulls = false,"
        + " strict_mode = true, encoding = 'utf-8',"
        + " max_line_size = 16777216, columns = "
        + types
        + ")";
  }

  /** The row itself is not shown: whoever opens the file may not be its owner. */
  static DatabaseError malformed(Path file, SQLException e) {
    Matcher line = LINE.matcher(String.valueOf(e.getMessage()));
    return bad(
        file,
        "is not well-formed CSV" + (line.find() ? ": line " + line.group(1) : ""),
        "Every row has as many fields as the header; a field with a comma, quote or line end stands"
            + " in double quotes.");
  }
}
