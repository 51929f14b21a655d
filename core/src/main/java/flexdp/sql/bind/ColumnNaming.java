package flexdp.sql.bind;

import flexdp.sql.function.CastFunctions;
import flexdp.sql.function.FunctionFinder;
import java.util.Locale;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlLiteral;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.type.SqlTypeName;

/** What PostgreSQL calls a column of the result. */
final class ColumnNaming {
  private static final String UNNAMED = "?column?";

  private ColumnNaming() {}

  static String of(SqlNode node) {
    return switch (node) {
      case SqlIdentifier name -> name.names.get(name.names.size() - 1);
      case SqlLiteral literal -> literal.getTypeName() == SqlTypeName.BOOLEAN ? "bool" : UNNAMED;
      case SqlSelect select ->
          select.getSelectList().size() == 1 ? of(select.getSelectList().get(0)) : UNNAMED;
      case SqlOrderBy order -> of(order.query);
      case SqlCall call -> of(call);
      default -> UNNAMED;
    };
  }

  private static String of(SqlCall call) {
    return switch (call.getKind()) {
      case AS -> ((SqlIdentifier) call.operand(1)).getSimple();
      case CASE -> "case";
      case EXISTS -> "exists";
      case CAST, SAFE_CAST -> {
        String inner = of((SqlNode) call.operand(0));
        yield inner.equals(UNNAMED) || inner.equals("bool") ? type(call.operand(1)) : inner;
      }
      case OVER, FILTER, WITHIN_GROUP, SCALAR_QUERY -> of((SqlNode) call.operand(0));
      default -> isFunction(call) ? FunctionFinder.nameOf(call).toLowerCase(Locale.ROOT) : UNNAMED;
    };
  }

  private static String type(SqlNode node) {
    String type =
        CastFunctions.type(node, flexdp.policy.InputDialect.GENERAL)
            .kind()
            .name()
            .toLowerCase(Locale.ROOT);
    return switch (type) {
      case "boolean" -> "bool";
      case "smallint" -> "int2";
      case "integer" -> "int4";
      case "bigint" -> "int8";
      case "decimal" -> "numeric";
      case "double" -> "float8";
      default -> type;
    };
  }

  private static boolean isFunction(SqlCall call) {
    return call.getOperator() instanceof org.apache.calcite.sql.SqlFunction
        || call.getKind() == SqlKind.COALESCE;
  }
}
