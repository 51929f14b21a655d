package flexdp.gateway.program;

import flexdp.cells.CellSink;
import flexdp.cells.PersonCell;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.SqlRenderer;
import flexdp.people.clipping.Contributions;
import flexdp.release.ExactRows;
import flexdp.release.Reading;
import java.util.function.Consumer;

/** What a program says of rows, in place of what a database would. */
public final class ProgramRows implements ExactRows {
  private final ProgramReading program;
  private final Session session;
  private final SqlRenderer renderer;

  public ProgramRows(ProgramReading program, Session session, SqlRenderer renderer) {
    this.program = program;
    this.session = session;
    this.renderer = renderer;
  }

  @Override
  public void cells(Reading.Cells what, CellSink to) {
    program.fill(what.point(), session, renderer, to);
  }

  @Override
  public void people(Reading.People what, Contributions<PersonCell> to) {
    throw ofPeople();
  }

  @Override
  public void degrees(Reading.Degrees what, Consumer<Reading.Degrees.Row> to) {
    throw ofPeople();
  }

  private static IllegalStateException ofPeople() {
    return new IllegalStateException("programs are not run over rows that people own");
  }

  @Override
  public boolean staysOpen() {
    return true;
  }
}
