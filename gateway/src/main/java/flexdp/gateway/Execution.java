package flexdp.gateway;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.gateway.database.Session;
import flexdp.gateway.sql.ReleaseStatement;
import flexdp.gateway.sql.SqlRenderer;
import flexdp.question.LabelSource;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.Rows;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Runs rendered statements in one session and reads what comes back. */
final class Execution {
  private static final int FEW_ROWS = 20_000;

  private final Session session;
  private final SqlRenderer renderer;
  private final Map<Relation, Rows> read = new HashMap<>();

  Execution(Session session, SqlRenderer renderer) {
    this.session = session;
    this.renderer = renderer;
  }

  /** The rows of a relation over public tables. */
  Rows publicRows(Relation relation) {
    Rows known = read.get(relation);
    if (known != null) {
      return known;
    }
    List<Column> columns = relation.columns();
    List<List<Object>> rows = new ArrayList<>();
    session.run(renderer.rows(relation), row -> rows.add(values(row, columns, 1)));
    Rows all = new Rows(columns, rows);
    read.put(relation, all);
    return all;
  }

  List<List<Object>> labels(LabelSource.FromPublic source) {
    Rows rows = publicRows(source.relation());
    List<Integer> places = source.columns().stream().map(c -> rows.index(c.id())).toList();
    List<List<Object>> labels = new ArrayList<>();
    for (List<Object> row : rows.rows()) {
      List<Object> label = new ArrayList<>();
      places.forEach(place -> label.add(row.get(place)));
      labels.add(label);
    }
    return labels;
  }

  /** Fills the cells of a release point. */
  void fill(ReleasePoint point, List<ReleaseStatement> statements, Histogram histogram) {
    for (ReleaseStatement statement : statements) {
      Session.RowReader reader = row -> read(point, statement, histogram, row);
      // A number that is put twice is the same number; the rows of a bucket would be added.
      boolean whole =
          statement.bucket().isEmpty() && session.runWhole(statement.sql(), FEW_ROWS, reader);
      if (!whole) {
        session.run(statement.sql(), reader);
      }
    }
  }

  private void read(
      ReleasePoint point, ReleaseStatement statement, Histogram histogram, ResultSet row)
      throws SQLException {
    int at = 1;
    long grouping = statement.hasGrouping() ? row.getLong(at++) : histogram.onlyGrouping();
    List<Object> labels = values(row, point.keys(), at);
    at += point.keys().size();
    if (statement.bucket().isPresent()) {
      BigDecimal bucket = session.number(row, at++);
      BigInteger rows = session.number(row, at).toBigIntegerExact();
      int measurement = statement.bucket().get().measurement();
      histogram.put(grouping, labels, measurement, statement.bucket().get().units(bucket), rows);
      return;
    }
    for (ReleaseStatement.Cell cell : statement.cells()) {
      BigDecimal number = session.number(row, at++);
      BigInteger units =
          cell.shift().isPresent()
              ? cell.units(number, session.number(row, at++))
              : cell.units(number);
      histogram.put(grouping, labels, cell.measurement(), units);
    }
  }

  private List<Object> values(ResultSet row, List<Column> columns, int from) throws SQLException {
    List<Object> values = new ArrayList<>(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      values.add(session.value(row, from + i, columns.get(i).type()));
    }
    return values;
  }
}
