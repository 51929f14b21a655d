package flexdp.server.session;

import flexdp.budget.Allowance;
import flexdp.gateway.ledger.Balance;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy.BudgetWindow;
import flexdp.policy.Table;
import flexdp.server.engine.Charge;
import flexdp.server.engine.Engine;
import flexdp.server.login.User;
import flexdp.server.types.PgText;
import flexdp.server.types.PgType;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * The tables of the schema flexdp: what is left, what was asked, which labels columns have. None of
 * them depends on the data. An analyst sees their own questions, an owner everybody's.
 */
final class OwnTables implements ServerFacts.OwnTables {
  private final Engine engine;
  private final User user;

  OwnTables(Engine engine, User user) {
    this.engine = engine;
    this.user = user;
  }

  @Override
  public List<List<Object>> rows(String table) {
    return switch (table) {
      case "budget" -> engine.budget(user.name()).stream().map(OwnTables::standing).toList();
      case "history" ->
          engine
              .history(
                  user.right() == User.Right.OWNER ? Optional.empty() : Optional.of(user.name()))
              .stream()
              .map(OwnTables::charge)
              .toList();
      case "labels" -> labels();
      default -> throw new IllegalArgumentException(table);
    };
  }

  private static List<Object> standing(Balance balance) {
    Optional<Allowance> allowance = balance.allowance();
    return Arrays.asList(
        balance.account().toString(),
        balance.epsilonSpent(),
        allowance.map(Allowance::epsilon).orElse(null),
        balance.epsilonLeft().orElse(null),
        balance.deltaSpent(),
        allowance.map(Allowance::delta).orElse(null),
        balance.deltaLeft().orElse(null),
        allowance.map(a -> a.composition().name().toLowerCase(Locale.ROOT)).orElse(null),
        allowance.flatMap(Allowance::window).map(BudgetWindow::words).orElse(null),
        balance.comesBack().map(OwnTables::moment).orElse(null),
        balance.largestNext().orElse(null));
  }

  private static LocalDateTime moment(Instant at) {
    return LocalDateTime.ofInstant(at, ZoneOffset.UTC);
  }

  private static List<Object> charge(Charge charge) {
    return Arrays.asList(
        moment(charge.at()),
        charge.analyst(),
        charge.query(),
        String.join(", ", charge.tables().stream().sorted().toList()),
        charge.mechanism(),
        charge.epsilon(),
        charge.delta(),
        charge.outcome());
  }

  private List<List<Object>> labels() {
    List<List<Object>> rows = new ArrayList<>();
    for (Table table : engine.policy().tables().values()) {
      for (ColumnSpec column : table.columns()) {
        for (Object label : column.domain().orElse(List.of())) {
          String text = label == null ? null : PgText.of(label, PgType.of(column.type()));
          rows.add(Arrays.asList(table.name(), column.name(), text));
        }
      }
    }
    return rows;
  }
}
