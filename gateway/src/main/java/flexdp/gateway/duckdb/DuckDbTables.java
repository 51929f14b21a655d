package flexdp.gateway.duckdb;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.policy.Type;
import java.sql.Array;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads DuckDB's catalog: tables and views of the database that the connection is in. */
final class DuckDbTables {
  private static final Pattern COLLATED =
      Pattern.compile("\\bCOLLATE\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern GENERATED =
      Pattern.compile("\\bGENERATED\\s+ALWAYS\\s+AS\\b", Pattern.CASE_INSENSITIVE);

  private static final Pattern PLAIN = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_]*");

  private record Id(String schema, String name) {}

  /** One relation while its parts are gathered. */
  private static final class Parts {
    private Kind kind = Kind.VIEW;
    private boolean inDefaultSchema;
    private boolean collated;
    private boolean generated;
    private final Set<String> filled = new HashSet<>();
    private final List<PhysicalColumn> columns = new ArrayList<>();
    private final List<List<String>> unique = new ArrayList<>();
    private final List<String> checks = new ArrayList<>();
    private final List<ForeignKey> foreignKeys = new ArrayList<>();
  }

  private final Connection connection;
  private final Map<Id, Parts> found = new LinkedHashMap<>();

  DuckDbTables(Connection connection) {
    this.connection = connection;
  }

  List<PhysicalTable> read() throws SQLException {
    relations();
    columns();
    computed();
    constraints();
    indexes();
    List<PhysicalTable> tables = new ArrayList<>();
    found.forEach((id, parts) -> tables.add(table(id, parts)));
    return List.copyOf(tables);
  }

  private static PhysicalTable table(Id id, Parts parts) {
    List<List<String>> keys = new ArrayList<>();
    List<List<String>> doubtful = new ArrayList<>();
    for (List<String> key : parts.unique) {
      boolean other =
          key.stream().anyMatch(c -> has(parts, c, k -> DuckDbColumns.merges(k.typeName())));
      (other ? doubtful : keys).add(key);
    }
    return new PhysicalTable(
        id.schema(),
        id.name(),
        parts.inDefaultSchema,
        parts.kind,
        parts.columns,
        keys,
        doubtful,
        parts.checks,
        parts.foreignKeys);
  }

  private static boolean has(Parts parts, String column, Predicate<PhysicalColumn> test) {
    return parts.columns.stream().filter(c -> c.name().equals(column)).anyMatch(test);
  }

  private void relations() throws SQLException {
    query(
        """
        SELECT schema_name, table_name, TRUE, sql, schema_name = current_schema()
        FROM duckdb_tables() WHERE NOT internal AND database_name = current_database()
        UNION ALL
        SELECT schema_name, view_name, FALSE, sql, schema_name = current_schema()
        FROM duckdb_views() WHERE NOT internal AND database_name = current_database()
        ORDER BY 1, 2\
        """,
        row -> {
          Parts parts = parts(row);
          parts.kind = row.getBoolean(3) ? Kind.TABLE : Kind.VIEW;
          parts.collated = row.getString(4) != null && COLLATED.matcher(row.getString(4)).find();
          parts.generated = row.getString(4) != null && GENERATED.matcher(row.getString(4)).find();
          parts.inDefaultSchema = row.getBoolean(5);
        });
  }

  private void columns() throws SQLException {
    query(
        """
        SELECT schema_name, table_name, column_name, data_type, is_nullable,
          column_default IS NOT NULL
        FROM duckdb_columns() WHERE NOT internal AND database_name = current_database()
        ORDER BY 1, 2, column_index\
        """,
        row -> {
          Parts parts = parts(row);
          if (row.getBoolean(6)) {
            parts.filled.add(row.getString(3));
          }
          String typeName =
              parts.collated && row.getString(4).equals("VARCHAR")
                  ? DuckDbColumns.COLLATED_TEXT
                  : row.getString(4);
          parts.columns.add(
              new PhysicalColumn(
                  row.getString(3),
                  typeName,
                  DuckDbColumns.type(typeName),
                  DuckDbColumns.isTotal(typeName),
                  !row.getBoolean(5)));
        });
  }

