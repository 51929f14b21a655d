package flexdp.server.catalogue;

import flexdp.server.session.SqlError;
import flexdp.server.sql.Token;
import java.util.List;
import java.util.Set;

/**
 * What a statement about the catalogue may call. The database behind it has functions that know of
 * files and of the machine, and such as make a text of gigabytes of one row; whatever is not listed
 * here does not exist.
 */
final class Allowed {
  /** Plain functions, and words of the language that stand before a parenthesis. */
  private static final Set<String> CALLS =
      Set.of(
          ("abs age array array_agg array_append array_cat ascii avg bool_and bool_or btrim ceil"
                  + " ceiling char_length character_length chr coalesce concat concat_ws count"
                  + " current_date current_time current_timestamp date_part date_trunc dense_rank"
                  + " every exists extract first_value floor generate_series greatest initcap"
                  + " json_object lag last_value lead least left length lower ltrim max md5"
                  + " min mod now nullif octet_length position power rank regexp_matches"
                  + " reverse right round row row_number rtrim"
                  + " sign split_part sqrt string_agg string_to_array strpos substr substring sum"
                  + " to_timestamp translate trim trunc unnest upper"
                  // words
                  + " all and any as between by case cast distinct else end except filter from"
                  + " group grouping having ilike in intersect interval is join lateral like limit"
                  + " not offset on only or order over partition select similar some table then"
                  + " union using values when where with within recursive materialized numeric"
                  + " decimal varchar char character time timestamp precision varying operator"
                  + " ordinality conflict current_user session_user")
              .split(" "));

  /** Words after which a name with a parenthesis is a call and not an alias with columns. */
  private static final Set<String> BEFORE_CALLS =
      Set.of(
          ("all and any between by case distinct else end except from having ilike in intersect is"
                  + " join lateral like limit not offset on or order select similar some then union"
                  + " using values when where")
              .split(" "));

  private static final List<String> HIDDEN =
      List.of("duckdb_", "pragma_", "sqlite_", "fdx_", "read_", "getvariable", "getenv");

  private Allowed() {}

  /**
   * @throws SqlError when the statement calls or names something that is not for clients
   */
  static void require(List<Token> tokens, Set<String> macros) {
    for (int i = 0; i < tokens.size(); i++) {
      Token token = tokens.get(i);
      if (token.kind() == Token.Kind.STRING && i > 0 && mayNameTable(tokens, i)) {
        throw missing(token);
      }
      if (!token.isName()) {
        continue;
      }
      if (token.is("subconninfo")) { // as for everybody who is no superuser
        throw SqlError.at(token.from(), "42501", "permission denied for table pg_subscription", "");
      }
      if (HIDDEN.stream().anyMatch(token.text().toLowerCase(java.util.Locale.ROOT)::startsWith)) {
        throw missing(token);
      }
      boolean parenthesis = i + 1 < tokens.size() && tokens.get(i + 1).isSymbol("(");
      if (parenthesis && isCall(tokens, i)) {
        boolean known = CALLS.contains(token.text()) || macros.contains(token.text());
        if (!known) {
          throw missing(token);
        }
      }
    }
  }

  /** The database below takes a string where a table is expected for its name. */
  private static boolean mayNameTable(List<Token> tokens, int i) {
    Token before = tokens.get(i - 1);
    boolean place = before.is("from") || before.is("join") || before.isSymbol(",");
    return place && tokens.get(i).text().toLowerCase(java.util.Locale.ROOT).contains("fdx_");
  }

  private static boolean isCall(List<Token> tokens, int i) {
    if (i == 0) {
      return true;
    }
    Token before = tokens.get(i - 1);
    if (before.kind() == Token.Kind.WORD) {
      return BEFORE_CALLS.contains(before.text()) || CALLS.contains(tokens.get(i).text());
    }
    return !before.isSymbol(")") && before.kind() != Token.Kind.QUOTED;
  }

  private static SqlError missing(Token token) {
    return SqlError.at(
        token.from(), "42883", "\"" + shortened(token.text()) + "\" does not exist", "");
  }

  private static String shortened(String text) {
    return text.length() > 60 ? text.substring(0, 60) + "…" : text;
  }
}
