package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.query.Bins;
import flexdp.query.DpQuery;
import flexdp.sql.bind.SqlBinder;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDateTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** Columns that tell individuals apart; more shapes stand in the corpus. */
class IndividualsTest {
  private static final Policy POLICY = policy();

  private static Policy policy() {
    Path file = Path.of("src", "test", "resources", "corpus", "individual.policy.yaml");
    try {
      Load load = new Load(LoadSettings.builder().build());
      return PolicyReader.read(load.loadFromString(Files.readString(file)));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static DpQuery ask(String sql, Optional<Bins> bins) {
    LocalDateTime now = LocalDateTime.of(2024, 1, 1, 0, 0);
    return QueryDecomposer.of(new SqlBinder(POLICY, now).bind(sql), POLICY, bins);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM people WHERE id <> 5",
        "SELECT COUNT(*) FROM people WHERE NOT (id = 5 OR age > 3)",
        "SELECT COUNT(*) FROM people WHERE id IS DISTINCT FROM 5",
        "SELECT COUNT(*) FROM people WHERE id NOT IN (1, 2)",
        "SELECT COUNT(*) FROM people WHERE id = age",
        "SELECT COUNT(*) FROM people WHERE (id, age) = (5, 6)",
        "SELECT COUNT(*) FROM people WHERE (id = 5) IS NOT TRUE",
        "SELECT COUNT(*) FROM people WHERE CASE WHEN id = 5 THEN TRUE ELSE FALSE END",
        "SELECT COUNT(*) FROM people WHERE COALESCE(id, 5) = id",
        "SELECT COUNT(*) FROM people WHERE NULLIF(id, 5) IS NULL",
        "SELECT COUNT(*) FROM people WHERE CAST(id AS SMALLINT) IS NULL",
        "SELECT COUNT(*) FROM people WHERE CAST(id AS VARCHAR) = '5'",
        "SELECT COUNT(*) FROM people WHERE ABS(id) = 5",
        "SELECT COUNT(*) FROM people WHERE LOWER(email) = 'a'",
        "SELECT COUNT(*) FROM people WHERE SUBSTRING(email, 1, 1) = 'a'",
        "SELECT COUNT(*) FROM people WHERE CHAR_LENGTH(email) = 7",
        "SELECT COUNT(*) FROM people WHERE email ILIKE '%x'",
        "SELECT COUNT(*) FROM people WHERE 10 / (id - 5) > 0",
        "SELECT COUNT(*) FROM people WHERE GREATEST(id, 5) = id",
        "SELECT COUNT(*) FILTER (WHERE id = 5) FROM people",
        "SELECT COUNT(NULLIF(id, 5)) FROM people",
        "SELECT COUNT(DISTINCT id % 10) FROM people",
        "SELECT SUM(LEAST(GREATEST(id, 0), 1)) FROM people",
        "SELECT AVG(LEAST(GREATEST(id - 5, 0), 1)) FROM people",
        "SELECT MEDIAN(LEAST(GREATEST(id, 0), 10)) FROM people",
        "SELECT id = 5, COUNT(*) FROM people GROUP BY id = 5",
        "SELECT CASE WHEN id < 10 THEN 'a' ELSE 'b' END g, COUNT(*) FROM people GROUP BY 1",
        "SELECT email, COUNT(*) FROM people WHERE email IN ('a', 'b') GROUP BY email",
        "SELECT COUNT(*) FROM people a JOIN people b ON a.id = b.id + 1",
        "SELECT COUNT(*) FROM people a JOIN people b ON a.city = b.city AND a.id < b.id",
        "SELECT COUNT(*) FROM people a LEFT JOIN famous f ON f.id = a.id WHERE f.id IS NOT NULL",
        "SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM famous f WHERE f.id = p.id)",
        "SELECT COUNT(*) FROM people NATURAL JOIN famous",
        "SELECT COUNT(*) FROM famous f JOIN people p USING (id)",
        "SELECT COUNT(*) FROM people p JOIN (SELECT 5 AS x) c ON c.x = p.id",
        "WITH c(x) AS (SELECT 5) SELECT COUNT(*) FROM people, c WHERE people.id = c.x",
        "SELECT COUNT(*) FROM (SELECT id FROM people UNION ALL SELECT 5) x",
        "SELECT COUNT(*) FROM (SELECT id FROM people EXCEPT SELECT id FROM famous) x",
        "SELECT COUNT(*) FROM (SELECT id FROM people UNION SELECT guide FROM visits) x",
        "SELECT COUNT(*) FROM (SELECT id FROM people ORDER BY id LIMIT 1) x",
        "SELECT COUNT(*) FROM (SELECT person, MIN(person) m FROM visits GROUP BY person) x"
            + " WHERE m = 5",
        "SELECT COUNT(*) FROM (SELECT id + 1 AS y FROM people) x WHERE y = 6",
        "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FROM visits v WHERE v.person = p.id"
            + " AND v.person = 5) > 0",
        "SELECT COUNT(*) FROM people p WHERE p.id IN (SELECT v.guide FROM visits v)",
        "SELECT COUNT(*) FROM (SELECT cost, LAG(person) OVER (PARTITION BY day ORDER BY person) l"
            + " FROM visits) x WHERE l = 5",
        "SELECT COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY city ORDER BY id) r"
            + " FROM people) x WHERE r <= 1",
        "SELECT COUNT(*) FROM people WHERE small = 1",
        "SELECT COUNT(*) FROM people HAVING MAX(id) > 5",
      })
  void anyOtherUseIsRejected(String sql) {
    Rejection rejection = assertThrows(Rejection.class, () -> ask(sql, Optional.empty()), sql);
    assertEquals(RejectionCode.INDIVIDUAL_FILTER, rejection.code(), rejection.getMessage());
    assertTrue(rejection.getMessage().contains("people.") || rejection.getMessage().contains("."));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT COUNT(*) FROM people p JOIN members m ON m.person = p.id",
        "SELECT COUNT(*) FROM people p JOIN members m ON p.small = m.person",
        "SELECT COUNT(*) FROM people p LEFT JOIN visits v ON v.person = p.id WHERE v.person IS"
            + " NULL",
        "SELECT COUNT(*) FROM people WHERE id IN (SELECT person FROM visits WHERE cost > 3)",
        "SELECT COUNT(*) FROM people WHERE id NOT IN (SELECT person FROM visits)",
        "SELECT COUNT(DISTINCT id), COUNT(email) FROM people",
        "SELECT AVG(n) FROM (SELECT person, LEAST(COUNT(*), 9) n FROM visits GROUP BY person) x",
        "SELECT COUNT(*) FROM (SELECT DISTINCT person, day FROM visits) x",
        "SELECT COUNT(*) FROM visits v JOIN famous f ON f.id = v.guide",
        "SELECT COUNT(*) FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY person ORDER BY day) r"
            + " FROM visits) x WHERE r <= 2",
        "SELECT COUNT(*) FROM people p FULL JOIN members m ON m.person = p.id",
      })
  void joiningCountingAndGroupingAreNot(String sql) {
    assertDoesNotThrow(() -> ask(sql, Optional.empty()), sql);
  }

