package flexdp.gateway.sqlite;

import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.PhysicalTable.TableBuilder;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.render.SqlConstants;
import flexdp.policy.Type;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads SQLite's catalog. */
final class SqliteTables {
  private final StatementRunner statements;
  private final List<PhysicalTable> found = new ArrayList<>();

  SqliteTables(StatementRunner statements) {
    this.statements = statements;
  }

  /** A relation as it is listed. */
  private record Listed(String name, String type, boolean strict) {}

  List<PhysicalTable> read() throws SQLException {
    pragma("encoding", row -> requireUtf8(row.getString(1)));
    // It comes first: from here on a transaction sees one state.
    Map<String, String> texts = new HashMap<>();
    statements.run(
        "SELECT name, sql FROM main.sqlite_schema WHERE type = 'table'",
        row -> texts.put(row.getString(1), row.getString(2)));
    Map<String, Listed> listed = new TreeMap<>();
    pragma(
        "table_list",
        row -> {
          String name = row.getString("name");
          boolean own = name.toLowerCase(Locale.ROOT).startsWith("sqlite_");
          if (row.getString("schema").equals("main")
              && !own
              && !row.getString("type").equals("shadow")) {
            listed.put(name, new Listed(name, row.getString("type"), row.getBoolean("strict")));
          }
        });
    for (Listed one : listed.values()) {
      Kind kind =
          switch (one.type()) {
            case "table" -> Kind.TABLE;
            case "view" -> Kind.VIEW;
            default -> Kind.FOREIGN; // a virtual table is a program
          };
      TableBuilder parts = new TableBuilder("main", one.name(), true, kind);
      columns(parts, one.strict());
      if (kind == Kind.TABLE) {
        indexes(parts);
        foreignKeys(parts);
        parts.checks.addAll(CheckClauses.in(texts.get(one.name())));
      }
      found.add(parts.table());
    }
    return List.copyOf(found);
  }

  /** In UTF-16 text has another order, and functions see other characters than are stored. */
  private static void requireUtf8(String encoding) {
    if (!encoding.equals("UTF-8")) {
      throw DatabaseError.of(
          "The text of this SQLite file is stored as " + encoding + ", not as UTF-8.",
          "Write it anew: set PRAGMA encoding = 'UTF-8' on an empty file and copy the tables.");
    }
  }

  /**
   * NOT NULL is proven where values have the column's type: in STRICT tables, and for the row id,
   * which a primary key of type INTEGER is unless it has an index: WITHOUT ROWID, or DESC.
   * Elsewhere a value of another class passes it and is read as NULL, and so do infinite numbers
   * and text that is not UTF-8, everywhere.
   */
  private void columns(TableBuilder parts, boolean strict) throws SQLException {
    List<String> primary = new ArrayList<>();
    pragma(
        "table_xinfo",
        parts.name,
        row -> {
          if (row.getInt("hidden") == 1) {
            return;
          }
          if (row.getInt("pk") > 0) {
            primary.add(row.getString("name"));
          }
          String typeName = row.getString("type");
          parts.columns.add(
              new PhysicalColumn(
                  row.getString("name"),
                  typeName,
                  SqliteConnector.type(typeName),
                  strict && isTotal(SqliteConnector.type(typeName)),
                  row.getBoolean("notnull"),
                  row.getInt("hidden") == 2));
        });
    pragma(
        "index_list",
        parts.name,
        row -> {
          if (row.getString("origin").equals("pk")) {
            primary.clear();
          }
        });
    for (int i = 0; i < parts.columns.size(); i++) {
      PhysicalColumn c = parts.columns.get(i);
      if (primary.equals(List.of(c.name())) && c.typeName().equalsIgnoreCase("INTEGER")) {
        parts.columns.set(i, new PhysicalColumn(c.name(), c.typeName(), c.type(), true, true));
        parts.keys.add(primary);
      }
    }
  }

  /** Numbers may be infinite, and text may not be UTF-8. */
  private static boolean isTotal(Type type) {
    return type.kind() == Type.Kind.BIGINT || type.kind() == Type.Kind.OPAQUE;
  }

  private void indexes(TableBuilder parts) throws SQLException {
    List<String> unique = new ArrayList<>();
    pragma(
        "index_list",
        parts.name,
        row -> {
          if (row.getBoolean("unique") && !row.getBoolean("partial")) {
            unique.addFirst(row.getString("name")); // the oldest first
          }
        });
    for (String index : unique) {
      List<String> names = new ArrayList<>();
      boolean[] plain = {true};
      pragma(
          "index_xinfo",
          index,
          row -> {
            if (row.getBoolean("key")) {
              plain[0] &= row.getString("name") != null; // an expression has no name
              names.add(row.getString("name"));
            }
          });
      if (plain[0]) {
        // Every collation of an index is at least as coarse as the bytes that we compare.
        (names.stream().anyMatch(n -> isRounded(parts, n)) ? parts.doubtfulKeys : parts.keys)
            .add(names);
      }
    }
  }

  /** Where values are read as one even in the column's own type. */
  private boolean isRounded(TableBuilder parts, String name) {
    return parts.columns.stream()
        .filter(c -> c.name().equals(name))
        .anyMatch(c -> !SqliteConnector.isApart(c, c.type()));
  }

