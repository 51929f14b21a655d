package flexdp.gateway.agree;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Few rows with NULLs, ties, halves, ends of months, blanks and letters beyond ASCII. */
final class AgreeTable {
  /** What a column holds. */
  enum Kind {
    INT("INTEGER", "integer"),
    LONG("BIGINT", "bigint"),
    REAL("DOUBLE", "double"),
    MONEY("DECIMAL(9,2)", "decimal(9,2)"),
    TEXT("VARCHAR(100)", "varchar"),
    BYTES("VARCHAR(100)", "varchar"),
    DAY("DATE", "date"),
    MOMENT("TIMESTAMP", "timestamp"),
    ZONED("TIMESTAMP WITH TIME ZONE", "timestamp"),
    TRUTH("BOOLEAN", "boolean");

    private final String standard;
    private final String declared;

    Kind(String standard, String declared) {
      this.standard = standard;
      this.declared = declared;
    }

    String standard() {
      return standard;
    }
  }

  /** A column. */
  record Col(String name, Kind kind) {}

  static final List<Col> COLUMNS =
      List.of(
          new Col("i", Kind.INT),
          new Col("j", Kind.INT),
          new Col("b", Kind.LONG),
          new Col("x", Kind.REAL),
          new Col("y", Kind.REAL),
          new Col("d", Kind.MONEY),
          new Col("s", Kind.TEXT),
          new Col("r", Kind.TEXT),
          new Col("c", Kind.BYTES),
          new Col("e", Kind.DAY),
          new Col("f", Kind.DAY),
          new Col("ts", Kind.MOMENT),
          new Col("tu", Kind.MOMENT),
          new Col("tz", Kind.ZONED),
          new Col("p", Kind.TRUTH));

  private static final List<String> ROWS =
      List.of(
          "1|0|0|0|0|0.5|0.00|''|'a'|''|'2024-02-29'|'2023-02-28'|'2024-02-29 00:00:00'|'2024-03-01"
              + " 12:30:15'|1",
          "2|3|-2|30000000000|2.5|-2.5|2.50|'hello'|'l'|'hello'|'2023-12-31'|'2024-01-01'|'2023-12-31"
              + " 23:59:59'|'2024-01-01 00:00:00'|0",
          "3|-7|3|-5|-0.5|3|-1.25|'Hello World'|'o'|'B'|'2024-01-07'|'2024-01-08'|'2024-01-07"
              + " 10:50:00'|'2024-01-07 11:10:00'|1",
          "4|2147483647|2|9007199254740993|1e10|0.1|99999.99|'ABC'|'ab'|'a'|'2023-05-31'|'2023-06-30'|'2023-05-31"
              + " 06:00:00'|'2023-06-30 05:59:59'|NULL",
          "5|NULL|5|NULL|NULL|7|NULL|NULL|'x'|NULL|NULL|'2024-07-04'|NULL|'2024-07-04"
              + " 08:00:00'|NULL",
          "6|10|NULL|12|3.5|NULL|3.50|'abc'|NULL|'abc'|'2024-07-04'|NULL|'2024-07-04"
              + " 08:00:00'|NULL|0",
          "7|-2147483648|7|-30000000000|-2.5|4|-2.50|'a%b'|'%'|'É'|'2000-01-01'|'1999-12-31'|'2000-01-01"
              + " 00:00:00'|'1999-12-31 23:59:59'|1",
          "8|5|5|5|5|5|5.00|'a_b  '|'_'|'a_b'|'2024-03-31'|'2024-04-30'|'2024-03-31"
              + " 13:14:15'|'2024-03-31 13:14:15'|0",
          "9|1|10|100|0.125|1.5|0.01|'ÉCLAIR'|'é'|'z'|'2021-01-03'|'2020-12-28'|'2021-01-03"
              + " 01:00:00'|'2020-12-28 02:00:00'|1",
          "10|12|-1|7|1.5|-1.5|12.34|'  12 '|'1'|'12'|'1970-01-01'|'2024-12-30'|'1970-01-01"
              + " 00:00:00'|'2024-12-30 23:00:00'|0",
          "11|3|2|64|6.25|0.5|-99.99|'a-b-c'|'-'|'a-b-c'|'2024-02-01'|'2024-02-29'|'2024-02-01"
              + " 00:00:01'|'2024-02-29 00:00:00'|1",
          "12|-1|4|-1|-3.5|2|7.05|'naïve'|'ï'|'S'|'2023-01-01'|'2023-01-01'|'2023-01-01"
              + " 00:00:00'|'2023-01-01 12:00:00'|NULL",
          // Clocks are changed in New York, and nowhere else.
          "13|4|4|3|0.5|1|1.00|'\u2003 \t x\u00a0'|' '|'b'|'2024-03-10'|'2024-11-03'|'2024-03-10"
              + " 02:30:00'|'2024-11-03 01:30:00'|1",
          "14|4|1|2|2|2|2.00|'i'|'I'|'i'|'2024-11-03'|'2024-03-10'|'2024-11-03"
              + " 01:59:59'|'2024-03-10 02:30:00'|0",
          // Two halves of a character, one that stands over another, a negative zero, fractions.
          "15|6|6|6|-0.0|0.0|0.00|'\uD83D\uDE42a\uD83D\uDE42'|'a'|'e\u0301'|'2024-12-31'|'2023-02-28'"
              + "|'2024-12-31 23:59:59.500'|'2025-01-01 00:00:00.250'|1",
          "16|8|-3|-8|0.0625|-99.5|99.50|'cafe\u0301-\uD83D\uDE42'|'\u0301'|'\uD83D\uDE42'|'1900-02-28'"
              + "|'2096-02-29'|'1970-01-01 00:00:01'|'1970-01-01 00:00:02'|NULL");

