package flexdp.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.server.sql.Lexer;
import flexdp.server.sql.Token;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Random statements of somebody who wants the server's process, its memory or its time. */
final class HostileStatements {
  private static final List<String> ARGUMENTS =
      List.of(
          "NULL",
          "0",
          "-1",
          "2147483647",
          "9223372036854775807",
          "1e300",
          "'x'",
          "''",
          "'\ud83d\ude00'",
          "'pg_class'",
          "'/etc/passwd'",
          "'select 1'",
          "relname",
          "oid",
          "reloptions",
          "ARRAY[1,2]",
          "*",
          "'" + "y".repeat(5_000) + "'");

  private final Random random;
  private final List<String> functions;
  private final List<String> captured;

  HostileStatements(long seed) throws IOException, SQLException {
    this.random = new Random(seed);
    this.functions = functions();
    this.captured = captured();
  }

  /** Whatever the database behind the catalogue has, and PostgreSQL's own. */
  private static List<String> functions() throws SQLException {
    List<String> names = new ArrayList<>();
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        ResultSet rows =
            statement.executeQuery("SELECT DISTINCT function_name FROM duckdb_functions()")) {
      while (rows.next()) {
        names.add('"' + rows.getString(1).replace("\"", "\"\"") + '"');
      }
    }
    names.addAll(
        List.of(
            "pg_get_viewdef",
            "pg_get_expr",
            "format_type",
            "obj_description",
            "pg_get_constraintdef",
            "pg_catalog.pg_get_keywords",
            "quote_ident",
            "regexp_replace",
            "replace",
            "current_setting",
            "set_config",
            "array_to_string",
            "generate_subscripts"));
    return names;
  }

  private static List<String> captured() throws IOException {
    List<String> all = new ArrayList<>();
    try (var in = HostileStatements.class.getResourceAsStream("captured.jsonl")) {
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n")) {
        JsonNode node = new ObjectMapper().readTree(line);
        all.add(node.path("sql").asText());
      }
    }
    return all;
  }

  String next() {
    return switch (random.nextInt(10)) {
      case 0, 1 -> called();
      case 2 -> chained();
      case 3 -> nested();
      case 4, 5 -> torn();
      case 6 -> endless();
      case 7 -> flooded();
      case 8 -> injected();
      default -> grown();
    };
  }

  private <T> T one(List<T> list) {
    return list.get(random.nextInt(list.size()));
  }

  private String repeated(String text, int most) {
    return text.repeat(1 + random.nextInt(most));
  }

  /** Every function there is, in a list or as a table. */
  private String called() {
    String arguments =
        IntStream.range(0, random.nextInt(4))
            .mapToObj(i -> one(ARGUMENTS))
            .collect(Collectors.joining(", "));
    String call = one(functions) + "(" + arguments + ")";
    return switch (random.nextInt(4)) {
      case 0 -> "SELECT * FROM pg_class, " + call;
      case 1 -> "SELECT DISTINCT ON (1) " + call + " FROM pg_class";
      case 2 -> "SELECT x.* FROM pg_am c, (PIVOT " + call + " ON a USING max(v)) x";
      default -> "SELECT " + call + " FROM pg_class";
    };
  }

  private String chained() {
    int links = 2 + random.nextInt(5_000);
    String links2 =
        IntStream.range(1, links)
            .mapToObj(i -> "a" + i + " AS (SELECT x FROM a" + (i - 1) + ")")
            .collect(Collectors.joining(", "));
    return "WITH a0 AS (SELECT amname AS x FROM pg_am), " + links2 + " SELECT * FROM a" + --links;
  }

  private String nested() {
    int depth = 1 + random.nextInt(2_000);
    return switch (random.nextInt(7)) {
      case 0 -> "SELECT " + "(".repeat(depth) + "1" + ")".repeat(depth) + " FROM pg_am";
      case 1 -> "SELECT 'pg_class'" + "::regclass::text".repeat(1 + depth % 40) + " FROM pg_am";
      case 2 -> "SELECT * FROM " + "(SELECT * FROM ".repeat(depth) + "pg_am" + ") q".repeat(depth);
      case 3 -> "SELECT 1" + " + 1".repeat(depth) + " FROM pg_am";
      case 4 -> "SELECT 1 FROM pg_am" + " UNION ALL SELECT 1 FROM pg_am".repeat(depth);
      case 5 ->
          "SELECT "
              + "CASE WHEN true THEN ".repeat(depth)
              + "1"
              + " END".repeat(depth)
              + " FROM pg_am";
      default -> "SELECT * FROM pg_am WHERE oid = any(" + "oid = any(".repeat(depth) + ")";
    };
  }

  /** Something that a client asks, with words left out, doubled or put elsewhere. */
  private String torn() {
    String sql = one(captured);
    List<Token> tokens = new ArrayList<>(Lexer.tokens(sql));
    for (int i = random.nextInt(4); i >= 0 && tokens.size() > 2; i--) {
      int at = random.nextInt(tokens.size());
      switch (random.nextInt(3)) {
        case 0 -> tokens.remove(at);
        case 1 -> tokens.add(random.nextInt(tokens.size()), tokens.get(at));
        default -> tokens.subList(at, tokens.size()).clear();
      }
    }
    return "SELECT 1 WHERE EXISTS (SELECT 1 FROM pg_am) OR "
        + tokens.stream()
            .skip(random.nextInt(2))
            .map(t -> sql.substring(t.from(), t.to()))
            .collect(Collectors.joining(" "));
  }

  private String endless() {
    return "SELECT count(*) FROM pg_attribute a"
        + repeated(", pg_attribute", 1)
        + " b, pg_proc c, pg_proc d WHERE a.attname || b.attname"
        + " || c.proname || d.proname = 'x"
        + random.nextInt()
        + "'";
  }

  private String flooded() {
    return repeated(
        "SELECT relname FROM pg_class WHERE relname = '" + random.nextInt() + "';", 200);
  }

  private String injected() {
    return "SELECT a.tableoid, a.\"x'); DROP SCHEMA pgc CASCADE; --\" FROM pg_class, \"pg_x'); "
        + one(List.of("SELECT 1", "DROP SCHEMA pgc CASCADE", "CALL enable_logging()"))
        + " --\" a";
  }

  /** Texts that grow. */
  private String grown() {
    String text = "'x'";
    for (int i = random.nextInt(25); i >= 0; i--) {
      text =
          switch (random.nextInt(3)) {
            case 0 -> "replace(" + text + ", 'x', 'xxxxxxxxxx')";
            case 1 -> "concat(" + text + ", " + text.substring(0, Math.min(3, text.length())) + ")";
            default -> "(SELECT string_agg(" + text + ", ',') FROM pg_proc)";
          };
    }
    return "SELECT length(" + text + ") FROM pg_am";
  }
}
