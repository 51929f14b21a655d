package flexdp.server.session;

import flexdp.query.DpQuery;
import flexdp.server.types.PgBinary;
import flexdp.server.types.PgText;
import flexdp.server.types.PgType;
import flexdp.server.wire.Replies;
import java.math.BigDecimal;

/**
 * A column of a result.
 *
 * @param array whether its values are lists of the type
 * @param modifier of a numeric: digits and scale; -1 where nothing is said
 */
public record WireColumn(String name, PgType type, boolean array, int modifier) {
  private static final int NUMERIC_HEAD = 4;

  public static WireColumn of(String name, PgType type) {
    return new WireColumn(name, type, false, -1);
  }

  /** A column of an answer; noise may leave the digits that were declared. */
  public static WireColumn of(DpQuery.ResultColumn column) {
    PgType type = PgType.of(column.column().type());
    boolean declared = type == PgType.NUMERIC && column.kind() == DpQuery.ResultColumn.Kind.KEY;
    int modifier =
        declared
            ? (column.column().type().precision() << 16 | column.column().type().scale())
                + NUMERIC_HEAD
            : -1;
    return new WireColumn(column.column().name(), type, false, modifier);
  }

  public WireColumn named(String other) {
    return new WireColumn(other, type, array, modifier);
  }

  public Replies.Field field() {
    return array
        ? new Replies.Field(name, type.array(), -1, -1)
        : new Replies.Field(name, type.oid(), type.size(), modifier);
  }

  /**
   * A value as it is sent.
   *
   * @throws SqlError for a number that the type does not hold
   */
  public byte[] encode(Object value, boolean binary) {
    if (value == null) {
      return null;
    }
    try {
      Object whole =
          value instanceof BigDecimal d && !array && isInteger()
              ? (Object) d.toBigIntegerExact().longValueExact()
              : value;
      return binary ? PgBinary.bytes(whole, type) : PgText.bytes(whole, type);
    } catch (ArithmeticException e) {
      throw SqlError.of(
          "22003",
          "A value of column \"" + name + "\" does not fit its type.",
          "Cast the column to numeric.");
    }
  }

  private boolean isInteger() {
    return switch (type) {
      case INT2, INT4, INT8, OID -> true;
      case BOOL,
          BYTEA,
          CHAR,
          NAME,
          TEXT,
          JSON,
          FLOAT4,
          FLOAT8,
          UNKNOWN,
          BPCHAR,
          VARCHAR,
          DATE,
          TIME,
          TIMESTAMP,
          TIMESTAMPTZ,
          INTERVAL,
          NUMERIC,
          UUID,
          INT2VECTOR,
          OIDVECTOR,
          CHARS,
          NAMES,
          INT2S,
          INT4S,
          TEXTS,
          VARCHARS,
          INT8S,
          OIDS ->
          false;
    };
  }
}
