package flexdp.server;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.server.CaptureProxy.Heard;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Lets clients read the catalogue of a real PostgreSQL 15 and writes down what they asked, for
 * {@link CapturedStatementsTest}. scripts/capture installs the clients and runs it.
 */
final class Capture {
  private static final List<String> CLIENTS =
      List.of(
          "psql",
          "sqlalchemy",
          "psycopg2",
          "node",
          "activerecord",
          "dbdpg",
          "knex",
          "kysely",
          "odbc",
          "pgcli",
          "php",
          "postgresjs",
          "rpostgresql",
          "rubysequel",
          "sequelize",
          "typeorm");

  /** What speaks of the catalogue, and of nothing that would have to be paid for. */
  private static final Pattern CATALOGUE =
      Pattern.compile(
          "(?is)\\s*(/\\*.*?\\*/\\s*)*(select|with|show)\\b.*(pg_|information_schema|current_|version\\().*");

  private final ObjectMapper json = new ObjectMapper();
  private final Replay numbers;
  private final Set<String> lines = new LinkedHashSet<>();

  private Capture(Replay numbers) {
    this.numbers = numbers;
  }

  /** The folder of the clients' programs, and the file to write. */
  public static void main(String[] args) throws Exception {
    Path programs = Path.of(args[0]);
    try (RealPostgres real = RealPostgres.start();
        RawClient raw = new RawClient(real.port()).startup("ann")) {
      while (raw.next() != 'Z') {
        continue;
      }
      Capture capture = new Capture(new Replay(raw));
      Path file = Path.of(args[1]);
      capture.lines.addAll(Files.readAllLines(file)); // nothing that was heard before is forgotten
      capture.pgjdbc(real.port());
      for (String client : CLIENTS) {
        capture.program(client, real.port(), programs.resolve("run"));
      }
      Files.write(file, capture.lines);
    }
  }

  private void pgjdbc(int port) throws Exception {
    List<Heard> heard = Collections.synchronizedList(new ArrayList<>());
    try (CaptureProxy proxy = new CaptureProxy(port, heard::add)) {
      Properties properties = new Properties();
      properties.setProperty("user", "ann");
      String url = "jdbc:postgresql://127.0.0.1:" + proxy.port() + "/rides";
      try (Connection connection = DriverManager.getConnection(url, properties)) {
        DatabaseMetaDataTest.all(connection.getMetaData());
      }
    }
    write("pgjdbc", heard);
  }

  private void program(String client, int port, Path run) throws Exception {
    List<Heard> heard = Collections.synchronizedList(new ArrayList<>());
    try (CaptureProxy proxy = new CaptureProxy(port, heard::add)) {
      Process process =
          new ProcessBuilder(run.toString(), client, Integer.toString(proxy.port()))
              .redirectErrorStream(true)
              .start();
      process.getOutputStream().close();
      byte[] said = process.getInputStream().readAllBytes();
      if (process.waitFor() != 0) {
        throw new IOException(client + ": " + new String(said, StandardCharsets.UTF_8));
      }
    }
    write(client, heard);
  }

  private void write(String client, List<Heard> heard) throws IOException {
    int before = lines.size();
    for (Heard one : heard) {
      if (CATALOGUE.matcher(one.sql()).matches()) {
        ObjectNode node = json.createObjectNode().put("c", client);
        node.put("sql", numbers.symbols(one.sql()));
        if (one.bound()) {
          one.types().forEach(node.putArray("types")::add);
          values(one, node.putArray("values"));
        }
        lines.add(json.writeValueAsString(node));
      }
    }
    System.err.println(client + ": " + (lines.size() - before) + " statements");
  }

  private void values(Heard heard, ArrayNode values) {
    for (int i = 0; i < heard.values().size(); i++) {
      byte[] value = heard.values().get(i);
      if (value == null) {
        values.addNull();
      } else if (!heard.binary().get(i)) {
        values.add(numbers.symbols(new String(value, StandardCharsets.UTF_8)));
      } else {
        binary(value, values.addObject());
      }
    }
  }

  private void binary(byte[] value, ObjectNode node) {
    if (value.length == 4 || value.length == 8) {
      ByteBuffer buffer = ByteBuffer.wrap(value);
      String number = Long.toString(value.length == 4 ? buffer.getInt() : buffer.getLong());
      String symbol = numbers.symbols(number);
      if (!symbol.equals(number)) {
        node.put("oid", symbol.substring(1, symbol.length() - 1)).put("int", value.length);
        return;
      }
    }
    node.put("hex", HexFormat.of().formatHex(value));
  }
}
