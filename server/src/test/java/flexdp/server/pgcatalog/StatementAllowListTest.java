package flexdp.server.pgcatalog;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import flexdp.server.session.SqlError;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Trees that the database of today does not make, since its parser refuses the statements. */
class StatementAllowListTest {
  private static void require(String parameter) throws Exception {
    JsonNode tree =
        new ObjectMapper()
            .readTree(
                """
                {"error": false, "statements": [{"node": {"type": "SELECT_NODE", "select_list": [
                  {"class": "CAST", "type": "OPERATOR_CAST",
                   "child": {"class": "CONSTANT", "type": "VALUE_CONSTANT"},
                   "cast_type": {"id": "UNBOUND", "type_info": {"type": "UNBOUND_TYPE_INFO",
                     "expr": {"class": "TYPE", "type": "TYPE", "children": [%s]}}}}]}}]}
                """
                    .formatted(parameter));
    StatementAllowList.require(tree, new StatementAllowList.Known(Set.of(), Set.of()), List.of());
  }

  private static void requireQuery(String node) throws Exception {
    JsonNode tree =
        new ObjectMapper()
            .readTree("{\"error\": false, \"statements\": [{\"node\": " + node + "}]}");
    StatementAllowList.require(
        tree, new StatementAllowList.Known(Set.of("pg_class"), Set.of()), List.of());
  }

  private static String from(String table) {
    return "\"from_table\": {\"type\": \"BASE_TABLE\", \"table_name\": \"" + table + "\"}";
  }

  private static String select(String common, String from) {
    return "{\"type\": \"SELECT_NODE\", \"cte_map\": {\"map\": [" + common + "]}, " + from + "}";
  }

  private static String named(String name, String node) {
    return "{\"key\": \"%s\", \"value\": {\"query\": {\"node\": %s}}}".formatted(name, node);
  }

  /**
   * A name of an expression is one of the database's own, such as a file, where it does not reach.
   */
  @Test
  void commonTableExpressionsAreNamedWhereTheyReachOnly() {
    String plain = select("", from("pg_class"));
    String a = named("a", plain);
    assertDoesNotThrow(() -> requireQuery(select(a, from("a"))));
    assertDoesNotThrow(
        () -> requireQuery(select(a + ", " + named("b", select("", from("a"))), from("b"))));
    String recursive =
        "{\"type\": \"RECURSIVE_CTE_NODE\", \"left\": %s, \"right\": %s}"
            .formatted(plain, select("", from("r")));
    assertDoesNotThrow(() -> requireQuery(select(named("r", recursive), from("r"))));
    String below = "\"from_table\": {\"type\": \"SUBQUERY\", \"subquery\": {\"node\": %s}}";
    assertDoesNotThrow(() -> requireQuery(select(a, below.formatted(select("", from("a"))))));
    for (String outside :
        List.of(
            select(named("a", select("", from("a"))), from("pg_class")),
            select(named("a", select("", from("b"))) + ", " + named("b", plain), from("a")),
            "{\"type\": \"SET_OPERATION_NODE\", \"left\": %s, \"right\": %s}"
                .formatted(select(a, from("a")), select("", from("a"))))) {
      SqlError refused = assertThrows(SqlError.class, () -> requireQuery(outside), outside);
      assertEquals("42P01", refused.state());
    }
  }

  @Test
  void typesHoldTypesAndConstantsOnly() {
    assertDoesNotThrow(() -> require("{\"class\": \"CONSTANT\", \"type\": \"VALUE_CONSTANT\"}"));
    assertDoesNotThrow(() -> require("{\"class\": \"TYPE\", \"type\": \"TYPE\"}"));
    for (String kind : List.of("FUNCTION", "SUBQUERY", "OPERATOR", "COLUMN_REF")) {
      SqlError refused =
          assertThrows(SqlError.class, () -> require("{\"class\": \"" + kind + "\"}"), kind);
      assertEquals("0A000", refused.state());
    }
  }
}
