package flexdp.gateway;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Type;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Visits of a few people, and what is asked about them of every database. */
final class VisitQuestions {
  private VisitQuestions() {}

  private static final String COLUMNS =
      """
          columns:
            id: {type: bigint, unique: true, nullable: false}
            person: {type: integer, individual: false}
            city: {type: integer, domain: [1, 2, 3, 4]}
            amount: {type: "decimal(9,2)", range: [0, 500]}
            minutes: {type: integer, range: [-50, 50]}
            score: {type: double, range: [0, 10]}
            kind: {type: varchar, domain: [a, b, null]}
            day: {type: date, range: ["2024-01-01", "2024-12-31"]}
      """;

  static final Policy POLICY =
      policy(
          """
          privacy: {epsilon: 1, budget: {epsilon: 1000000}}
          tables:
            visits:
          """
              + COLUMNS);

  /** The visits where 2, 5 and 9 stand for nobody, and rows of nobody are read. */
  static final Policy KEPT =
      policy(
          """
          privacy: {epsilon: 1, budget: {epsilon: 1000000}}
          people: {person: {nobody: [2, 5, 9]}}
          tables:
            visits:
              owners: {person: person}
              unowned: keep
          """
              + COLUMNS);

  /** The visits, of people whom no table knows. */
  static final Policy NAMED =
      policy(
          """
          privacy: {epsilon: 1, budget: {epsilon: 1000000}}
          people: {person: {}}
          tables:
            visits:
              owners: {person: person}
          """
              + COLUMNS);

  /** The visits, whose rows are those of a person and of a place. */
  static final Policy SHARED =
      policy(
          """
          privacy: {epsilon: 1, budget: {epsilon: 1000000}}
          people: {person: {key: persons.id}, place: {key: places.id}}
          tables:
            persons:
              owners: {person: id}
              columns:
                id: {type: integer, unique: true, nullable: false}
            places:
              owners: {place: id}
              columns:
                id: {type: integer, unique: true, nullable: false}
            visits:
              owners: {person: person, place: city}
          """
              + COLUMNS);

  /** One owner of each row, and two. */
  static final Map<String, Policy> WAYS = new TreeMap<>(Map.of("kept", KEPT, "shared", SHARED));

  /** Makes the tables of those whom visits belong to. */
  static void owners(TestDatabase test, Connection writer) throws SQLException {
    Map<String, Integer> tables = Map.of("persons", PEOPLE, "places", 5);
    try (Statement statement = writer.createStatement()) {
      for (Map.Entry<String, Integer> table : tables.entrySet()) {
        String name = table.getKey();
        statement.execute("CREATE TABLE " + name + " (id " + test.columnType(Type.INTEGER) + ")");
        String ids =
            IntStream.rangeClosed(1, table.getValue())
                .mapToObj(id -> "(" + id + ")")
                .collect(Collectors.joining(", "));
        statement.execute("INSERT INTO " + name + " VALUES " + ids);
      }
    }
  }

  private static Policy policy(String text) {
    return PolicyReader.read(YamlText.tree(text, ConfigurationError.Code.BAD_POLICY));
  }

  /** The visits as a table of which three rows of each person are read. */
  static final Policy CUT =
      policy(
          """
          privacy: {epsilon: 1, budget: {epsilon: 1000000}}
          people: {person: {key: persons.id}}
          tables:
            persons:
              owners: {person: id}
              columns:
                id: {type: integer, unique: true, nullable: false}
            visits:
              owners: {person: person}
              rowsPerPerson: 3
              columns:
                id: {type: bigint, unique: true, nullable: false}
                person: {type: integer}
                city: {type: integer}
                amount: {type: "decimal(9,2)"}
                minutes: {type: integer}
                score: {type: double}
                kind: {type: varchar}
                day: {type: date}
          """);

  static final int PEOPLE = 14;

  /** Counts, values of one sign and of both, several numbers; a key that is whose they are. */
  static final List<String> CUBES =
      List.of(
          "SELECT city, kind, COUNT(*) FROM visits GROUP BY CUBE(city, kind)",
          "SELECT city, kind, SUM(amount) FROM visits GROUP BY ROLLUP(city, kind)",
          "SELECT city, kind, SUM(minutes) FROM visits GROUP BY CUBE(city, kind)",
          "SELECT city, kind, COUNT(*), SUM(minutes) FROM visits"
              + " GROUP BY GROUPING SETS ((city), (kind), ())",
          "SELECT person, city, COUNT(amount) FROM visits WHERE person IN (1, 2, 9)"
              + " GROUP BY CUBE(person, city)");

