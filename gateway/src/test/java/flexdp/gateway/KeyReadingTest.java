package flexdp.gateway;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.database.Databases;
import flexdp.policy.Type;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A column that a database keeps unique is a key only if FlexDP reads no two of its values as one.
 * Every type is filled with whatever the database lets in, bytes and not literals where it can, and
 * what is read is counted.
 */
class KeyReadingTest {
  @TempDir Path folder;

  /** What came of one type. */
  private record Tried(boolean key, long stored, long read, long different) {
    boolean merges() {
      return read != different;
    }
  }

  /** One database, its tables named by the types of their only column, v. */
  private static Map<String, Tried> tried(String url, Map<String, String> types)
      throws SQLException {
    Map<String, Tried> results = new LinkedHashMap<>();
    try (Connection reader = Databases.readOnly(url)) {
      Connector connector = Connectors.of(reader);
      List<PhysicalTable> tables = connector.tables(reader);
      connector.prepare(reader, Duration.ofMinutes(10));
      connector.beginSnapshot(reader);
      for (Map.Entry<String, String> one : types.entrySet()) {
        PhysicalTable table =
            tables.stream().filter(t -> t.name().equals(one.getKey())).findFirst().orElseThrow();
        PhysicalColumn column = table.column("v").orElseThrow();
        String place = connector.quote(table.schema()) + "." + connector.quote(table.name());
        boolean key = table.keys().contains(List.of("v"));
        String read = connector.read(table, column, column.type());
        results.put(one.getValue(), counted(reader, key, read, place));
        for (Type declared : key ? DECLARED : List.<Type>of()) {
          if (!declared.equals(column.type()) && connector.readsApart(column, declared)) {
            declared(reader, connector, table, declared, place)
                .filter(Tried::merges)
                .ifPresent(merged -> results.put(one.getValue() + " as " + declared, merged));
          }
        }
      }
      connector.endSnapshot(reader);
    }
    return results;
  }

  /** What a policy may call a column, whatever the database does. */
  private static final List<Type> DECLARED =
      List.of(
          Type.BOOLEAN,
          Type.SMALLINT,
          Type.INTEGER,
          Type.BIGINT,
          Type.decimal(9, 2),
          Type.decimal(38, 0),
          Type.decimal(38, 20),
          Type.DOUBLE,
          Type.VARCHAR,
          Type.DATE,
          Type.TIME,
          Type.TIMESTAMP,
          Type.UUID,
          Type.OPAQUE);

  /** Read as a policy declares it; some databases have no such values. */
  private static Optional<Tried> declared(
      Connection reader, Connector connector, PhysicalTable table, Type declared, String place)
      throws SQLException {
    String read;
    try {
      read = connector.read(table, table.column("v").orElseThrow(), declared);
    } catch (ConfigurationError e) {
      return Optional.empty();
    }
    return Optional.of(counted(reader, true, read, place));
  }

  private static Tried counted(Connection reader, boolean key, String read, String place)
      throws SQLException {
    String sql =
        "SELECT COUNT(*), COUNT(r), COUNT(DISTINCT r) FROM (SELECT "
            + read
            + " AS r FROM "
            + place
            + ") q";
    try (Statement statement = reader.createStatement();
        ResultSet row = statement.executeQuery(sql)) {
      row.next();
      return new Tried(key, row.getLong(1), row.getLong(2), row.getLong(3));
    }
  }

  private static void execute(Connection writer, String... statements) throws SQLException {
    try (Statement statement = writer.createStatement()) {
      for (String sql : statements) {
        statement.execute(sql);
      }
    }
  }

  /** No key merges values, each was filled, and these types are the keys. */
  private static void expect(Map<String, Tried> results, Set<String> keys) {
    List<String> faults = new ArrayList<>();
    Set<String> found = new TreeSet<>();
    results.forEach(
        (type, one) -> {
          if (one.key()) {
            found.add(type);
          }
          if (one.key() && one.merges() || one.stored() < 2) {
            faults.add(type + ": " + one);
          }
        });
    assertEquals(List.of(), faults);
    assertEquals(new TreeSet<>(keys), found);
  }

  /** Makes and fills a table for each type; a value that the database refuses is left out. */
  private static Map<String, String> filled(
      Connection writer, Map<String, List<String>> values, String create, String insert)
      throws SQLException {
    Map<String, String> types = new LinkedHashMap<>();
    for (Map.Entry<String, List<String>> one : values.entrySet()) {
      String table = "t" + types.size();
      execute(writer, create.formatted(table, one.getKey()));
      for (String query : one.getValue()) {
        String type = one.getKey().replaceFirst(" COLLATE.*", "");
        execute(writer, insert.formatted(table, query, type));
      }
      types.put(table, one.getKey());
    }
    return types;
  }

