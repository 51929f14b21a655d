package flexdp.decompose;

import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Range;
import flexdp.policy.Table;
import flexdp.policy.Type;
import flexdp.query.Bins;
import flexdp.query.DecompositionContext;
import flexdp.query.DpQuery;
import flexdp.query.RangeSource;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Questions over a small ride-sharing policy. */
public final class DecompositionFixture {
  private static final LocalDateTime NOW = LocalDateTime.of(2016, 9, 1, 12, 0);

  private DecompositionFixture() {}

  public static DpQuery question(String sql) {
    return question(sql, Optional.empty(), Optional.empty());
  }

  public static DpQuery question(
      String sql, Optional<Bins> bins, Optional<BigDecimal> thresholding) {
    Policy policy = policy(thresholding);
    SqlBinder.Bound bound = new SqlBinder(policy, NOW).bound(sql);
    Optional<LocalDateTime> now = bound.timeless() ? Optional.empty() : Optional.of(NOW);
    return QueryDecomposer.of(
        bound.relation(), policy, new DecompositionContext(bins, RangeSource.NONE, now));
  }

  static Policy policy(Optional<BigDecimal> thresholding) {
    Map<String, Table> tables = new LinkedHashMap<>();
    tables.put(
        "trips",
        new Table(
            "trips",
            false,
            List.of(
                column("id", Type.BIGINT, false),
                column("driver_id", Type.BIGINT, true),
                references(column("city_id", Type.INTEGER, true)),
                ranged(column("fare", Type.decimal(9, 2), true), Range.of(0, 500)),
                ranged(column("distance", Type.DOUBLE, false), Range.of(-10, 100)),
                domain(column("status", Type.VARCHAR, false), "requested", "completed"),
                domain(column("rating", Type.INTEGER, true), BigDecimal.ONE, BigDecimal.TWO, null),
                ranged(column("seats", Type.SMALLINT, true), Range.of(0, 2)),
                column("paid", Type.BOOLEAN, true),
                column("note", Type.VARCHAR, true),
                column("photo", Type.OPAQUE, true),
                column("at", Type.TIMESTAMP, false),
                ranged(
                    column("day", Type.DATE, false),
                    Range.of(
                        LocalDate.of(2016, 1, 1).toEpochDay(),
                        LocalDate.of(2016, 3, 31).toEpochDay()))),
            List.of(Set.of("id")),
            List.of()));
    tables.put(
        "cities",
        new Table(
            "cities",
            true,
            List.of(
                column("id", Type.INTEGER, false),
                column("name", Type.VARCHAR, false),
                column("country", Type.VARCHAR, false)),
            List.of(Set.of("id")),
            List.of()));
    Policy.Privacy privacy =
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            thresholding,
            1000);
    return new Policy(Optional.empty(), privacy, tables);
  }

  private static ColumnSpec column(String name, Type type, boolean nullable) {
    return new ColumnSpec(
        name, type, nullable, Optional.empty(), Optional.empty(), Optional.empty());
  }

  private static ColumnSpec ranged(ColumnSpec c, Range range) {
    return new ColumnSpec(
        c.name(), c.type(), c.nullable(), Optional.of(range), c.domain(), c.references());
  }

  private static ColumnSpec domain(ColumnSpec c, Object... values) {
    List<Object> all = new ArrayList<>(java.util.Arrays.asList(values));
    return new ColumnSpec(
        c.name(), c.type(), c.nullable(), c.range(), Optional.of(all), c.references());
  }

  private static ColumnSpec references(ColumnSpec c) {
    return new ColumnSpec(
        c.name(),
        c.type(),
        c.nullable(),
        c.range(),
        c.domain(),
        Optional.of(new ColumnSpec.Reference("cities", "id")));
  }
}
