package flexdp.algebra;

import flexdp.policy.Type;
import java.util.List;
import java.util.Optional;

/**
 * A row-local, deterministic, total expression: evaluated on any row it gives a value or NULL and
 * never raises. Subqueries are not expressions; see {@link Subquery}.
 */
public sealed interface Expr {
  Type type();

  /** The value of a column, by id. */
  record Ref(int column, Type type) implements Expr {}

  /**
   * A constant: null, Boolean, BigDecimal (every exact number), Double, String, LocalDate,
   * LocalTime, LocalDateTime, Long (an interval's months or microseconds), java.util.UUID.
   */
  record Literal(Object value, Type type) implements Expr {
    public static final Literal TRUE = new Literal(Boolean.TRUE, Type.BOOLEAN);
    public static final Literal FALSE = new Literal(Boolean.FALSE, Type.BOOLEAN);

    public boolean isNull() {
      return value == null;
    }
  }

  /** An operator or function of the list. */
  record Call(Function function, List<Expr> arguments, Type type) implements Expr {
    public Call {
      arguments = List.copyOf(arguments);
    }
  }

  /** CASE WHEN ... (the form with an operand is rewritten to this one). No ELSE means NULL. */
  record Case(List<Branch> branches, Optional<Expr> otherwise, Type type) implements Expr {
    /** WHEN condition THEN value. */
    public record Branch(Expr condition, Expr value) {}

    public Case {
      branches = List.copyOf(branches);
    }
  }

  /** A conversion; a value that cannot be converted becomes NULL. */
  record Cast(Expr operand, Type type) implements Expr {}
}
