package flexdp.sql.parse;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.InputDialect;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.avatica.util.Casing;
import org.apache.calcite.runtime.CalciteContextException;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.fun.SqlStdOperatorTable;
import org.apache.calcite.sql.parser.SqlParserPos;
import org.apache.calcite.sql.parser.babel.ParseException;
import org.apache.calcite.sql.parser.babel.SqlBabelParserImpl;
import org.apache.calcite.sql.validate.SqlConformanceEnum;

/**
 * From the analyst's text to a parse tree. Positions in the tree, and in every rejection, are those
 * of the text as it was written; names keep their case and whether they were quoted.
 */
public final class SqlFrontEnd {
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

  private SqlFrontEnd() {}

  /** Parses one query of no dialect in particular. */
  public static SqlNode parse(String text) {
    return parse(text, InputDialect.GENERAL);
  }

  /** Parses one query, or throws a {@link Rejection}. */
  public static SqlNode parse(String text, InputDialect dialect) {
    List<SqlToken> tokens = SqlStatements.only(SqlTokenizer.tokens(text, dialect));
    List<SqlToken> usual =
        DialectNormalizer.rewrite(SqlDistinctOn.rewrite(LimitConstants.bare(tokens)), dialect);
    List<SqlToken> standard = TokenNormalizer.rewrite(usual);
    refuseUnknownSymbols(standard);
    SqlNode tree = SqlShape.flatten(parse(standard));
    return dialect == InputDialect.TSQL ? SqlAliases.of(tree) : tree;
  }

  private static SqlNode parse(List<SqlToken> tokens) {
    TokenFeed feed = new TokenFeed(tokens);
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
      Optional<String> meant = SpellingSuggestion.nearest(word, CLAUSES);
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
      if (!TokenFeed.knows(token)) {
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

  /**
   * Makes a parsed tree shallow enough for recursive readers, without recursion of its own. Chains
   * of AND and of OR, which a program may have written ten thousand terms long, become balanced
   * trees; whatever is still too deep is rejected.
   */
  private static final class SqlShape {
    static final int MAX_DEPTH = 600;

    /** A node still to visit, and how deep it lies. */
    private record Visit(SqlNode node, int depth) {}

    private SqlShape() {}

    static SqlNode flatten(SqlNode root) {
      Deque<Visit> open = new ArrayDeque<>();
      open.push(new Visit(root, 1));
      while (!open.isEmpty()) {
        Visit visit = open.pop();
        SqlNode node = visit.node();
        if (visit.depth() > MAX_DEPTH) {
          throw tooDeep(node);
        }
        List<SqlNode> children = List.of();
        if (node instanceof SqlBasicCall call && isLogic(call)) {
          children = balance(call);
        } else if (node instanceof SqlCall call) {
          children = call.getOperandList();
        } else if (node instanceof SqlNodeList list) {
          children = list;
        }
        for (SqlNode child : children) {
          if (child != null) {
            open.push(new Visit(child, visit.depth() + 1));
          }
        }
      }
      return root;
    }

    private static boolean isLogic(SqlCall call) {
      return call.getKind() == SqlKind.AND || call.getKind() == SqlKind.OR;
    }

    /** Rewrites a chain of one operator in place and returns its terms. */
    private static List<SqlNode> balance(SqlBasicCall chain) {
      List<SqlNode> terms = new ArrayList<>();
      SqlNode node = chain;
      while (node instanceof SqlBasicCall call
          && call.getKind() == chain.getKind()
          && call.operandCount() == 2) {
        terms.add(call.operand(1));
        node = call.operand(0);
      }
      terms.add(node);
      Collections.reverse(terms);
      if (terms.size() > 3) {
        int half = terms.size() / 2;
        chain.setOperand(0, tree(chain, terms.subList(0, half)));
        chain.setOperand(1, tree(chain, terms.subList(half, terms.size())));
      }
      return terms;
    }

    private static SqlNode tree(SqlBasicCall like, List<SqlNode> terms) {
      if (terms.size() == 1) {
        return terms.get(0);
      }
      int half = terms.size() / 2;
      SqlNode left = tree(like, terms.subList(0, half));
      SqlNode right = tree(like, terms.subList(half, terms.size()));
      SqlParserPos span = left.getParserPosition().plus(right.getParserPosition());
      return like.getOperator().createCall(span, left, right);
    }

    private static Rejection tooDeep(SqlNode node) {
      SqlParserPos pos = node.getParserPosition();
      Position at =
          pos.getLineNum() < 1
              ? Position.START
              : new Position(pos.getLineNum(), pos.getColumnNum());
      return Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The query is nested more than " + MAX_DEPTH + " levels deep.",
          "Shorten long chains of operators; use IN (...) for many values.",
          at);
    }
  }

  /** {@code SELECT name = value} of T-SQL, which selects no truths: a value and its name. */
  private static final class SqlAliases {
    private SqlAliases() {}

    static SqlNode of(SqlNode tree) {
      List<SqlNode> stack = new ArrayList<>(List.of(tree));
      while (!stack.isEmpty()) {
        SqlNode next = stack.removeLast();
        if (next instanceof SqlSelect select) {
          select.setSelectList(named(select.getSelectList()));
        }
        Iterable<SqlNode> parts =
            switch (next) {
              case SqlCall call -> call.getOperandList();
              case SqlNodeList list -> list;
              default -> List.of();
            };
        for (SqlNode part : parts) {
          if (part != null) {
            stack.add(part);
          }
        }
      }
      return tree;
    }

    private static SqlNodeList named(SqlNodeList items) {
      SqlNodeList named = new SqlNodeList(items.getParserPosition());
      for (SqlNode item : items) {
        named.add(
            item.getKind() == SqlKind.EQUALS
                    && ((SqlCall) item).operand(0) instanceof SqlIdentifier name
                    && name.isSimple()
                ? SqlStdOperatorTable.AS.createCall(
                    item.getParserPosition(), ((SqlCall) item).operand(1), name)
                : item);
      }
      return named;
    }
  }
}
