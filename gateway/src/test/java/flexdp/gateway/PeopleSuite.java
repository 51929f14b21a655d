package flexdp.gateway;

import static flexdp.gateway.PeopleReading.cells;
import static flexdp.gateway.PeopleReading.labels;
import static flexdp.gateway.PeopleReading.owned;
import static flexdp.gateway.PeopleReading.people;
import static flexdp.gateway.PeopleReading.point;
import static flexdp.gateway.PeopleReading.where;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.cells.PersonCell;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.SqlRenderer;
import flexdp.ownership.TruncatedTable;
import flexdp.people.clipping.Contributions;
import flexdp.plan.ClippingPlan;
import flexdp.plan.ContributionBounding;
import flexdp.plan.ContributionBoundingChoice;
import flexdp.plan.JointClipping;
import flexdp.policy.Table;
import flexdp.query.Labels;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.io.IOException;
import java.math.BigInteger;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What people contribute, asked of a real database: the one pass gives at every level what clipping
 * person by person gives, and when one person's rows are deleted no value moves by more than its
 * noise is made for. The values are the same on every database.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class PeopleSuite {
  private final TestDatabase under;
  private JdbcDatabase database;
  private PeopleReading reading;

  PeopleSuite(TestDatabase under) {
    this.under = under;
  }

  @BeforeAll
  void start() throws Exception {
    under.start();
    try (Connection writer = under.writer()) {
      prepare(under, writer);
    }
    database =
        JdbcDatabase.open(
            under.url(), VisitQuestions.POLICY, Duration.ofMinutes(10), (what, cause) -> {});
    reading = new PeopleReading(database);
  }

  @AfterAll
  void stop() throws Exception {
    database.close();
    under.close();
  }

  /** Makes the table of visits, and fills it. */
  static void prepare(TestDatabase under, Connection writer) throws SQLException {
    Table table = VisitQuestions.POLICY.tables().values().iterator().next();
    List<String> columns = new ArrayList<>();
    table.columns().forEach(c -> columns.add(c.name() + " " + under.columnType(c.type())));
    try (Statement statement = writer.createStatement()) {
      statement.execute("CREATE TABLE visits (" + String.join(", ", columns) + ")");
      statement.execute(
          under.insert(
              table, "INSERT INTO visits VALUES " + String.join(", ", VisitQuestions.rows())));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutOnePersonNothingMovesByMoreThanItsNoiseIsMadeFor(boolean beside) {
    for (String sql : VisitQuestions.QUESTIONS) {
      NoisyAggregate point = point(sql);
      if (beside && point.keys().isEmpty()) {
        continue;
      }
      Optional<List<List<Object>>> labels = labels(point, beside);
      ClippingPlan clipping = ClippingPlan.of(point, Optional.empty(), List.of());
      PeopleReading.Owned owned = owned(point.input());
      Contributions<PersonCell> all = reading.read(point, owned.input(), owned.owner(), labels);
      for (int person : new int[] {1, 2, 9}) {
        Contributions<PersonCell> without =
            reading.read(point, where(owned, "<>", person), owned.owner(), labels);
        for (int level = 0; level <= clipping.levels().last(); level++) {
          for (int m = 0; m < point.measurements().size(); m++) {
            int at = m;
            int tau = level;
            Measurement measurement = point.measurements().get(m);
            BigInteger moved =
                cells(all, without).stream()
                    .filter(c -> c.measurement() == at)
                    .map(c -> all.clipped(c, tau).subtract(without.clipped(c, tau)).abs())
                    .reduce(BigInteger.ZERO, BigInteger::add);
            assertTrue(
                moved.compareTo(clipping.moved(measurement, level)) <= 0,
                () -> under.word() + ": " + sql + " without " + person + " at level " + tau);
          }
        }
        assertTrue(people(all, without) <= 1, sql + " moves the histogram of people");
      }
    }
  }

  /** All cells together in L2: doubles of every database, in the same order, are the same. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void withoutOnePersonNoLengthMovesByMoreThanItsNoiseIsMadeFor(boolean beside) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String sql : VisitQuestions.QUESTIONS) {
      NoisyAggregate point = point(sql);
      Optional<ClippingPlan> squares =
          ClippingPlan.of(point, Optional.empty(), List.of()).inSquares(point);
      if (squares.isEmpty()) {
        continue;
      }
      ClippingPlan clipping = squares.get();
      Optional<List<List<Object>>> labels = labels(point, beside);
      PeopleReading.Owned owned = owned(point.input());
      Contributions<PersonCell> all =
          reading.read(point, owned.input(), owned.owner(), clipping, labels);
      lines.add(sql);
      lines.addAll(written(all));
      for (int person : new int[] {1, 2, 9}) {
        Contributions<PersonCell> without =
            reading.read(point, where(owned, "<>", person), owned.owner(), clipping, labels);
        for (int level = 0; level <= clipping.levels().last(); level++) {
          for (int m = 0; m < point.measurements().size(); m++) {
            int at = m;
            int tau = level;
            BigInteger moved =
                cells(all, without).stream()
                    .filter(c -> c.measurement() == at)
                    .map(c -> all.clipped(c, tau).subtract(without.clipped(c, tau)).pow(2))
                    .reduce(BigInteger.ZERO, BigInteger::add);
            assertTrue(
                moved.compareTo(clipping.movedSquared(point.measurements().get(m), level)) <= 0,
                () -> under.word() + ": " + sql + " without " + person + " at level " + tau);
          }
        }
        assertEquals(1, people(all, without), sql + " moves the histogram of people by one");
      }
    }
    assertTrue(lines.size() > 20);
    Golden.check(beside ? "people/lengths-beside" : "people/lengths", lines);
  }

  /** People by groups: their size is in how many groups they are, whatever is asked beside. */
  @Test
  void peopleCountedByGroupsMoveByTheirOwnNorm() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String sql : VisitQuestions.COUNTED) {
      NoisyAggregate asked = point(sql);
      lines.add(sql);
      for (List<Integer> part : JointClipping.of(asked)) {
        NoisyAggregate point = JointClipping.some(asked, part);
        PeopleReading.Owned owned = owned(point.input());
        Contributions<PersonCell> all = reading.read(point, owned.input(), owned.owner());
        lines.addAll(written(all));
        for (int person : new int[] {1, 2, 9}) {
          bounded(sql, point, all, reading.read(point, where(owned, "<>", person), owned.owner()));
        }
      }
    }
    Golden.check("people/counted", lines);
  }

  private void bounded(
      String sql,
      NoisyAggregate point,
      Contributions<PersonCell> all,
      Contributions<PersonCell> without) {
    ClippingPlan clipping = ClippingPlan.of(point, Optional.empty(), List.of());
    for (int level = 0; level <= clipping.levels().last(); level++) {
      int tau = level;
      for (int m = 0; m < point.measurements().size(); m++) {
        int at = m;
        BigInteger moved =
            cells(all, without).stream()
                .filter(c -> c.measurement() == at)
                .map(c -> all.clipped(c, tau).subtract(without.clipped(c, tau)).abs())
                .reduce(BigInteger.ZERO, BigInteger::add);
        assertTrue(
            moved.compareTo(clipping.moved(point.measurements().get(m), level)) <= 0,
            () -> under.word() + ": " + sql + " at level " + tau);
      }
    }
    assertEquals(1, people(all, without), sql + " moves the histogram of people by one");
  }

  /** Where sets are estimated from cuboids, everybody is clipped once for all of them. */
  @Test
  void withoutOnePersonNoCuboidMovesByMoreThanItsNoiseIsMadeFor() {
    for (String sql : VisitQuestions.CUBES) {
      NoisyAggregate point = point(sql);
      ClippingPlan clipping = ClippingPlan.bySet(point, Optional.empty(), List.of()).orElseThrow();
      PeopleReading.Owned owned = owned(point.input());
      Contributions<PersonCell> all =
          reading.read(point, owned.input(), owned.owner(), clipping, Optional.empty());
      for (int person : new int[] {1, 2, 9}) {
        Contributions<PersonCell> without =
            reading.read(
                point, where(owned, "<>", person), owned.owner(), clipping, Optional.empty());
        for (int level = 0; level <= clipping.levels().last(); level++) {
          int tau = level;
          Map<List<Object>, BigInteger> moved = new HashMap<>();
          cells(all, without)
              .forEach(
                  c ->
                      moved.merge(
                          List.of(c.measurement(), c.grouping()),
                          all.clipped(c, tau).subtract(without.clipped(c, tau)).abs(),
                          BigInteger::add));
          moved.forEach(
              (of, by) ->
                  assertTrue(
                      by.compareTo(
                              clipping.moved(point.measurements().get((int) of.getFirst()), tau))
                          <= 0,
                      () -> under.word() + ": " + sql + " without " + person + " at " + tau));
        }
        assertEquals(1, people(all, without), sql + " moves the histogram of people by one");
      }
      agree(sql, clipping, all);
    }
  }

  /** All sets are sums of the same clipped rows, but for what is cut off to be exact. */
  private void agree(String sql, ClippingPlan clipping, Contributions<PersonCell> all) {
    for (int level = 0; level <= clipping.levels().last(); level++) {
      Map<List<Object>, BigInteger> sums = new HashMap<>();
      for (PersonCell c : all.cells()) {
        sums.merge(List.of(c.measurement(), c.grouping()), all.clipped(c, level), BigInteger::add);
      }
      BigInteger cut = BigInteger.valueOf(1_000).multiply(clipping.levels().at(level));
      for (Map.Entry<List<Object>, BigInteger> one : sums.entrySet()) {
        sums.forEach(
            (of, sum) ->
                assertTrue(
                    !of.getFirst().equals(one.getKey().getFirst())
                        || sum.subtract(one.getValue()).abs().compareTo(cut) <= 0,
                    () -> under.word() + ": sets of " + sql + " disagree"));
      }
    }
  }

  /** Written by one database, read by all. */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void valuesAreTheSameOnEveryDatabase(boolean beside) throws IOException {
    List<String> lines = new ArrayList<>();
    for (String sql : VisitQuestions.QUESTIONS) {
      NoisyAggregate point = point(sql);
      if (beside && point.keys().isEmpty()) {
        continue;
      }
      PeopleReading.Owned owned = owned(point.input());
      Contributions<PersonCell> all =
          reading.read(point, owned.input(), owned.owner(), labels(point, beside));
      lines.add(sql);
      lines.addAll(written(all));
    }
    Golden.check(beside ? "people/beside" : "people/values", lines);
  }

  /** Whoever is no more than a value of the owner column contributes what she would with a row. */
  @Test
  void peopleWithoutATableContributeTheSame() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String sql : VisitQuestions.QUESTIONS) {
      NoisyAggregate point = point(sql, VisitQuestions.NAMED);
      ContributionBounding.Clipped route =
          (ContributionBounding.Clipped) ContributionBoundingChoice.of(point, VisitQuestions.NAMED);
      lines.add(sql);
      lines.addAll(written(reading.read(point, route.input(), route.owner())));
    }
    Golden.check("people/values", lines);
  }

  /** Rows of nobody, each a person of its own beside those who own many. */
  @Test
  void keptRowsAreTheSameOnEveryDatabase() throws IOException {
    List<String> lines = new ArrayList<>();
    for (String sql : VisitQuestions.QUESTIONS) {
      NoisyAggregate point = point(sql, VisitQuestions.KEPT);
      ContributionBounding.Clipped route =
          (ContributionBounding.Clipped) ContributionBoundingChoice.of(point, VisitQuestions.KEPT);
      lines.add(sql);
      lines.addAll(written(reading.read(point, route.input(), route.owner())));
    }
    Golden.check("people/kept", lines);
  }

  /** How many people are of which size, and what they add at three levels. */
  private static List<String> written(Contributions<PersonCell> all) {
    List<String> people = new ArrayList<>();
    for (int bucket = 0; bucket < all.levels().buckets(); bucket++) {
      people.add(all.people(bucket).toString());
    }
    List<String> lines = new ArrayList<>(List.of("  people " + String.join(" ", people)));
    all.cells().stream()
        .map(
            c ->
                "  "
                    + c.measurement()
                    + " "
                    + c.labels()
                    + c.step().map(n -> " at " + n).orElse("")
                    + ": "
                    + all.clipped(c, 0)
                    + " "
                    + all.clipped(c, 3)
                    + " "
                    + all.clipped(c, all.levels().last()))
        .sorted()
        .forEach(lines::add);
    return lines;
  }

  /** Which rows of a person are read, where no more than three are. */
  @Test
  void theSameRowsOfEachPersonAreRead() throws IOException {
    Relation cut =
        TruncatedTable.of(VisitQuestions.CUT.table("visits").orElseThrow(), VisitQuestions.CUT);
    List<String> lines = new ArrayList<>();
    try (Session session = database.session()) {
      session.run(
          new SqlRenderer(database.dialect(), database.catalog()).rows(cut),
          row -> lines.add(row.getLong(2) + " " + row.getLong(1)));
    }
    lines.sort(null);
    Golden.check("people/cut", lines);
  }

  /** What nobody's size cuts is the same, whichever way the bins are had. */
  @Test
  void binsSideBySideAreTheGroups() {
    int compared = 0;
    for (String sql : VisitQuestions.QUESTIONS) {
      NoisyAggregate point = point(sql);
      if (point.keys().isEmpty()) {
        continue;
      }
      PeopleReading.Owned owned = owned(point.input());
      Contributions<PersonCell> groups = reading.read(point, owned.input(), owned.owner());
      Contributions<PersonCell> beside =
          reading.read(point, owned.input(), owned.owner(), labels(point, true));
      for (PersonCell cell : beside.cells()) {
        assertEquals(groups.whole(cell), beside.whole(cell), under.word() + ": " + sql + cell);
        compared++;
      }
    }
    assertTrue(compared > 50, compared + " cells");
  }

  @Test
  void onePassGivesWhatClippingPersonByPersonGives() {
    for (String sql : VisitQuestions.QUESTIONS) {
      NoisyAggregate point = point(sql);
      PeopleReading.Owned owned = owned(point.input());
      ClippingPlan clipping = ClippingPlan.of(point, Optional.empty(), List.of());
      Contributions<PersonCell> all = reading.read(point, owned.input(), owned.owner());
      int top = clipping.levels().last();
      Contributions<PersonCell> summed = new Contributions<>(clipping.levels(), clipping.digits());
      for (int person = 1; person <= VisitQuestions.PEOPLE; person++) {
        Relation hers = where(owned, "=", person);
        Contributions<PersonCell> one = reading.read(point, hers, owned.owner());
        BigInteger rows = BigInteger.ZERO;
        for (PersonCell cell : one.cells()) {
          // Everything she has, whatever its bucket: a level above her size takes nothing away.
          BigInteger whole = one.clipped(cell, top).shiftRight(clipping.digits());
          boolean known = rows.signum() > 0 && cell.step().isEmpty();
          BigInteger size = known ? rows : size(one, clipping, cell, point, hers, owned.owner());
          rows = clipping.byRows() && cell.step().isEmpty() ? size : rows;
          summed.add(
              clipping.levels().bucket(size),
              cell,
              whole,
              Contributions.share(whole, size, clipping.digits()));
        }
      }
      for (PersonCell cell : cells(all, summed)) {
        for (int level = 0; level <= top; level++) {
          assertEquals(
              summed.clipped(cell, level),
              all.clipped(cell, level),
              under.word() + ": " + sql + ", " + cell);
        }
      }
    }
  }

  /** The norm of what one person has, or her rows, as the database says of her alone. */
  private BigInteger size(
      Contributions<PersonCell> one,
      ClippingPlan clipping,
      PersonCell cell,
      NoisyAggregate point,
      Relation hers,
      Column owner) {
    if (clipping.byRows() && cell.step().isEmpty()) {
      NoisyAggregate rows =
          new NoisyAggregate(
              0,
              hers,
              List.of(),
              List.of(List.of()),
              List.of(),
              point("SELECT COUNT(*) FROM visits").measurements(),
              new Labels.None(),
              point.at());
      Contributions<PersonCell> counted = reading.read(rows, hers, owner);
      return counted.clipped(counted.cells().iterator().next(), counted.levels().last());
    }
    return one.cells().stream()
        .filter(c -> c.measurement() == cell.measurement())
        .map(c -> one.clipped(c, clipping.levels().last()).shiftRight(clipping.digits()).abs())
        .reduce(BigInteger.ZERO, BigInteger::add);
  }
}