  /** {@code REFERENCES patient} without columns means the primary key of that table. */
  private void foreignKeys(TableBuilder parts) throws SQLException {
    Map<Integer, ForeignKey> keys = new TreeMap<>();
    pragma(
        "foreign_key_list",
        parts.name,
        row -> {
          String table = row.getString("table");
          ForeignKey key =
              keys.computeIfAbsent(
                  -row.getInt("id"), // the first that was written has the largest number
                  id -> new ForeignKey(new ArrayList<>(), table, new ArrayList<>()));
          key.columns().add(row.getString("from"));
          if (row.getString("to") != null) {
            key.referenced().add(row.getString("to"));
          }
        });
    for (ForeignKey key : keys.values()) {
      List<String> referenced =
          key.referenced().isEmpty() ? primaryKey(key.table()) : key.referenced();
      if (referenced.size() == key.columns().size()) {
        parts.foreignKeys.add(new ForeignKey(key.columns(), key.table(), referenced));
      }
    }
  }

  private List<String> primaryKey(String table) throws SQLException {
    Map<Integer, String> columns = new TreeMap<>();
    pragma(
        "table_info",
        table,
        row -> {
          if (row.getInt("pk") > 0) {
            columns.put(row.getInt("pk"), row.getString("name"));
          }
        });
    return List.copyOf(columns.values());
  }

  /** As a statement: a table may be called as the function that reads the same. */
  private void pragma(String name, StatementRunner.RowReader reader) throws SQLException {
    statements.run("PRAGMA main." + name, reader);
  }

  private void pragma(String name, String of, StatementRunner.RowReader reader)
      throws SQLException {
    pragma(name + "(" + SqlConstants.text(of) + ")", reader);
  }

  /** The CHECK (...) clauses of a CREATE TABLE statement, for databases that keep only its text. */
  private static final class CheckClauses {
    private static final Pattern PIECE =
        Pattern.compile(
            "'(?:[^']|'')*'|\"(?:[^\"]|\"\")*\"|`(?:[^`]|``)*`|\\[[^\\]]*\\]|--[^\\n]*|/\\*.*?\\*/"
                + "|(?<check>\\bCHECK\\s*\\()|(?<open>\\()|(?<close>\\))",
            Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

    private CheckClauses() {}

    public static List<String> in(String sql) {
      List<String> clauses = new ArrayList<>();
      Matcher matcher = PIECE.matcher(sql);
      int depth = 0;
      int start = -1;
      int outside = 0;
      while (matcher.find()) {
        if (matcher.group("check") != null || matcher.group("open") != null) {
          if (matcher.group("check") != null && start < 0) {
            start = matcher.end() - 1;
            outside = depth;
          }
          depth++;
        } else if (matcher.group("close") != null) {
          depth--;
          if (start >= 0 && depth == outside) {
            clauses.add(sql.substring(start, matcher.end()));
            start = -1;
          }
        }
      }
      return List.copyOf(clauses);
    }
  }

  /**
   * Definitions in SQLite: the text of the schema, which belongs to the state that is read. The
   * file counts the changes of its schema, too, but the count may be the same in another file, and
   * stays when somebody writes the text itself (writable_schema). Then a connection goes on with
   * what it read before, so that one count with two texts is refused.
   */
  static final class SqliteDefinitions implements TableDefinitions {
    private static final int MOST_COUNTS = 1_000;

    private final Map<String, Map<String, List<String>>> byCount = new ConcurrentHashMap<>();

    @Override
    public Map<Name, List<String>> marks(
        StatementRunner statements, Collection<PhysicalTable> tables) throws SQLException {
      Map<String, List<String>> texts = texts(statements);
      List<String> count = new ArrayList<>();
      statements.run("PRAGMA main.schema_version", row -> count.add(row.getString(1)));
      if (byCount.size() > MOST_COUNTS) {
        byCount.clear();
      }
      Map<String, List<String>> before = byCount.putIfAbsent(count.toString(), texts);
      if (before != null && !before.equals(texts)) {
        throw ConfigurationError.of(
            ConfigurationError.Code.BAD_POLICY,
            "the tables of this SQLite file were redefined behind its back while it was open",
            "The owner runs flexdp policy check, then collect, and opens the database again.");
      }
      Map<Name, List<String>> marks = new HashMap<>();
      for (PhysicalTable table : tables) {
        List<String> text = texts.get(folded(table.name()));
        if (text != null) {
          marks.put(Name.of(table), text);
        }
      }
      return marks;
    }

    /** By table: its own text and those of its indexes and triggers. */
    private static Map<String, List<String>> texts(StatementRunner statements) throws SQLException {
      Map<String, List<String>> texts = new TreeMap<>();
      statements.run(
          "SELECT type, name, tbl_name, sql FROM main.sqlite_schema ORDER BY type, name",
          row ->
              texts
                  .computeIfAbsent(folded(row.getString(3)), t -> new ArrayList<>())
                  .add(row.getString(1) + " " + row.getString(2) + " " + row.getString(4)));
      return texts;
    }

    private static String folded(String name) {
      return name.toLowerCase(Locale.ROOT);
    }

    @Override
    public List<PhysicalTable> tables(StatementRunner statements, Collection<PhysicalTable> asked)
        throws SQLException {
      return new SqliteTables(statements).read();
    }
  }
}
