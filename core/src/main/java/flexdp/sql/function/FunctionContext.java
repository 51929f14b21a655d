package flexdp.sql.function;

import flexdp.algebra.Expr;
import flexdp.policy.InputDialect;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;

/** What a function finds around it: how its arguments are bound, and what names mean there. */
public interface FunctionContext {
  Expr bind(SqlNode node);

  Expr condition(SqlNode node);

  boolean isColumn(SqlIdentifier name);

  /** Whether results of the SELECT may be named here. */
  boolean namesResults();

  /** A result of the SELECT by its name; null when there is none, or none may be named. */
  Expr result(SqlIdentifier name);

  /** For messages: WHERE, ON, GROUP BY ... */
  String clause();

  BindTime now();

  /** Whose words these are. */
  InputDialect dialect();
}
