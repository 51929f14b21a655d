package flexdp.decompose;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.fingerprint.QueryFingerprint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random questions in random other words keep their text; a random change of meaning does not. */
class CanonicalFuzzTest {
  /** A condition in several spellings, then conditions that differ from it. */
  private record Condition(List<String> spellings, List<String> others) {}

  private static final List<Condition> CONDITIONS =
      List.of(
          new Condition(
              List.of("t.fare > 7.5", "7.50 < t.fare", "NOT (NOT t.fare > 7.500)"),
              List.of("t.fare >= 7.5", "t.fare > 7.51", "t.distance > 7.5", "t.fare < 7.5")),
          new Condition(
              List.of(
                  "t.status = 'completed'", "'completed' = t.status", "t.status IN ('completed')"),
              List.of("t.status <> 'completed'", "t.status = 'Completed'", "t.note = 'completed'")),
          new Condition(
              List.of(
                  "t.driver_id IN (1, 2)",
                  "(t.driver_id = 2 OR 1 = t.driver_id)",
                  "t.driver_id IN (2, 1, 1)"),
              List.of("t.driver_id IN (1, 3)", "t.driver_id = 1", "t.driver_id NOT IN (1, 2)")),
          new Condition(
              List.of(
                  "t.fare BETWEEN 1 AND 20",
                  "(t.fare <= 20.0 AND t.fare >= 1)",
                  "(20 >= t.fare AND 1.00 <= t.fare)"),
              List.of("t.fare BETWEEN 1 AND 21", "t.fare BETWEEN 0 AND 20")),
          new Condition(
              List.of("t.note IS NULL"), List.of("t.note IS NOT NULL", "t.status IS NULL")),
          new Condition(List.of("t.paid"), List.of("NOT t.paid", "t.paid IS NOT TRUE")));

  private static final List<String> MEASURES =
      List.of(
          "COUNT(*)",
          "COUNT(t.fare)",
          "SUM(t.fare)",
          "AVG(t.fare)",
          "COUNT(DISTINCT t.driver_id)",
          "COUNT(DISTINCT t.fare)",
          "SUM(t.distance)");

  /** What is asked, apart from its wording. */
  private record Meaning(boolean cities, List<String> conditions, String measure, boolean grouped) {
    private static Meaning random(Random random, List<Condition> chosen) {
      return new Meaning(
          random.nextInt(3) == 0,
          chosen.stream().map(c -> pick(random, c.spellings())).toList(),
          pick(random, MEASURES),
          random.nextBoolean());
    }

    /** One of many texts that mean this. */
    private String text(Random random) {
      List<String> where = new ArrayList<>(conditions);
      String trips = "trips t";
      if (!where.isEmpty() && random.nextInt(3) == 0) {
        String inner = where.remove(random.nextInt(where.size()));
        trips = "(SELECT * FROM trips u WHERE " + inner.replace("t.", "u.") + ") t";
      }
      String with = "";
      if (random.nextInt(4) == 0) {
        with = "WITH x AS (SELECT * FROM " + trips + ") ";
        trips = "x AS t";
      }
      String from = trips;
      if (cities) {
        switch (random.nextInt(3)) {
          case 0 -> from = trips + " JOIN cities c ON t.city_id = c.id";
          case 1 -> from = "cities c JOIN " + trips + " ON c.id = t.city_id";
          default -> {
            from = trips + ", cities AS c";
            where.add("c.id = t.city_id");
          }
        }
      }
      Collections.shuffle(where, random);
      String alias = pick(random, List.of("n", "total", "x1"));
      String sql =
          with
              + "SELECT "
              + (grouped ? "t.status, " : "")
              + measure
              + " AS "
              + alias
              + " FROM "
              + from
              + (where.isEmpty() ? "" : " WHERE " + String.join(" AND ", where))
              + (grouped ? " GROUP BY t.status" : "");
      String name = pick(random, List.of("t", "trip", "zz"));
      return sql.replaceAll("\\bt\\b", name);
    }
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String key(String sql) {
    return QueryFingerprint.of(DecompositionFixture.question(sql).releases().getFirst());
  }

  @Test
  void otherWordsHaveTheSameText() {
    Random random = new Random(20261101);
    for (int i = 0; i < 150; i++) {
      List<Condition> chosen = chosen(random);
      Meaning meaning = Meaning.random(random, chosen);
      String first = meaning.text(random);
      Meaning respelled =
          new Meaning(
              meaning.cities(),
              chosen.stream().map(c -> pick(random, c.spellings())).toList(),
              meaning.measure(),
              meaning.grouped());
      String second = respelled.text(random);
      assertEquals(key(first), key(second), first + "\n" + second);
    }
  }

  @Test
  void anotherMeaningHasAnotherText() {
    Random random = new Random(20261102);
    int changed = 0;
    for (int i = 0; i < 150; i++) {
      List<Condition> chosen = chosen(random);
      Meaning meaning = Meaning.random(random, chosen);
      Meaning other = changed(meaning, chosen, random);
      String first = meaning.text(random);
      String second = other.text(random);
      if (!meaning.equals(other)) {
        changed++;
        assertNotEquals(key(first), key(second), first + "\n" + second);
      }
    }
    assertTrue(changed > 100, "changed " + changed);
  }

  private static Meaning changed(Meaning meaning, List<Condition> chosen, Random random) {
    List<String> conditions = new ArrayList<>(meaning.conditions());
    switch (random.nextInt(5)) {
      case 0 -> {
        return new Meaning(!meaning.cities(), conditions, meaning.measure(), meaning.grouped());
      }
      case 1 -> {
        return new Meaning(meaning.cities(), conditions, meaning.measure(), !meaning.grouped());
      }
      case 2 -> {
        return new Meaning(meaning.cities(), conditions, pick(random, MEASURES), meaning.grouped());
      }
      case 3 -> {
        if (!conditions.isEmpty()) {
          int which = random.nextInt(conditions.size());
          conditions.set(which, pick(random, chosen.get(which).others()));
        }
        return new Meaning(meaning.cities(), conditions, meaning.measure(), meaning.grouped());
      }
      default -> {
        if (!conditions.isEmpty()) {
          conditions.remove(random.nextInt(conditions.size()));
        }
        return new Meaning(meaning.cities(), conditions, meaning.measure(), meaning.grouped());
      }
    }
  }

  private static List<Condition> chosen(Random random) {
    List<Condition> all = new ArrayList<>(CONDITIONS);
    Collections.shuffle(all, random);
    return all.subList(0, random.nextInt(4));
  }
}
