package flexdp.gateway;

import flexdp.gateway.trino.Trino;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.trino.Cluster;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;

/** The shared suite on a Trino cluster, on tables in the memory of its workers: minutes. */
@Tag("slow")
class TrinoSuiteTest extends SharedSuite {
  TrinoSuiteTest() {
    super(new Workers());
  }

  static final class Workers extends TestDatabase {
    private String url;
    private Connection writer;

    @Override
    String word() {
      return "trino";
    }

    @Override
    void start() throws Exception {
      url = Cluster.url("memory/suite");
      writer = Cluster.connect("memory/suite");
      Cluster.execute(writer, "CREATE SCHEMA memory.suite");
    }

    @Override
    Connection writer() throws SQLException {
      return writer;
    }

    @Override
    String url() {
      return url;
    }

    @Override
    String columnType(Type type) {
      return new Trino().typeName(type);
    }

    @Override
    boolean hasKeys() {
      return false;
    }

    /** Trino converts no text to dates by itself. */
    @Override
    String insert(Table table, String statement) {
      String names =
          table.columns().stream().map(ColumnSpec::name).collect(Collectors.joining(", "));
      String values =
          table.columns().stream()
              .map(c -> "CAST(" + c.name() + " AS " + columnType(c.type()) + ")")
              .collect(Collectors.joining(", "));
      String rows = statement.substring(statement.indexOf("VALUES"));
      return "INSERT INTO "
          + table.name()
          + " SELECT "
          + values
          + " FROM ("
          + rows
          + ") AS v("
          + names
          + ")";
    }

    @Override
    public void close() {
      // The cluster serves other tests too.
    }
  }
}
