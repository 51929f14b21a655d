package flexdp.sql.text;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Wording;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.parser.babel.ParseException;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/**
 * From the analyst's text to a parse tree. Positions in the tree, and in every rejection, are those
 * of the text as it was written; names keep their case and whether they were quoted.
 */
public final class SqlFront {
  private static final int MAX_NAME = 1_000;

  private static final List<String> CLAUSES =
      List.of(
          "SELECT",
          "FROM",
          "WHERE",
          "GROUP",
          "ORDER",
          "HAVING",
          "LIMIT",
          "JOIN",
          "LEFT",
          "INNER",
          "UNION",
          "BETWEEN",
          "DISTINCT");

  private SqlFront() {}

  /** Parses one query of no dialect in particular. */
  public static SqlNode parse(String text) {
    return parse(text, Wording.GENERAL);
  }

  /** Parses one query, or throws a {@link Rejection}. */
  public static SqlNode parse(String text, Wording dialect) {
    List<SqlToken> tokens = SqlStatements.only(SqlText.tokens(text, dialect));
    List<SqlToken> usual =
        SqlHabits.rewrite(SqlDistinctOn.rewrite(SqlCounts.bare(tokens)), dialect);
    List<SqlToken> standard = SqlDialect.rewrite(usual);
    refuseUnknownSymbols(standard);
    SqlNode tree = SqlShape.flatten(parse(standard));
    return dialect == Wording.TSQL ? SqlAliases.of(tree) : tree;
  }

  private static SqlNode parse(List<SqlToken> tokens) {
    SqlFeed feed = new SqlFeed(tokens);
    SqlBabelParserImpl parser = new SqlBabelParserImpl(feed);
    parser.setQuotedCasing(Casing.UNCHANGED);
    parser.setUnquotedCasing(Casing.UNCHANGED);
    parser.setIdentifierMaxLength(MAX_NAME);
    parser.setConformance(SqlConformanceEnum.BABEL);
    try {
      return parser.SqlStmtEof();
    } catch (ParseException unreadable) {
      throw unexpected(tokens, Math.max(0, feed.furthest()));
    } catch (CalciteContextException e) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          e.getCause() == null ? "The query is not valid SQL." : e.getCause().getMessage(),
          "Check the query near this place.",
          position(e.getPosLine(), e.getPosColumn()));
    } catch (StackOverflowError e) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The query is nested too deeply.",
          "Name inner queries with WITH.");
    } catch (RuntimeException e) {
      throw Rejection.of(
          RejectionCode.SYNTAX,
          "The query is not valid SQL.",
          "Check literals, quotes and the order of clauses.");
    }
  }

  private static Rejection unexpected(List<SqlToken> tokens, int index) {
    SqlToken token = tokens.get(index);
    String sentence =
        token.isEnd()
            ? "The query ends where more was expected."
            : "Did not expect " + token.shown() + " here.";
    return Rejection.of(RejectionCode.SYNTAX, sentence, hint(tokens, index), token.from());
  }

  /** A misspelt clause just before the place, or advice by what stands there. */
  private static String hint(List<SqlToken> tokens, int index) {
    for (int i = index; i >= Math.max(0, index - 2); i--) {
      SqlToken word = tokens.get(i);
      Optional<String> meant = SqlSpelling.nearest(word, CLAUSES);
      if (!word.keyword() && meant.isPresent()) {
        return "Did you mean " + meant.get() + " instead of " + word.text() + "?";
      }
    }
    SqlToken token = tokens.get(index);
    SqlToken before = tokens.get(Math.max(0, index - 1));
    if (before.isSymbol(",")) {
      return "Remove the comma before it, or add what is missing after the comma.";
    }
    if (token.keyword()) {
      return "Check what comes before " + token.upper() + "; a name like this needs quotes.";
    }
    return token.isEnd()
        ? "Complete the query after " + before.shown() + "."
        : "Check the text after " + before.shown() + "; a comma or an operator may be missing.";
  }

  private static void refuseUnknownSymbols(List<SqlToken> tokens) {
    for (SqlToken token : tokens) {
      if (token.kind() != SqlToken.Kind.SYMBOL) {
        continue;
      }
      if (token.text().indexOf('~') >= 0) {
        throw Rejection.of(
            RejectionCode.UNSUPPORTED,
            "A regular expression that is no constant has no rule.",
            "Write the pattern as a constant: x ~ 'pattern'.",
            token.from());
      }
      if (!SqlFeed.knows(token)) {
        throw Rejection.of(
            RejectionCode.SYNTAX,
            "The operator " + token.text() + " is not supported.",
            "Use the operators and functions of standard SQL.",
            token.from());
      }
    }
  }

  private static Position position(int line, int column) {
    return new Position(Math.max(1, line), Math.max(1, column));
  }
}
