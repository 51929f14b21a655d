package flexdp.gateway.answer;

import flexdp.algebra.Column;
import flexdp.gateway.database.Reading;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.PersonStatement;
import flexdp.people.clip.Contributions;
import flexdp.plan.Clipping;
import flexdp.question.ReleasePoint;
import flexdp.release.PersonCell;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads what people contribute to a release point. */
public final class PeopleExecution {
  private final Session session;

  public PeopleExecution(Session session) {
    this.session = session;
  }

  public Contributions<PersonCell> read(
      ReleasePoint point, Clipping clipping, List<PersonStatement> statements) {
    Contributions<PersonCell> all = new Contributions<>(clipping.levels(), clipping.digits());
    for (PersonStatement statement : statements) {
      session.run(statement.sql(), row -> add(point, statement, row, all));
    }
    return all;
  }

  /**
   * Whatever a row holds, the question goes on: an error would tell that there is such a row. One
   * whose label cannot be read is as if it were not listed, but its people are people.
   */
  private void add(
      ReleasePoint point, PersonStatement statement, ResultSet row, Contributions<PersonCell> to) {
    int at = 1;
    int bucket = number(row, at++).intValue();
    boolean readable = true;
    Optional<Long> grouping = Optional.empty();
    if (statement.grouping().isPresent()) {
      grouping = Optional.of(number(row, at++).longValue() >> statement.grouping().get());
    }
    List<Object> labels = new ArrayList<>();
    for (Column key : statement.hasKeys() ? point.keys() : List.<Column>of()) {
      switch (session.value(row, at++, key.type())) {
        case Reading.Value(Object value) -> labels.add(value);
        case Reading.Unreadable() -> readable = false;
      }
    }
    Optional<BigInteger> step = Optional.empty();
    if (statement.step().isPresent()) {
      Optional<BigDecimal> read = session.number(row, at++);
      readable &= read.isPresent();
      step = read.map(statement.step().get()::units);
    }
    BigInteger people = number(row, at++);
    if (statement.countsPeople()) {
      to.people(bucket, people);
    }
    for (PersonStatement.Value value : statement.values()) {
      BigInteger plain = number(row, at++);
      BigInteger shares = number(row, at++);
      if (readable) {
        List<Object> bin = value.labels().orElse(labels);
        to.add(bucket, new PersonCell(grouping, bin, value.measurement(), step), plain, shares);
      }
    }
  }

  private BigInteger number(ResultSet row, int at) {
    return PersonStatement.whole(session.number(row, at).orElse(BigDecimal.ZERO));
  }
}
