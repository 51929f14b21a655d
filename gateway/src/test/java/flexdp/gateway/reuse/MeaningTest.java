package flexdp.gateway.reuse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.text.YamlText;
import flexdp.policy.PolicyReader;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Released answers are given again only where people own the same rows. */
class MeaningTest {
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

  private static String of(String yaml) {
    return Meaning.of(PolicyReader.read(YamlText.tree(yaml, ConfigurationError.Code.BAD_POLICY)));
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
}
