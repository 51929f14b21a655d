package flexdp.gateway.mariadb;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.PhysicalTable.ForeignKey;
import flexdp.gateway.catalog.PhysicalTable.Kind;
import flexdp.gateway.catalog.PhysicalTable.TableBuilder;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.catalog.TableDefinitions;
import flexdp.gateway.render.SqlConstants;
import flexdp.policy.Type;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads MariaDB's catalog. A key under a column's collation is one under exact equality too, since
 * texts that are equal exactly are equal under any collation; so is a key on the first characters.
 */
final class MariaDbTables {
  /** The database of the address, or every one of the server when it names none. */
  private static final String OURS =
      "NOT IN ('information_schema', 'mysql', 'performance_schema', 'sys', 'flexdp')"
          + " AND (DATABASE() IS NULL OR table_schema = DATABASE())";

  private static final String RELATIONS =
      """
      SELECT table_schema, table_name, COALESCE(table_schema = DATABASE(), FALSE), table_type, engine
      FROM information_schema.tables
      WHERE table_schema %s AND table_type <> 'SYSTEM VIEW' AND COALESCE(temporary, 'N') <> 'Y'
      ORDER BY 1, 2\
      """
          .formatted(OURS);

  private static final String COLUMNS =
      """
      SELECT table_schema, table_name, column_name, column_type, character_set_name,
        collation_name, is_nullable, COALESCE(generation_expression, ''), extra LIKE '%%VIRTUAL GENERATED%%'
      FROM information_schema.columns WHERE table_schema %s
      ORDER BY 1, 2, ordinal_position\
      """
          .formatted(OURS);

  private static final String KEYS =
      """
      SELECT table_schema, table_name, index_name, column_name, index_type
      FROM information_schema.statistics WHERE non_unique = 0 AND table_schema %s
      ORDER BY 1, 2, index_name <> 'PRIMARY', index_name, seq_in_index\
      """
          .formatted(OURS);

  private static final String CHECKS =
      """
      SELECT constraint_schema, table_name, check_clause FROM information_schema.check_constraints
      WHERE constraint_schema %s ORDER BY 1, 2, constraint_name\
      """
          .formatted(OURS.replace("table_schema", "constraint_schema"));

  private static final String FOREIGN_KEYS =
      """
      SELECT table_schema, table_name, constraint_name, column_name, referenced_table_name,
        referenced_column_name
      FROM information_schema.key_column_usage
      WHERE referenced_table_schema = table_schema AND table_schema %s
      ORDER BY 1, 2, 3, ordinal_position\
      """
          .formatted(OURS);

  private record Id(String schema, String name) {}

  private record Part(Id table, String name) {}

  private record Reference(String table, List<String> columns, List<String> referenced) {}

  private final StatementRunner statements;
  private final Map<Id, TableBuilder> found = new LinkedHashMap<>();
  private final Set<Part> hidden = new HashSet<>();
  private final Set<Part> rounded = new HashSet<>();

  MariaDbTables(StatementRunner statements) {
    this.statements = statements;
  }

  List<PhysicalTable> read() throws SQLException {
    statements.run(
        RELATIONS,
        row ->
            found.put(
                id(row),
                new TableBuilder(
                    row.getString(1),
                    row.getString(2),
                    row.getBoolean(3),
                    kind(row.getString(4), row.getString(5)))));
    each(COLUMNS, this::column);
    keys();
    each(CHECKS, (parts, row) -> standard(row.getString(3)).ifPresent(parts.checks::add));
    foreignKeys();
    return found.values().stream().map(TableBuilder::table).toList();
  }

  /** Anything but InnoDB is refused: it has no snapshots, or the rows are stored elsewhere. */
  private static Kind kind(String type, String engine) {
    return switch (type) {
      case "VIEW" -> Kind.VIEW;
      case "SEQUENCE" -> Kind.SEQUENCE;
      // Of a versioned table the rows of now are read; the others are hidden from every statement.
      case "BASE TABLE", "SYSTEM VERSIONED" ->
          switch (String.valueOf(engine).toUpperCase(Locale.ROOT)) {
            case "INNODB" -> Kind.TABLE;
            case "MRG_MYISAM" -> Kind.MERGED;
            case "FEDERATED", "CONNECT", "SPIDER", "S3", "OQGRAPH", "SPHINX" -> Kind.FOREIGN;
            default -> Kind.WITHOUT_SNAPSHOTS;
          };
      default -> Kind.FOREIGN;
    };
  }