  private static final String CHARACTER_SETS =
      """
      SELECT character_set_name, IF(EXISTS (
        SELECT 1 FROM information_schema.collations c
        WHERE c.collation_name = CONCAT(s.character_set_name, '_nopad_bin')), '_nopad_bin', '_bin')
      FROM information_schema.character_sets s WHERE character_set_name <> 'binary'\
      """;

  /** All texts of one and two bytes, and many of three and four. */
  private static final List<String> BYTES = bytes("");

  /** All texts of one byte, one in seventeen of two bytes, and many of three and four. */
  private static final List<String> FEW_BYTES = bytes(" WHERE seq % 17 = 0");

  private static List<String> bytes(String which) {
    return List.of(
        "SELECT UNHEX(LPAD(HEX(seq), 2, '0')) FROM seq_0_to_255",
        "SELECT UNHEX(LPAD(HEX(seq), 4, '0')) FROM seq_0_to_65535" + which,
        "SELECT UNHEX(LEFT(MD5(seq), 6 + 2 * (seq % 2))) FROM seq_1_to_5000",
        "SELECT UNHEX(LPAD(HEX(seq * 113), 8, '0')) FROM seq_0_to_9999",
        "SELECT UNHEX(CONCAT('D83D', LPAD(HEX(seq), 4, '0'))) FROM seq_55000_to_58000",
        "SELECT UNHEX(CONCAT('F0', LEFT(MD5(seq), 6))) FROM seq_1_to_9999");
  }

  @Test
  void mariaDbReadsNoTwoValuesOfAKeyAsOne() throws Exception {
    mariaDb("keyreading", FEW_BYTES);
  }

  @Test
  @Tag("nightly")
  void mariaDbReadsNoTwoTextsOfTwoBytesAsOne() throws Exception {
    mariaDb("keyreadingofall", BYTES);
  }

