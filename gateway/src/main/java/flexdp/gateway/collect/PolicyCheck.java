package flexdp.gateway.collect;

import flexdp.failure.DatabaseError;
import flexdp.gateway.catalog.Connector;
import flexdp.gateway.catalog.PhysicalCatalog;
import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.StatementRunner;
import flexdp.gateway.collect.TableTotals.DeclarationCheck;
import flexdp.gateway.database.Connectors;
import flexdp.metrics.TableMetrics;
import flexdp.policy.ColumnSpec;
import flexdp.policy.OwnerPath;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

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

  /**
   * Everything that was found.
   *
   * @param owned how rows fall to people, by table and path
   * @param unenforced the declared keys that the database does not keep unique, in words
   */
  public record Found(List<Finding> findings, List<OwnedRows> owned, List<String> unenforced) {
    public Found {
      findings = List.copyOf(findings);
      unenforced = List.copyOf(unenforced);
      owned = List.copyOf(owned);
    }
  }

  private final Policy policy;
  private final List<Finding> findings = new ArrayList<>();
  private final List<OwnedRows> owned = new ArrayList<>();
  private final List<String> unenforced = new ArrayList<>();

  private PolicyCheck(Policy policy) {
    this.policy = policy;
  }

  public static List<Finding> run(Policy policy, Connection connection) {
    return whole(policy, connection).findings();
  }

  public static Found whole(Policy policy, Connection connection) {
    return whole(policy, connection, Map.of());
  }

  /**
   * Looks at declarations, and at whose the rows are.
   *
   * @param enforced what the database kept unique when it was measured
   */
  public static Found whole(
      Policy policy, Connection connection, Map<String, Set<Set<String>>> enforced) {
    PolicyCheck check = new PolicyCheck(policy);
    try {
      boolean before = connection.getAutoCommit();
      Connector connector = Connectors.of(connection);
      connector.beginSnapshot(connection);
      try {
        PhysicalCatalog catalog =
            PhysicalCatalog.of(policy, connector, connector.tables(connection, policy));
        List<String> lost = EnforcedKeys.lost(policy, enforced, catalog);
        lost.forEach(text -> check.findings.add(new Finding(true, text)));
        if (lost.isEmpty()) {
          check.unenforced.addAll(EnforcedKeys.unenforced(policy, catalog));
        }
        for (Table table : policy.tables().values()) {
          check.table(connection, connector, catalog, table);
          check.owners(connection, connector, catalog, table);
        }
        EnforcedKeys.spelt(policy, catalog)
            .forEach(text -> check.findings.add(new Finding(true, text)));
      } finally {
        connector.endSnapshot(connection);
        connection.setAutoCommit(before);
      }
    } catch (SQLException e) {
      throw DatabaseError.of("The database failed while it was being checked.", "Try again.");
    }
    return new Found(check.findings, check.owned, check.unenforced);
  }

  private void owners(
      Connection connection, Connector connector, PhysicalCatalog catalog, Table table)
      throws SQLException {
    for (OwnerPath owner : table.ownership().owners()) {
      OwnedRows rows =
          OwnedRows.measure(
              StatementRunner.over(connection),
              connector,
              catalog,
              policy,
              new OwnedRows.Path(table, owner));
      owned.add(rows);
      whoseRows(table, rows);
      for (String column : new TreeSet<>(table.ownership().sameOwner())) {
        kin(
            StatementRunner.over(connection),
            connector,
            catalog,
            new OwnedRows.Path(table, owner),
            column);
      }
      asStored(catalog, table, owner.column());
      owner.hops().forEach(hop -> asStored(catalog, named(hop.table()), hop.column()));
      owner.hops().forEach(hop -> asStored(catalog, named(hop.table()), hop.key()));
    }
  }

  /** The owner is added wherever rows meet by such a column, so that no promise rests on it. */
  private void kin(
      StatementRunner statements,
      Connector connector,
      PhysicalCatalog catalog,
      OwnedRows.Path path,
      String column)
      throws SQLException {
    long shared = OwnedRows.shared(statements, connector, catalog, policy, path, column);
    if (shared > 0) {
      note(
          path.table().name()
              + "."
              + column
              + ": "
              + shared
              + " values stand in rows of several people, though sameOwner says of one; each is"
              + " counted as several");
    }
  }

  private void whoseRows(Table table, OwnedRows rows) {
    if (rows.unowned() == 0) {
      return;
    }
    List<String> why = new ArrayList<>();
    part(why, rows.unnamed(), "NULL");
    part(why, rows.astray(), "leading nowhere");
    part(why, rows.nobodys(), "of ids that stand for nobody");
    String path = table.name() + ", " + rows.owner().kind() + ": " + rows.owner().path();
    note(
        path
            + ": "
            + rows.unowned()
            + " of "
            + rows.rows()
            + " rows name no owner ("
            + String.join(", ", why)
            + ")"
            + (table.ownership().isShared()
                ? ""
                : table.ownership().keepsUnowned()
                    ? "; each of them is a person of its own"
                    : "; they are left out of answers"));
  }

  private static void part(List<String> parts, long rows, String words) {
    if (rows > 0) {
      parts.add(rows + " " + words);
    }
  }

  private Table named(String table) {
    return policy.table(table).orElseThrow();
  }

  /** Values that have no form in the declared type are read as NULL, and so name nobody. */
  private void asStored(PhysicalCatalog catalog, Table table, String column) {
    ColumnSpec declared = table.column(column).orElseThrow();
    PhysicalColumn stored = catalog.physical(table, declared);
    String text =
        table.name()
            + "."
            + column
            + " leads to owners and is read as "
            + declared.type()
            + ", but stored as "
            + stored.typeName()
            + "; what does not fit names nobody";
    boolean known = findings.stream().anyMatch(f -> f.text().equals(text));
    if (!stored.type().equals(declared.type()) && !known) {
      note(text);
    }
  }

  private void table(
      Connection connection, Connector connector, PhysicalCatalog catalog, Table table)
      throws SQLException {
    TableTotals totals = TableTotals.measure(connection, connector, catalog, table);
    RequiredFrequencies wanted = RequiredFrequencies.declared(policy);
    TableMetrics measured =
        new TableMetrics(
            Optional.of(BigInteger.valueOf(totals.rows())),
            FrequencyPlan.of(table, wanted.of(table.name()), connector, catalog)
                .measure(StatementRunner.over(connection), totals.rows(), Progress.NONE));
    DeclarationCheck.broken(table, totals, measured, catalog)
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
      TableTotals totals,
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
        statement.setObject(i + 1, whole(present.get(i)));
      }
      try (ResultSet row = statement.executeQuery()) {
        row.next();
        if (row.getLong(1) > 0) {
          note(name + " has other values than its labels in " + row.getLong(1) + " rows");
        }
      }
    }
  }

  /** SQLite's driver sends decimals as texts, which equal no number. */
  private static Object whole(Object label) {
    return label instanceof BigDecimal number
            && number.stripTrailingZeros().scale() <= 0
            && number.toBigInteger().bitLength() < Long.SIZE
        ? (Object) number.longValueExact()
        : label;
  }

  private void note(String text) {
    findings.add(new Finding(false, text));
  }
}
