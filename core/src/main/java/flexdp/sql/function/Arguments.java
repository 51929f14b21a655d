package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.failure.Position;
import flexdp.failure.RejectionCode;
import flexdp.policy.InputDialect;
import flexdp.policy.Type;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlIntervalQualifier;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;

/**
 * The arguments of a function as its builder reads them: bound when asked for, by what is needed.
 */
final class Arguments {
  private final List<SqlNode> nodes;
  private final SqlCall call;
  private final FunctionContext around;

  Arguments(List<SqlNode> nodes, SqlCall call, FunctionContext around) {
    this.nodes = nodes;
    this.call = call;
    this.around = around;
  }

  int count() {
    return nodes.size();
  }

  Position at() {
    return Rejections.at(call);
  }

  SqlCall call() {
    return call;
  }

  SqlNode node(int i) {
    return nodes.get(i);
  }

  InputDialect dialect() {
    return around.dialect();
  }

  FloatSemantics floats() {
    return new FloatSemantics(dialect(), name -> around.bind(name).type());
  }

  LocalDateTime now() {
    return around.now().time();
  }

  Expr any(int i) {
    return around.bind(nodes.get(i));
  }

  List<Expr> all() {
    List<Expr> exprs = new ArrayList<>(nodes.size());
    for (SqlNode node : nodes) {
      exprs.add(around.bind(node));
    }
    return exprs;
  }

  /** The word of an argument that is a name or a constant, in capitals; empty of others. */
  String word(int i) {
    String word =
        switch (nodes.get(i)) {
          case SqlIdentifier name when name.isSimple() -> name.getSimple();
          case SqlLiteral literal
              when literal.getTypeName() == org.apache.calcite.sql.type.SqlTypeName.CHAR ->
              literal.getValueAs(String.class);
          case SqlIntervalQualifier qualifier ->
              qualifier.timeFrameName != null
                  ? qualifier.timeFrameName
                  : qualifier.getStartUnit().name();
          default -> "";
        };
    return word.toUpperCase(Locale.ROOT);
  }

  /** Whether an argument is a call of a function of this name. */
  boolean isCallOf(int i, String name) {
    return nodes.get(i) instanceof SqlCall inner && FunctionFinder.nameOf(inner).equals(name);
  }

  int innerCount(int i) {
    return ((SqlCall) nodes.get(i)).operandCount();
  }

  /** An argument of an argument. */
  Expr inner(int i, int of) {
    return around.bind(((SqlCall) nodes.get(i)).operand(of));
  }

  /** A date or timestamp; 'now' is the time of the question. */
  Expr moment(int i) {
    Expr x = any(i);
    return x instanceof Expr.Literal literal && "now".equals(literal.value())
        ? FunctionFinder.moment(now())
        : TypeRules.requireDate(x, at());
  }

  Expr condition(int i) {
    return around.condition(nodes.get(i));
  }

  Expr number(int i) {
    return TypeRules.requireNumber(any(i), Rejections.at(nodes.get(i)));
  }

  /**
   * The end of an error bar. Its argument is a result column by its name first, since that is the
   * one whose noise is meant, and any expression otherwise.
   */
  Expr bar(Function end) {
    SqlNode node = nodes.getFirst();
    if (!around.namesResults()) {
      throw Rejections.of(
          RejectionCode.INTERVAL_UNAVAILABLE,
          "An error bar cannot be asked for in " + around.clause() + ".",
          "Use it in SELECT, HAVING or ORDER BY, beside the aggregate.",
          call);
    }
    Expr named = node instanceof SqlIdentifier name && name.isSimple() ? around.result(name) : null;
    Expr value = named == null ? any(0) : named;
    if (!value.type().isNumeric()) {
      throw Rejections.types(
          "Only numbers have error bars, and this is " + TypeRules.a(value.type()) + ".",
          "Give it COUNT, SUM or AVG, or the alias of one.",
          Rejections.at(node));
    }
    return Exprs.call(end, value.type(), value);
  }

  Expr integer(int i) {
    Expr number = number(i);
    if (!number.type().isInteger()) {
      throw Rejections.types(
          "A whole number is needed here, but this is " + TypeRules.a(number.type()) + ".",
          "Convert it with CAST(x AS bigint).",
          Rejections.at(nodes.get(i)));
    }
    return number;
  }

  Expr text(int i) {
    return TypeRules.requireText(any(i), Rejections.at(nodes.get(i)));
  }

  Expr date(int i) {
    return TypeRules.requireDate(columnNamedLikeUnit(i), Rejections.at(nodes.get(i)));
  }

  /** A unit of time where a date belongs is a column of that name, if there is one. */
  private Expr columnNamedLikeUnit(int i) {
    if (isUnit(i) && nodes.get(i) instanceof SqlLiteral literal) {
      SqlIdentifier name =
          new SqlIdentifier(literal.getValueAs(String.class), literal.getParserPosition());
      if (around.isColumn(name)) {
        return around.bind(name);
      }
    }
    return any(i);
  }

  /** Whether this argument is a unit of time: a keyword or a text that names one. */
  boolean isUnit(int i) {
    SqlNode node = nodes.get(i);
    if (node instanceof SqlIntervalQualifier) {
      return true;
    }
    if (node instanceof SqlLiteral literal) {
      return literal.getTypeName() == org.apache.calcite.sql.type.SqlTypeName.CHAR
          && names(literal.getValueAs(String.class));
    }
    return node instanceof SqlIdentifier name
        && name.isSimple()
        && names(name.getSimple())
        && !around.isColumn(name);
  }

  private boolean names(String word) {
    try {
      IntervalFunctions.unitName(word, at());
      return true;
    } catch (flexdp.failure.Rejection e) {
      return false;
    }
  }

  /** A unit of time by its standard name. */
  String unit(int i) {
    SqlNode node = nodes.get(i);
    Position where = Rejections.at(node);
    if (node instanceof SqlIntervalQualifier qualifier) {
      return IntervalFunctions.unitName(
          qualifier.timeFrameName != null
              ? qualifier.timeFrameName
              : qualifier.isWeek() ? "WEEK" : qualifier.getStartUnit().name(),
          where);
    }
    if (node instanceof SqlIdentifier name && name.isSimple()) {
      return IntervalFunctions.unitName(name.getSimple(), where);
    }
    if (any(i) instanceof Expr.Literal literal && literal.type().kind() == Type.Kind.VARCHAR) {
      return IntervalFunctions.unitName((String) literal.value(), where);
    }
    throw Rejections.types(
        "A unit of time is needed here.", "Write it as a constant, such as 'month'.", where);
  }
}
