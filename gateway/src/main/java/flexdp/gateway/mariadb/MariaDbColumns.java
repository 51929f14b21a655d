package flexdp.gateway.mariadb;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.policy.Type;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * MariaDB's types, in the words of information_schema, with the collation after them: what a policy
 * calls them, and how their values are read.
 */
final class MariaDbColumns {
  private static final Pattern NAME = Pattern.compile("([a-z0-9]+)(?:\\((\\d+)(?:,(\\d+))?\\))?.*");
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
   * Whether two stored values that differ are read as two values, or as NULL. What is not listed is
   * not known to be: the empty text may be a label of an ENUM and a mistake, and the members of a
   * SET may be equal.
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
              "CAST(" + name + " + 0 AS " + (from.isInteger() ? "SIGNED" : "DECIMAL(20, 0)") + ")";
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
