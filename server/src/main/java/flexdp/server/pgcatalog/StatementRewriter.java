package flexdp.server.pgcatalog;

import flexdp.server.session.SessionSettings;
import flexdp.server.session.SqlError;
import flexdp.server.sql.Token;
import flexdp.server.sql.Token.Kind;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes a client's statement about the catalogue as DuckDB reads it: PostgreSQL's schemas under
 * other names, its functions as macros, its types as those that DuckDB has. It works on tokens;
 * every string and name is quoted anew.
 */
final class StatementRewriter {
  private static final Set<String> FUNCTIONS = CatalogMacros.names();

  /** One value may be named ten thousand times. */
  private static final long LONGEST = 200_000;

  /** Functions that DuckDB has under another name. */
  private static final Map<String, String> RENAMED =
      Map.of(
          "json_build_object", "json_object",
          "jsonb_build_object", "json_object",
          "json_agg", "json_group_array",
          "jsonb_agg", "json_group_array");

  /** Functions that take an object by its number, where PostgreSQL would take its name as well. */
  private static final Pattern TAKES_NUMBERS =
      Pattern.compile("pg_.*|has_.*|obj_description|col_description");

  /** Arrays of these columns begin at zero. */
  private static final Set<String> VECTORS =
      Set.of("indkey", "indclass", "indoption", "indcollation", "proargtypes", "tgattr");

  /** Columns that hold functions by their numbers and show their names. */
  private static final Set<String> FUNCTION_COLUMNS =
      Set.of("typinput", "typoutput", "typreceive", "typsend", "typmodin", "typmodout");

  private static final Set<String> INTEGERS = Set.of("SMALLINT", "INTEGER", "BIGINT");

  private final List<Token> in = new ArrayList<>();
  private final TokenList near = new TokenList(in);
  private final Optional<ConnectionSettings> settings;
  private final RewrittenText out = new RewrittenText();

  /** What the open parentheses belong to. */
  private final List<String> calls = new ArrayList<>();

  /**
   * @param settings of the connection; set_config changes them
   */
  StatementRewriter(List<Token> tokens, List<Object> values, ConnectionSettings settings) {
    this(tokens, values, Optional.of(settings));
    int depth = 0;
    for (Token token : in) {
      depth += token.isSymbol("(") ? 1 : token.isSymbol(")") ? -1 : 0;
      if (depth < 0) {
        throw unreadable(token);
      }
      String plain = token.text().toLowerCase(Locale.ROOT);
      if (token.isName() && (plain.startsWith("fdx_") || plain.equals("getvariable"))) {
        String name = StatementAllowList.shortened(token.text());
        throw SqlError.at(token.from(), "42883", "\"" + name + "\" does not exist", "");
      }
    }
    if (depth > 0) {
      throw unreadable(in.getLast());
    }
  }

  private StatementRewriter(
      List<Token> tokens, List<Object> values, Optional<ConnectionSettings> settings) {
    this.settings = settings;
    long length = 0;
    for (Token token : CatalogCasts.shortened(tokens)) {
      Token put = token.kind() == Kind.PARAMETER ? value(token, values) : token;
      length += put.text().length();
      if (length > LONGEST) {
        throw SqlError.of("54001", "The statement is too long with its values.");
      }
      in.add(put);
    }
  }

  /** The definition of one of PostgreSQL's own views. */
  static String view(List<Token> tokens) {
    return new StatementRewriter(tokens, List.of(), Optional.empty()).sql();
  }

  private static Token value(Token token, List<Object> values) {
    int number = token.text().length() > 5 ? 0 : Integer.parseInt(token.text());
    if (number < 1 || number > values.size()) {
      throw SqlError.at(token.from(), "42P02", "there is no parameter $" + number, "");
    }
    return switch (values.get(number - 1)) {
      case null -> new Token(Kind.WORD, "null", token.from(), token.to());
      case BigDecimal d when d.signum() >= 0 ->
          new Token(Kind.NUMBER, d.toPlainString(), token.from(), token.to());
      case Boolean b -> new Token(Kind.WORD, b.toString(), token.from(), token.to());
      case Object other -> new Token(Kind.STRING, other.toString(), token.from(), token.to());
    };
  }

