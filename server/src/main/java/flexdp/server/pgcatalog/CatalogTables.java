package flexdp.server.pgcatalog;

import flexdp.policy.Policy;
import flexdp.server.sql.Lexer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.zip.GZIPInputStream;
import org.duckdb.DuckDBAppender;
import org.duckdb.DuckDBConnection;

/**
 * Makes the catalogue: PostgreSQL's own rows, those of the policy's tables, its functions as macros
 * and its views from their own definitions. A view that cannot be had that way is an empty table.
 */
final class CatalogTables {
  private static final Map<String, String> SCHEMAS =
      Map.of("pg_catalog", "pgc", "information_schema", "pgi");

  private static final String SUPERUSERS_SETTINGS =
      "config_file data_directory dynamic_library_path extension_destdir"
          + " external_pid_file hba_file ident_file jit_provider krb_server_keyfile"
          + " log_directory log_filename primary_conninfo session_preload_libraries"
          + " shared_preload_libraries ssl_ciphers ssl_dh_params_file ssl_ecdh_curve"
          + " ssl_max_protocol_version ssl_min_protocol_version"
          + " ssl_passphrase_command unix_socket_directories";

  private static final Set<String> MACROS_USE =
      Set.of(
          "pg_class",
          "pg_language",
          "pg_namespace",
          "pg_operator",
          "pg_type",
          "pg_proc",
          "pg_ts_dict",
          "pg_authid",
          "pg_index",
          "pg_constraint",
          "pg_attribute",
          "pg_description",
          "pg_settings",
          "pg_shdescription");

  private final Connection connection;
  private final List<String> missing = new ArrayList<>();

  private CatalogTables(Connection connection) {
    this.connection = connection;
  }

  /** Gives the names of views that are empty tables. */
  static List<String> create(Connection connection, Policy policy) throws SQLException {
    CatalogTables tables = new CatalogTables(connection);
    tables.create(policy);
    return tables.missing;
  }

  /** A statement that fails closes itself, so each has its own. */
  private void execute(String sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private void create(Policy policy) throws SQLException {
    execute("CREATE SCHEMA pgc");
    execute("CREATE SCHEMA pgi");
    execute("SET VARIABLE fdx_user = ''");
    execute("SET VARIABLE fdx_database = ''");
    List<CatalogSnapshot.Relation> relations = CatalogSnapshot.read();
    for (CatalogSnapshot.Relation relation : relations) {
      if (relation.definition().isEmpty()) {
        table(relation);
      }
    }
    // Only superusers see these, and there is none.
    execute(
        "DELETE FROM pgc.pg_settings WHERE list_contains(string_split('"
            + SUPERUSERS_SETTINGS
            + "', ' '), name)");
    new PolicyRows(connection, policy).insert();
    definitions(relations);
    execute("USE memory.pgc");
    for (CatalogSnapshot.Relation relation : relations) {
      if (relation.definition().isEmpty()) {
        hide(relation);
      }
      if (MACROS_USE.contains(relation.name())) {
        prefixed(relation);
      }
    }
    for (String macro : CatalogMacros.definitions()) {
      execute(macro);
    }
    // A view may use one that comes later; what is still missing then is an empty table.
    List<CatalogSnapshot.Relation> views =
        relations.stream().filter(r -> r.definition().isPresent()).toList();
    List<CatalogSnapshot.Relation> later = views.stream().filter(v -> !isMade(v, false)).toList();
    for (CatalogSnapshot.Relation relation : later) {
      if (!isMade(relation, true)) {
        table(relation);
      }
    }
    execute("USE memory.main");
  }

  /** How PostgreSQL's own views are written. */
  private void definitions(List<CatalogSnapshot.Relation> relations) throws SQLException {
    execute(
        "CREATE TABLE pgc.fdx_v_views (m_schema VARCHAR, m_name VARCHAR, m_definition VARCHAR)");
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO pgc.fdx_v_views VALUES (?, ?, ?)")) {
      for (CatalogSnapshot.Relation relation : relations) {
        if (relation.definition().isPresent()) {
          insert.setString(1, relation.schema());
          insert.setString(2, relation.name());
          insert.setString(3, relation.definition().get());
          insert.executeUpdate();
        }
      }
    }
  }