  private void column(TableBuilder parts, ResultSet row) throws SQLException {
    String name = row.getString(3);
    String type = row.getString(4);
    String collation = row.getString(6);
    boolean isEnum = type.startsWith("enum(");
    String typeName =
        isEnum
            ? "ENUM" + type.substring("enum".length())
            : collation == null ? type : type + " " + collation;
    boolean notNull = row.getString(7).equals("NO");
    parts.columns.add(
        new PhysicalColumn(
            name,
            typeName,
            MariaDbColumns.type(type),
            MariaDbColumns.isTotal(type),
            notNull,
            row.getBoolean(9)));
    Part part = new Part(id(row), name);
    if (!MariaDbColumns.isInjective(type, row.getString(5))) {
      rounded.add(part);
    }
    if (row.getString(8).equals("ROW END")) {
      hidden.add(part);
    }
  }

  private void keys() throws SQLException {
    Map<Part, List<String>> indexes = new LinkedHashMap<>();
    Set<Part> hashed = new HashSet<>();
    statements.run(
        KEYS,
        row -> {
          Part index = new Part(id(row), row.getString(3));
          if (!row.getString(5).equals("BTREE")) {
            hashed.add(index);
          }
          List<String> columns = indexes.computeIfAbsent(index, i -> new ArrayList<>());
          // All rows of now have the same end.
          if (!hidden.contains(new Part(index.table(), row.getString(4)))) {
            columns.add(row.getString(4));
          }
        });
    indexes.forEach(
        (index, columns) -> {
          TableBuilder parts = found.get(index.table());
          if (parts == null) {
            return;
          }
          // Long texts are kept unique by a hidden column with their hash, not by an index on them.
          boolean doubtful =
              hashed.contains(index)
                  || columns.stream()
                      .anyMatch(
                          c ->
                              rounded.contains(new Part(index.table(), c))
                                  || parts.columns.stream().noneMatch(k -> k.name().equals(c)));
          (doubtful ? parts.doubtfulKeys : parts.keys).add(columns);
        });
  }

  /** The clause with quotes doubled as the standard has it; nothing if it has other escapes. */
  static Optional<String> standard(String clause) {
    String plain = clause.replace("\\'", "''");
    return plain.contains("\\") ? Optional.empty() : Optional.of(plain);
  }

  private void foreignKeys() throws SQLException {
    Map<Part, Reference> keys = new LinkedHashMap<>();
    statements.run(
        FOREIGN_KEYS,
        row -> {
          String table = row.getString(5);
          Reference key =
              keys.computeIfAbsent(
                  new Part(id(row), row.getString(3)),
                  k -> new Reference(table, new ArrayList<>(), new ArrayList<>()));
          key.columns().add(row.getString(4));
          key.referenced().add(row.getString(6));
        });
    keys.forEach(
        (part, key) -> {
          if (found.containsKey(part.table())) {
            found
                .get(part.table())
                .foreignKeys
                .add(new ForeignKey(key.columns(), key.table(), key.referenced()));
          }
        });
  }

  private static Id id(ResultSet row) throws SQLException {
    return new Id(row.getString(1), row.getString(2));
  }

  private interface PartReader {
    void read(TableBuilder parts, ResultSet row) throws SQLException;
  }

  private void each(String sql, PartReader reader) throws SQLException {
    statements.run(
        sql,
        row -> {
          TableBuilder parts = found.get(id(row));
          if (parts != null) {
            reader.read(parts, row);
          }
        });
  }

  /**
   * Definitions in MariaDB. What the catalog tells is of now, which is not before the state that is
   * read; a key that is there now and was there at the last look holds in between, save for the
   * moment in which somebody drops it and makes it anew.
   */
  static final class MariaDbDefinitions implements TableDefinitions {
    private static final String MARKS =
        """
        SELECT table_schema, table_name, CONCAT_WS(' ', 'table', table_type, engine)
        FROM information_schema.tables WHERE %1$s
        UNION ALL
        SELECT table_schema, table_name, CONCAT_WS(' ', 'column', ordinal_position, column_name,
          column_type, collation_name, is_nullable, generation_expression, extra)
        FROM information_schema.columns WHERE %1$s
        UNION ALL
        SELECT table_schema, table_name, CONCAT_WS(' ', 'key', seq_in_index, index_name, column_name,
          index_type)
        FROM information_schema.statistics WHERE non_unique = 0 AND %1$s\
        """;