  private static void mariaDb(String database, List<String> bytes) throws Exception {
    Map<String, List<String>> values = new LinkedHashMap<>();
    List<String> numbers =
        List.of(
            "SELECT seq FROM seq_0_to_300",
            "SELECT -seq / 7 FROM seq_1_to_300",
            "SELECT CRC32(seq) * CRC32(-seq) FROM seq_1_to_300",
            "SELECT 1900 + seq FROM seq_0_to_255",
            "SELECT CAST(seq AS DECIMAL(40, 20)) / 3000000000 FROM seq_1_to_300",
            "SELECT seq * 1e-40 FROM seq_0_to_50",
            "SELECT -0e0");
    Set<String> keys = new TreeSet<>();
    for (String type :
        List.of(
            "TINYINT",
            "SMALLINT UNSIGNED",
            "MEDIUMINT ZEROFILL",
            "INT",
            "BIGINT",
            "BIGINT UNSIGNED",
            "BIT(1)",
            "BIT(9)",
            "BIT(64)",
            "YEAR",
            "DECIMAL(38,10)",
            "FLOAT",
            "DOUBLE",
            "DOUBLE(20,2)")) {
      values.put(type, numbers);
    }
    for (String type : List.of("DATE", "DATETIME(6)", "DATETIME", "TIMESTAMP(6)", "TIME(6)")) {
      values.put(
          type,
          List.of(
              "SELECT CONCAT(LPAD(seq % 10000, 4, '0'), '-', LPAD(seq % 13, 2, '0'), '-',"
                  + " LPAD(seq % 32, 2, '0'), ' ', LPAD(seq % 24, 2, '0'), ':00:00.', LPAD(seq, 6,"
                  + " '0')) FROM seq_0_to_9999",
              "SELECT CONCAT(seq, ':00:00.000001') FROM seq_0_to_838",
              "SELECT CONCAT('-', seq, ':00:00') FROM seq_0_to_838"));
    }
    values.put("UUID", List.of("SELECT MD5(seq) FROM seq_1_to_5000"));
    values.put("INET4", List.of("SELECT INET_NTOA(CRC32(seq)) FROM seq_1_to_5000"));
    values.put(
        "INET6",
        List.of(
            "SELECT INET6_NTOA(UNHEX(MD5(seq))) FROM seq_1_to_5000",
            "SELECT INET6_NTOA(UNHEX(CONCAT(REPEAT('0', seq % 33), LEFT(MD5(seq), 32 - seq % 33))))"
                + " FROM seq_1_to_5000",
            "SELECT INET6_NTOA(UNHEX(CONCAT(REPEAT('0', 20), 'FFFF', LEFT(MD5(seq), 8)))) FROM"
                + " seq_1_to_5000"));
    for (String type : List.of("BINARY(4)", "VARBINARY(4)")) {
      values.put(type, bytes.subList(2, bytes.size()));
    }
    values.put("CHAR(4) CHARACTER SET utf8mb4 COLLATE utf8mb4_nopad_bin", bytes);
    List<String> two = List.of("SELECT 1", "SELECT 2");
    keys.addAll(values.keySet());
    values.put("TINYINT(1)", two);
    values.put("DECIMAL(50,10)", two);
    values.put("ENUM('', 'a')", List.of("SELECT 1", "SELECT 2", "SELECT 'none'"));
    values.put("SET('a','a','a','a')", List.of("SELECT seq FROM seq_0_to_15"));
    values.put("SET('a','b')", two);
    values.put("POINT", List.of("SELECT POINT(1, 1)", "SELECT POINT(1, 2)"));
    values.put("TEXT", two); // kept unique by a hash
    MariaDbServer.create(database);
    Map<String, String> types;
    try (Connection writer = MariaDbServer.writer(database)) {
      execute(writer, "SET sql_mode = 'ALLOW_INVALID_DATES', time_zone = '+00:00'");
      Set<String> accepted =
          Set.of("utf8mb4", "utf8mb3", "latin1", "ucs2", "utf16", "utf16le", "utf32");
      try (Statement statement = writer.createStatement();
          ResultSet row = statement.executeQuery(CHARACTER_SETS)) {
        while (row.next()) {
          String set = row.getString(1);
          String type = "VARCHAR(4) CHARACTER SET " + set + " COLLATE " + set + row.getString(2);
          boolean isKey = accepted.contains(set);
          values.put(type, isKey || set.equals("ascii") ? bytes : two);
          if (isKey) {
            keys.add(type);
          }
        }
      }
      types =
          filled(writer, values, "CREATE TABLE %s(v %s, UNIQUE (v))", "INSERT IGNORE INTO %s %s");
    }
    Map<String, Tried> results = tried(MariaDbServer.url(database) + "?user=root", types);
    expect(results, keys);
    expectSeen(results, "SET('a','a','a','a')", "ENUM('', 'a')");
    expectSeen(results, "VARCHAR(4) CHARACTER SET ascii COLLATE ascii_nopad_bin");
  }

  /** What this test is there to find, it would find. */
  private static void expectSeen(Map<String, Tried> results, String... types) {
    for (String type : types) {
      assertTrue(results.get(type).merges() && !results.get(type).key(), type);
    }
  }

