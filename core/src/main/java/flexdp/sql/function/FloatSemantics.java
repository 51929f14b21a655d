package flexdp.sql.function;

import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import flexdp.policy.Type;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlDataTypeSpec;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlNumericLiteral;
import org.apache.calcite.sql.fun.SqlCase;
import org.apache.calcite.sql.type.SqlTypeName;

/**
 * Which numbers are floats in a dialect that rounds floats and decimals in two ways. Quotients,
 * roots and powers are doubles here, but decimals in PostgreSQL or MySQL where they are made of
 * such.
 */
final class FloatSemantics {
  /** In the order in which one of them decides for a sum: UNKNOWN stays so beside decimals. */
  enum Kind {
    WHOLE,
    DECIMAL,
    UNKNOWN,
    FLOAT
  }

  private static final Set<String> REAL =
      Set.of("SQRT", "EXP", "LN", "LOG", "LOG2", "LOG10", "POWER", "POW", "PI");

  private static final Set<String> SAME =
      Set.of(
          "+",
          "-",
          "*",
          "/",
          "%",
          "MOD",
          "ABS",
          "COALESCE",
          "IFNULL",
          "GREATEST",
          "LEAST",
          "SUM",
          "MIN",
          "MAX");

  private static final Set<String> CUT =
      Set.of("SIGN", "FLOOR", "CEIL", "CEILING", "TRUNC", "TRUNCATE", "ROUND");

  private static final Set<String> COUNTED =
      Set.of(
          "COUNT",
          "LENGTH",
          "CHAR_LENGTH",
          "CHARACTER_LENGTH",
          "OCTET_LENGTH",
          "POSITION",
          "STRPOS",
          "INSTR",
          "LOCATE",
          "WIDTH_BUCKET");

  private final InputDialect dialect;
  private final Function<SqlIdentifier, Type> columns;

  /**
   * @param columns the type of what has a name
   */
  FloatSemantics(InputDialect dialect, Function<SqlIdentifier, Type> columns) {
    this.dialect = dialect;
    this.columns = columns;
  }

  Kind of(SqlNode node) {
    return switch (node) {
      case SqlNumericLiteral number ->
          !number.isExact() ? Kind.FLOAT : number.isInteger() ? Kind.WHOLE : Kind.DECIMAL;
      case SqlLiteral none when none.getTypeName() == SqlTypeName.NULL -> Kind.WHOLE;
      case SqlIdentifier name -> column(columns.apply(name));
      case SqlCase choice ->
          most(
              Stream.concat(choice.getThenOperands().stream(), Stream.of(choice.getElseOperand())));
      case SqlCall call -> call(call, FunctionFinder.nameOf(call));
      case null, default -> Kind.UNKNOWN;
    };
  }

  /** A double may be a quotient of decimals that a subquery named. */
  private static Kind column(Type type) {
    return switch (type.kind()) {
      case DECIMAL -> Kind.DECIMAL;
      case SMALLINT, INTEGER, BIGINT -> Kind.WHOLE;
      default -> Kind.UNKNOWN;
    };
  }

  private Kind call(SqlCall call, String name) {
    List<SqlNode> operands = call.getOperandList();
    if (call.getKind() == SqlKind.CAST || call.getKind() == SqlKind.SAFE_CAST) {
      return operands.get(1) instanceof SqlDataTypeSpec type ? named(type) : Kind.UNKNOWN;
    }
    boolean wholeIsReal = DialectSpelling.FLOOR_QUOTIENT.in(dialect) == SpellingMeaning.REAL;
    if (name.equals("DATE_PART") && wholeIsReal) {
      return Kind.FLOAT;
    }
    if (name.equals("LOG") && operands.size() == 2 && wholeIsReal) {
      return Kind.DECIMAL;
    }
    if (REAL.contains(name)) {
      Kind most = most(operands.stream());
      return most == Kind.DECIMAL && wholeIsReal ? most : most == Kind.UNKNOWN ? most : Kind.FLOAT;
    }
    if (CUT.contains(name) && operands.size() == 1) {
      boolean sign = name.equals("SIGN") && !wholeIsReal;
      Kind kind = sign ? Kind.WHOLE : of(operands.getFirst());
      return kind == Kind.WHOLE && wholeIsReal ? Kind.FLOAT : kind;
    }
    if (COUNTED.contains(name)) {
      return Kind.WHOLE;
    }
    if (name.equals("NULLIF")) {
      return of(operands.getFirst());
    }
    if (name.equals("IF") || name.equals("IIF")) {
      return most(operands.stream().skip(1));
    }
    if (!SAME.contains(name)) {
      return Kind.UNKNOWN;
    }
    Kind most = most(operands.stream());
    boolean quotient =
        name.equals("/") && DialectSpelling.QUOTIENT.in(dialect) == SpellingMeaning.REAL;
    return quotient && most == Kind.WHOLE ? Kind.DECIMAL : most;
  }

  private static Kind named(SqlDataTypeSpec type) {
    return switch (type.getTypeName().getSimple().toUpperCase(java.util.Locale.ROOT)) {
      case "DOUBLE", "FLOAT" -> Kind.FLOAT;
      case "DECIMAL", "NUMERIC" -> Kind.DECIMAL;
      case "SMALLINT", "INTEGER", "BIGINT" -> Kind.WHOLE;
      default -> Kind.UNKNOWN;
    };
  }

  private Kind most(Stream<SqlNode> nodes) {
    return nodes
        .flatMap(n -> n instanceof SqlNodeList list ? list.stream() : Stream.of(n))
        .map(this::of)
        .max(Kind::compareTo)
        .orElse(Kind.UNKNOWN);
  }
}
