package flexdp.server.session;

import flexdp.failure.Rejection;
import flexdp.gateway.ask.AnalystView;
import flexdp.gateway.ask.Note;
import flexdp.gateway.ask.PreparedQuestion;
import flexdp.policy.Type;
import flexdp.server.engine.Asking;
import flexdp.server.engine.Engine;
import flexdp.server.login.User;
import flexdp.server.sql.Statement;
import flexdp.server.types.Months;
import flexdp.server.types.PgType;
import flexdp.sql.text.BoundText;
import flexdp.sql.text.SqlParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** Questions of one user, put to whoever answers them. */
final class UserQuestions {
  private final User user;
  private final Engine engine;
  private final AboutServer catalogue;
  private final Settings settings;
  private final Work work;

  UserQuestions(User user, Engine engine, AboutServer catalogue, Settings settings, Work work) {
    this.user = user;
    this.engine = engine;
    this.catalogue = catalogue;
    this.settings = settings;
    this.work = work;
  }

  /** What is known of a query before its parameters are. */
  record Described(List<PgType> types, List<WireColumn> columns) {}

  /**
   * @param declared types by the client; none where it left the choice to us
   */
  Described describe(Statement.Query query, List<Optional<PgType>> declared) {
    return switch (query) {
      case Statement.Question question -> described(question, declared);
      case Statement.Catalogue c -> {
        List<PgType> types = CatalogueParameters.of(c.tokens(), declared);
        yield new Described(
            types,
            work.look(
                    settings.timeout(),
                    stop -> catalogue.find(c.tokens(), nulls(types.size()), visitor(), true, stop))
                .columns());
      }
    };
  }

  private Described described(Statement.Question question, List<Optional<PgType>> declared) {
    Map<String, Type> known = new HashMap<>();
    for (int i = 0; i < declared.size(); i++) {
      String number = String.valueOf(i + 1);
      if (declared.get(i).flatMap(PgType::element).isPresent()) {
        throw SqlError.of(
            "0A000",
            "Parameter $" + number + " is an array, which questions about data do not take.",
            "Write IN ($1, $2, $3) with a parameter for each value.");
      }
      declared.get(i).ifPresent(type -> known.put(number, type.known()));
    }
    PreparedQuestion prepared =
        placed(
            question,
            () -> {
              requireNumbers(question, Integer.MAX_VALUE);
              return work.await(
                  settings.timeout(),
                  () -> engine.prepare(question.sql(), known, settings.asking(user.name())));
            });
    List<PgType> types = new ArrayList<>();
    for (int i = 0; i < Math.max(declared.size(), prepared.parameters().size()); i++) {
      Optional<PgType> said = i < declared.size() ? declared.get(i) : Optional.empty();
      Type wanted =
          i < prepared.parameters().size() ? prepared.parameters().get(i).type() : Type.VARCHAR;
      types.add(said.orElse(PgType.wanted(wanted)));
    }
    return new Described(types, prepared.columns().stream().map(WireColumn::of).toList());
  }

  /** The protocol numbers parameters, and every one that stands in the text has a value. */
  private void requireNumbers(Statement.Question question, int values) {
    SqlParameters parameters = SqlParameters.of(question.sql(), engine.policy().dialect());
    for (SqlParameters.Place place : parameters.places()) {
      int at = question.offset() + place.from();
      if (!place.isNumbered()) {
        throw SqlError.at(
            at, "42601", "Parameters have no names here.", "Number them, as in $1, from $1.");
      }
      if (Integer.parseInt(place.name()) > values) {
        throw SqlError.at(at, "42P02", "there is no parameter $" + place.name(), "");
      }
    }
  }

  /** The columns of a question with these values. */
  List<WireColumn> bound(Statement.Question question, List<Object> values) {
    return with(question, values, engine::columns).stream().map(WireColumn::of).toList();
  }

  /** Something that is done with a question. */
  private interface Deed<T> {
    T of(String sql, List<Object> values, Asking asking);
  }

  private <T> T with(Statement.Question question, List<Object> values, Deed<T> deed) {
    return placed(
        question,
        () -> {
          requireNumbers(question, values.size());
          return work.await(
              settings.timeout(),
              () -> deed.of(question.sql(), values, settings.asking(user.name())));
        });
  }

  Completion run(Statement.Query query, List<Object> values) {
    return switch (query) {
      case Statement.Question question -> ask(question, values);
      case Statement.Catalogue c -> {
        AboutServer.Found found =
            work.look(
                settings.timeout(),
                stop -> catalogue.find(c.tokens(), values, visitor(), false, stop));
        yield Completion.rows(found.columns(), found.rows(), "SELECT %d");
      }
    };
  }

  private Completion ask(Statement.Question question, List<Object> values) {
    AnalystView view =
        placed(
            question,
            () -> {
              requireNumbers(question, values.size());
              return work.await(
                  settings.timeout(),
                  stop -> engine.ask(question.sql(), values, settings.asking(user.name()), stop));
            });
    List<WireColumn> columns = view.columns().stream().map(WireColumn::of).toList();
    Completion outcome = Completion.rows(columns, rows(view), "SELECT %d");
    return outcome.noting(cost(view));
  }

  /** An interval of months is a bare number in an answer. */
  private static List<List<Object>> rows(AnalystView view) {
    List<Integer> months = new ArrayList<>();
    for (int i = 0; i < view.columns().size(); i++) {
      if (view.columns().get(i).column().type().kind() == Type.Kind.INTERVAL_MONTHS) {
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

  /** What it cost, and what should be known beside its numbers. */
  private static List<Map<Character, String>> cost(AnalystView view) {
    List<Map<Character, String>> notices = new ArrayList<>();
    if (!view.mechanism().equals("none")) {
      notices.add(ErrorFields.notice("NOTICE", "00000", view.spent().words()));
    }
    for (Note note : view.notes()) {
      boolean warns = note.code() == Note.Code.WILL_BE_NOISE;
      notices.add(
          warns
              ? ErrorFields.notice("WARNING", "01000", note.text())
              : ErrorFields.notice("NOTICE", "00000", note.line()));
    }
    return notices;
  }

  Completion explain(Statement.Explain explain, List<Object> values) {
    return switch (explain.query()) {
      case Statement.Question question ->
          Explanations.of(with(question, values, engine::explain), explain.json());
      case Statement.Catalogue c -> Explanations.catalogue(explain.json());
    };
  }

  /** Gives failures the place in the text that the client sent. */
  private static <T> T placed(Statement.Question question, Supplier<T> work) {
    try {
      return work.get();
    } catch (Rejection e) {
      throw new Placed(
          e, e.at().map(at -> question.offset() + BoundText.offset(question.sql(), at)));
    }
  }

  private AboutServer.Visitor visitor() {
    boolean owner = user.right() == User.Right.OWNER;
    return new AboutServer.Visitor(
        settings, user.name(), engine.name(), owner, new OwnTables(engine, user));
  }

  private static List<Object> nulls(int count) {
    return Collections.nCopies(count, null);
  }
}