  /** What a column is computed by stands where others have a default; DESCRIBE shows only these. */
  private void computed() throws SQLException {
    for (Map.Entry<Id, Parts> one : found.entrySet()) {
      Parts parts = one.getValue();
      if (!parts.generated || parts.kind != Kind.TABLE) {
        continue;
      }
      Set<String> plain = new HashSet<>();
      query(
          "SELECT column_name FROM (DESCRIBE %s.%s) WHERE \"default\" IS NOT NULL"
              .formatted(quoted(one.getKey().schema()), quoted(one.getKey().name())),
          row -> plain.add(row.getString(1)));
      parts.columns.replaceAll(
          c -> parts.filled.contains(c.name()) && !plain.contains(c.name()) ? c.whenRead() : c);
    }
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private void constraints() throws SQLException {
    query(
        """
        SELECT schema_name, table_name, constraint_type, constraint_column_names, expression,
          referenced_table, referenced_column_names
        FROM duckdb_constraints() WHERE database_name = current_database()
        ORDER BY 1, 2, constraint_index\
        """,
        row -> {
          Parts parts = parts(row);
          switch (row.getString(3)) {
            case "PRIMARY KEY", "UNIQUE" -> parts.unique.add(strings(row.getArray(4)));
            case "CHECK" -> parts.checks.add(row.getString(5));
            case "FOREIGN KEY" ->
                parts.foreignKeys.add(
                    new ForeignKey(
                        strings(row.getArray(4)), row.getString(6), strings(row.getArray(7))));
            default -> {} // NOT NULL is with the columns
          }
        });
  }

  private void indexes() throws SQLException {
    query(
        """
        SELECT schema_name, table_name, expressions
        FROM duckdb_indexes() WHERE is_unique AND database_name = current_database()
        ORDER BY 1, 2, index_name\
        """,
        row -> {
          Parts parts = parts(row);
          String list = row.getString(3);
          String inner = list.substring(1, list.length() - 1);
          List<String> names = parts.columns.stream().map(PhysicalColumn::name).toList();
          // Only a single plain column is recognised; expressions and odd names prove nothing: an
          // index on a and b is written as one on a column "a, b" would be.
          if (names.contains(inner) && PLAIN.matcher(inner).matches()) {
            parts.unique.add(List.of(inner));
          }
        });
  }

  private Parts parts(ResultSet row) throws SQLException {
    return found.computeIfAbsent(new Id(row.getString(1), row.getString(2)), id -> new Parts());
  }

  private static List<String> strings(Array array) throws SQLException {
    return Arrays.stream((Object[]) array.getArray()).map(String::valueOf).toList();
  }

  private interface RowReader {
    void read(ResultSet row) throws SQLException;
  }

  private void query(String sql, RowReader reader) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        reader.read(rows);
      }
    }
  }

  /**
   * DuckDB's types of columns, and how their values are brought into the one form they have here.
   */
  static final class DuckDbColumns {
    /**
     * Text that may have a collation. It is read without: a group of texts that a collation holds
     * equal bears the name of whichever came first, so that one row could rename it, and all its
     * rows would leave a bin.
     */
    static final String COLLATED_TEXT = "VARCHAR COLLATE";

    private static final Pattern DECIMAL = Pattern.compile("DECIMAL\\((\\d+),\\s*(\\d+)\\)");

    private static final String ZONED = "TIMESTAMP WITH TIME ZONE";

    /** Of the types without a counterpart those whose values differ as text, too. */
    private static final Set<String> PLAIN =
        Set.of("HUGEINT", "UHUGEINT", "BLOB", "BIT", "INTERVAL", "TIME WITH TIME ZONE");

    private DuckDbColumns() {}

    /** The column as a value of the declared type, NULL where it has none there. */
    static String read(DuckDb dialect, PhysicalColumn column, Type declared) {
      String name = dialect.quote(column.name());
      Type type = type(column.typeName());
      if (type.kind() != Type.Kind.OPAQUE) {
        return dialect.cast(formed(dialect, name, column.typeName(), type), type, declared);
      }
      String typeName = dialect.typeName(declared);
      return dialect.canonicalize("TRY_CAST(" + name + " AS " + typeName + ")", declared);
    }

    /**
     * In its own type. What lies outside of the calendar is told by the stored type, unconverted.
     */
    private static String formed(DuckDb dialect, String name, String typeName, Type type) {
      return switch (typeName) {
        // Its bytes have none; COLLATE "binary" is forgotten by EXCEPT and INTERSECT.
        case COLLATED_TEXT -> "decode(encode(" + name + "))";
        case "FLOAT" -> dialect.canonicalize("CAST(" + name + " AS DOUBLE)", type);
        case "TIMESTAMP_S", "TIMESTAMP_MS" ->
            dialect.within(name, typeName, "CAST(" + name + " AS TIMESTAMP)");
        // Nanoseconds reach from 1677 to 2262, and two values that are no time.
        case "TIMESTAMP_NS" ->
            "CASE WHEN isfinite(" + name + ") THEN TRY_CAST(" + name + " AS TIMESTAMP) END";
        // A cast would follow the session's zone.
        case ZONED -> dialect.within(name, typeName, "(" + name + " AT TIME ZONE 'UTC')");
        default ->
            dialect.typeName(type).replace(" ", "").equals(typeName.replace(" ", ""))
                ? dialect.canonicalize(name, type)
                : "TRY_CAST(" + name + " AS " + dialect.typeName(type) + ")";
      };
    }

    /** Whether every stored value is read as one. */
    static boolean isTotal(String typeName) {
      return switch (type(typeName).kind()) {
        case DOUBLE, DATE, TIME, TIMESTAMP, OPAQUE -> false;
        case BOOLEAN,
            SMALLINT,
            INTEGER,
            BIGINT,
            DECIMAL,
            VARCHAR,
            INTERVAL_MONTHS,
            INTERVAL_MICROS,
            UUID,
            NULL ->
            true;
      };
    }

    /** Whether values that DuckDB holds different may be read as the same. */
    static boolean merges(String typeName) {
      return typeName.equals("TIMESTAMP_NS") // we read microseconds
          || type(typeName).kind() == Type.Kind.OPAQUE && !PLAIN.contains(typeName);
    }

    /** Whether the values of a type are whole numbers that a type of whole numbers all has. */
    static boolean widens(String typeName, Type declared) {
      Type type = type(typeName);
      return type.isInteger()
          && declared.isInteger()
          && type.kind().compareTo(declared.kind()) <= 0;
    }

    /** The type a policy gives to a column of a type of DuckDB's. */
    static Type type(String typeName) {
      Matcher decimal = DECIMAL.matcher(typeName);
      if (decimal.matches()) {
        return Type.decimal(Integer.parseInt(decimal.group(1)), Integer.parseInt(decimal.group(2)));
      }
      if (typeName.startsWith("ENUM(")) {
        return Type.VARCHAR;
      }
      return switch (typeName.toUpperCase(Locale.ROOT)) {
        case "BOOLEAN" -> Type.BOOLEAN;
        case "TINYINT", "SMALLINT", "UTINYINT" -> Type.SMALLINT;
        case "INTEGER", "USMALLINT" -> Type.INTEGER;
        case "BIGINT", "UINTEGER" -> Type.BIGINT;
        case "UBIGINT" -> Type.decimal(20, 0);
        case "FLOAT", "DOUBLE" -> Type.DOUBLE;
        case "VARCHAR", COLLATED_TEXT -> Type.VARCHAR;
        case "DATE" -> Type.DATE;
        case "TIME" -> Type.TIME;
        case "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMP_NS", ZONED -> Type.TIMESTAMP;
        case "UUID" -> Type.UUID;
        default -> Type.OPAQUE;
      };
    }
  }
}