  String sql() {
    for (int i = 0; i < in.size(); ) {
      i = in.get(i).isName() ? name(i) : other(i);
    }
    return out.toString();
  }

  /** Takes the token at a place, which is no name, and gives the place of the next one. */
  private int other(int i) {
    Token token = in.get(i);
    if (token.isSymbol("::")) {
      return cast(i);
    }
    boolean any = token.isSymbol("=") && near.word(i + 1, "any");
    boolean none = token.isSymbol("<>") && near.word(i + 1, "all");
    if ((any || none) && near.symbol(i + 2, "(") && !near.word(i + 3, "select")) {
      return element(i, any);
    }
    if (token.isSymbol("(")) {
      calls.add(i > 0 && in.get(i - 1).isName() ? in.get(i - 1).text() : "");
    } else if (token.isSymbol(")") && !calls.isEmpty()) {
      calls.removeLast();
    }
    if (token.kind() == Kind.SYMBOL && token.text().contains("~") && !token.text().contains("~~")) {
      return PatternMatching.match(in, i, out);
    }
    if (token.kind() == Kind.STRING
        && token.text().startsWith("{")
        && (near.word(i - 2, "any") || near.word(i - 2, "all"))
        && !near.symbol(i + 1, "::")) {
      out.raw(RewrittenText.quoted(DuckTypes.list(token.text(), "text[]")) + "::VARCHAR[]");
      return i + 1;
    }
    if (token.isSymbol("/") && near.symbol(i - 2, "::") && isWhole(i)) {
      out.raw("//"); // whole numbers have whole quotients
      return i + 1;
    }
    if (token.isSymbol("[") && i > 0 && VECTORS.contains(in.get(i - 1).text())) {
      out.raw("[1+");
      return i + 1;
    }
    out.add(token);
    return i + 1;
  }

  /** Whether a division has a whole number of a whole type on each side. */
  private boolean isWhole(int i) {
    return INTEGERS.contains(TypeName.at(in, i - 1).duck())
        && i + 1 < in.size()
        && in.get(i + 1).kind() == Kind.NUMBER
        && in.get(i + 1).text().matches("[0-9]+");
  }

  private int name(int i) {
    Token token = in.get(i);
    if (token.is("operator") && near.symbol(i + 1, "(")) {
      int close = near.closing(i + 1);
      if (!near.symbol(close, ")") || close < i + 3) {
        throw unreadable(token);
      }
      in.subList(i, close + 1).set(0, in.get(close - 1));
      in.subList(i + 1, close + 1).clear();
      return i;
    }
    if (token.is("collate")) {
      return near.symbol(i + 2, ".") ? i + 4 : i + 2;
    }
    if (token.is("like") || token.is("ilike")) {
      return PatternMatching.like(in, i, out);
    }
    if (near.symbol(i + 1, ".") && i + 2 < in.size()) {
      Optional<Integer> next = qualified(i);
      if (next.isPresent()) {
        return next.get();
      }
    }
    boolean part = near.symbol(i - 1, ".");
    if (!part && near.symbol(i + 1, "(")) {
      return function(i);
    }
    if (token.is("reloptions") && near.symbol(i + 1, "||")) {
      out.add(token);
      out.wrap(out.operand(), "coalesce(", ", [])"); // nothing and a list are the list
      return i + 1;
    }
    if (near.symbol(i + 1, ".") && near.word(i + 2, "tableoid")) {
      out.raw("pgc.fdx_to_regclass(" + RewrittenText.quoted(near.relation(token.text())) + ")");
      return i + 3;
    }
    Optional<String> session = part ? Optional.empty() : session(token);
    if (session.isPresent()) {
      out.raw(session.get());
    } else {
      out.add(token);
    }
    return i + 1;
  }

