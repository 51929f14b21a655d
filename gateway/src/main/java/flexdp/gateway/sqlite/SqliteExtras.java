package flexdp.gateway.sqlite;

import flexdp.hash.PortableHash;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Pattern;
import org.sqlite.Function;

/**
 * What SQLite lacks: letters outside of ASCII, and conversions of text that know what is no number.
 */
final class SqliteExtras {
  private static final Pattern EXACT =
      Pattern.compile(" *[+-]?(\\d{1,30}(\\.\\d{0,30})?|\\.\\d{1,30}) *");
  private static final Pattern REAL =
      Pattern.compile(" *[+-]?(\\d{1,40}(\\.\\d{0,40})?|\\.\\d{1,40})([eE][+-]?\\d{1,2})? *");

  private SqliteExtras() {}

  /** A function of one text that is not NULL. */
  private abstract static class OfText extends Function {
    abstract void of(String text) throws SQLException;

    @Override
    protected void xFunc() throws SQLException {
      String text = value_text(0);
      if (text == null) {
        result();
      } else {
        of(text);
      }
    }
  }

  private interface Change {
    String of(String text);
  }

  /** Registers them on a connection that was opened elsewhere. */
  static void require(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SELECT " + Sqlite.isText("''"));
    } catch (SQLException e) {
      register(connection);
    }
  }

  static void register(Connection connection) throws SQLException {
    create(connection, "flexdp_utf8", 1, new IsText());
    Function.create(connection, "flexdp_texts", new SqliteTexts(connection), 2, 0);
    text(connection, "flexdp_lower", text -> text.toLowerCase(Locale.ROOT));
    text(connection, "flexdp_upper", text -> text.toUpperCase(Locale.ROOT));
    text(connection, "flexdp_reverse", text -> reversed(text));
    create(
        connection,
        "flexdp_hash",
        1,
        new OfText() {
          @Override
          void of(String text) throws SQLException {
            result(PortableHash.of(text));
          }
        });
    create(connection, "flexdp_exact", 2, new ExactNumber());
    create(
        connection,
        "flexdp_real",
        1,
        new OfText() {
          @Override
          void of(String text) throws SQLException {
            if (REAL.matcher(text).matches()) {
              result(Double.parseDouble(text.strip()) + 0.0); // zero has no sign
            } else {
              result();
            }
          }
        });
  }

  private static void text(Connection connection, String name, Change change) throws SQLException {
    create(
        connection,
        name,
        1,
        new OfText() {
          @Override
          void of(String text) throws SQLException {
            result(change.of(text));
          }
        });
  }

  /** By code points; StringBuilder keeps pairs of surrogates together. */
  private static String reversed(String text) {
    return new StringBuilder(text).reverse().toString();
  }

  private static void create(Connection connection, String name, int arguments, Function function)
      throws SQLException {
    Function.create(connection, name, function, arguments, Function.FLAG_DETERMINISTIC);
  }

  /** Whether a text is UTF-8. SQLite hands over the bytes that are stored. */
  private static final class IsText extends Function {
    private final CharsetDecoder strict = StandardCharsets.UTF_8.newDecoder();

    @Override
    protected void xFunc() throws SQLException {
      byte[] bytes = value_blob(0);
      result(bytes == null || isPlain(bytes) || isUtf8(bytes) ? 1 : 0);
    }

    private static boolean isPlain(byte[] bytes) {
      for (byte b : bytes) {
        if (b < 0) {
          return false;
        }
      }
      return true;
    }

    private boolean isUtf8(byte[] bytes) {
      try {
        strict.decode(ByteBuffer.wrap(bytes));
        return true;
      } catch (CharacterCodingException e) {
        return false;
      }
    }
  }

  /** A text as a whole number of units of the digit that the second argument says. */
  private static final class ExactNumber extends OfText {
    @Override
    void of(String text) throws SQLException {
      if (EXACT.matcher(text).matches()) {
        var units =
            new BigDecimal(text.strip())
                .setScale(value_int(1), RoundingMode.HALF_UP)
                .unscaledValue();
        if (units.bitLength() < 64) {
          result(units.longValueExact());
          return;
        }
      }
      result();
    }
  }

  /**
   * Whether all texts of a column, given by the names of its table and itself, are UTF-8. The
   * column is looked at when a statement first asks, and again when the database has changed.
   *
   * <p>What was seen holds for the statement that asks. It runs in a transaction, in which SQLite
   * shows one state; data_version is the number of that state, and grows when another connection
   * has changed anything. This connection must not write itself (query_only), for its own changes
   * leave that number as it is; where it might, every text is looked at. So the answer of a
   * statement never depends on what was remembered, only the time that it takes.
   */
  private static final class SqliteTexts extends Function {
    /** As statements: a table may be called as the functions that read the same. */
    private static final List<String> STATE =
        List.of("PRAGMA main.data_version", "PRAGMA main.schema_version", "SELECT total_changes()");

    private final Connection connection;
    private final Sqlite dialect = new Sqlite();
    private final Map<String, Boolean> known = new HashMap<>();
    private String state = "";

    SqliteTexts(Connection connection) {
      this.connection = connection;
    }

    @Override
    protected void xFunc() throws SQLException {
      result(areAllUtf8(value_text(0), value_text(1)) ? 1 : 0);
    }

    private boolean areAllUtf8(String table, String column) {
      String place = "main." + dialect.quote(table);
      String text = dialect.quote(column);
      try (Statement statement = connection.createStatement()) {
        if (!isUnchanging(statement)) {
          return false;
        }
        String name = place + "." + text;
        Boolean seen = known.get(name);
        if (seen == null) {
          seen = !any(statement, place, text);
          known.put(name, seen);
        }
        return seen;
      } catch (SQLException e) {
        // Interrupted, or out of memory: the statement around meets the same by itself.
        return false;
      }
    }

    /** Forgets what was seen in another state. */
    private boolean isUnchanging(Statement statement) throws SQLException {
      StringBuilder now = new StringBuilder();
      for (String part : STATE) {
        now.append(one(statement, part)).append(' ');
      }
      if (!state.contentEquals(now)) {
        known.clear();
        state = now.toString();
      }
      return one(statement, "PRAGMA query_only").equals("1");
    }

    private static String one(Statement statement, String sql) throws SQLException {
      try (ResultSet row = statement.executeQuery(sql)) {
        row.next();
        return String.valueOf(row.getString(1));
      }
    }

    private static boolean any(Statement statement, String place, String text) throws SQLException {
      String other = "typeof(" + text + ") = 'text' AND NOT " + Sqlite.isText(text);
      try (ResultSet row =
          statement.executeQuery(
              "SELECT EXISTS (SELECT 1 FROM " + place + " WHERE " + other + ")")) {
        row.next();
        return row.getBoolean(1);
      }
    }
  }
}