  static final List<String> QUESTIONS =
      List.of(
          "SELECT COUNT(*) FROM visits",
          "SELECT COUNT(*) FROM visits WHERE amount > 10",
          "SELECT COUNT(amount) FROM visits",
          "SELECT COUNT(kind) FROM visits WHERE city IN (1, 2)",
          "SELECT SUM(amount) FROM visits",
          "SELECT SUM(minutes) FROM visits",
          "SELECT SUM(score) FROM visits",
          "SELECT SUM(minutes) FROM visits WHERE kind = 'a'",
          "SELECT SUM(CASE WHEN kind = 'a' THEN 1 ELSE 0 END) FROM visits",
          "SELECT AVG(amount) FROM visits",
          "SELECT AVG(minutes) FROM visits",
          "SELECT AVG(score) FROM visits",
          "SELECT COUNT(*), SUM(amount) FROM visits",
          "SELECT COUNT(*), SUM(minutes), SUM(score) FROM visits",
          "SELECT COUNT(*) FILTER (WHERE kind = 'b'), COUNT(*) FROM visits",
          "SELECT STDDEV_POP(minutes) FROM visits",
          "SELECT MIN(amount) FROM visits",
          "SELECT MAX(minutes) FROM visits",
          "SELECT MAX(minutes), COUNT(*) FROM visits",
          "SELECT city, COUNT(*) FROM visits GROUP BY city",
          "SELECT kind, COUNT(*) FROM visits GROUP BY kind",
          "SELECT city, kind, COUNT(*) FROM visits GROUP BY city, kind",
          "SELECT city, SUM(amount) FROM visits GROUP BY city",
          "SELECT city, SUM(minutes) FROM visits GROUP BY city",
          "SELECT city, AVG(minutes) FROM visits GROUP BY city",
          "SELECT city, COUNT(*), SUM(amount) FROM visits WHERE minutes < 20 GROUP BY city",
          "SELECT kind, MAX(amount) FROM visits GROUP BY kind",
          "SELECT CASE WHEN minutes > 0 THEN 'up' ELSE 'down' END, SUM(score) FROM visits GROUP BY"
              + " 1",
          "SELECT city, COUNT(*) FROM visits GROUP BY city HAVING COUNT(*) > 3 ORDER BY 2 LIMIT 2",
          "SELECT COUNT(*) FROM visits WHERE day < DATE '2024-04-01'",
          "SELECT COUNT(*) FROM visits WHERE minutes BETWEEN -10 AND 10 AND city <> 2",
          "SELECT COUNT(*) FROM visits WHERE kind IS NULL",
          "SELECT COUNT(*) FROM visits WHERE amount IS NULL OR score > 9",
          "SELECT COUNT(*) FROM (SELECT * FROM visits WHERE minutes > 0) v WHERE score < 5",
          "SELECT COUNT(minutes) FROM visits WHERE kind = 'b'",
          "SELECT COUNT(score) FROM visits WHERE amount < 100",
          "SELECT SUM(ABS(minutes)) FROM visits",
          "SELECT SUM(-minutes) FROM visits",
          "SELECT SUM(amount) FROM visits WHERE city = 3",
          "SELECT SUM(amount) FROM visits WHERE kind = 'a' OR minutes > 30",
          "SELECT SUM(score) FROM visits WHERE score > 1",
          "SELECT SUM(minutes) FILTER (WHERE city = 1) FROM visits",
          "SELECT AVG(amount) FROM visits WHERE city = 1",
          "SELECT AVG(score) FROM visits WHERE kind = 'a'",
          "SELECT AVG(minutes), AVG(amount) FROM visits",
          "SELECT COUNT(*), COUNT(amount), COUNT(kind) FROM visits",
          "SELECT COUNT(*), AVG(minutes) FROM visits WHERE amount > 50",
          "SELECT VAR_POP(score) FROM visits",
          "SELECT MIN(minutes) FROM visits",
          "SELECT MIN(score), MAX(score) FROM visits",
          "SELECT MAX(amount) FROM visits WHERE city = 2",
          "SELECT PERCENTILE_CONT(0.5) WITHIN GROUP (ORDER BY minutes) FROM visits",
          "SELECT PERCENTILE_CONT(0.9) WITHIN GROUP (ORDER BY amount) FROM visits",
          "SELECT city, COUNT(amount) FROM visits GROUP BY city",
          "SELECT city, COUNT(*) FROM visits WHERE kind = 'a' GROUP BY city",
          "SELECT kind, SUM(minutes) FROM visits GROUP BY kind",
          "SELECT kind, SUM(score) FROM visits WHERE city < 4 GROUP BY kind",
          "SELECT kind, AVG(amount), COUNT(*) FROM visits GROUP BY kind",
          "SELECT city, kind, SUM(minutes) FROM visits GROUP BY city, kind",
          "SELECT city, MIN(minutes) FROM visits GROUP BY city",
          "SELECT minutes > 0, COUNT(*) FROM visits GROUP BY 1",
          "SELECT CASE WHEN amount > 100 THEN 1 ELSE 0 END, COUNT(*), SUM(minutes) FROM visits"
              + " GROUP BY 1");

  /** People by groups, beside whatever else is asked of them. */
  static final List<String> COUNTED =
      List.of(
          "SELECT city, COUNT(DISTINCT person) FROM visits GROUP BY city",
          "SELECT city, COUNT(DISTINCT person), COUNT(*), SUM(minutes) FROM visits GROUP BY city",
          "SELECT kind, COUNT(DISTINCT person) FILTER (WHERE minutes > 0), COUNT(DISTINCT CASE WHEN"
              + " city = 2 THEN person END), SUM(amount) FROM visits GROUP BY kind",
          "SELECT city, kind, COUNT(DISTINCT person), AVG(amount) FROM visits GROUP BY CUBE(city,"
              + " kind)");

  static List<String> rows() {
    SplittableRandom random = new SplittableRandom(7);
    List<String> rows = new ArrayList<>();
    for (int person = 1; person <= PEOPLE; person++) {
      int count = person == 1 ? 150 : person == 2 ? 40 : 1 + random.nextInt(7);
      for (int i = 0; i < count; i++) {
        rows.add(
            "("
                + (rows.size() + 1)
                + ", "
                + person
                + ", "
                + or(random, String.valueOf(1 + random.nextInt(person < 4 ? 5 : 4)))
                + ", "
                + or(random, random.nextInt(700) + "." + random.nextInt(10))
                + ", "
                + or(random, String.valueOf(random.nextInt(140) - 70))
                + ", "
                + or(random, random.nextInt(12) + ".5")
                + ", "
                + or(random, random.nextBoolean() ? "'a'" : "'b'")
                + ", '2024-0"
                + (1 + random.nextInt(9))
                + "-15')");
      }
    }
    return rows;
  }

  private static String or(SplittableRandom random, String value) {
    return random.nextInt(12) == 0 ? "NULL" : value;
  }
}
