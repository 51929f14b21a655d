package flexdp.gateway.database;

import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.util.Optional;

/**
 * A session that begins when it is first used: a question that is answered by what was released
 * before needs no database. Used by one thread.
 */
public final class SessionOnDemand implements Session {
  private final Database database;
  private final Stop stop;
  private Optional<Session> begun = Optional.empty();

  public SessionOnDemand(Database database) {
    this(database, new Stop());
  }

  /**
   * @param stop ends what runs in it
   */
  public SessionOnDemand(Database database, Stop stop) {
    this.database = database;
    this.stop = stop;
  }

  /** Begins now, so that a database that is away is noticed before anything is charged. */
  public Session begin() {
    if (begun.isEmpty()) {
      Session session = database.session();
      session.heed(stop);
      begun = Optional.of(session);
    }
    return begun.get();
  }

  @Override
  public void run(String sql, RowReader reader) {
    begin().run(sql, reader);
  }

  @Override
  public boolean runWhole(String sql, int most, RowReader reader) {
    return begin().runWhole(sql, most, reader);
  }

  @Override
  public Reading value(ResultSet row, int index, Type type) {
    return begin().value(row, index, type);
  }

  @Override
  public Optional<BigDecimal> number(ResultSet row, int index) {
    return begin().number(row, index);
  }

  @Override
  public void close() {
    begun.ifPresent(Session::close);
  }
}