    @Override
    public Map<Name, List<String>> marks(
        StatementRunner statements, Collection<PhysicalTable> tables) throws SQLException {
      // One table at a time: only then does the server not look at all of them.
      String sql =
          tables.stream()
              .map(
                  t ->
                      MARKS.formatted(
                          "table_schema = "
                              + SqlConstants.escaped(t.schema())
                              + " AND table_name = "
                              + SqlConstants.escaped(t.name())))
              .collect(Collectors.joining(" UNION ALL "));
      Map<Name, List<String>> marks = new HashMap<>();
      statements.run(
          sql,
          row ->
              marks
                  .computeIfAbsent(
                      new Name(row.getString(1), row.getString(2)), n -> new ArrayList<>())
                  .add(row.getString(3)));
      marks.values().forEach(Collections::sort);
      return marks;
    }

    @Override
    public List<PhysicalTable> tables(StatementRunner statements, Collection<PhysicalTable> asked)
        throws SQLException {
      return new MariaDbTables(statements).read();
    }
  }

  /**
   * MariaDB's types, in the words of information_schema, with the collation after them: what a
   * policy calls them, and how their values are read.
   */
  static final class MariaDbColumns {
    private static final Pattern NAME =
        Pattern.compile("([a-z0-9]+)(?:\\((\\d+)(?:,(\\d+))?\\))?.*");
    private static final Type ANY_DECIMAL = Type.decimal(38, 10);
    private static final Type UNSIGNED_BIGINT = Type.decimal(20, 0);

    private static final int LONGEST_BYTES = 32_767;

    /**
     * Character sets of which no two texts become one when they are converted, whatever bytes the
     * server lets in: in ascii, say, any, and all above 127 are read as a question mark.
     */
    private static final Set<String> INJECTIVE =
        Set.of("utf8mb4", "utf8mb3", "utf8", "latin1", "ucs2", "utf16", "utf16le", "utf32");

    private final MariaDb dialect;

    MariaDbColumns(MariaDb dialect) {
      this.dialect = dialect;
    }

    /** The word before the digits: int, varchar, ... */
    private static String word(String typeName) {
      Matcher matcher = NAME.matcher(typeName.toLowerCase(Locale.ROOT));
      return matcher.matches() ? matcher.group(1) : "";
    }

    private static int digits(String typeName, int group, int missing) {
      Matcher matcher = NAME.matcher(typeName.toLowerCase(Locale.ROOT));
      return matcher.matches() && matcher.group(group) != null
          ? Integer.parseInt(matcher.group(group))
          : missing;
    }

    static Type type(String typeName) {
      boolean unsigned = typeName.contains(" unsigned");
      return switch (word(typeName)) {
        // BOOLEAN is another word for TINYINT(1).
        case "tinyint" -> typeName.startsWith("tinyint(1)") ? Type.BOOLEAN : Type.SMALLINT;
        case "smallint" -> unsigned ? Type.INTEGER : Type.SMALLINT;
        case "mediumint" -> Type.INTEGER;
        case "int" -> unsigned ? Type.BIGINT : Type.INTEGER;
        case "bigint" -> unsigned ? UNSIGNED_BIGINT : Type.BIGINT;
        case "year" -> Type.SMALLINT;
        case "bit" -> bits(digits(typeName, 2, 1));
        case "decimal" -> {
          int precision = digits(typeName, 2, 10);
          int scale = digits(typeName, 3, 0);
          yield precision <= 38 ? Type.decimal(precision, scale) : ANY_DECIMAL;
        }
        case "float", "double" -> Type.DOUBLE;
        case "char", "varchar", "tinytext", "text", "mediumtext", "longtext", "enum", "set" ->
            Type.VARCHAR;
        case "date" -> Type.DATE;
        case "time" -> Type.TIME;
        case "datetime", "timestamp" -> Type.TIMESTAMP;
        case "uuid" -> Type.UUID;
        default -> Type.OPAQUE;
      };
    }

    private static Type bits(int bits) {
      return bits == 1 ? Type.BOOLEAN : bits < 64 ? Type.BIGINT : UNSIGNED_BIGINT;
    }

    /** Whether texts of other bytes may be equal: by case, accents, or blanks at the end. */
    static boolean isCollated(String typeName) {
      return type(typeName).equals(Type.VARCHAR) && !typeName.endsWith("_nopad_bin");
    }

    /** Zero dates, times beyond a day, and what is too long or too large are read as NULL. */
    static boolean isTotal(String typeName) {
      return switch (word(typeName)) {
        case "date", "time", "datetime", "timestamp", "mediumtext", "longtext" -> false;
        case "decimal" -> digits(typeName, 2, 10) <= 38;
        case "blob", "mediumblob", "longblob" -> false;
        case "varbinary" -> digits(typeName, 2, 0) <= LONGEST_BYTES;
        case "point",
            "linestring",
            "polygon",
            "multipoint",
            "multilinestring",
            "multipolygon",
            "geometry",
            "geometrycollection" ->
            false;
        default -> true;
      };
    }

