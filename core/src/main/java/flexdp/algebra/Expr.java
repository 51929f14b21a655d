package flexdp.algebra;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * A row-local, deterministic, total expression: evaluated on any row it gives a value or NULL and
 * never raises. Subqueries are not expressions; see {@link Subquery}.
 */
public sealed interface Expr {
  Type type();

  /** The expressions that this one is computed from. */
  List<Expr> children();

  /** This expression computed from other parts, as many and in this order. */
  Expr with(List<Expr> children);

  /** The value of a column, by id. */
  record Ref(int column, Type type) implements Expr {
    @Override
    public List<Expr> children() {
      return List.of();
    }

    @Override
    public Expr with(List<Expr> children) {
      return this;
    }
  }

  /**
   * A constant: null, Boolean, BigDecimal (every exact number), Double, String, LocalDate,
   * LocalTime, LocalDateTime, Long (an interval's months or microseconds), java.util.UUID.
   */
  record Literal(Object value, Type type) implements Expr {
    public static final Literal TRUE = new Literal(Boolean.TRUE, Type.BOOLEAN);
    public static final Literal FALSE = new Literal(Boolean.FALSE, Type.BOOLEAN);

    public Literal {
      NodeChecks.that(isOf(value, type), "a constant that is no value of its type");
    }

    public boolean isNull() {
      return value == null;
    }

    @Override
    public List<Expr> children() {
      return List.of();
    }

    @Override
    public Expr with(List<Expr> children) {
      return this;
    }

    private static boolean isOf(Object value, Type type) {
      if (value == null) {
        return true;
      }
      return switch (type.kind()) {
        case BOOLEAN -> value instanceof Boolean;
        case SMALLINT, INTEGER, BIGINT, DECIMAL -> value instanceof BigDecimal;
        case DOUBLE -> value instanceof Double;
        case VARCHAR -> value instanceof String;
        case DATE -> value instanceof LocalDate;
        case TIME -> value instanceof LocalTime;
        case TIMESTAMP -> value instanceof LocalDateTime;
        case INTERVAL_MONTHS, INTERVAL_MICROS -> value instanceof Long;
        case UUID -> value instanceof UUID;
        case OPAQUE, NULL -> false;
      };
    }
  }

  /** An operator or function of the list. */
  record Call(Function function, List<Expr> arguments, Type type) implements Expr {
    public Call {
      arguments = List.copyOf(arguments);
      NodeChecks.that(
          function.arity().holds(arguments.size()),
          function + " of " + arguments.size() + " arguments");
      boolean pattern = function == Function.LIKE || function == Function.ILIKE;
      NodeChecks.that(
          !pattern || ConstantLimits.holdFor(arguments),
          "a pattern that fails on rows of a database");
    }

    @Override
    public List<Expr> children() {
      return arguments;
    }

    @Override
    public Expr with(List<Expr> children) {
      return new Call(function, children, type);
    }
  }

  /** CASE WHEN ... (the form with an operand is rewritten to this one). No ELSE means NULL. */
  record Case(List<Branch> branches, Optional<Expr> otherwise, Type type) implements Expr {
    /** WHEN condition THEN value. */
    public record Branch(Expr condition, Expr value) {
      public Branch {
        NodeChecks.condition(condition);
      }
    }

    public Case {
      branches = List.copyOf(branches);
      NodeChecks.that(!branches.isEmpty(), "CASE without WHEN");
    }

    @Override
    public List<Expr> children() {
      List<Expr> all = new ArrayList<>();
      for (Branch branch : branches) {
        all.add(branch.condition());
        all.add(branch.value());
      }
      otherwise.ifPresent(all::add);
      return all;
    }

    @Override
    public Expr with(List<Expr> children) {
      List<Branch> made = new ArrayList<>();
      for (int i = 0; i < branches.size(); i++) {
        made.add(new Branch(children.get(2 * i), children.get(2 * i + 1)));
      }
      return new Case(made, otherwise.map(o -> children.getLast()), type);
    }
  }

  /** A conversion; a value that cannot be converted becomes NULL. */
  record Cast(Expr operand, Type type) implements Expr {
    @Override
    public List<Expr> children() {
      return List.of(operand);
    }

    @Override
    public Expr with(List<Expr> children) {
      return new Cast(children.getFirst(), type);
    }
  }
}
