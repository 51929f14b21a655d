package flexdp.gateway.catalog;

import flexdp.failure.DatabaseError;
import flexdp.gateway.render.SqlConstants;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * CSV and Parquet files as tables: one file, or all of a folder, copied into a DuckDB database in
 * memory when they are opened. The copy is one state of the data whatever happens to the files, and
 * afterwards nothing outside can be read. The name of the state is a digest of all the bytes.
 */
public final class DataFiles {
  /** Gives the state's name; a database that was not made here has no such function. */
  public static final String VERSION_MACRO = "flexdp_files_version";

  private final Map<String, Path> tables = new TreeMap<>();

  private DataFiles() {}

  public static DataFiles at(Path place) {
    DataFiles found = new DataFiles();
    Map<Object, Path> known = new HashMap<>();
    for (Path file : files(place)) {
      found.add(file, known);
    }
    if (found.tables.isEmpty()) {
      throw DatabaseError.of(
          "There is no file with the ending .csv, .tsv or .parquet at '" + place + "'.",
          "Name a file or a folder, as in files:data; relative names count from the folder in which"
              + " flexdp runs.");
    }
    return found;
  }

  private static List<Path> files(Path place) {
    if (!Files.isDirectory(place)) {
      return Files.isRegularFile(place) ? List.of(place) : List.of();
    }
    try (Stream<Path> all = Files.list(place)) {
      return all.filter(Files::isRegularFile).sorted().toList();
    } catch (IOException e) {
      throw DatabaseError.of("The folder '" + place + "' cannot be read.", "Check its mode.");
    }
  }

  private void add(Path file, Map<Object, Path> known) {
    String name = file.getFileName().toString();
    int dot = name.lastIndexOf('.');
    String ending = name.substring(dot + 1).toLowerCase(Locale.ROOT);
    if (dot < 1 || !List.of("csv", "tsv", "parquet").contains(ending)) {
      return;
    }
    Path same = known.put(identity(file), file);
    if (same != null) {
      throw refused(same, file, "are one file");
    }
    Path other = tables.put(name.substring(0, dot), file);
    if (other != null) {
      throw refused(other, file, "would be tables of one name");
    }
  }

  /** Links lead to the file itself; hard links share its key. */
  private static Object identity(Path file) {
    try {
      Object key = Files.readAttributes(file.toRealPath(), BasicFileAttributes.class).fileKey();
      return key == null ? file.toRealPath() : key;
    } catch (IOException e) {
      throw unreadable(file);
    }
  }

  private static DatabaseError refused(Path one, Path two, String why) {
    return DatabaseError.of(
        "The files '" + one + "' and '" + two + "' " + why + ".", "Take one of them away.");
  }

  private static DatabaseError unreadable(Path file) {
    return DatabaseError.of("The file '" + file + "' cannot be read.", "Check its mode.");
  }

  /** Copies the files into an empty database, which is cut off from everything else then. */
  public void load(Connection connection) throws SQLException {
    String version = version();
    try (Statement statement = connection.createStatement()) {
      for (Map.Entry<String, Path> table : tables.entrySet()) {
        load(statement, table.getKey(), table.getValue());
      }
      if (!version.equals(version())) {
        throw DatabaseError.of("The files changed while they were read.", "Try again.");
      }
      statement.execute("CREATE MACRO " + VERSION_MACRO + "() AS '" + version + "'");
      statement.execute("SET enable_external_access = false");
    }
  }

  private static void load(Statement statement, String name, Path file) throws SQLException {
    if (file.toString().chars().anyMatch(c -> "*?[]{}".indexOf(c) >= 0)) {
      throw DatabaseError.of(
          "The name of '"
              + file
              + "' has one of * ? [ ] { } in it, which would stand for other files.",
          "Rename the file or its folder.");
    }
    boolean parquet = file.toString().toLowerCase(Locale.ROOT).endsWith(".parquet");
    String source =
        parquet
            ? "read_parquet(" + SqlConstants.text(file.toString()) + ", hive_partitioning = false)"
            : CsvFile.of(file).source();
    String table = '"' + name.replace("\"", "\"\"") + '"';
    try {
      statement.execute("CREATE TABLE " + table + " AS SELECT * FROM " + source);
    } catch (SQLException e) {
      throw parquet
          ? DatabaseError.of("The file '" + file + "' is not a Parquet file.", "Write it anew.")
          : CsvFile.malformed(file, e);
    }
  }

  private String version() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      for (Map.Entry<String, Path> table : tables.entrySet()) {
        digest.update((table.getKey() + "\0").getBytes(StandardCharsets.UTF_8));
        digest.update((Files.size(table.getValue()) + "\0").getBytes(StandardCharsets.UTF_8));
        try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
          Files.copy(table.getValue(), out);
        }
      }
      return "files:" + HexFormat.of().formatHex(digest.digest(), 0, 16);
    } catch (IOException e) {
      throw DatabaseError.of("The files cannot be read.", "Check their mode.");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /**
   * A CSV file (RFC 4180, UTF-8) with a header. Nothing about its form or types is guessed from its
   * rows, since one row more could change the guess and with it every answer: all columns are text,
   * and the policy says as what they are read.
   */
  private record CsvFile(Path file, char delimiter, List<String> columns) {
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
}
