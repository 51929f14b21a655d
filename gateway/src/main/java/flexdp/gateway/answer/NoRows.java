package flexdp.gateway.answer;

import flexdp.gateway.database.Reading;
import flexdp.gateway.database.Session;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.sql.ResultSet;
import java.util.Optional;

/** A session in which every statement has no rows, for what is tried without a database. */
final class NoRows implements Session {
  @Override
  public void run(String sql, RowReader reader) {}

  @Override
  public boolean runWhole(String sql, int most, RowReader reader) {
    return true;
  }

  @Override
  public Reading value(ResultSet row, int index, Type type) {
    return new Reading.Unreadable();
  }

  @Override
  public Optional<BigDecimal> number(ResultSet row, int index) {
    return Optional.empty();
  }

  @Override
  public void close() {}
}
