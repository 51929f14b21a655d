package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/** What the spelling of functions is made of in most databases: arguments in a wanted type. */
public abstract class FunctionSpelling {
  private final Dialect dialect;

  public FunctionSpelling(Dialect dialect) {
    this.dialect = dialect;
  }

  public abstract String call(Spelled function, List<Operand> args, Type type);

  public final String as(Operand operand, Type type) {
    return dialect.cast(operand.sql(), operand.type(), type);
  }

  public final String text(Operand operand) {
    return as(operand, Type.VARCHAR);
  }

  public final String real(Operand operand) {
    return as(operand, Type.DOUBLE);
  }

  public final String whole(Operand operand) {
    return as(operand, Type.BIGINT);
  }

  /** All in one type, with commas. */
  public final String converted(List<Operand> args, Type type) {
    return args.stream().map(a -> as(a, type)).collect(Collectors.joining(", "));
  }

  public final String texts(List<Operand> args) {
    return converted(args, Type.VARCHAR);
  }

  /** As they are, with commas. */
  public static String list(List<Operand> args) {
    return args.stream().map(Operand::sql).collect(Collectors.joining(", "));
  }

  /** The characters that TRIM and its kin take off. */
  public static String trimmed(List<Operand> args) {
    return args.size() > 1 ? args.get(1).sql() : "' '";
  }

  public static boolean isDouble(Type type) {
    return type.kind() == Type.Kind.DOUBLE;
  }

  /** Whether this is a literal that needs no guard: a whole number from {@code least} to 2^31. */
  public static boolean isCount(Operand operand, int least) {
    return operand.expr() instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal number
        && number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
  }
}