    /**
     * Whether two stored values that differ are read as two values, or as NULL. What is not listed
     * is not known to be: the empty text may be a label of an ENUM and a mistake, and the members
     * of a SET may be equal.
     */
    static boolean isInjective(String typeName, String characterSet) {
      return switch (word(typeName)) {
        case "tinyint" -> !typeName.startsWith("tinyint(1)");
        case "smallint", "mediumint", "int", "bigint", "bit", "year", "float", "double" -> true;
        case "decimal" -> digits(typeName, 2, 10) <= 38;
        case "date", "time", "datetime", "timestamp", "uuid", "inet4", "inet6" -> true;
        case "binary", "varbinary", "tinyblob", "blob", "mediumblob", "longblob" -> true;
        case "char", "varchar", "tinytext", "text", "mediumtext", "longtext" ->
            characterSet != null && INJECTIVE.contains(characterSet);
        default -> false;
      };
    }

    String read(PhysicalColumn column, Type declared) {
      String name = dialect.quote(column.name());
      String typeName = column.typeName();
      String word = word(typeName);
      Type from = column.type();
      if (from.kind() == Type.Kind.BOOLEAN) {
        String number = word.equals("bit") ? "(" + name + " + 0)" : name;
        return declared.kind() == Type.Kind.BOOLEAN
            ? "(" + number + " <> 0)"
            : dialect.cast(number, Type.SMALLINT, declared);
      }
      String value =
          switch (word) {
            case "year" -> "CAST(" + name + " AS SIGNED)";
            case "bit" ->
                "CAST("
                    + name
                    + " + 0 AS "
                    + (from.isInteger() ? "SIGNED" : "DECIMAL(20, 0)")
                    + ")";
            case "float", "double" -> "(" + name + " + 0e0)"; // no negative zero
            case "char", "varchar", "tinytext", "text" -> text(name, typeName);
            // Not the numbers that are stored, whatever the words are.
            case "enum", "set" -> exact("CONVERT(" + name + " USING utf8mb4)");
            case "mediumtext", "longtext" ->
                "(CASE WHEN CHAR_LENGTH("
                    + name
                    + ") <= "
                    + MariaDb.LONGEST_TEXT // to sort longer ones exactly would take too much memory
                    + " THEN "
                    + text(name, typeName)
                    + " END)";
            case "date" -> day(name, name);
            case "datetime", "timestamp" -> day(name, "CAST(" + name + " AS DATETIME(6))");
            case "time" ->
                "(CASE WHEN "
                    + name
                    + " BETWEEN TIME '00:00:00' AND TIME '23:59:59.999999' THEN "
                    + name
                    + " END)";
            case "inet4", "inet6" -> exact("CAST(" + name + " AS CHAR CHARACTER SET utf8mb4)");
            default ->
                from.kind() == Type.Kind.OPAQUE
                    ? bytes(name)
                    : typeName.endsWith(" zerofill") ? "(" + name + " + 0)" : name; // 5, not 00005
          };
      if (from.kind() == Type.Kind.DECIMAL && isWider(typeName)) {
        return dialect.cast(value, Type.decimal(38, 38), declared);
      }
      return dialect.cast(value, from, declared);
    }

    /** Whether a decimal holds more than the type that a policy has for it. */
    private static boolean isWider(String typeName) {
      return word(typeName).equals("decimal") && digits(typeName, 2, 10) > 38;
    }

    private static String text(String name, String typeName) {
      if (typeName.endsWith(" " + MariaDb.EXACT)) {
        return name;
      }
      return exact(typeName.contains(" utf8mb4_") ? name : "CONVERT(" + name + " USING utf8mb4)");
    }

    private static String bytes(String name) {
      return "(CASE WHEN OCTET_LENGTH("
          + name
          + ") <= "
          + LONGEST_BYTES
          + " THEN "
          + exact("CONVERT(HEX(" + name + ") USING utf8mb4)")
          + " END)";
    }

    private static String exact(String sql) {
      return "(" + sql + " COLLATE " + MariaDb.EXACT + ")";
    }

    /** A day that the calendar has: tables may hold 0000-00-00, 2024-00-10 and 2024-02-31. */
    private static String day(String name, String value) {
      return "(CASE WHEN "
          + name
          + " >= DATE '0001-01-01' AND DAYOFMONTH("
          + name
          + ") BETWEEN 1 AND DAYOFMONTH(LAST_DAY("
          + name
          + ")) THEN "
          + value
          + " END)";
    }
  }
}
