package flexdp.server.catalogue;

import flexdp.server.session.WireColumn;
import flexdp.server.types.PgType;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Array;
import java.sql.Date;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.Time;
import java.sql.Timestamp;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * DuckDB's types and values as PostgreSQL's. Types that PostgreSQL has and DuckDB has not are told
 * by types that nothing else uses: UINTEGER is an oid, UBIGINT a regproc, HUGEINT[] an int2vector.
 */
final class DuckValues {
  private DuckValues() {}

  static List<WireColumn> columns(ResultSetMetaData data) throws SQLException {
    List<WireColumn> columns = new ArrayList<>();
    for (int i = 1; i <= data.getColumnCount(); i++) {
      String type = data.getColumnTypeName(i).toUpperCase(Locale.ROOT);
      boolean vector = type.equals("HUGEINT[]") || type.equals("UHUGEINT[]");
      boolean array = type.endsWith("[]") && !vector;
      String element = array ? type.substring(0, type.length() - 2) : type;
      columns.add(new WireColumn(data.getColumnLabel(i), type(element), array, -1));
    }
    return columns;
  }

  private static PgType type(String name) {
    if (name.startsWith("DECIMAL")) {
      return PgType.NUMERIC;
    }
    return switch (name) {
      case "BOOLEAN" -> PgType.BOOL;
      case "TINYINT", "UTINYINT", "SMALLINT" -> PgType.INT2;
      case "INTEGER", "USMALLINT" -> PgType.INT4;
      case "BIGINT" -> PgType.INT8;
      case "UINTEGER" -> PgType.OID;
      case "HUGEINT", "UHUGEINT" -> PgType.NUMERIC;
      case "HUGEINT[]" -> PgType.INT2VECTOR;
      case "UHUGEINT[]" -> PgType.OIDVECTOR;
      case "FLOAT" -> PgType.FLOAT4;
      case "DOUBLE" -> PgType.FLOAT8;
      case "DATE" -> PgType.DATE;
      case "TIME" -> PgType.TIME;
      case "TIMESTAMP" -> PgType.TIMESTAMP;
      case "TIMESTAMP WITH TIME ZONE" -> PgType.TIMESTAMPTZ;
      case "UUID" -> PgType.UUID;
      case "JSON" -> PgType.JSON;
      default -> PgType.TEXT;
    };
  }

  /**
   * @param functions names by number, for those that are shown by name
   */
  static Object value(ResultSet row, int i, boolean function, Map<Long, String> functions)
      throws SQLException {
    Object value = row.getObject(i);
    if (function && value instanceof Number number) {
      return functions.getOrDefault(number.longValue(), number.toString());
    }
    return plain(value);
  }

  static boolean isFunction(ResultSetMetaData data, int i) throws SQLException {
    return data.getColumnTypeName(i).equalsIgnoreCase("UBIGINT");
  }

  private static Object plain(Object value) throws SQLException {
    return switch (value) {
      case null -> null;
      case Boolean b -> b;
      case BigInteger n -> new BigDecimal(n);
      case Array array -> list(array);
      case Date d -> d.toLocalDate();
      case Time t -> t.toLocalTime();
      case Timestamp t -> t.toLocalDateTime();
      case OffsetDateTime t -> t.withOffsetSameInstant(ZoneOffset.UTC).toLocalDateTime();
      case Number n -> n instanceof Double || n instanceof BigDecimal ? n : widened(n);
      case java.time.LocalDate d -> d;
      case java.time.LocalTime t -> t;
      case java.time.LocalDateTime t -> t;
      case java.util.UUID u -> u;
      default -> value.toString();
    };
  }

  private static Object widened(Number n) {
    return n instanceof Float f ? (Object) f.doubleValue() : (Object) n.longValue();
  }

  /** Vectors are written with blanks between their numbers. */
  private static Object list(Array array) throws SQLException {
    Object[] elements = (Object[]) array.getArray();
    if (Arrays.stream(elements).anyMatch(BigInteger.class::isInstance)
        || array.getBaseTypeName().contains("HUGEINT")) {
      return Arrays.stream(elements).map(String::valueOf).collect(Collectors.joining(" "));
    }
    List<Object> list = new ArrayList<>();
    for (Object element : elements) {
      list.add(plain(element));
    }
    return list;
  }
}
