package flexdp.gateway.duckdb;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.policy.Type;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** DuckDB's types of columns, and how their values are brought into the one form they have here. */
final class DuckDbColumns {
  /**
   * Text that may have a collation. It is read without: a group of texts that a collation holds
   * equal bears the name of whichever came first, so that one row could rename it, and all its rows
   * would leave a bin.
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
    return dialect.formed("TRY_CAST(" + name + " AS " + typeName + ")", declared);
  }

  /** In its own type. What lies outside of the calendar is told by the stored type, unconverted. */
  private static String formed(DuckDb dialect, String name, String typeName, Type type) {
    return switch (typeName) {
      // Its bytes have none; COLLATE "binary" is forgotten by EXCEPT and INTERSECT.
      case COLLATED_TEXT -> "decode(encode(" + name + "))";
      case "FLOAT" -> dialect.formed("CAST(" + name + " AS DOUBLE)", type);
      case "TIMESTAMP_S", "TIMESTAMP_MS" ->
          dialect.within(name, typeName, "CAST(" + name + " AS TIMESTAMP)");
      // Nanoseconds reach from 1677 to 2262, and two values that are no time.
      case "TIMESTAMP_NS" ->
          "CASE WHEN isfinite(" + name + ") THEN TRY_CAST(" + name + " AS TIMESTAMP) END";
      // A cast would follow the session's zone.
      case ZONED -> dialect.within(name, typeName, "(" + name + " AT TIME ZONE 'UTC')");
      default ->
          dialect.typeName(type).replace(" ", "").equals(typeName.replace(" ", ""))
              ? dialect.formed(name, type)
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
    return type.isInteger() && declared.isInteger() && type.kind().compareTo(declared.kind()) <= 0;
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