  /** Words that stand for something of the session. */
  private static Optional<String> session(Token token) {
    if (token.kind() != Kind.WORD) {
      return Optional.empty();
    }
    return switch (token.text()) {
      case "current_user", "session_user", "current_role", "user" ->
          Optional.of("getvariable('fdx_user')");
      case "current_catalog" -> Optional.of("getvariable('fdx_database')");
      case "current_schema" -> Optional.of("'public'");
      default -> Optional.empty();
    };
  }

  private Optional<Integer> qualified(int i) {
    String schema = in.get(i).text();
    if (near.symbol(i - 1, ".")) {
      return Optional.empty();
    }
    switch (schema) {
      case "flexdp" -> {
        out.raw("temp.main.fdx_" + SessionVariables.required(in.get(i + 2)));
        return Optional.of(i + 3);
      }
      case "pg_catalog", "information_schema" -> {
        if (near.symbol(i + 3, "(")) {
          return Optional.of(function(i + 2));
        }
        out.raw((schema.equals("pg_catalog") ? "pgc." : "pgi.") + plain(in.get(i + 2)));
        return Optional.of(i + 3);
      }
      default -> {
        return Optional.empty();
      }
    }
  }

  private static String plain(Token name) {
    return '"' + name.text().replace("\"", "\"\"") + '"';
  }

  /** A call whose name stands at a place. */
  private int function(int i) {
    String name = in.get(i).text();
    Optional<Integer> known = sessionFunction(name, i);
    if (known.isPresent()) {
      return known.get();
    }
    if (name.equals("_pg_truetypid") || name.equals("_pg_truetypmod")) {
      boolean id = name.endsWith("id");
      out.raw("(CASE WHEN t.typtype = 'd' THEN t." + (id ? "typbasetype" : "typtypmod"));
      out.raw("ELSE a." + (id ? "atttypid" : "atttypmod") + " END)");
      return i + 10;
    }
    if (name.equals("pg_partition_ancestors")) {
      return ancestors(i);
    }
    if (Set.of("generate_series", "unnest").contains(name)) {
      near.named(i);
    }
    int close = near.closing(i + 1);
    if (name.equals("generate_series") && near.clause(i).equals("select")) {
      out.raw("unnest("); // a row for each, and not a list
      out.raw(name);
      rest(i + 1, close + 1);
      out.raw(")");
      return close + 1;
    }
    if (name.equals("string_to_array") && near.clause(i).equals("from")) {
      int alias = near.word(close + 1, "as") ? close + 2 : close + 1;
      if (alias < in.size() && in.get(alias).isName()) {
        out.raw("(SELECT " + name);
        rest(i + 1, close + 1);
        out.raw("AS " + plain(in.get(alias)) + ") AS " + plain(in.get(alias)));
        return alias + 1;
      }
    }
    if (name.equals("generate_subscripts") && VECTORS.contains(vector(i + 2))) {
      out.raw("-1 +");
    }
    if (RENAMED.containsKey(name)) {
      out.raw(RENAMED.get(name));
    } else if (FUNCTIONS.contains(name)) {
      out.raw("pgc.fdx_" + name);
    } else {
      out.add(in.get(i));
    }
    return i + 1;
  }

  /** Writes what stands between two places. */
  private void rest(int from, int to) {
    for (int k = from; k < to; ) {
      k = in.get(k).isName() ? name(k) : other(k);
    }
  }

  /** The name of the column that is the first argument of a call. */
  private String vector(int from) {
    int at = from;
    while (near.symbol(at + 1, ".")) {
      at += 2;
    }
    return near.symbol(at + 1, ",") ? in.get(at).text() : "";
  }

  /** Whether a value is in a list; DuckDB makes a subquery of ANY, which it takes in few places. */
  private int element(int i, boolean any) {
    int close = near.closing(i + 2);
    int start = out.operand();
    out.wrap(start, "", "");
    String value = out.removeLast();
    out.raw(any ? "list_contains(" : "NOT list_contains(");
    rest(i + 3, close);
    out.raw(", " + value + ")");
    return close + 1;
  }

