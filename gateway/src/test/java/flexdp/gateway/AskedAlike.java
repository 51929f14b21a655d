package flexdp.gateway;

import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.gateway.api.Explanation;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.database.Connectors;
import flexdp.gateway.engine.QueryEngine;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.Statement;
import java.util.stream.Collectors;

/** Tables of a policy with made-up rows, and how questions end there when explained and asked. */
final class AskedAlike {
  private static final int ROWS = 3;

  private AskedAlike() {}

  static String explained(QueryEngine engine, QueryRequest request) {
    try {
      Explanation explanation = engine.explain(request);
      boolean usable = explanation.noise().stream().allMatch(n -> n.mechanism().isPresent());
      return usable ? "answered" : "MECHANISM_UNSUITABLE";
    } catch (RuntimeException e) {
      return ending(e);
    }
  }

  static String answered(QueryEngine engine, QueryRequest request) {
    try {
      engine.ask(request);
      return "answered";
    } catch (RuntimeException e) {
      return ending(e);
    }
  }

  private static String ending(RuntimeException e) {
    return e instanceof Failure failure && !(e instanceof DatabaseError)
        ? failure.codeName()
        : "failed: " + e;
  }

  static void create(Connection connection, TestDatabase test, Policy policy) throws Exception {
    Connector connector = Connectors.of(connection);
    try (Statement statement = connection.createStatement()) {
      for (Table table : policy.tables().values()) {
        String columns =
            table.columns().stream()
                .map(
                    c ->
                        connector.quote(c.name())
                            + " "
                            + test.columnType(c.type())
                            + (c.nullable() ? "" : " NOT NULL"))
                .collect(Collectors.joining(", "));
        String keys =
            table.uniqueKeys().stream()
                .map(
                    key ->
                        key.stream()
                            .map(connector::quote)
                            .collect(Collectors.joining(", ", ", UNIQUE (", ")")))
                .collect(Collectors.joining());
        String name = connector.quote(table.name());
        statement.execute("CREATE TABLE " + name + " (" + columns + keys + ")");
        for (int row = 1; row <= ROWS; row++) {
          int number = row;
          statement.execute(
              table.columns().stream()
                  .map(c -> literal(c, number))
                  .collect(Collectors.joining(", ", "INSERT INTO " + name + " VALUES (", ")")));
        }
      }
    }
  }

  private static String literal(ColumnSpec column, int row) {
    Type type = column.type();
    return switch (type.kind()) {
      case BOOLEAN -> row % 2 == 0 ? "TRUE" : "FALSE";
      case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE -> String.valueOf(row);
      case DATE -> "'2024-01-0" + row + "'";
      case TIMESTAMP -> "'2024-01-0" + row + " 12:00:00'";
      case TIME -> "'12:00:0" + row + "'";
      case UUID -> "'00000000-0000-0000-0000-00000000000" + row + "'";
      case VARCHAR -> "'" + text(column, row) + "'";
      case OPAQUE, NULL, INTERVAL_MONTHS, INTERVAL_MICROS -> "NULL";
    };
  }

  /** One that the policy lists, if it lists any. */
  private static String text(ColumnSpec column, int row) {
    return column.domain().map(all -> String.valueOf(all.get(row % all.size()))).orElse("v" + row);
  }
}
