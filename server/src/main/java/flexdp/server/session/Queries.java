package flexdp.server.session;

import flexdp.failure.Rejection;
import flexdp.gateway.AnalystView;
import flexdp.server.engine.Engine;
import flexdp.server.login.User;
import flexdp.server.sql.Statement;
import flexdp.server.types.Months;
import flexdp.server.types.PgType;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;

/** Questions of one user, put to whoever answers them. */
final class Queries {
  private final User user;
  private final Engine engine;
  private final Catalogue catalogue;
  private final Settings settings;
  private final Work work;

  Queries(User user, Engine engine, Catalogue catalogue, Settings settings, Work work) {
    this.user = user;
    this.engine = engine;
    this.catalogue = catalogue;
    this.settings = settings;
    this.work = work;
  }

  List<PgType> types(Statement.Query query, List<Optional<PgType>> declared) {
    return ParameterTypes.of(query.sql(), declared, engine.policy());
  }

  /** The columns of a query whose parameters are not known yet. */
  List<Column> columns(Statement.Query query, List<PgType> types) {
    return switch (query) {
      case Statement.Question q -> bound(q, types.stream().map(Queries::sample).toList());
      case Statement.Catalogue c ->
          work.await(() -> catalogue.find(c.tokens(), nulls(types.size()), visitor(), true))
              .columns();
    };
  }

  /** The columns of a question with these values. */
  List<Column> bound(Statement.Question question, List<Object> values) {
    Bound bound = Bound.of(question.sql(), values);
    return placed(
        question,
        bound,
        () ->
            work.await(
                () ->
                    engine.columns(bound.sql(), settings.asking(user.name())).stream()
                        .map(Column::of)
                        .toList()));
  }

  Outcome run(Statement.Query query, List<Object> values) {
    return switch (query) {
      case Statement.Question question -> ask(question, values);
      case Statement.Catalogue c -> {
        Catalogue.Found found =
            work.await(() -> catalogue.find(c.tokens(), values, visitor(), false));
        yield Outcome.rows(found.columns(), found.rows().iterator(), "SELECT %d");
      }
    };
  }

  private Outcome ask(Statement.Question question, List<Object> values) {
    Bound bound = Bound.of(question.sql(), values);
    AnalystView view =
        placed(
            question,
            bound,
            () -> work.await(() -> engine.ask(bound.sql(), settings.asking(user.name()))));
    List<Column> columns = view.columns().stream().map(Column::of).toList();
    Outcome outcome = Outcome.rows(columns, rows(view).iterator(), "SELECT %d");
    return outcome.noting(cost(view));
  }

  /** An interval of months is a bare number in an answer. */
  private static List<List<Object>> rows(AnalystView view) {
    List<Integer> months = new ArrayList<>();
    for (int i = 0; i < view.columns().size(); i++) {
      if (view.columns().get(i).column().type().kind() == flexdp.policy.Type.Kind.INTERVAL_MONTHS) {
        months.add(i);
      }
    }
    if (months.isEmpty()) {
      return view.rows();
    }
    List<List<Object>> rows = new ArrayList<>();
    for (List<Object> row : view.rows()) {
      List<Object> changed = new ArrayList<>(row);
      months.forEach(
          i -> changed.set(i, row.get(i) == null ? null : new Months((Long) row.get(i))));
      rows.add(changed);
    }
    return rows;
  }

  private static List<Map<Character, String>> cost(AnalystView view) {
    if (view.mechanism().equals("none")) {
      return List.of();
    }
    String spent =
        "spent epsilon "
            + plain(view.epsilon())
            + ", delta "
            + plain(view.delta())
            + "; mechanism "
            + view.mechanism()
            + (view.repeat() ? "; " + view.derived().orElse("a released answer given again") : "");
    return List.of(Errors.notice("NOTICE", "00000", spent));
  }

  static String plain(BigDecimal number) {
    BigDecimal stripped = number.signum() == 0 ? BigDecimal.ZERO : number.stripTrailingZeros();
    return Math.abs(stripped.scale()) > 20 ? stripped.toString() : stripped.toPlainString();
  }

  Outcome explain(Statement.Explain explain, List<Object> values) {
    return switch (explain.query()) {
      case Statement.Question question -> {
        Bound bound = Bound.of(question.sql(), values);
        yield placed(
            question,
            bound,
            () ->
                Explanations.of(
                    work.await(() -> engine.explain(bound.sql(), settings.asking(user.name()))),
                    explain.json()));
      }
      case Statement.Catalogue c -> Explanations.catalogue(explain.json());
    };
  }

  /** Gives failures the place in the text that the client sent. */
  private static <T> T placed(Statement.Question question, Bound bound, Supplier<T> work) {
    try {
      return work.get();
    } catch (Rejection e) {
      throw new Placed(e, e.at().map(at -> question.offset() + bound.original(at)));
    }
  }

  private Catalogue.Visitor visitor() {
    boolean owner = user.right() == User.Right.OWNER;
    return new Catalogue.Visitor(
        settings, user.name(), engine.name(), owner, new OwnTables(engine, user));
  }

  private static List<Object> nulls(int count) {
    return Collections.nCopies(count, null);
  }

  /** A value of the type, to find out what an answer would look like. */
  private static Object sample(PgType type) {
    return switch (type) {
      case BOOL -> true;
      case INT2, INT4, INT8, OID, NUMERIC -> BigDecimal.ONE;
      case FLOAT4, FLOAT8 -> 1.0;
      case DATE -> LocalDate.of(2000, 1, 1);
      case TIME -> LocalTime.NOON;
      case TIMESTAMP, TIMESTAMPTZ -> LocalDate.of(2000, 1, 1).atStartOfDay();
      case UUID -> new UUID(0, 0);
      case BYTEA, CHAR, NAME, TEXT, JSON, UNKNOWN, BPCHAR, VARCHAR, INTERVAL -> "a";
    };
  }
}