  /** No table of a policy is a part of another. */
  private int ancestors(int i) {
    int close = near.closing(i + 1);
    out.raw("unnest(list_slice([CAST(");
    rest(i + 2, close);
    out.raw("AS UINTEGER)], 2, 1))");
    return close + 1;
  }

  private Optional<Integer> sessionFunction(String name, int i) {
    Optional<List<String>> constants = near.constants(i + 1);
    switch (name) {
      case "version" -> session(i, RewrittenText.quoted("PostgreSQL " + SessionSettings.VERSION));
      case "current_database" -> session(i, "getvariable('fdx_database')");
      case "current_schema" -> session(i, "'public'");
      case "current_setting" -> {
        return constants.filter(c -> settings.isPresent()).map(c -> setting(i, c));
      }
      case "set_config" -> {
        if (settings.filter(ConnectionSettings::isDescribed).isPresent()
            && near.symbol(i + 7, ")")) {
          out.raw("CAST(NULL AS VARCHAR)");
          return Optional.of(i + 8);
        }
        if (constants.isEmpty() || constants.get().size() != 3 || settings.isEmpty()) {
          return Optional.empty();
        }
        List<String> given = constants.get();
        settings.get().set(given.get(0), given.get(1));
        out.raw(RewrittenText.quoted(given.get(1)));
        return Optional.of(i + 8);
      }
      default -> {
        return Optional.empty();
      }
    }
    return Optional.of(i + 3);
  }

  /** What stands in FROM is a table with one row. */
  private void session(int i, String value) {
    boolean from = near.word(i - 1, "from") || near.symbol(i - 1, ".") && near.word(i - 3, "from");
    String name = plain(in.get(i));
    out.raw(from ? "(SELECT " + value + " AS " + name + ") AS " + name : value);
  }

  private int setting(int i, List<String> constants) {
    Optional<String> value = settings.orElseThrow().value(constants.getFirst());
    boolean lenient = constants.size() > 1 && constants.get(1).startsWith("t");
    if (value.isEmpty() && !lenient) {
      throw SqlError.at(
          in.get(i).from(),
          "42704",
          "unrecognized configuration parameter \"" + constants.getFirst() + "\"",
          "");
    }
    out.raw(value.map(RewrittenText::quoted).orElse("NULL"));
    return i + 2 + constants.size() * 2;
  }

  /** A cast behind its operand. */
  private int cast(int i) {
    TypeName type = TypeName.at(in, i + 1);
    boolean literal = in.get(i - 1).kind() == Kind.STRING;
    if (type.isObject()) {
      boolean toText = near.symbol(type.next(), "::") && isText(TypeName.at(in, type.next() + 1));
      boolean argument = !calls.isEmpty() && TAKES_NUMBERS.matcher(calls.getLast()).matches();
      boolean toId = near.symbol(type.next(), "::") && !toText || argument && !toText;
      String kind = type.name();
      int start = out.operand();
      if (out.isText(start)) {
        out.wrap(start, "pgc.fdx_to_" + kind + "(", ")");
        if (toText) {
          out.wrap(start, "pgc.fdx_" + kind + "_name(", ")");
        }
      } else if (!toId) {
        out.wrap(start, "pgc.fdx_" + kind + "_name(", ")");
      }
      return type.next();
    }
    if (isText(type) && VECTORS.contains(in.get(i - 1).text())) {
      out.wrap(out.operand(), "array_to_string(", ", ' ')");
      return type.next();
    }
    if (isText(type) && FUNCTION_COLUMNS.contains(in.get(i - 1).text())) {
      out.wrap(out.operand(), "pgc.fdx_regproc_name(", ")");
      return type.next();
    }
    if (isText(type) && out.isArray(out.operand())) {
      out.wrap(out.operand(), "('{' || array_to_string(", ", ',') || '}')");
      return type.next();
    }
    if (literal && type.duck().endsWith("[]") && in.get(i - 1).text().startsWith("{")) {
      out.replaceLast(RewrittenText.quoted(DuckTypes.list(in.get(i - 1).text(), "text[]")));
    }
    out.raw("::");
    out.raw(type.duck());
    return type.next();
  }

