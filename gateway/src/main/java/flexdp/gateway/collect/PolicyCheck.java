package flexdp.gateway.collect;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.Statements;
import flexdp.gateway.catalog.Vendor;
import flexdp.gateway.database.Vendors;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Compares what a policy declares with the data, for the owner. A key, cap or NOT NULL that does
 * not hold breaks the guarantee; a range or domain that does not only changes answers.
 */
public final class PolicyCheck {
  /**
   * Something that is not as declared.
   *
   * @param breaksGuarantee whether answers would be less private than promised
   */
  public record Finding(boolean breaksGuarantee, String text) {}

  private final Policy policy;
  private final List<Finding> findings = new ArrayList<>();

  private PolicyCheck(Policy policy) {
    this.policy = policy;
  }

  public static List<Finding> run(Policy policy, Connection connection) {
    PolicyCheck check = new PolicyCheck(policy);
    try {
      boolean before = connection.getAutoCommit();
      Vendor vendor = Vendors.of(connection);
      vendor.beginSnapshot(connection);
      try {
        PhysicalCatalog catalog = PhysicalCatalog.of(policy, vendor, vendor.tables(connection));
        for (Table table : policy.tables().values()) {
          check.table(connection, vendor, catalog, table);
        }
      } finally {
        vendor.endSnapshot(connection);
        connection.setAutoCommit(before);
      }
    } catch (SQLException e) {
      throw DatabaseError.of("The database failed while it was being checked.", "Try again.");
    }
    return List.copyOf(check.findings);
  }

  private void table(Connection connection, Vendor vendor, PhysicalCatalog catalog, Table table)
      throws SQLException {
    Totals totals = Totals.measure(connection, vendor, catalog, table);
    Wanted wanted = Wanted.declared(policy);
    TableMetrics measured =
        new TableMetrics(
            Optional.of(BigInteger.valueOf(totals.rows())),
            FrequencyPlan.of(table, wanted.of(table.name()), vendor, catalog)
                .measure(Statements.over(connection), totals.rows(), Progress.NONE));
    Declarations.broken(table, totals, measured, catalog)
        .forEach(text -> findings.add(new Finding(true, text)));
    for (ColumnSpec column : table.columns()) {
      String name = table.name() + "." + column.name();
      Range seen = totals.ranges().get(column.name());
      if (seen != null && column.range().map(r -> isOutside(seen, r)).orElse(false)) {
        note(name + " has values outside of its range; they are clamped");
      }
      if (!column.nullable()
          && totals.nulls(column.name()) > 0
          && catalog.physical(table, column).filled()) {
        note(name + " has values that are read as NULL; rows with them may be left out");
      }
      if (column.domain().isPresent()) {
        domain(connection, catalog, table, column, totals, name);
      }
    }
  }

  private static boolean isOutside(Range seen, Range declared) {
    return seen.low().compareTo(declared.low()) < 0 || seen.high().compareTo(declared.high()) > 0;
  }

  private void domain(
      Connection connection,
      PhysicalCatalog catalog,
      Table table,
      ColumnSpec column,
      Totals totals,
      String name)
      throws SQLException {
    List<Object> labels = column.domain().orElseThrow();
    List<Object> present = labels.stream().filter(Objects::nonNull).toList();
    if (!labels.contains(null) && totals.nulls(column.name()) > 0) {
      note(name + " is NULL in " + totals.nulls(column.name()) + " rows, which no label shows");
    }
    if (present.isEmpty()) {
      return;
    }
    String marks = String.join(", ", Collections.nCopies(present.size(), "?"));
    String value = catalog.column(table, column);
    String sql =
        "SELECT COUNT(*) FROM "
            + catalog.table(table)
            + " WHERE "
            + value
            + " NOT IN ("
            + marks
            + ")";
    try (PreparedStatement statement = connection.prepareStatement(sql)) {
      for (int i = 0; i < present.size(); i++) {
        statement.setObject(i + 1, present.get(i));
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (row.getLong(1) > 0) {
          note(name + " has other values than its labels in " + row.getLong(1) + " rows");
        }
      }
    }
  }

  private void note(String text) {
    findings.add(new Finding(false, text));
  }
}
