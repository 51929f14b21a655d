package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.PGConnection;

/** What programs that cannot be installed here send, word for word, each after its own kind. */
class ProgramStatementsTest {
  private static final String STATUS = "[cancelled, completed, requested]";

  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  private static List<String> column(Connection connection, String sql) throws SQLException {
    List<String> all = new ArrayList<>();
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      while (rows.next()) {
        all.add(rows.getString(1));
      }
    }
    return all;
  }

  private static void body(ByteArrayOutputStream bytes, String text) {
    bytes.writeBytes((text + "\0").getBytes(StandardCharsets.UTF_8));
  }

  /** SQLAlchemy 2.1 over psycopg and pg8000 casts the number of every LIMIT. */
  @Test
  void sqlAlchemyLimits() throws SQLException {
    try (Connection connection = demo.connect("ann");
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT cities.id FROM cities ORDER BY cities.id LIMIT ?::INTEGER"
                    + " OFFSET ?::INTEGER")) {
      statement.setInt(1, 2);
      statement.setInt(2, 3);
      assertEquals("int4", statement.getParameterMetaData().getParameterTypeName(1));
      try (ResultSet rows = statement.executeQuery()) {
        assertTrue(rows.next());
        assertEquals(4, rows.getInt(1));
        assertTrue(rows.next());
        assertTrue(!rows.next());
      }
      assertEquals(List.of("1"), column(connection, "SELECT id FROM cities LIMIT CAST(1 AS int)"));
    }
  }

  /** Superset's time series. */
  @Test
  void supersetTimeSeries() throws SQLException {
    String sql =
        "SELECT DATE_TRUNC('month', requested_at) AS __timestamp, COUNT(*) AS count"
            + " FROM public.trips WHERE requested_at >= TO_TIMESTAMP('2016-01-01 00:00:00.000000',"
            + " 'YYYY-MM-DD HH24:MI:SS.US') AND requested_at < TO_TIMESTAMP('2016-04-01"
            + " 00:00:00.000000', 'YYYY-MM-DD HH24:MI:SS.US') GROUP BY DATE_TRUNC('month',"
            + " requested_at) ORDER BY count DESC LIMIT 10000";
    try (Connection connection = demo.connect("ann")) {
      List<String> months = column(connection, sql);
      months.removeIf(month -> month == null);
      months.sort(null);
      assertEquals(
          List.of("2016-01-01 00:00:00", "2016-02-01 00:00:00", "2016-03-01 00:00:00"), months);
    }
  }

  /** Sequelize's first statements, in one message. */
  @Test
  void sequelizeConnects() throws Exception {
    try (Login ann = Login.of(demo.port(), "ann")) {
      ann.query(
          "SET standard_conforming_strings=on;SET client_min_messages TO warning;SET TIME ZONE"
              + " INTERVAL '+00:00' HOUR TO MINUTE");
      List<String> tags = new ArrayList<>();
      for (char type = ann.raw.next(); type != 'Z'; type = ann.raw.next()) {
        assertTrue(type != 'E', () -> "" + ann.raw.fields());
        tags.add(type == 'C' ? new String(ann.raw.body, StandardCharsets.UTF_8).strip() : "");
      }
      tags.removeIf(String::isEmpty);
      assertEquals(3, tags.size(), tags::toString);
    }
    try (Connection connection = demo.connect("ann")) {
      for (String[] zone :
          new String[][] {
            {"+00:00", "<+00>-00"}, {"-08:00", "<-08>+08"}, {"+5:30", "<+05:30>-05:30"}
          }) {
        connection
            .createStatement()
            .execute("SET TIME ZONE INTERVAL '" + zone[0] + "' HOUR TO MINUTE");
        assertEquals(List.of(zone[1]), column(connection, "SHOW TIME ZONE"));
      }
    }
  }

  /** Drivers read vectors by their types: pg8000 makes lists of them, SQLAlchemy counts on it. */
  @Test
  void vectorsHaveTheirTypes() throws SQLException {
    String sql =
        "SELECT i.indkey, i.indoption, i.indclass, i.indcollation FROM pg_catalog.pg_index i"
            + " JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid WHERE c.relname = 'trips_pkey'";
    for (boolean binary : new boolean[] {false, true}) {
      try (Connection connection =
              demo.connect(
                  "ann",
                  "prepareThreshold",
                  binary ? "-1" : "0",
                  "binaryTransfer",
                  Boolean.toString(binary));
          PreparedStatement statement = connection.prepareStatement(sql);
          ResultSet rows = statement.executeQuery()) {
        List<String> types = new ArrayList<>();
        for (int i = 1; i <= 4; i++) {
          types.add(rows.getMetaData().getColumnTypeName(i));
        }
        assertEquals(List.of("int2vector", "int2vector", "oidvector", "oidvector"), types);
        assertTrue(rows.next());
        assertEquals("1", rows.getString(1));
      }
    }
  }

  /** asyncpg asks for types by an array of their numbers, in binary. */
  @Test
  void arraysOfNumbers() throws SQLException {
    try (Connection connection = demo.connect("ann", "prepareThreshold", "-1");
        PreparedStatement cast =
            connection.prepareStatement(
                "SELECT t.typname FROM pg_catalog.pg_type t WHERE t.oid = any(?::oid[]) ORDER BY"
                    + " 1");
        PreparedStatement bare =
            connection.prepareStatement(
                "SELECT relname FROM pg_class WHERE relname = ANY(?) ORDER BY 1")) {
      cast.setArray(1, connection.createArrayOf("int4", new Object[] {23, 25}));
      assertEquals("[int4, text]", names(cast));
      bare.setArray(1, connection.createArrayOf("text", new Object[] {"trips", "users"}));
      assertEquals("[trips, users]", names(bare));
      try (PreparedStatement question =
          connection.prepareStatement("SELECT COUNT(*) FROM trips WHERE status = ANY(?)")) {
        question.setArray(1, connection.createArrayOf("text", new Object[] {"completed"}));
        assertEquals(
            "0A000", assertThrows(SQLException.class, question::executeQuery).getSQLState());
      }
    }
  }

  /** SQLAlchemy over asyncpg gives a text for CHAR, which is another type than "char". */
  @Test
  void characters() throws SQLException {
    for (List<String> cast :
        List.of(
            List.of("CHAR", "bpchar"),
            List.of("\"char\"", "char"),
            List.of("pg_catalog.char", "char"))) {
      try (Connection connection = demo.connect("ann");
          PreparedStatement statement =
              connection.prepareStatement(
                  "SELECT relname FROM pg_class WHERE relkind = 'r' AND relpersistence <> ?::"
                      + cast.getFirst()
                      + " AND relname = 'trips'")) {
        assertEquals(cast.getLast(), statement.getParameterMetaData().getParameterTypeName(1));
        statement.setString(1, "t");
        assertEquals("[trips]", names(statement));
      }
    }
  }

  /** SQLAlchemy over asyncpg casts the names of its parameters twice. */
  @Test
  void objectsThatAreCastTwice() throws SQLException {
    try (Connection connection = demo.connect("ann", "prepareThreshold", "-1");
        PreparedStatement named =
            connection.prepareStatement(
                "SELECT relname FROM pg_class WHERE oid = CAST(?::REGCLASS AS REGCLASS)")) {
      named.setString(1, "trips");
      assertEquals("[trips]", names(named));
    }
  }

  /** asyncpg turns JIT off while it reads types, and on again by a parameter. */
  @Test
  void settingsByParameters() throws SQLException {
    try (Connection connection = demo.connect("ann", "prepareThreshold", "-1");
        PreparedStatement set =
            connection.prepareStatement("SELECT set_config('statement_timeout', ?, false)")) {
      assertEquals("text", set.getMetaData().getColumnTypeName(1));
      set.setString(1, "70000");
      assertEquals("[70000]", names(set));
      assertEquals(List.of("70s"), column(connection, "SHOW statement_timeout"));
    }
  }

  private static String names(PreparedStatement statement) throws SQLException {
    List<String> names = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery()) {
      while (rows.next()) {
        names.add(rows.getString(1));
      }
    }
    return names.toString();
  }

  /** psql describes a result by a list of constants. */
  @Test
  void psqlDescribes() throws SQLException {
    try (Connection connection = demo.connect("ann")) {
      assertEquals(
          List.of("status", "count"),
          column(
              connection,
              "SELECT name AS \"Column\", pg_catalog.format_type(tp, tpm) AS \"Type\"\nFROM"
                  + " (VALUES ('status', '1043'::pg_catalog.oid,-1), ('count',"
                  + " '20'::pg_catalog.oid,-1)) s(name, tp, tpm)"));
    }
  }

  /** DuckDB's extension and ADBC read every result as binary copies. */
  @Test
  void binaryCopies() throws Exception {
    try (Connection connection = demo.connect("ann")) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      long rows =
          connection
              .unwrap(PGConnection.class)
              .getCopyAPI()
              .copyOut(
                  "COPY (SELECT id, name, CASE WHEN id = 2 THEN name END AS other FROM cities"
                      + " ORDER BY id LIMIT 2) TO STDOUT (FORMAT \"binary\")",
                  out);
      assertEquals(2, rows);
      ByteBuffer data = ByteBuffer.wrap(out.toByteArray());
      byte[] signature = new byte[11];
      data.get(signature);
      assertEquals("PGCOPY\n", new String(signature, 0, 7, StandardCharsets.US_ASCII));
      assertEquals(0, data.getLong());
      for (int id = 1; id <= 2; id++) {
        assertEquals(3, data.getShort());
        assertEquals(4, data.getInt());
        assertEquals(id, data.getInt());
        byte[] name = new byte[data.getInt()];
        data.get(name);
        int other = data.getInt();
        assertEquals(id == 1 ? -1 : name.length, other);
        data.position(data.position() + Math.max(0, other));
      }
      assertEquals(-1, data.getShort());
      assertEquals(0, data.remaining());
    }
  }

  /**
   * DuckDB's extension, when it attaches the database: a transaction and five looks at the
   * catalogue in one message, of this shape. Pages are none, so that it asks for no row by its
   * place; then it copies, the text of postgres_query as a subquery.
   */
  @Test
  void duckDbAttachesAndReads() throws Exception {
    String attach =
        """
        BEGIN TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY;

        SELECT oid, nspname FROM pg_namespace ORDER BY oid;

        SELECT ns.oid AS namespace_id, relname, relpages, attname, pg_type.typname type_name,
            atttypmod type_modifier, pg_attribute.attndims ndim, attnum,
            pg_attribute.attnotnull AS notnull, NULL constraint_id, NULL constraint_type,
            NULL constraint_key, of_type.nspname AS type_schema, c.description, t.description
        FROM pg_class JOIN pg_namespace ns ON relnamespace = ns.oid
        JOIN pg_attribute ON pg_class.oid=pg_attribute.attrelid
        JOIN pg_type ON atttypid=pg_type.oid
        JOIN pg_namespace of_type ON pg_type.typnamespace = of_type.oid
        LEFT JOIN pg_description c ON c.objoid=pg_class.oid AND c.objsubid=pg_attribute.attnum
        LEFT JOIN pg_description t ON t.objoid=pg_class.oid AND t.objsubid=0
        WHERE attnum > 0 AND relkind IN ('r', 'v', 'm', 'f', 'p')
        UNION ALL
        SELECT ns.oid AS namespace_id, relname, NULL relpages, NULL attname, NULL type_name,
            NULL type_modifier, NULL ndim, NULL attnum, NULL AS notnull,
            pg_constraint.oid AS constraint_id, contype AS constraint_type,
            conkey AS constraint_key, NULL AS type_schema, NULL, NULL
        FROM pg_class JOIN pg_namespace ns ON relnamespace = ns.oid
        JOIN pg_constraint ON (pg_class.oid=pg_constraint.conrelid)
        WHERE relkind IN ('r', 'v', 'm', 'f', 'p') AND contype IN ('p', 'u')
        ORDER BY namespace_id, relname, attnum, constraint_id;

        SELECT n.oid, enumtypid, typname, enumlabel FROM pg_enum e
        JOIN pg_type t ON e.enumtypid = t.oid JOIN pg_namespace AS n ON (typnamespace=n.oid)

        ORDER BY n.oid, enumtypid, enumsortorder;

        SELECT n.oid, t.typrelid AS id, t.typname as type, pg_attribute.attname, part.typname,
            ns.nspname
        FROM pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
        JOIN pg_class ON pg_class.oid = t.typrelid JOIN pg_attribute ON attrelid=t.typrelid
        JOIN pg_type part ON (pg_attribute.atttypid=part.oid)
        JOIN pg_catalog.pg_namespace ns ON ns.oid = part.typnamespace
        WHERE pg_class.relkind IN ('c', 'r', 'v', 'm', 'f', 'p') AND t.typtype='c'
        AND pg_attribute.attnum > 0 AND NOT pg_attribute.attisdropped
        ORDER BY n.oid, t.oid, attrelid, attnum;

        SELECT pg_namespace.oid, tablename, indexname FROM pg_indexes
        JOIN pg_namespace ON (schemaname=nspname)
        ORDER BY pg_namespace.oid;
        """;
    try (Login ann = Login.of(demo.port(), "ann")) {
      assertEquals(
          List.of(1),
          rows(ann, "SELECT version(), (SELECT COUNT(*) FROM pg_settings WHERE name LIKE 'rds%')"));
      List<Integer> found = rows(ann, attach);
      assertEquals(5, found.size(), found::toString);
      assertTrue(found.get(0) >= 3 && found.get(1) > 20 && found.get(4) > 0, found::toString);
      assertEquals(List.of(), rows(ann, "COMMIT"));
      assertEquals(List.of(), rows(ann, "DISCARD ALL"));
    }
    try (Connection connection = demo.connect("ann", "options", "-c flexdp.epsilon=0.3")) {
      assertEquals(
          List.of("0"),
          column(
              connection,
              "SELECT DISTINCT relpages FROM pg_class WHERE relname IN ('cities', 'trips')"));
      for (String[] read :
          new String[][] {
            {"SELECT \"id\", \"name\" FROM \"public\".\"cities\" WHERE (\"id\" > 48) ", "2"},
            {
              "SELECT \"status\", \"n\" FROM (SELECT status, count(*) AS n FROM trips GROUP BY"
                  + " status) AS __unnamed_subquery ",
              "3"
            }
          }) {
        long rows =
            connection
                .unwrap(PGConnection.class)
                .getCopyAPI()
                .copyOut(
                    "COPY (" + read[0] + ") TO STDOUT (FORMAT \"binary\");",
                    new ByteArrayOutputStream());
        assertEquals(read[1], Long.toString(rows), read[0]);
      }
    }
  }

  /** How many rows each result of a message has; no error is among them. */
  private static List<Integer> rows(Login login, String sql) throws Exception {
    login.query(sql);
    List<Integer> rows = new ArrayList<>();
    for (char type = login.raw.next(); type != 'Z'; type = login.raw.next()) {
      assertTrue(type != 'E', () -> sql + ": " + login.raw.fields());
      if (type == 'T') {
        rows.add(0);
      } else if (type == 'D') {
        rows.set(rows.size() - 1, rows.getLast() + 1);
      }
    }
    return rows;
  }

  /** What tools ask for columns and for the values of a filter costs nothing. */
  @Test
  void filtersAndColumns() throws SQLException {
    try (Connection connection = demo.connect("ben")) {
      for (String sql :
          List.of(
              "SELECT DISTINCT status FROM trips",
              "SELECT DISTINCT status AS status FROM public.trips ORDER BY status LIMIT 1000",
              "SELECT \"public\".\"trips\".\"status\" AS \"status\" FROM \"public\".\"trips\""
                  + " GROUP BY \"public\".\"trips\".\"status\" ORDER BY"
                  + " \"public\".\"trips\".\"status\" ASC LIMIT 1000",
              "SELECT status FROM trips WHERE fare > 1000000 GROUP BY status")) {
        List<String> labels = column(connection, sql);
        labels.sort(null);
        assertEquals(STATUS, labels.toString(), sql);
      }
      assertEquals(
          List.of("cancelled", "completed"),
          column(
              connection, "SELECT DISTINCT status FROM trips WHERE status LIKE 'c%' ORDER BY 1"));
      try (Statement statement = connection.createStatement()) {
        statement.executeQuery("SELECT DISTINCT status FROM trips");
        SQLWarning notice = statement.getWarnings();
        assertTrue(notice.getMessage().contains("declared, not present"), notice::getMessage);
        for (String sql :
            List.of(
                "SELECT * FROM trips LIMIT 0",
                "SELECT * FROM (SELECT * FROM \"public\".\"trips\") AS t LIMIT 0",
                "SELECT * FROM trips WHERE 1 = 0",
                "SELECT status, COUNT(*) FROM trips GROUP BY status LIMIT 0")) {
          try (ResultSet rows = statement.executeQuery(sql)) {
            assertTrue(rows.getMetaData().getColumnCount() > 1, sql);
            assertTrue(!rows.next(), sql);
          }
        }
      }
      assertEquals(List.of("0"), column(connection, "SELECT count(*) FROM flexdp.history"));
      for (String sql :
          List.of("SELECT DISTINCT fare FROM trips", "SELECT id FROM trips GROUP BY id")) {
        SQLException refused = assertThrows(SQLException.class, () -> column(connection, sql));
        assertEquals("42501", refused.getSQLState(), sql);
      }
    }
  }

  @Test
  void clientsLimitTheirStatements() throws SQLException {
    try (Connection connection = demo.connect("ann", "options", "-c statement_timeout=1500");
        Statement statement = connection.createStatement()) {
      assertEquals(List.of("1500ms"), column(connection, "SHOW statement_timeout"));
      for (String[] set :
          new String[][] {
            {"800", "800ms"}, {"'2s'", "2s"}, {"'1.5 min'", "90s"}, {"'1h'", "1h"}, {"0", "0"}
          }) {
        statement.execute("SET statement_timeout = " + set[0]);
        assertEquals(List.of(set[1]), column(connection, "SHOW statement_timeout"));
      }
      statement.execute("RESET statement_timeout");
      assertEquals(List.of("1500ms"), column(connection, "SHOW statement_timeout"));
      for (String wrong : List.of("'fast'", "-1", "'3 weeks'", "99999999999")) {
        assertEquals(
            "22023",
            assertThrows(
                    SQLException.class, () -> statement.execute("SET statement_timeout = " + wrong))
                .getSQLState(),
            wrong);
      }
    }
  }

  /** The statement would take hours; it ends by the client's limit, and the connection goes on. */
  @Test
  void whatTakesLongerEnds() throws SQLException {
    try (Connection connection = demo.connect("ann");
        Statement statement = connection.createStatement()) {
      statement.execute("SET statement_timeout = 300");
      SQLException ended =
          assertThrows(
              SQLException.class,
              () ->
                  statement.execute(
                      "SELECT count(*) FROM pg_catalog.pg_proc a, pg_catalog.pg_proc b,"
                          + " pg_catalog.pg_proc c WHERE a.prosrc < b.prosrc || c.prosrc"));
      assertEquals("57014", ended.getSQLState());
      assertTrue(ended.getMessage().contains("statement timeout"), ended::getMessage);
      statement.execute("SET statement_timeout = 0");
      assertEquals(List.of("1"), column(connection, "SELECT 1"));
    }
  }

  /** Messages whose end is known do not end the connection, whatever they hold. */
  @Test
  void bindWithAWrongNumberOfValues() throws Exception {
    try (Login ann = Login.of(demo.port(), "ann")) {
      ByteArrayOutputStream parse = new ByteArrayOutputStream();
      body(parse, "");
      body(parse, "SELECT name FROM cities WHERE id = $1");
      parse.writeBytes(new byte[2]);
      for (int wrong = 0; wrong < 4; wrong++) {
        ann.raw.send('P', parse.toByteArray());
        ann.raw.send('B', bind(wrong));
        ann.raw.send('S', new byte[0]);
        List<String> said = new ArrayList<>();
        for (char type = ann.raw.next(); type != 'Z'; type = ann.raw.next()) {
          said.add(type == 'E' ? ann.raw.fields().get('S') + ann.raw.fields().get('C') : "" + type);
        }
        assertEquals(List.of("1", "ERROR08P01"), said, "case " + wrong);
      }
      ann.raw.send('F', new byte[4]);
      assertEquals('E', ann.raw.next());
      assertEquals('Z', ann.raw.next());
      ann.query("SELECT 1");
      assertEquals('T', ann.raw.next());
    }
  }

  /** No value; two values; two formats for one value; a count that is not that of the values. */
  private static byte[] bind(int wrong) throws Exception {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    data.writeShort(0);
    int formats = wrong == 2 ? 2 : 0;
    data.writeShort(formats);
    data.write(new byte[2 * formats]);
    int values = wrong == 0 ? 0 : wrong == 1 ? 2 : 1;
    data.writeShort(wrong == 3 ? 3 : values);
    for (int i = 0; i < values; i++) {
      data.writeInt(1);
      data.writeByte('1');
    }
    data.writeShort(0);
    return Arrays.copyOf(bytes.toByteArray(), bytes.size());
  }
}
