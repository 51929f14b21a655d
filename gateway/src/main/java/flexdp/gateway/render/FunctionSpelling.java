package flexdp.gateway.render;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Collectors;

/**
 * A database's spelling of the functions: its column of {@link FunctionTable}, and what no template
 * there says.
 */
public abstract class FunctionSpelling {
  private static final String ARROW = " -> ";

  private final TargetDialect dialect;
  private final java.util.function.Function<FunctionTable.Each, String> column;

  protected FunctionSpelling(
      TargetDialect dialect, java.util.function.Function<FunctionTable.Each, String> column) {
    this.dialect = dialect;
    this.column = column;
  }

  /** A function for which the table has no template. */
  protected abstract String own(Function function, List<RenderedExpression> args, Type type);

  public final String call(Function function, List<RenderedExpression> args, Type type) {
    if (!(FunctionTable.of(function) instanceof FunctionTable.Each each)) {
      throw new IllegalArgumentException("written alike in all databases: " + function);
    }
    String template = column.apply(each);
    if (template.equals(FunctionTable.OWN)) {
      return own(function, args, type);
    }
    int arrow = template.lastIndexOf(ARROW);
    String given = arrow < 0 ? "" : template.substring(arrow + ARROW.length());
    return switch (given) {
      case "a" -> dialect.cast(filled(template, arrow, args, type), args.getFirst().type(), type);
      case "INTEGER" -> dialect.cast(filled(template, arrow, args, type), Type.INTEGER, type);
      case "SMALLINT" -> dialect.cast(filled(template, arrow, args, type), Type.SMALLINT, type);
      case "BIGINT" -> dialect.cast(filled(template, arrow, args, type), Type.BIGINT, type);
      case "DOUBLE" -> dialect.cast(filled(template, arrow, args, type), Type.DOUBLE, type);
      case "FLOAT" -> {
        String formed = dialect.canonicalize(filled(template, arrow, args, type), Type.DOUBLE);
        yield dialect.cast(formed, Type.DOUBLE, type);
      }
      default -> filled(template, template.length(), args, type);
    };
  }

  private String filled(String template, int end, List<RenderedExpression> args, Type type) {
    return Sql.filled(template.substring(0, end), name -> value(name, args, type));
  }

  private String value(String name, List<RenderedExpression> args, Type type) {
    return switch (name) {
      case "all" -> list(args);
      case "texts" -> converted(args, Type.VARCHAR);
      case "joined" -> joined(args);
      case "values" -> converted(args, type);
      case "blanks" -> args.size() > 1 ? args.get(1).sql() : "' '";
      case "type" -> dialect.typeName(type);
      default -> {
        RenderedExpression arg = args.get(name.charAt(0) - 'a');
        yield switch (name.substring(1)) {
          case "" -> arg.sql();
          case ".text" -> text(arg);
          case ".real" -> real(arg);
          default -> throw new IllegalArgumentException("no part of a template: " + name);
        };
      }
    };
  }

  /** What a table without a template for it, and the class of a database, both leave out. */
  protected static IllegalArgumentException unspelled(Function function) {
    return new IllegalArgumentException("neither a template nor a text of its own: " + function);
  }

  public final String as(RenderedExpression operand, Type type) {
    return dialect.cast(operand.sql(), operand.type(), type);
  }

  public final String text(RenderedExpression operand) {
    return as(operand, Type.VARCHAR);
  }

  public final String real(RenderedExpression operand) {
    return as(operand, Type.DOUBLE);
  }

  public final String whole(RenderedExpression operand) {
    return as(operand, Type.BIGINT);
  }

  /** All in one type, with commas. */
  public final String converted(List<RenderedExpression> args, Type type) {
    return args.stream().map(a -> as(a, type)).collect(Collectors.joining(", "));
  }

  public final String texts(List<RenderedExpression> args) {
    return converted(args, Type.VARCHAR);
  }

  /** Texts one after the other, as most databases write it. */
  public final String joined(List<RenderedExpression> args) {
    return args.stream().map(this::text).collect(Collectors.joining(" || "));
  }

  /** As they are, with commas. */
  public static String list(List<RenderedExpression> args) {
    return args.stream().map(RenderedExpression::sql).collect(Collectors.joining(", "));
  }

  public static boolean isDouble(Type type) {
    return type.kind() == Type.Kind.DOUBLE;
  }

  /** Whether this is a literal that needs no guard: a whole number from {@code least} to 2^31. */
  public static boolean isCount(RenderedExpression operand, int least) {
    return operand.expr() instanceof Expr.Literal literal
        && literal.value() instanceof BigDecimal number
        && number.compareTo(BigDecimal.valueOf(least)) >= 0
        && number.compareTo(BigDecimal.valueOf(Integer.MAX_VALUE)) <= 0;
  }

  /** The digits of ROUND, a constant, kept within what the database takes; 0 without. */
  public static int digits(List<RenderedExpression> args, int most) {
    return args.size() > 1
            && args.get(1).expr() instanceof Expr.Literal literal
            && literal.value() instanceof BigDecimal number
        ? Math.clamp(number.longValue(), -most, most)
        : 0;
  }
}
