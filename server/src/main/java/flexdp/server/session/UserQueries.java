package flexdp.server.session;

import flexdp.failure.Rejection;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Note;
import flexdp.gateway.api.ParameterizedQuery;
import flexdp.policy.Type;
import flexdp.server.engine.Engine;
import flexdp.server.engine.QuerySettings;
import flexdp.server.login.User;
import flexdp.server.sql.Statement;
import flexdp.server.sql.Token;
import flexdp.server.types.Months;
import flexdp.server.types.PgType;
import flexdp.sql.parse.ParameterSubstitution;
import flexdp.sql.parse.SqlParameters;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/** Questions of one user, put to whoever answers them. */
final class UserQueries {
  private final User user;
  private final Engine engine;
  private final ServerFacts catalogue;
  private final SessionSettings settings;
  private final CancellableWork work;

  UserQueries(
      User user,
      Engine engine,
      ServerFacts catalogue,
      SessionSettings settings,
      CancellableWork work) {
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
        List<PgType> types = CatalogParameters.of(c.tokens(), declared);
        yield new Described(
            types,
            work.look(
                    settings.timeout(),
                    cancellation ->
                        catalogue.find(
                            c.tokens(), nulls(types.size()), visitor(), true, cancellation))
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
    ParameterizedQuery prepared =
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
    T of(String sql, List<Object> values, QuerySettings querySettings);
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
        ServerFacts.Found found =
            work.look(
                settings.timeout(),
                cancellation -> catalogue.find(c.tokens(), values, visitor(), false, cancellation));
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
                  cancellation ->
                      engine.ask(
                          question.sql(), values, settings.asking(user.name()), cancellation));
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
      throw new LocatedFailure(
          e,
          e.at().map(at -> question.offset() + ParameterSubstitution.offset(question.sql(), at)));
    }
  }

  private ServerFacts.Visitor visitor() {
    boolean owner = user.right() == User.Right.OWNER;
    return new ServerFacts.Visitor(
        settings, user.name(), engine.name(), owner, new OwnTables(engine, user));
  }

  private static List<Object> nulls(int count) {
    return Collections.nCopies(count, null);
  }

  /**
   * The types of parameters in queries of the catalogue: from a cast, from the clause, or from a
   * column that holds numbers of objects. Otherwise it is text.
   */
  static final class CatalogParameters {
    private static final Set<String> COMPARISONS = Set.of("=", "<>", "!=", "<", ">", "<=", ">=");
    private static final Set<String> COUNTS = Set.of("limit", "offset", "first", "next");
    private static final int MOST = 65_535;

    private final List<Token> tokens;

    /** A parameter whose list was looked at, and where that begins: a list is read once. */
    private int listed = -1;

    private int first = -1;

    private CatalogParameters(List<Token> tokens) {
      this.tokens = tokens;
    }

    /**
     * @param declared by the client; none where it left the choice to us
     */
    static List<PgType> of(List<Token> tokens, List<Optional<PgType>> declared) {
      return new CatalogParameters(tokens).all(declared);
    }

    private List<PgType> all(List<Optional<PgType>> declared) {
      List<Optional<PgType>> types = new ArrayList<>(declared);
      for (int i = 0; i < tokens.size(); i++) {
        if (tokens.get(i).kind() != Token.Kind.PARAMETER) {
          continue;
        }
        String digits = tokens.get(i).text();
        int number = digits.length() > 5 ? 0 : Integer.parseInt(digits);
        if (number < 1 || number > MOST) {
          String shown = digits.length() > 5 ? "…" : digits;
          throw SqlError.at(tokens.get(i).from(), "42P02", "there is no parameter $" + shown, "");
        }
        while (types.size() < number) {
          types.add(Optional.empty());
        }
        if (types.get(number - 1).isEmpty()) {
          types.set(number - 1, at(i));
        }
      }
      return types.stream().map(t -> t.orElse(PgType.TEXT)).toList();
    }

    private Optional<PgType> at(int i) {
      if (symbol(i + 1, "::") || word(i + 1, "as")) {
        return cast(i + 2);
      }
      if (i > 0 && COUNTS.stream().anyMatch(tokens.get(i - 1)::is)) {
        return Optional.of(PgType.INT8);
      }
      int start = i;
      while (start != listed && (symbol(start - 1, ",") || parameter(start - 1))) {
        start--;
      }
      start = start == listed ? first : start;
      listed = i;
      first = start;
      if (symbol(start - 1, "(") && word(start - 2, "in")) {
        return column(word(start - 3, "not") ? start - 4 : start - 3);
      }
      if (symbol(i - 1, "(") && (word(i - 2, "any") || word(i - 2, "all")) && comparison(i - 3)) {
        return PgType.of(column(i - 4).orElse(PgType.TEXT).array());
      }
      if (comparison(i - 1)) {
        return column(i - 2);
      }
      int after = i + 2;
      while (symbol(after + 1, ".")) {
        after += 2;
      }
      return comparison(i + 1) ? column(after) : Optional.empty();
    }

    private Optional<PgType> cast(int i) {
      int from = word(i, "pg_catalog") && symbol(i + 1, ".") ? i + 2 : i;
      if (from >= tokens.size()) {
        return Optional.empty();
      }
      String two = from + 1 < tokens.size() ? " " + tokens.get(from + 1).text() : "";
      String name = tokens.get(from).text();
      // In quotes, or with its schema, it is the type of one byte.
      boolean byteLong =
          name.equals("char") && (from > i || tokens.get(i).kind() == Token.Kind.QUOTED);
      return switch (name) {
        case "regclass", "regtype", "regproc", "regnamespace" -> Optional.of(PgType.TEXT);
        default -> {
          Optional<PgType> one =
              byteLong
                  ? Optional.of(PgType.CHAR)
                  : PgType.named(name + two).or(() -> PgType.named(name));
          boolean many = symbol(from + 1, "[") && symbol(from + 2, "]");
          yield many ? one.flatMap(t -> PgType.of(t.array())) : one;
        }
      };
    }

    private Optional<PgType> column(int i) {
      if (i < 0 || i >= tokens.size() || !tokens.get(i).isName()) {
        return Optional.empty();
      }
      String name = tokens.get(i).text();
      return name.equals("oid") || name.endsWith("relid") || name.endsWith("namespace")
          ? Optional.of(PgType.OID)
          : Optional.empty();
    }

    private boolean comparison(int i) {
      return i >= 0
          && i < tokens.size()
          && tokens.get(i).kind() == Token.Kind.SYMBOL
          && COMPARISONS.contains(tokens.get(i).text());
    }

    private boolean parameter(int i) {
      return i >= 0 && tokens.get(i).kind() == Token.Kind.PARAMETER;
    }

    private boolean word(int i, String word) {
      return i >= 0 && i < tokens.size() && tokens.get(i).is(word);
    }

    private boolean symbol(int i, String symbol) {
      return i >= 0 && i < tokens.size() && tokens.get(i).isSymbol(symbol);
    }
  }
}
