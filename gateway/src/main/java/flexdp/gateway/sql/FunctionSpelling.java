package flexdp.gateway.sql;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** What the spelling of functions is made of in most databases: arguments in a wanted type. */
abstract class FunctionSpelling {
  private final Dialect dialect;

  FunctionSpelling(Dialect dialect) {
    this.dialect = dialect;
  }

  abstract String call(Spelled function, List<Operand> args, Type type);

  final String as(Operand operand, Type type) {
    return dialect.cast(operand.sql(), operand.type(), type);
  }

  final String text(Operand operand) {
    return as(operand, Type.VARCHAR);
  }

  final String real(Operand operand) {
    return as(operand, Type.DOUBLE);
  }

  final String whole(Operand operand) {
    return as(operand, Type.BIGINT);
  }

  /** All in one type, with commas. */
  final String converted(List<Operand> args, Type type) {
    return args.stream().map(a -> as(a, type)).collect(Collectors.joining(", "));
  }

  final String texts(List<Operand> args) {
    return converted(args, Type.VARCHAR);
  }

  /** As they are, with commas. */
  static String list(List<Operand> args) {
    return args.stream().map(Operand::sql).collect(Collectors.joining(", "));
  }

  static boolean isDouble(Type type) {
    return type.kind() == Type.Kind.DOUBLE;
  }

  /** Whether this is a literal that needs no guard: a whole number from {@code least} to 2^31. */
  static boolean isCount(Operand operand, int least) {
    return operand.expr() instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal number
        && number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
  }
}
