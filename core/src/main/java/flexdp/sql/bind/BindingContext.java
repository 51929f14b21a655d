package flexdp.sql.bind;

import flexdp.policy.DialectSpelling;
import flexdp.policy.InputDialect;
import flexdp.policy.SpellingMeaning;
import flexdp.sql.function.BindTime;
import flexdp.sql.function.ColumnIdSequence;

/** The parts that bind one question, and what they share. */
final class BindingContext {
  final ColumnIdSequence ids = new ColumnIdSequence();
  final PolicyTables tables;
  final BindTime now;
  final InputDialect dialect;
  final ExprBinder expressions = new ExprBinder(this);
  final PredicateBinder predicates = new PredicateBinder(this);
  final SubqueryBinder subqueries = new SubqueryBinder(this);
  final FromBinder froms = new FromBinder(this);
  final SelectBinder selects = new SelectBinder(this);
  final QueryBinder queries = new QueryBinder(this);

  BindingContext(PolicyTables tables, BindTime now, InputDialect dialect) {
    this.tables = tables;
    this.dialect = dialect;
    this.now = now;
  }

  /** Whether the average of whole numbers is a whole number, as SQL Server has it. */
  boolean averagesWhole() {
    return DialectSpelling.AVERAGE.in(dialect) == SpellingMeaning.WHOLE;
  }
}
