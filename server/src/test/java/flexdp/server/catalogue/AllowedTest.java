package flexdp.server.catalogue;

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
class AllowedTest {
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
    Allowed.require(tree, new Allowed.Known(Set.of(), Set.of()), List.of());
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