  private static SqlError unreadable(Token token) {
    return SqlError.at(token.from(), "42601", "This is not SQL that the catalogue can read.", "");
  }

  private static boolean isText(TypeName type) {
    return type.duck().equals("VARCHAR");
  }

  /**
   * Matching: PostgreSQL's ~ looks anywhere in a text where DuckDB's wants the whole of it, and
   * LIKE has a backslash to escape with.
   */
  static final class PatternMatching {
    private PatternMatching() {}

    /** An operator with a tilde at a place; gives the place behind what was written. */
    static int match(List<Token> in, int i, RewrittenText out) {
      String operator = in.get(i).text();
      boolean not = operator.startsWith("!");
      boolean anyCase = operator.endsWith("*");
      boolean literal = i + 1 < in.size() && in.get(i + 1).kind() == Token.Kind.STRING;
      out.raw(not ? "!~" : "~");
      if (!literal) {
        return i + 1;
      }
      String pattern = in.get(i + 1).text();
      String open = pattern.startsWith("^") ? "" : ".*";
      String close = pattern.endsWith("$") ? "" : ".*";
      out.raw(
          RewrittenText.quoted((anyCase ? "(?is)" : "(?s)") + open + "(" + pattern + ")" + close));
      return i + 2;
    }

    static int like(List<Token> in, int i, RewrittenText out) {
      out.add(in.get(i));
      if (i + 1 >= in.size() || in.get(i + 1).kind() != Token.Kind.STRING) {
        return i + 1;
      }
      out.add(in.get(i + 1));
      boolean escaped = i + 2 < in.size() && in.get(i + 2).is("escape");
      if (!escaped && in.get(i + 1).text().contains("\\")) {
        out.raw("ESCAPE '\\'");
      }
      return i + 2;
    }
  }

  /** CAST(x AS t) written as x::t, so that there is one form. */
  static final class CatalogCasts {
    private CatalogCasts() {}

    static List<Token> shortened(List<Token> tokens) {
      List<Token> out = new ArrayList<>();
      TokenList near = new TokenList(tokens);
      for (int i = 0; i < tokens.size(); i++) {
        int as = tokens.get(i).is("cast") && near.symbol(i + 1, "(") ? as(tokens, i + 1) : -1;
        if (as < 0 || near.closing(i + 1) <= as || !near.symbol(near.closing(i + 1), ")")) {
          out.add(tokens.get(i));
          continue;
        }
        int close = near.closing(i + 1);
        List<Token> operand = shortened(tokens.subList(i + 2, as));
        if (isCastTo(operand, tokens.subList(as + 1, close))) {
          out.addAll(operand);
          i = close;
          continue;
        }
        boolean bare = operand.size() == 1;
        if (!bare) {
          out.add(tokens.get(i + 1));
        }
        out.addAll(operand);
        if (!bare) {
          out.add(tokens.get(close));
        }
        out.add(new Token(Kind.SYMBOL, "::", tokens.get(as).from(), tokens.get(as).to()));
        out.addAll(tokens.subList(as + 1, close));
        i = close;
      }
      return out;
    }

    /** Whether it is one token that is cast to a type already: to do so again changes nothing. */
    private static boolean isCastTo(List<Token> operand, List<Token> type) {
      return operand.size() == type.size() + 2
          && operand.get(1).isSymbol("::")
          && texts(operand.subList(2, operand.size())).equals(texts(type));
    }

    private static List<String> texts(List<Token> tokens) {
      return tokens.stream().map(t -> t.kind() + " " + t.text()).toList();
    }

    /** The place of the AS that belongs to a parenthesis. */
    private static int as(List<Token> tokens, int open) {
      int depth = 0;
      for (int i = open; i < tokens.size(); i++) {
        depth +=
            CatalogSelects.isOpen(tokens.get(i))
                ? 1
                : CatalogSelects.isClose(tokens.get(i)) ? -1 : 0;
        if (depth == 0) {
          return -1;
        }
        if (depth == 1 && tokens.get(i).is("as")) {
          return i;
        }
      }
      return -1;
    }
  }
}
