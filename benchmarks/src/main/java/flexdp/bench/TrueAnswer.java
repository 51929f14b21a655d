package flexdp.bench;

import java.math.BigDecimal;
import java.math.MathContext;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** What the database itself says, with its values brought to one form. */
record TrueAnswer(List<List<Object>> rows) {
  private static final int SHOWN = 3;
  private static final MathContext DIGITS = new MathContext(4);

  static TrueAnswer of(Connection connection, String sql) throws SQLException {
    try (Statement statement = connection.createStatement();
        ResultSet result = statement.executeQuery(sql)) {
      List<List<Object>> rows = new ArrayList<>();
      int columns = result.getMetaData().getColumnCount();
      while (result.next()) {
        List<Object> row = new ArrayList<>();
        for (int i = 1; i <= columns; i++) {
          row.add(plain(result.getObject(i)));
        }
        rows.add(row);
      }
      return new TrueAnswer(rows);
    }
  }

  /** Numbers as decimals, days as moments, texts without the blanks that fill them up. */
  static Object plain(Object value) {
    return switch (value) {
      case null -> null;
      case Double d when d.isNaN() || d.isInfinite() -> null;
      case Number n -> new BigDecimal(n.toString()).stripTrailingZeros();
      case java.sql.Date d -> d.toLocalDate().atStartOfDay();
      case java.sql.Timestamp t -> t.toLocalDateTime();
      case LocalDate d -> d.atStartOfDay();
      case LocalDateTime t -> t;
      default -> value.toString().strip();
    };
  }

  /** As a cell of a table: the first rows, rounded, and how many there are. */
  String shown(boolean isOrdered) {
    List<String> lines = rows.stream().map(TrueAnswer::line).toList();
    if (!isOrdered) {
      lines = lines.stream().sorted().toList();
    }
    String first = lines.stream().limit(SHOWN).collect(Collectors.joining("; "));
    return lines.size() > SHOWN ? first + "; … (" + lines.size() + " rows)" : first;
  }

  private static String line(List<Object> row) {
    return row.stream().map(TrueAnswer::text).collect(Collectors.joining(", "));
  }

  private static String text(Object value) {
    return switch (value) {
      case null -> "NULL";
      case BigDecimal n when n.scale() <= 0 -> n.toPlainString();
      case BigDecimal n -> {
        BigDecimal whole = n.abs().compareTo(new BigDecimal(1000)) < 0 ? n.round(DIGITS) : null;
        yield (whole == null ? n.setScale(0, java.math.RoundingMode.HALF_UP) : whole)
            .stripTrailingZeros()
            .toPlainString();
      }
      case LocalDateTime t when t.toLocalTime().toSecondOfDay() == 0 -> t.toLocalDate().toString();
      default -> value.toString();
    };
  }
}
