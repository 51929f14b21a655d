package flexdp.sql.bind;

import flexdp.policy.Sense;
import flexdp.policy.Spelling;
import flexdp.policy.Wording;
import flexdp.sql.function.Ids;
import flexdp.sql.function.Present;

/** The parts that bind one question, and what they share. */
final class Binder {
  final Ids ids = new Ids();
  final Tables tables;
  final Present now;
  final Wording dialect;
  final ExprBinder expressions = new ExprBinder(this);
  final Predicates predicates = new Predicates(this);
  final Subqueries subqueries = new Subqueries(this);
  final Froms froms = new Froms(this);
  final Selects selects = new Selects(this);
  final Queries queries = new Queries(this);

  Binder(Tables tables, Present now, Wording dialect) {
    this.tables = tables;
    this.dialect = dialect;
    this.now = now;
  }

  /** Whether the average of whole numbers is a whole number, as SQL Server has it. */
  boolean averagesWhole() {
    return Spelling.AVERAGE.in(dialect) == Sense.WHOLE;
  }
}