  @Test
  void postgreSqlReadsNoTwoValuesOfAKeyAsOne() throws Exception {
    String hash = "md5(s::text)";
    String series = " FROM generate_series(0, 3000) s";
    List<String> reals =
        List.of(
            "SELECT (s - 1500) / 7.0" + series,
            "SELECT s * 1e-40" + series,
            "SELECT '-0'::float8 UNION ALL SELECT 'NaN' UNION ALL SELECT 'infinity'");
    List<String> texts =
        List.of(
            "SELECT " + hash + series,
            "SELECT chr(s + 1)" + series,
            "SELECT chr(s + 1) || repeat(' ', s % 3)" + series,
            "SELECT chr(65536 + s * 300)" + series);
    List<String> moments =
        List.of(
            "SELECT '2024-01-01'::timestamp + s * interval '13 days 1 hour 1 microsecond'" + series,
            "SELECT '0001-01-01 BC'::timestamp + s * interval '1 day'" + series,
            "SELECT 'infinity'::timestamp UNION ALL SELECT '-infinity'");
    Map<String, List<String>> values = new LinkedHashMap<>();
    values.put("boolean", List.of("SELECT true UNION ALL SELECT false"));
    values.put("smallint", List.of("SELECT s * 10 - 15000" + series));
    values.put(
        "bigint", List.of("SELECT ('x' || left(" + hash + ", 16))::bit(64)::bigint" + series));
    values.put("numeric(38,10)", List.of("SELECT s / 7.0" + series, "SELECT 'NaN'::numeric"));
    values.put("real", reals);
    values.put("double precision", reals);
    for (String type :
        List.of("text", "varchar(64)", "character(64)", "text COLLATE ci", "citext")) {
      values.put(type, texts);
    }
    values.put("name", texts);
    values.put("mood", List.of("SELECT 'a'::mood UNION ALL SELECT 'A' UNION ALL SELECT ''"));
    values.put("date", moments);
    values.put("timestamp(6)", moments);
    values.put("timestamp with time zone", moments);
    values.put("time", List.of("SELECT '00:00'::time + s * interval '7.000001 seconds'" + series));
    values.put("uuid", List.of("SELECT " + hash + "::uuid" + series));
    values.put(
        "bytea", List.of("SELECT decode(left(" + hash + ", 2 + s % 3 * 2), 'hex')" + series));
    values.put("bit(13)", List.of("SELECT s::bit(13)" + series));
    values.put("cidr", List.of("SELECT ('10.0.0.0'::inet + s * 256)::cidr" + series));
    values.put("macaddr8", List.of("SELECT left(" + hash + ", 16)::macaddr8" + series));
    values.put("bit varying", List.of("SELECT s::bit(13)::varbit" + series));
    values.put("inet", List.of("SELECT '0.0.0.0'::inet + s * 7919" + series));
    values.put("macaddr", List.of("SELECT left(" + hash + ", 12)::macaddr" + series));
    values.put("interval", List.of("SELECT s * interval '1 month 1 day 1 microsecond'" + series));
    values.put("time with time zone", List.of("SELECT ('12:00:00+' || s % 15)::timetz" + series));
    values.put(
        "jsonb", List.of("SELECT to_jsonb(s)" + series, "SELECT to_jsonb(s::text)" + series));
    Set<String> keys = new TreeSet<>(values.keySet());
    values.put("numeric", List.of("SELECT s * 1e-12" + series));
    values.put("numeric(5,-2)", List.of("SELECT s * 100" + series));
    values.put("\"char\"", List.of("SELECT chr(1 + s % 127)::\"char\"" + series));
    values.put("pair", List.of("SELECT row(s, s)::pair" + series));
    values.put("int[]", List.of("SELECT array[s]" + series));
    values.put("money", List.of("SELECT s::money" + series));
    values.put("regclass", List.of("SELECT s::oid::regclass" + series));
    try (FreshPostgres server = FreshPostgres.create()) {
      Map<String, String> types;
      try (Connection writer = server.connect()) {
        execute(
            writer,
            "CREATE EXTENSION IF NOT EXISTS citext",
            "CREATE TYPE mood AS ENUM ('a', 'A', '')",
            "CREATE TYPE pair AS (a int, b int)",
            "CREATE COLLATION ci (provider = icu, locale = 'und-u-ks-level2', deterministic ="
                + " false)");
        types =
            filled(
                writer,
                values,
                "CREATE TABLE %s(v %s, UNIQUE (v))",
                "INSERT INTO %s %s ON CONFLICT DO NOTHING");
      }
      Map<String, Tried> results = tried(server.url(), types);
      expect(results, keys);
      expectSeen(results, "numeric");
    }
  }

  @Test
  void sqliteReadsNoTwoValuesOfAKeyAsOne() throws Exception {
    String series =
        " FROM (WITH RECURSIVE n(s) AS (SELECT 0 UNION ALL SELECT s + 1 FROM n WHERE s <"
            + " 3000) SELECT s FROM n)";
    List<String> all =
        List.of(
            "SELECT s - 5" + series,
            "SELECT (s - 5) / 7.0" + series,
            "SELECT 9007199254740992 + s" + series,
            "SELECT 1e16 + s" + series,
            "SELECT -0.0 UNION ALL SELECT 9e999 UNION ALL SELECT 1e-320",
            "SELECT CAST(s AS TEXT)" + series,
            "SELECT 'x' || s || char(s)" + series,
            "SELECT char(s)" + series,
            "SELECT CAST(x'ff' || CAST(s AS BLOB) AS TEXT)" + series,
            "SELECT CAST(x'c3' AS TEXT) UNION ALL SELECT CAST(x'6100' AS TEXT) UNION ALL SELECT"
                + " CAST(x'610062' AS TEXT)",
            "SELECT CAST(s AS BLOB)" + series,
            "SELECT date(s, 'unixepoch', '+' || s || ' days')" + series,
            "SELECT datetime(s, 'unixepoch')" + series,
            "SELECT ' ' || date(s, 'unixepoch', '+' || s || ' days')" + series,
            "SELECT replace(date(s, 'unixepoch', '+' || s || ' days'), '-0', '-')" + series);
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (String type :
        List.of(
            "INTEGER",
            "SMALLINT",
            "BOOLEAN",
            "REAL",
            "DOUBLE",
            "FLOATING POINT",
            "TEXT",
            "TEXT COLLATE NOCASE",
            "VARCHAR(3)",
            "DATE",
            "BLOB",
            "ANYTHING")) {
      values.put(type, all);
    }
    Set<String> keys = new TreeSet<>(values.keySet());
    values.put("NUMERIC", all);
    values.put("DECIMAL(9,2)", all);
    values.put("DATETIME", all);
    values.put("DOUBLE BLOB", all);
    String url = "jdbc:sqlite:" + folder.resolve("keys.db");
    Map<String, String> types;
    try (Connection writer = DriverManager.getConnection(url)) {
      types = filled(writer, values, "CREATE TABLE %s(v %s UNIQUE)", "INSERT OR IGNORE INTO %s %s");
    }
    Map<String, Tried> results = tried(url, types);
    expect(results, keys);
    expectSeen(results, "NUMERIC", "DECIMAL(9,2)", "DATETIME", "DOUBLE BLOB");
  }