  @Test
  void suppliedLabelsAreConstantsToo() {
    Bins bins = new Bins(List.of("id"), List.of(List.of("5")));
    Rejection rejection =
        assertThrows(
            Rejection.class,
            () -> ask("SELECT id, COUNT(*) FROM people GROUP BY id", Optional.of(bins)));
    assertEquals(RejectionCode.INDIVIDUAL_FILTER, rejection.code());
  }

  @Test
  void publicTablesHaveNone() {
    Map<String, Object> policy =
        Map.of(
            "flexdp",
            BigDecimal.ONE,
            "tables",
            Map.of(
                "t",
                Map.of(
                    "public",
                    true,
                    "columns",
                    Map.of("id", Map.of("type", "bigint", "individual", true)))));
    ConfigurationError error =
        assertThrows(ConfigurationError.class, () -> PolicyReader.read(policy));
    assertTrue(error.getMessage().contains("public"), error.getMessage());
  }

  /** Its rows are known to everyone: a join with it is a comparison with constants. */
  @Test
  void aPublicTableThatRefersToIndividualsIsNoWayAround() {
    Policy policy =
        PolicyReader.read(
            new Load(LoadSettings.builder().build())
                .loadFromString(
                    """
                    tables:
                      people: {columns: {id: {type: integer, unique: true, individual: true}}}
                      famous:
                        public: true
                        columns: {id: {type: integer, unique: true, references: people.id}}
                    """));
    String sql = "SELECT COUNT(*) FROM people p JOIN famous f ON f.id = p.id";
    Rejection rejection =
        assertThrows(
            Rejection.class,
            () ->
                QueryDecomposer.of(
                    new SqlBinder(policy, LocalDateTime.MIN).bind(sql), policy, Optional.empty()));
    assertEquals(RejectionCode.INDIVIDUAL_FILTER, rejection.code(), rejection.getMessage());
  }
}
