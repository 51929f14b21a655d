package flexdp.gateway.cache;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.YamlText;
import flexdp.policy.PolicyReader;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Released answers are given again only where people own the same rows. */
class PolicyFingerprintTest {
  private static final String POLICY =
      """
      privacy: {epsilon: 1}
      people: {user: {key: users.id, nobody: [0]}}
      tables:
        users:
          owners: {user: id}
          columns:
            id: {type: integer, unique: true, nullable: false}
        orders:
          owners: {user: buyer}
          rowsPerPerson: 5
          columns:
            buyer: {type: integer}
            seller: {type: integer}
      """;

  private static PolicyFingerprint of(String yaml) {
    return PolicyFingerprint.of(
        PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY)),
        Set.of("orders"));
  }

  @Test
  void otherOwnersMakeOtherAnswers() {
    assertEquals(of(POLICY), of(POLICY.replace("epsilon: 1", "epsilon: 2")));
    for (List<String> change :
        List.of(
            List.of("nobody: [0]", "nobody: [0, 1]"),
            List.of("user: buyer", "user: seller"),
            List.of("{user: buyer}\n    rowsPerPerson: 5", "{user: [buyer, seller]}"),
            List.of("rowsPerPerson: 5", "rowsPerPerson: 6"),
            List.of("  owners: {user: buyer}\n    rowsPerPerson: 5", "  unit: row"))) {
      String changed = POLICY.replace(change.getFirst(), change.getLast());
      assertNotEquals(POLICY, changed);
      assertNotEquals(of(POLICY), of(changed), change.getLast());
    }
  }

  @Test
  void whatIsAddedChangesNothingOfWhatWasThere() {
    PolicyFingerprint before = of(POLICY);
    String column = "      seller: {type: integer}\n";
    for (String added :
        List.of(
            POLICY + "      note: {type: varchar, domain: [a]}\n",
            POLICY + "  shops:\n    unit: row\n    columns: {id: {type: integer}}\n")) {
      PolicyFingerprint after = of(added);
      assertEquals(before.tables(), after.tables(), added);
      assertTrue(after.extendsColumns(before.columns()), added);
    }
    for (String changed :
        List.of(
            POLICY.replace(column, ""),
            POLICY.replace("seller: {type: integer}", "seller: {type: integer, range: [0, 9]}"),
            POLICY.replace("seller: {type: integer}", "seller: {type: bigint}"))) {
      assertNotEquals(POLICY, changed);
      assertFalse(of(changed).extendsColumns(before.columns()), changed);
    }
    assertNotEquals(
        before.tables(),
        of(POLICY.replace("buyer: {type: integer}", "buyer: {type: integer, unique: true}"))
            .tables());
  }

  @Test
  void theTablesOnTheWayToAnOwnerAreAmongThem() {
    String path =
        POLICY
            + "  lines:\n    owners: {user: order_id.buyer}\n    columns:\n"
            + "      order_id: {type: integer, references: orders.id}\n";
    path =
        path.replace(
            "      buyer:",
            "      id: {type: integer, unique: true, nullable: false}\n      buyer:");
    String other = path.replace("seller: {type: integer}", "seller: {type: bigint}");
    List<PolicyFingerprint> lines =
        List.of(path, other).stream()
            .map(
                yaml ->
                    PolicyFingerprint.of(
                        PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY)),
                        Set.of("lines")))
            .toList();
    assertFalse(lines.getLast().extendsColumns(lines.getFirst().columns()));
  }
}