  @Test
  void duckDbReadsNoTwoValuesOfAKeyAsOne() throws Exception {
    String series = " FROM range(3000) r(s)";
    List<String> whole = List.of("SELECT s % 120" + series, "SELECT -s - 1" + series);
    List<String> reals =
        List.of(
            "SELECT (s - 1500) / 7" + series,
            "SELECT s * 1e-40" + series,
            "SELECT '-0'::DOUBLE UNION ALL SELECT 'nan' UNION ALL SELECT 'inf'");
    List<String> texts =
        List.of(
            "SELECT md5(s::VARCHAR)" + series,
            "SELECT chr((s + 1)::INT)" + series,
            "SELECT 'a' || repeat(' ', (s % 5)::INT) || repeat(chr(0), (s % 3)::INT)" + series,
            "SELECT chr((65536 + s * 300)::INT)" + series);
    List<String> moments =
        List.of(
            "SELECT TIMESTAMP '2024-01-01' + to_days((s * 13)::INT) + to_microseconds(s)" + series,
            "SELECT TIMESTAMP '0001-01-01' + to_days((s - 1500)::INT)" + series,
            "SELECT 'infinity'::TIMESTAMP UNION ALL SELECT '-infinity'");
    Map<String, List<String>> values = new LinkedHashMap<>();
    values.put("BOOLEAN", List.of("SELECT s % 2 = 0" + series));
    for (String type : List.of("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT")) {
      values.put(type, whole);
    }
    for (String type : List.of("UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT", "UHUGEINT")) {
      values.put(type, whole);
    }
    values.put("DECIMAL(20,5)", reals);
    values.put("FLOAT", reals);
    values.put("DOUBLE", reals);
    values.put("VARCHAR", texts);
    values.put("VARCHAR COLLATE NOCASE", texts);
    values.put(
        "ENUM('a', 'A', '')", List.of("SELECT 'a' UNION ALL SELECT 'A' UNION ALL SELECT ''"));
    for (String type : List.of("DATE", "TIMESTAMP", "TIMESTAMP_S", "TIMESTAMP_MS", "TIMESTAMPTZ")) {
      values.put(type, moments);
    }
    values.put("TIME", List.of("SELECT TIME '00:00' + to_microseconds(s * 7000001)" + series));
    values.put("UUID", List.of("SELECT md5(s::VARCHAR)::UUID" + series));
    values.put("BLOB", List.of("SELECT unhex(md5(s::VARCHAR)[:2 + (s % 3) * 2])" + series));
    Set<String> keys = new TreeSet<>(values.keySet());
    values.put("TIMESTAMP_NS", List.of("SELECT make_timestamp_ns(s)" + series));
    String url = "jdbc:duckdb:" + folder.resolve("keys.duckdb");
    Map<String, String> types;
    try (Connection writer = DriverManager.getConnection(url)) {
      types =
          filled(
              writer,
              values,
              "CREATE TABLE %s(v %s UNIQUE)",
              "INSERT OR IGNORE INTO %1$s SELECT DISTINCT TRY_CAST(columns(*) AS %3$s) FROM"
                  + " (%2$s)");
    }
    Map<String, Tried> results = tried(url, types);
    expect(results, keys);
    expectSeen(results, "TIMESTAMP_NS");
  }
}
