package flexdp.gateway;

import flexdp.AnalysisOptions;
import flexdp.Analyzer;
import flexdp.cells.ExactHistogram;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.StatementExecution;
import flexdp.gateway.render.SqlRenderer;
import flexdp.query.DpQuery;
import flexdp.query.NoisyAggregate;
import flexdp.release.ExactRelease;
import flexdp.release.HistogramRelease;
import flexdp.release.Interpreter;
import flexdp.release.LabelTable;
import flexdp.release.RowTable;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What would be answered if there were no noise. Only tests may know it. */
public final class ExactAnswer {
  private ExactAnswer() {}

  /** As Gateway does it, in its order, up to where noise would be added. */
  public static RowTable of(Analyzer analyzer, JdbcDatabase database, String sql) {
    DpQuery query = analyzer.plan(sql, AnalysisOptions.DEFAULT).query();
    Interpreter.check(query.top());
    query.releases().forEach(HistogramRelease::check);
    try (Session session = database.session()) {
      SqlRenderer renderer = new SqlRenderer(database.dialect(), database.catalog());
      StatementExecution execution = new StatementExecution(session, renderer);
      Map<Integer, RowTable> released = new HashMap<>();
      for (NoisyAggregate point : query.releases()) {
        List<List<Object>> labels = new LabelTable(point, execution::labels, 1000).rows();
        ExactHistogram histogram = ExactHistogram.of(point, labels);
        execution.fill(point, renderer.statements(point), histogram);
        released.put(point.id(), ExactRelease.of(point, histogram));
      }
      return new Interpreter(released, execution::publicRows).run(query.top());
    }
  }
}
