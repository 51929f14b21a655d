package flexdp.bench;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * A PostgreSQL that writes through to the disk: the policy's tables, empty, to describe them, and
 * room for ledgers.
 */
final class WirePostgres implements AutoCloseable {
  private final EmbeddedPostgres server;

  private WirePostgres(EmbeddedPostgres server) {
    this.server = server;
  }

  static WirePostgres start(Path data, Policy policy) throws IOException, SQLException {
    WirePostgres postgres =
        new WirePostgres(
            EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setServerConfig("fsync", "on") // a ledger takes nothing else
                .setServerConfig("synchronous_commit", "on")
                .start());
    postgres.execute("postgres", List.of("CREATE DATABASE rides"));
    postgres.execute("rides", tables(policy));
    return postgres;
  }

  private void execute(String database, List<String> statements) throws SQLException {
    try (Connection connection = server.getDatabase("postgres", database).getConnection();
        Statement statement = connection.createStatement()) {
      for (String one : statements) {
        statement.execute(one);
      }
    }
  }

  private static List<String> tables(Policy policy) {
    List<String> statements = new ArrayList<>();
    List<String> references = new ArrayList<>();
    for (Table table : policy.tables().values()) {
      List<String> parts = new ArrayList<>();
      for (ColumnSpec column : table.columns()) {
        String type = column.type().kind() == Type.Kind.DOUBLE ? "float8" : column.type() + "";
        parts.add(column.name() + " " + type + (column.nullable() ? "" : " NOT NULL"));
        column
            .references()
            .ifPresent(
                to ->
                    references.add(
                        String.format(
                            Locale.ROOT,
                            "ALTER TABLE %s ADD FOREIGN KEY (%s) REFERENCES %s (%s)",
                            table.name(),
                            column.name(),
                            to.table(),
                            to.column())));
      }
      for (Set<String> key : table.uniqueKeys()) {
        boolean alone = key.equals(Set.of("id"));
        parts.add((alone ? "PRIMARY KEY (" : "UNIQUE (") + String.join(", ", key) + ")");
      }
      statements.add("CREATE TABLE " + table.name() + " (" + String.join(", ", parts) + ")");
    }
    statements.addAll(references);
    return statements;
  }

  int port() {
    return server.getPort();
  }

  /** The address of a new, empty ledger. */
  String ledger(String name) throws SQLException {
    execute("postgres", List.of("CREATE DATABASE " + name));
    return "jdbc:postgresql://127.0.0.1:" + port() + "/" + name + "?user=postgres";
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
