package flexdp.gateway.hostile;

import flexdp.gateway.MariaDbServer;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.database.Databases;
import flexdp.gateway.database.Vendors;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;

/** Columns that the database keeps unique though two of their values are read as one. */
final class KeySchemes {
  private static final String DATABASE = "keyschemes";

  static final List<Scheme> ALL =
      List.of(
          scheme(
              "MariaDB: a key of ascii bytes",
              "VARCHAR(10) CHARACTER SET ascii",
              "X'8080', X'8081', X'FFFF'"),
          scheme("MariaDB: a key of equal members", "SET('a','a','a','a')", "1, 2, 4, 8"));

  private KeySchemes() {}

  private static Scheme scheme(String name, String type, String values) {
    return new Scheme(name, postgres -> gains(type, values));
  }

  private static List<String> gains(String type, String values) throws SQLException {
    MariaDbServer.create(DATABASE);
    try (Connection writer = MariaDbServer.writer(DATABASE);
        Statement statement = writer.createStatement()) {
      statement.execute("SET sql_mode = ''");
      statement.execute("CREATE TABLE k (v " + type + " NOT NULL UNIQUE)");
      for (String value : values.split(", ")) {
        statement.execute("INSERT INTO k VALUES (" + value + ")");
      }
    }
    String url = MariaDbServer.url(DATABASE) + "?user=root";
    try (Connection reader = Databases.readOnly(url)) {
      Vendor vendor = Vendors.of(reader);
      PhysicalTable table =
          vendor.tables(reader).stream()
              .filter(t -> t.name().equals("k") && t.schema().equals(DATABASE))
              .findFirst()
              .orElseThrow();
      PhysicalColumn column = table.column("v").orElseThrow();
      String read = vendor.read(table, column, column.type());
      try (Statement statement = reader.createStatement();
          ResultSet row =
              statement.executeQuery("SELECT COUNT(*) - COUNT(DISTINCT " + read + ") FROM k")) {
        row.next();
        boolean merged = row.getLong(1) > 0;
        return merged && table.keys().contains(List.of("v"))
            ? List.of(type + " is a key, and values of it are read as one")
            : List.of();
      }
    }
  }
}
