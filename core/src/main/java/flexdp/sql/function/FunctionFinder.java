package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.failure.RejectionCode;
import flexdp.policy.Type;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlFunction;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** Finds the function that a call names, in the catalogue or nowhere. */
public final class FunctionFinder {
  private static final Set<String> VOLATILE =
      Set.of(
          "RANDOM",
          "RAND",
          "UUID",
          "GEN_RANDOM_UUID",
          "UUID_GENERATE_V4",
          "NEWID",
          "NEXTVAL",
          "CURRVAL",
          "LASTVAL",
          "SETVAL",
          "PG_SLEEP",
          "SLEEP",
          "RANDN",
          "RANDOMINT",
          "CLOCK_TIMESTAMP",
          "TIMEOFDAY",
          "SETSEED",
          "RAND_INTEGER",
          "UUID_STRING",
          "TXID_CURRENT",
          "NEXT_VALUE",
          "CURRENT_VALUE",
          "PG_ADVISORY_LOCK",
          "BENCHMARK",
          "MONOTONICALLY_INCREASING_ID",
          "GENERATE_UUID");

  private FunctionFinder() {}

  public static String nameOf(SqlCall call) {
    if (call.getOperator() instanceof SqlFunction function && function.getSqlIdentifier() != null) {
      SqlIdentifier id = function.getSqlIdentifier();
      return id.names.get(id.names.size() - 1).toUpperCase(Locale.ROOT);
    }
    return call.getOperator().getName().toUpperCase(Locale.ROOT);
  }

  public static Expr bind(String name, SqlCall call, FunctionContext around) {
    FunctionCatalog.Entry entry = FunctionCatalog.find(name);
    if (entry == null) {
      throw unknown(name, call);
    }
    List<SqlNode> nodes = name.equals("||") ? concatenated(call) : call.getOperandList();
    if (nodes.size() < entry.least() || nodes.size() > entry.most()) {
      String shown = name.toLowerCase(Locale.ROOT);
      throw Rejections.of(
          RejectionCode.TYPE_MISMATCH,
          "The function " + shown + " does not take " + nodes.size() + " arguments.",
          entry.least() == entry.most()
              ? "It takes " + entry.least() + "."
              : "It takes " + entry.least() + " to " + entry.most() + ".",
          call);
    }
    return entry.builder().build(new Arguments(nodes, call, around));
  }

  /** The operands of a chain of ||, without recursion. */
  private static List<SqlNode> concatenated(SqlCall call) {
    List<SqlNode> reversed = new ArrayList<>();
    SqlNode node = call;
    while (node instanceof SqlCall inner
        && inner.getOperator().getName().equals("||")
        && inner.operandCount() == 2) {
      reversed.add(inner.operand(1));
      node = inner.operand(0);
    }
    reversed.add(node);
    java.util.Collections.reverse(reversed);
    return reversed;
  }

  private static flexdp.failure.Rejection unknown(String name, SqlCall call) {
    if (name.equals("FLEXDP_LIST")) {
      return Rejections.of(
          RejectionCode.SYNTAX,
          "Arrays are not supported.",
          "Name a column, or list values with IN (...).",
          call);
    }
    String shown = name.toLowerCase(Locale.ROOT);
    if (VOLATILE.contains(name)) {
      return Rejections.of(
          RejectionCode.VOLATILE_FUNCTION,
          "The function " + shown + " gives a different answer each time or has side effects.",
          "Leave it out.",
          call);
    }
    return Rejections.of(
        RejectionCode.UNKNOWN_FUNCTION,
        "The function '" + TextLiterals.shown(shown) + "' is not on the list.",
        NameMatching.didYouMean(
            shown, candidates(call), "The functions that may be used are in docs/functions.md."),
        call);
  }

  /** What may have been meant, aggregates first; of all rows there is nothing but aggregates. */
  private static List<String> candidates(SqlCall call) {
    List<String> names = new ArrayList<>(AggregateWord.names());
    boolean ofRows =
        call.getOperandList().stream().anyMatch(a -> a instanceof SqlIdentifier id && id.isStar());
    if (!ofRows) {
      names.addAll(FunctionCatalog.names());
    }
    return names;
  }

  /** Words that are constants without brackets in some dialect: CURRENT_DATE, SYSDATE, ... */
  public static Optional<Expr> bareWord(String word, BindTime now) {
    return switch (word.toUpperCase(Locale.ROOT)) {
      case "CURRENT_DATE", "TODAY" -> Optional.of(today(now.time()));
      case "CURRENT_TIMESTAMP", "LOCALTIMESTAMP", "SYSDATE", "SYSTIMESTAMP", "NOW" ->
          Optional.of(moment(now.time()));
      case "CURRENT_TIME", "LOCALTIME" ->
          Optional.of(new Expr.Literal(now.time().toLocalTime(), Type.TIME));
      default -> Optional.empty();
    };
  }

  static Expr today(LocalDateTime now) {
    return new Expr.Literal(now.toLocalDate(), Type.DATE);
  }

  static Expr moment(LocalDateTime now) {
    return new Expr.Literal(now, Type.TIMESTAMP);
  }
}
