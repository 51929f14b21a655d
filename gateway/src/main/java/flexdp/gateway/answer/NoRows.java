package flexdp.gateway.answer;

import flexdp.cells.CellSink;
import flexdp.cells.PersonCell;
import flexdp.gateway.plan.Rendered;
import flexdp.people.clip.Contributions;
import flexdp.release.ExactRows;
import flexdp.release.Reading;
import java.util.function.Consumer;

/** A database in which nothing has rows, for what is tried without one: statements are written. */
final class NoRows implements ExactRows {
  private final Rendered rendered;

  NoRows(Rendered rendered) {
    this.rendered = rendered;
  }

  @Override
  public void cells(Reading.Cells what, CellSink to) {
    // Those of a planned aggregate were written when the plan was checked.
    if (what.use() != Reading.Cells.Use.AGGREGATE) {
      rendered.check(what);
    }
  }

  @Override
  public void people(Reading.People what, Contributions<PersonCell> to) {
    rendered.check(what);
  }

  @Override
  public void degrees(Reading.Degrees what, Consumer<Reading.Degrees.Row> to) {
    rendered.check(what);
  }

  @Override
  public boolean staysOpen() {
    return true;
  }
}
