package flexdp.fingerprint;

import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.failure.TimeBudget;
import flexdp.query.Measurement;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.IntFunction;

/**
 * Expressions as texts that are equal for expressions that mean the same by order, spelling or
 * side. Different meanings never share a text: names and strings carry their length.
 */
public final class CanonicalText {
  private static final int LONGEST = 160;

  private CanonicalText() {}

  public static String of(Expr expr, IntFunction<String> columns) {
    TimeBudget.step();
    return switch (expr) {
      case Expr.Ref ref -> columns.apply(ref.column());
      case Expr.Literal literal -> value(literal.value()) + ":" + literal.type();
      case Expr.Call call -> shortened(call(call, columns));
      case Expr.Cast cast ->
          shortened("cast(" + of(cast.operand(), columns) + "," + cast.type() + ")");
      case Expr.Case c -> {
        StringBuilder text = new StringBuilder("case(");
        for (Expr.Case.Branch branch : c.branches()) {
          text.append(of(branch.condition(), columns)).append("?");
          text.append(of(branch.value(), columns)).append(";");
        }
        c.otherwise().ifPresent(o -> text.append(of(o, columns)));
        yield shortened(text.append("):").append(c.type()).toString());
      }
    };
  }

  private static String call(Expr.Call call, IntFunction<String> columns) {
    List<Expr> arguments = call.arguments();
    return switch (call.function()) {
      case AND, OR -> {
        TreeSet<String> terms = new TreeSet<>();
        terms(call.function(), call, columns, terms);
        yield terms.size() == 1
            ? terms.first()
            : call.function() + "(" + String.join(",", terms) + ")";
      }
      // x IN (a, b) is x = a OR x = b.
      case IN_LIST -> {
        TreeSet<String> terms = new TreeSet<>();
        inList(call, columns, terms);
        yield terms.size() == 1 ? terms.first() : "OR(" + String.join(",", terms) + ")";
      }
      case EQ, NE, IS_DISTINCT, IS_NOT_DISTINCT ->
          call.function() + "(" + String.join(",", sorted(compared(arguments, columns))) + ")";
      case LT, LE -> call.function() + "(" + String.join(",", compared(arguments, columns)) + ")";
      case GT -> "LT(" + String.join(",", compared(arguments, columns).reversed()) + ")";
      case GE -> "LE(" + String.join(",", compared(arguments, columns).reversed()) + ")";
      case NOT -> not(arguments.getFirst(), columns);
      case PLUS, TIMES ->
          call.function()
              + "("
              + String.join(",", sorted(all(arguments, columns)))
              + "):"
              + call.type();
      default ->
          call.function() + "(" + String.join(",", all(arguments, columns)) + "):" + call.type();
    };
  }

  /** The operands of a chain of ANDs or ORs. */
  private static void terms(
      Function function, Expr expr, IntFunction<String> columns, Collection<String> terms) {
    if (expr instanceof Expr.Call call && call.function() == function) {
      call.arguments().forEach(a -> terms(function, a, columns, terms));
    } else if (function == Function.OR
        && expr instanceof Expr.Call call
        && call.function() == Function.IN_LIST) {
      inList(call, columns, terms);
    } else {
      terms.add(of(expr, columns));
    }
  }

  private static void inList(
      Expr.Call call, IntFunction<String> columns, Collection<String> terms) {
    Expr operand = call.arguments().getFirst();
    for (Expr item : call.arguments().subList(1, call.arguments().size())) {
      terms.add("EQ(" + String.join(",", sorted(compared(List.of(operand, item), columns))) + ")");
    }
  }

  private static String not(Expr operand, IntFunction<String> columns) {
    if (operand instanceof Expr.Call inner && inner.function() == Function.NOT) {
      return of(inner.arguments().getFirst(), columns);
    }
    if (operand instanceof Expr.Call inner && inner.function() == Function.EQ) {
      return "NE(" + String.join(",", sorted(compared(inner.arguments(), columns))) + ")";
    }
    if (operand instanceof Expr.Call inner && inner.function() == Function.NE) {
      return "EQ(" + String.join(",", sorted(compared(inner.arguments(), columns))) + ")";
    }
    return "NOT(" + of(operand, columns) + ")";
  }

  /** Operands of a comparison, where 1, 1.0 and 1.00 are the same number. */
  private static List<String> compared(List<Expr> arguments, IntFunction<String> columns) {
    List<String> texts = new ArrayList<>();
    for (Expr argument : arguments) {
      boolean exact = argument instanceof Expr.Literal l && l.value() instanceof BigDecimal;
      texts.add(exact ? value(((Expr.Literal) argument).value()) : of(argument, columns));
    }
    return texts;
  }

  private static List<String> all(List<Expr> arguments, IntFunction<String> columns) {
    return arguments.stream().map(a -> of(a, columns)).toList();
  }

  private static List<String> sorted(List<String> texts) {
    return texts.stream().sorted().toList();
  }

  /** The conjuncts of a condition, TRUE left out. */
  public static void conjuncts(Expr condition, Collection<Expr> conjuncts) {
    if (condition instanceof Expr.Call call && call.function() == Function.AND) {
      call.arguments().forEach(a -> conjuncts(a, conjuncts));
    } else if (!(condition instanceof Expr.Literal l && Boolean.TRUE.equals(l.value()))) {
      conjuncts.add(condition);
    }
  }

  /** A constant; one spelling per value. */
  static String value(Object value) {
    return switch (value) {
      case null -> "null";
      case BigDecimal d -> d.signum() == 0 ? "n0" : "n" + d.stripTrailingZeros().toString();
      case Double d -> "f" + Double.toHexString(d);
      case String s -> quoted(s);
      default -> value.getClass().getSimpleName() + quoted(value.toString());
    };
  }

  /** A name or a string that cannot be mistaken for the text around it. */
  static String quoted(String text) {
    return "'" + text.length() + "'" + text + "'";
  }

  /**
   * What is measured.
   *
   * @param argument the text of what it reads; absent when that is whole rows
   * @param filter what else is to be said of the rows
   */
  public static String measured(Measurement m, Optional<String> argument, String filter) {
    return m.word()
        + "("
        + argument.orElse("*")
        + filter
        + m.clamping().map(CanonicalText::clamp).orElse("")
        + m.rank().map(fraction -> " at " + value(fraction)).orElse("")
        + ")";
  }

  private static String clamp(Measurement.Clamp clamp) {
    return " in "
        + value(clamp.range().low())
        + ","
        + value(clamp.range().high())
        + " by "
        + value(clamp.grid());
  }

  /** Long texts are replaced by their hash, so that nesting does not multiply them. */
  public static String shortened(String text) {
    return text.length() <= LONGEST ? text : "#" + hash(text);
  }

  static String hash(String text) {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }
}
