package flexdp.server.types;

import flexdp.policy.Type;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** The types that are returned and taken, by PostgreSQL's numbers. */
public enum PgType {
  BOOL(16, 1, 1000, "boolean", "bool"),
  BYTEA(17, -1, 1001, "bytea", "bytea"),
  CHAR(18, 1, 1002, "\"char\"", "char"),
  NAME(19, 64, 1003, "name", "name"),
  INT8(20, 8, 1016, "bigint", "int8"),
  INT2(21, 2, 1005, "smallint", "int2"),
  INT2VECTOR(22, -1, 1006, "int2vector", "int2vector"),
  INT4(23, 4, 1007, "integer", "int4"),
  TEXT(25, -1, 1009, "text", "text"),
  OID(26, 4, 1028, "oid", "oid"),
  OIDVECTOR(30, -1, 1013, "oidvector", "oidvector"),
  JSON(114, -1, 199, "json", "json"),
  FLOAT4(700, 4, 1021, "real", "float4"),
  FLOAT8(701, 8, 1022, "double precision", "float8"),
  UNKNOWN(705, -2, 0, "unknown", "unknown"),
  BPCHAR(1042, -1, 1014, "character", "bpchar"),
  VARCHAR(1043, -1, 1015, "character varying", "varchar"),
  DATE(1082, 4, 1182, "date", "date"),
  TIME(1083, 8, 1183, "time without time zone", "time"),
  TIMESTAMP(1114, 8, 1115, "timestamp without time zone", "timestamp"),
  TIMESTAMPTZ(1184, 8, 1185, "timestamp with time zone", "timestamptz"),
  INTERVAL(1186, 16, 1187, "interval", "interval"),
  NUMERIC(1700, -1, 1231, "numeric", "numeric"),
  UUID(2950, 16, 2951, "uuid", "uuid"),
  // Arrays, of which parameters about the catalogue may be.
  CHARS(1002, -1, 0, "\"char\"[]", "_char"),
  NAMES(1003, -1, 0, "name[]", "_name"),
  INT2S(1005, -1, 0, "smallint[]", "_int2"),
  INT4S(1007, -1, 0, "integer[]", "_int4"),
  TEXTS(1009, -1, 0, "text[]", "_text"),
  VARCHARS(1015, -1, 0, "character varying[]", "_varchar"),
  INT8S(1016, -1, 0, "bigint[]", "_int8"),
  OIDS(1028, -1, 0, "oid[]", "_oid");

  private final int oid;
  private final int size;
  private final int array;
  private final String title;
  private final String word;

  PgType(int oid, int size, int array, String title, String word) {
    this.oid = oid;
    this.size = size;
    this.array = array;
    this.title = title;
    this.word = word;
  }

  public int oid() {
    return oid;
  }

  public int size() {
    return size;
  }

  /** The number of the type of its arrays. */
  public int array() {
    return array;
  }

  /** As {@code format_type} calls it. */
  public String title() {
    return title;
  }

  /** As pg_type calls it. */
  public String word() {
    return word;
  }

  public static Optional<PgType> of(int oid) {
    return Arrays.stream(values()).filter(t -> t.oid == oid).findFirst();
  }

  /** The type of its elements; none unless it is an array. */
  public Optional<PgType> element() {
    return Arrays.stream(values()).filter(t -> t.array == oid).findFirst();
  }

  /** The type of either name. */
  public static Optional<PgType> named(String name) {
    String lower = name.toLowerCase(Locale.ROOT).strip();
    if (lower.endsWith("[]")) {
      return named(lower.substring(0, lower.length() - 2)).flatMap(t -> of(t.array));
    }
    String usual =
        switch (lower) {
          case "char" -> "bpchar"; // in quotes it is another type
          case "int" -> "int4";
          case "decimal" -> "numeric";
          case "float" -> "float8";
          case "timestamp with time zone" -> "timestamptz";
          default -> lower;
        };
    return Arrays.stream(values())
        .filter(t -> t.title.equals(usual) || t.word.equals(usual))
        .findFirst();
  }

  /** The type of a parameter that is wanted to have this one. */
  public static PgType wanted(Type type) {
    return type.kind() == Type.Kind.VARCHAR ? TEXT : of(type);
  }

  /** The type that questions know for values of this one. */
  public Type known() {
    return switch (this) {
      case BOOL -> Type.BOOLEAN;
      case INT2 -> Type.SMALLINT;
      case INT4 -> Type.INTEGER;
      case INT8, OID -> Type.BIGINT;
      case NUMERIC -> Type.decimal(38, 10);
      case FLOAT4, FLOAT8 -> Type.DOUBLE;
      case DATE -> Type.DATE;
      case TIME -> Type.TIME;
      case TIMESTAMP, TIMESTAMPTZ -> Type.TIMESTAMP;
      case UUID -> Type.UUID;
      case BYTEA, CHAR, NAME, TEXT, JSON, UNKNOWN, BPCHAR, VARCHAR, INTERVAL -> Type.VARCHAR;
      case INT2VECTOR, OIDVECTOR -> Type.VARCHAR;
      case CHARS, NAMES, INT2S, INT4S, TEXTS, VARCHARS, INT8S, OIDS -> Type.VARCHAR;
    };
  }

  /** The type that holds what a column of an answer has. */
  public static PgType of(Type type) {
    return switch (type.kind()) {
      case BOOLEAN -> BOOL;
      case SMALLINT -> INT2;
      case INTEGER -> INT4;
      case BIGINT -> INT8;
      case DECIMAL -> NUMERIC;
      case DOUBLE -> FLOAT8;
      case VARCHAR -> VARCHAR;
      case OPAQUE, NULL -> TEXT;
      case DATE -> DATE;
      case TIME -> TIME;
      case TIMESTAMP -> TIMESTAMP;
      case INTERVAL_MONTHS, INTERVAL_MICROS -> INTERVAL;
      case UUID -> UUID;
    };
  }
}
