package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertFalse;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

/** MariaDB's log of what was written, from which rows come back without firing triggers. */
public final class BinaryLog {
  private BinaryLog() {}

  /** The events that a statement leaves, as statements that repeat them. */
  public static List<String> recorded(Connection connection, String sql)
      throws SQLException, IOException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("FLUSH BINARY LOGS");
      String name = first(statement, "SHOW MASTER STATUS");
      Path log = Path.of(first(statement, "SELECT @@datadir")).resolve(name);
      statement.execute(sql);
      statement.execute("FLUSH BINARY LOGS");
      return replaying(Files.readAllBytes(log));
    }
  }

  private static String first(Statement statement, String sql) throws SQLException {
    try (ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return row.getString(1);
    }
  }

  private static List<String> replaying(byte[] log) {
    List<String> statements = new ArrayList<>();
    ByteBuffer bytes = ByteBuffer.wrap(log).order(ByteOrder.LITTLE_ENDIAN);
    String rows = "";
    for (int at = 4; at < log.length; ) { // after the magic number
      int type = log[at + 4];
      int length = bytes.getInt(at + 9);
      String event =
          Base64.getEncoder().encodeToString(Arrays.copyOfRange(log, at, at + length)) + "\n";
      switch (type) {
        case 15 -> statements.add("BINLOG '" + event + "'"); // what the others are written in
        case 19, 23, 30 -> rows += event; // a table and its rows
        default -> {}
      }
      at += length;
    }
    assertFalse(rows.isEmpty());
    statements.add("BINLOG '" + rows + "'");
    return statements;
  }
}
