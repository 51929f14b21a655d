package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** All of pgjdbc's DatabaseMetaData says what it says of a real PostgreSQL with the same tables. */
class DatabaseMetaDataTest {
  /** What is another server's by its nature, and what the policy's tables do not have. */
  private static final Set<String> OTHERWISE =
      Set.of(
          "getURL",
          "getConnection",
          "getDatabaseProductVersion",
          "isReadOnly",
          "getCatalogs", // only what can be connected to
          "getTablePrivileges", // nobody may write
          "getColumnPrivileges");

  private static final List<Object[]> CALLS =
      List.of(
          call("getTables", null, null, "%", null),
          call("getTables", null, "public", "trips", new String[] {"TABLE"}),
          call("getTables", "rides", null, "%", new String[] {"TABLE", "VIEW"}),
          call("getTables", null, "pg_catalog", "pg_c%", null),
          call("getColumns", null, "public", "%", "%"),
          call("getColumns", null, null, "trips", "fare"),
          call("getColumns", null, "pg_catalog", "pg_class", null),
          call("getPrimaryKeys", null, "public", "trips"),
          call("getPrimaryKeys", null, null, "cities"),
          call("getImportedKeys", null, "public", "trips"),
          call("getExportedKeys", null, "public", "users"),
          call("getCrossReference", null, null, "users", null, null, "trips"),
          call("getIndexInfo", null, "public", "trips", false, false),
          call("getIndexInfo", null, "public", "drivers", true, true),
          call("getBestRowIdentifier", null, "public", "trips", 0, false),
          call("getVersionColumns", null, "public", "trips"),
          call("getSchemas", null, "%"),
          call("getProcedures", null, null, "%"),
          call("getProcedureColumns", null, null, "abs", "%"),
          call("getFunctions", null, null, "a%"),
          call("getFunctionColumns", null, null, "abs", "%"),
          call("getUDTs", null, "public", "%", null),
          call("getSuperTypes", null, null, "%"),
          call("getAttributes", null, null, "%", "%"));

  @TempDir Path folder;

  private static Object[] call(Object... parts) {
    return parts;
  }

  @Test
  void pgjdbcSeesWhatItWouldSeeThere() throws Exception {
    Map<String, String> different = new LinkedHashMap<>();
    int same = 0;
    try (RealPostgres real = RealPostgres.start();
        Demo demo = Demo.start(folder);
        Connection theirs = real.connect();
        Connection ours = demo.connect("ann")) {
      Map<String, Object> expected = all(theirs.getMetaData());
      Map<String, Object> found = all(ours.getMetaData());
      for (Map.Entry<String, Object> entry : expected.entrySet()) {
        if (entry.getValue().equals(found.get(entry.getKey()))) {
          same++;
        } else {
          different.put(entry.getKey(), difference(entry.getValue(), found.get(entry.getKey())));
        }
      }
    }
    assertTrue(same > 150, "only " + same);
    assertEquals(Map.of(), different);
  }

  private static String difference(Object expected, Object found) {
    if (expected instanceof List<?> a && found instanceof List<?> b) {
      List<Object> missing = new ArrayList<>(a);
      missing.removeAll(b);
      List<Object> more = new ArrayList<>(b);
      more.removeAll(a);
      return a.size()
          + "/"
          + b.size()
          + " rows; missing "
          + first(missing)
          + "; more "
          + first(more);
    }
    return expected + " is " + found;
  }

  private static Object first(List<Object> rows) {
    return rows.isEmpty() ? "none" : rows.size() + " such as " + rows.getFirst();
  }

  static Map<String, Object> all(DatabaseMetaData data) throws Exception {
    Map<String, Object> all = new TreeMap<>();
    Method[] methods = DatabaseMetaData.class.getMethods();
    Arrays.sort(methods, Comparator.comparing(Method::getName));
    for (Method method : methods) {
      if (method.getParameterCount() == 0 && !OTHERWISE.contains(method.getName())) {
        all.put(method.getName(), value(method, data));
      }
    }
    for (Object[] call : CALLS) {
      Object[] arguments = Arrays.copyOfRange(call, 1, call.length);
      for (Method method : methods) {
        if (method.getName().equals(call[0]) && method.getParameterCount() == arguments.length) {
          all.put(call[0] + Arrays.deepToString(arguments), value(method, data, arguments));
        }
      }
    }
    return all;
  }

  private static Object value(Method method, DatabaseMetaData data, Object... arguments)
      throws Exception {
    try {
      Object result = method.invoke(data, arguments);
      return result instanceof ResultSet rows ? rows(rows) : String.valueOf(result);
    } catch (InvocationTargetException e) {
      return "fails: " + e.getCause().getMessage().lines().findFirst().orElse("");
    }
  }

  /** The rows as text, in the order of their text: that of equal sort keys is anybody's. */
  private static List<String> rows(ResultSet rows) throws SQLException {
    List<String> all = new ArrayList<>();
    while (rows.next()) {
      List<String> row = new ArrayList<>();
      for (int i = 1; i <= rows.getMetaData().getColumnCount(); i++) {
        String name = rows.getMetaData().getColumnName(i);
        String value = rows.getString(i);
        boolean size = name.equals("CARDINALITY") || name.equals("PAGES");
        // The specific name of a function ends with its number.
        row.add(size || value == null ? null : value.replaceAll("_\\d{5,}$", "_N"));
      }
      // There are no tables for long values, since there are no values.
      if (!row.contains("pg_toast")) {
        all.add(row.toString());
      }
    }
    all.sort(Comparator.naturalOrder());
    return all;
  }
}
