package flexdp.sql.bind;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.algebra.Relation;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Neighbors;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import flexdp.policy.Type;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The small database that the tests of the binder ask about. */
final class BindingFixture {
  static final LocalDateTime NOW = LocalDateTime.of(2020, 6, 15, 12, 30, 0);

  static final Policy POLICY =
      policy(
          table(
              "trips",
              false,
              List.of(Set.of("id")),
              "id bigint!",
              "driver_id bigint!",
              "city_id integer",
              "fare decimal",
              "status varchar",
              "at timestamp",
              "day date",
              "paid boolean"),
          table(
              "drivers",
              false,
              List.of(Set.of("id")),
              "id bigint!",
              "name varchar",
              "city_id integer"),
          table(
              "cities",
              true,
              List.of(Set.of("id")),
              "id integer!",
              "name varchar",
              "country varchar"),
          table("edges", false, List.of(), "source bigint", "dest bigint"));

  private BindingFixture() {}

  static Policy policy(Table... tables) {
    Map<String, Table> byName = new LinkedHashMap<>();
    for (Table table : tables) {
      byName.put(table.name(), table);
    }
    return new Policy(
        Optional.empty(),
        new Policy.Privacy(
            Neighbors.ADD_REMOVE_ONE,
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            1000),
        byName);
  }

  /** Columns are written as "name type", with ! for NOT NULL. */
  static Table table(String name, boolean open, List<Set<String>> keys, String... columns) {
    List<ColumnSpec> specs = new ArrayList<>();
    for (String column : columns) {
      String[] words = column.replace("!", "").split(" ");
      Type type =
          words[1].equals("decimal")
              ? Type.decimal(9, 2)
              : Type.of(Type.Kind.valueOf(words[1].toUpperCase(Locale.ROOT)));
      specs.add(
          new ColumnSpec(
              words[0],
              type,
              !column.endsWith("!"),
              Optional.empty(),
              Optional.empty(),
              Optional.empty()));
    }
    return new Table(name, open, specs, keys, List.of());
  }

  static Relation bind(String sql) {
    return new SqlBinder(POLICY, NOW).bind(sql);
  }

  static void assertBinds(String expected, String sql) {
    assertEquals(expected, RelationText.of(bind(sql)), sql);
  }

  static Rejection assertRejects(RejectionCode code, String sql) {
    Rejection rejection = assertThrows(Rejection.class, () -> bind(sql), sql);
    assertEquals(code, rejection.code(), sql + ": " + rejection.getMessage());
    return rejection;
  }

  /** The expression that a value becomes when selected from trips. */
  static String value(String expression) {
    Relation.Project project = (Relation.Project) bind("SELECT " + expression + " FROM trips");
    return RelationText.of(project.outputs().get(0).expr());
  }
}