  /** A moment with a zone is the same as the moment before it. */
  private static final int ZONED_AT = 14;

  static final int SIZE = ROWS.size();

  private AgreeTable() {}

  /** Rows that anybody may see, so that what is asked of each comes back as it is. */
  static Policy policy(boolean open) {
    return PolicyReader.read(YamlText.tree(text(open), ConfigurationError.Code.BAD_POLICY));
  }

  static String text(boolean open) {
    String columns =
        COLUMNS.stream()
            .map(c -> "      %s: {type: '%s'%s}\n".formatted(c.name(), c.kind().declared, more(c)))
            .collect(Collectors.joining());
    return "privacy: {epsilon: 10000, delta: 1e-9, budget: {epsilon: 1000000000000}}\ntables:\n  t:\n"
        + (open ? "    public: true\n" : "")
        + "    columns:\n"
        + "      id: {type: integer, unique: true, nullable: false, range: [1, 16]}\n"
        + columns;
  }

  private static String more(Col column) {
    return switch (column.name()) {
      case "i", "j" -> ", range: [-100, 100]";
      case "x", "y", "d" -> ", range: [-100, 100]";
      default -> "";
    };
  }

  static void create(AgreeTestBed ground, Connection writer) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      statement.execute("DROP TABLE IF EXISTS t");
      statement.execute(
          "CREATE TABLE t (id INTEGER PRIMARY KEY, "
              + COLUMNS.stream()
                  .map(c -> c.name() + " " + ground.physical(c.kind()))
                  .collect(Collectors.joining(", "))
              + ")");
      for (String row : ROWS) {
        List<String> all = new ArrayList<>(Arrays.asList(row.split("\\|")));
        all.add(ZONED_AT, ground.zoned(all.get(ZONED_AT - 1)));
        String[] values = all.toArray(String[]::new);
        boolean truths = ground.physical(Kind.TRUTH).equals("BOOLEAN");
        if (truths && !(ground instanceof AgreeTestBed.Maria)) {
          int last = values.length - 1;
          values[last] = values[last].equals("NULL") ? "NULL" : values[last].equals("1") + "";
        }
        statement.execute(
            "INSERT INTO t VALUES (" + String.join(", ", Arrays.asList(values)) + ")");
      }
    }
  }
}
