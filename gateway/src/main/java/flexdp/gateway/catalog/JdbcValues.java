package flexdp.gateway.catalog;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.UUID;

/** Values of a result set as our own: those of {@link flexdp.algebra.Expr.Literal}. */
final class JdbcValues {
  private JdbcValues() {}

  /** The value of a column, counted from one; null for NULL. */
  static Object read(ResultSet row, int index, Type type) throws SQLException {
    Object value =
        switch (type.kind()) {
          case BOOLEAN -> row.getBoolean(index);
          case SMALLINT, INTEGER, BIGINT -> BigDecimal.valueOf(row.getLong(index));
          case DECIMAL -> row.getBigDecimal(index);
          case DOUBLE -> row.getDouble(index);
          case VARCHAR, OPAQUE, NULL -> row.getString(index);
          case DATE -> row.getObject(index, LocalDate.class);
          case TIME -> row.getObject(index, LocalTime.class);
          case TIMESTAMP -> row.getObject(index, LocalDateTime.class);
          case UUID -> row.getObject(index, UUID.class);
          case INTERVAL_MONTHS, INTERVAL_MICROS ->
              throw new SQLException("an interval cannot be read");
        };
    return row.wasNull() ? null : value;
  }
}