  /**
   * A table again, with names that no statement has: what is given to a macro is put into its text,
   * and a name of the caller's must not mean something else there.
   */
  private void prefixed(CatalogSnapshot.Relation relation) throws SQLException {
    List<String> columns = new ArrayList<>();
    relation.columns().keySet().forEach(c -> columns.add('"' + c + "\" AS m_" + c));
    execute(
        "CREATE VIEW pgc.fdx_m_"
            + relation.name().substring(3)
            + " AS SELECT "
            + String.join(", ", columns)
            + " FROM "
            + (hasOwn(relation) ? base(relation) : name(relation)));
  }

  /** Columns of our own are for macros only. */
  private void hide(CatalogSnapshot.Relation relation) throws SQLException {
    if (hasOwn(relation)) {
      execute("ALTER TABLE " + name(relation) + " RENAME TO " + base(relation).substring(4));
      execute(
          "CREATE VIEW "
              + name(relation)
              + " AS SELECT * EXCLUDE ("
              + String.join(", ", own(relation))
              + ") FROM "
              + base(relation));
    }
  }

  private static List<String> own(CatalogSnapshot.Relation relation) {
    return relation.columns().keySet().stream().filter(c -> c.startsWith("fdx_")).toList();
  }

  private static boolean hasOwn(CatalogSnapshot.Relation relation) {
    return !own(relation).isEmpty();
  }

  private static String base(CatalogSnapshot.Relation relation) {
    return "pgc.fdx_b_" + relation.name();
  }

  private static String name(CatalogSnapshot.Relation relation) {
    return SCHEMAS.get(relation.schema()) + "." + relation.name();
  }

  private void table(CatalogSnapshot.Relation relation) throws SQLException {
    List<String> declared = new ArrayList<>();
    List<String> cast = new ArrayList<>();
    List<String> staged = new ArrayList<>();
    relation
        .columns()
        .forEach(
            (name, type) -> {
              declared.add('"' + name + "\" " + DuckTypes.of(type));
              staged.add('"' + name + "\" VARCHAR");
              cast.add("CAST(\"" + name + "\" AS " + DuckTypes.of(type) + ")");
            });
    execute("CREATE TABLE " + name(relation) + " (" + String.join(", ", declared) + ")");
    if (relation.rows().isEmpty()) {
      return;
    }
    execute("CREATE TEMP TABLE staged (" + String.join(", ", staged) + ")");
    List<String> types = List.copyOf(relation.columns().values());
    try (DuckDBAppender appender =
        connection.unwrap(DuckDBConnection.class).createAppender("temp", "main", "staged")) {
      for (String[] row : relation.rows()) {
        appender.beginRow();
        for (int i = 0; i < row.length; i++) {
          appender.append(value(row[i], types.get(i)));
        }
        appender.endRow();
      }
    }
    // Aggregates without an order see these by their name, as by the index that PostgreSQL takes.
    String order = relation.name().equals("pg_opclass") ? " ORDER BY opcname" : "";
    execute(
        "INSERT INTO "
            + name(relation)
            + " SELECT "
            + String.join(", ", cast)
            + " FROM staged"
            + order);
    execute("DROP TABLE temp.main.staged");
  }

  private static String value(String text, String type) {
    if (text == null) {
      return null;
    }
    if (type.equals("anyarray")) {
      return text;
    }
    if (type.endsWith("[]") || type.endsWith("vector")) {
      return DuckTypes.list(text, type);
    }
    return type.equals("timestamp with time zone") ? text.replaceAll("[+-]\\d\\d$", "") : text;
  }

  private boolean isMade(CatalogSnapshot.Relation relation, boolean last) {
    String definition = relation.definition().orElseThrow().replaceAll(";\\s*$", "");
    try {
      String sql = StatementRewriter.view(Lexer.tokens(definition));
      execute("CREATE VIEW " + name(relation) + " AS " + sql);
      return true;
    } catch (SQLException e) {
      if (last) {
        missing.add(relation.name() + ": " + e.getMessage().replace("\n", " "));
      }
      return false;
    }
  }

  /** What a fresh PostgreSQL 15 has in its catalogue, as scripts/catalogue wrote it. */
  static final class CatalogSnapshot {
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

    private CatalogSnapshot() {}

    static List<Relation> read() {
      List<Relation> relations = new ArrayList<>();
      try (BufferedReader in =
          new BufferedReader(
              new InputStreamReader(
                  new GZIPInputStream(CatalogSnapshot.class.getResourceAsStream("pg15.gz")),
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
}
