package flexdp.cli;

import flexdp.budget.Allowances;
import flexdp.gateway.FlexDp;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.plan.MechanismChoice;
import flexdp.policy.ColumnSpec;
import flexdp.policy.PrivacyUnit;
import flexdp.sql.function.FunctionCatalog;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Asks a policy's own database, as {@code ask} does. */
final class ShellLocal implements ShellSource {
  private static final BigDecimal USUAL = new BigDecimal("0.1");

  private final FlexDp flexdp;
  private final String analyst;

  ShellLocal(FlexDp flexdp, String analyst) {
    this.flexdp = flexdp;
    this.analyst = analyst;
  }

  @Override
  public List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (flexdp.policy.Table table : flexdp.policy().tables().values()) {
      List<Column> columns = new ArrayList<>();
      for (ColumnSpec column : table.columns()) {
        columns.add(new Column(column.name(), column.type().toString(), facts(table, column)));
      }
      tables.add(new Table(table.name(), about(table), columns));
    }
    return tables;
  }

  private static String about(flexdp.policy.Table table) {
    String people =
        table.units().stream()
            .filter(PrivacyUnit.Person.class::isInstance)
            .map(PrivacyUnit::name)
            .collect(Collectors.joining(", "));
    return table.isPublic() ? "public" : people.isEmpty() ? "protected" : "owned by " + people;
  }

  private static String facts(flexdp.policy.Table table, ColumnSpec column) {
    List<String> facts = new ArrayList<>();
    if (table.uniqueKeys().contains(Set.of(column.name()))) {
      facts.add("unique");
    }
    if (!column.nullable()) {
      facts.add("not null");
    }
    if (column.individual()) {
      facts.add("individual");
    }
    column.range().ifPresent(r -> facts.add("range"));
    column.domain().ifPresent(d -> facts.add(d.size() + " labels"));
    column.references().ifPresent(r -> facts.add("references " + r.table() + "." + r.column()));
    return String.join(", ", facts);
  }

  @Override
  public List<String> functions() {
    return FunctionCatalog.names();
  }

  private QueryRequest question(String sql, ShellSettings settings) {
    QueryOptions options =
        new QueryOptions(
            MechanismChoice.AUTO,
            settings.of(ShellSettings.EPSILON).map(BigDecimal::new),
            settings.of(ShellSettings.DELTA).map(BigDecimal::new),
            Optional.empty());
    QueryRequest request =
        new QueryRequest(sql, options, analyst, Set.of(), false).withIntervals(true);
    return settings
        .of(ShellSettings.WITHIN)
        .map(w -> request.within(ErrorTarget.parse(w)))
        .orElse(request);
  }

  @Override
  public String ask(String sql, ShellSettings settings) {
    AnalystView view = flexdp.ask(question(sql, settings));
    StringBuilder text = new StringBuilder(AnswerText.table(view, true));
    text.append(AnswerText.cost(view)).append('\n');
    AnswerText.notes(view).forEach(note -> text.append(note).append('\n'));
    return text.toString();
  }

  @Override
  public String explain(String sql, ShellSettings settings) {
    return ExplanationText.of(flexdp.explain(question(sql, settings)));
  }

  @Override
  public String budget() {
    StringWriter text = new StringWriter();
    PrintWriter out = new PrintWriter(text);
    BalanceText.print(
        out,
        flexdp
            .ledger()
            .standings(BudgetCommand.Show.accounts(flexdp.policy(), Allowances.of(flexdp.policy())))
            .stream()
            .filter(balance -> !BudgetCommand.Show.isOwned(flexdp.policy(), balance.account()))
            .toList(),
        flexdp.policy().privacy().epsilon().orElse(USUAL));
    out.flush();
    return text.toString();
  }

  @Override
  public void close() {
    flexdp.close();
  }
}
