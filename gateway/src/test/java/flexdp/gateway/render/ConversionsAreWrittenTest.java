package flexdp.gateway.render;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.AlgebraWalker;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.decompose.QueryDecomposer;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.gateway.duckdb.DuckDb;
import flexdp.gateway.files.TextFiles;
import flexdp.gateway.mariadb.MariaDb;
import flexdp.gateway.postgresql.PostgreSql;
import flexdp.gateway.sqlite.Sqlite;
import flexdp.gateway.trino.Trino;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Type;
import flexdp.query.DpQuery;
import flexdp.sql.bind.SqlBinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Wherever values meet, questions reach the renderer in one type: it refuses two, and no question
 * of the corpus nor a random one over all types is refused by it.
 */
class ConversionsAreWrittenTest {
  private static final Path CORPUS = Path.of("../core/src/test/resources");
  private static final LocalDateTime NOW = LocalDateTime.of(2024, 7, 1, 12, 0);
  private static final List<TargetDialect> DIALECTS =
      List.of(new DuckDb(), new PostgreSql(), new MariaDb(), new Sqlite(), new Trino());

  private int written;

  private static Policy policy(String name) {
    return PolicyReader.read(
        TextFiles.tree(CORPUS.resolve(name + ".policy.yaml"), Code.BAD_POLICY));
  }

  @Test
  void inEveryQuestionOfTheCorpus() throws Exception {
    try (Stream<Path> files = Files.list(CORPUS.resolve("corpus"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sql")).toList()) {
        String text = Files.readString(file);
        Policy policy =
            policy(
                text.lines()
                    .filter(line -> line.startsWith("policy "))
                    .map(line -> line.substring(7).strip())
                    .findFirst()
                    .orElse("corpus/rides"));
        for (String block : text.split("\n\\s*\n")) {
          render(block.split("\n----")[0], policy);
        }
      }
    }
    try (Stream<Path> files = Files.list(CORPUS.resolve("tpch"))) {
      for (Path file : files.filter(f -> f.toString().endsWith(".sql")).toList()) {
        render(Files.readString(file), policy("tpch/tpch"));
      }
    }
    assertTrue(written > 2_000, () -> "only " + written + " statements");
  }

  @Test
  void inRandomQuestionsOverAllTypes() {
    Random random = new Random(5);
    MixedSql mixed = new MixedSql(random);
    RandomSql plain = new RandomSql(random);
    for (int i = 0; i < 400; i++) {
      render(mixed.query(), MixedTables.POLICY);
      render(plain.query(), BoundSqlAgreementTest.POLICY);
    }
    assertTrue(written > 2_000, () -> "only " + written + " statements");
  }

  /** Frames and error bars are computed on noisy rows, and MODE is cut up before it is written. */
  private static boolean isForDatabases(SqlRenderer renderer, Relation relation) {
    if (hasMode(relation)) {
      return false;
    }
    try {
      renderer.rows(relation);
      return true;
    } catch (IllegalArgumentException e) {
      assertTrue(e.getMessage().contains("computed above release points"), e.getMessage());
      return false;
    }
  }

  private static boolean hasMode(Relation relation) {
    boolean[] found = {false};
    AlgebraWalker.visit(
        relation,
        r ->
            found[0] |=
                r instanceof Relation.Aggregate a
                    && a.calls().stream().anyMatch(c -> c.kind() == AggregateCall.Kind.MODE));
    return found[0];
  }

  private void render(String sql, Policy policy) {
    Relation relation;
    try {
      relation = new SqlBinder(policy, NOW).bind(sql);
    } catch (Rejection e) {
      return;
    }
    for (TargetDialect dialect : DIALECTS) {
      SqlRenderer renderer = new SqlRenderer(dialect, NameCatalog.plain(dialect));
      try {
        written += isForDatabases(renderer, relation) ? 1 : 0;
        DpQuery question = QueryDecomposer.of(relation, policy, Optional.empty());
        question.releases().forEach(renderer::statements);
      } catch (Rejection e) {
        // Not every dialect has everything; that is not what is asked here.
        continue;
      }
    }
  }

  /** Then nothing is left that the database could convert by itself. */
  @Test
  void whatIsDeclaredToHaveATypeHasItOnTheDatabase() throws Exception {
    try (Connection duck = DriverManager.getConnection("jdbc:duckdb:");
        Statement statement = duck.createStatement();
        Fixture fixture = new Fixture()) {
      statement.execute(
          "CREATE TABLE trips(id BIGINT, driver INTEGER, fare DECIMAL(9,2), distance DOUBLE,"
              + " city VARCHAR, day DATE, \"at\" TIMESTAMP)");
      Relation.Scan trips = fixture.scan(Fixture.TRIPS);
      List<String> wrong = new ArrayList<>();
      for (Map.Entry<String, Expr> e : DialectCases.expressions(trips).entrySet()) {
        Type type = e.getValue().type();
        Column output = fixture.fresh(type);
        String sql =
            Fixture.renderer()
                .rows(
                    new Relation.Project(
                        trips, List.of(new Relation.Project.Output(output, e.getValue()))));
        try (ResultSet row = statement.executeQuery("DESCRIBE " + sql)) {
          row.next();
          String found = row.getString("column_type").replace(",", ", ");
          if (!found.equals(new DuckDb().typeName(type)) && !isNarrower(found, type)) {
            wrong.add(e.getKey() + ": " + found + " for " + type);
          }
        }
      }
      assertEquals(List.of(), wrong);
    }
  }

  /** A decimal with fewer digits before the point and as many behind it. */
  private static boolean isNarrower(String found, Type type) {
    return type.kind() == Type.Kind.DECIMAL
        && found.startsWith("DECIMAL(")
        && found.endsWith(", " + type.scale() + ")");
  }

  @Test
  void twoTypesAreRefused() {
    Expr whole = new Expr.Ref(1, Type.BIGINT);
    Expr real = new Expr.Ref(2, Type.DOUBLE);
    ExprRenderer expressions = new ExprRenderer(new DuckDb(), Map.of(), Set.of());
    for (Expr wrong :
        List.of(
            call(Function.EQ, Type.BOOLEAN, whole, real),
            call(Function.NE, Type.BOOLEAN, whole, real),
            call(Function.LT, Type.BOOLEAN, whole, real),
            call(Function.NOT, Type.BOOLEAN, call(Function.EQ, Type.BOOLEAN, whole, real)),
            call(Function.IS_DISTINCT, Type.BOOLEAN, whole, real),
            call(Function.IS_NOT_DISTINCT, Type.BOOLEAN, whole, real),
            call(Function.IN_LIST, Type.BOOLEAN, whole, new Expr.Literal(1.0, Type.DOUBLE)),
            call(Function.COALESCE, Type.DOUBLE, whole, real),
            call(Function.NULLIF, Type.BIGINT, whole, real),
            call(Function.LEAST, Type.DOUBLE, whole, real),
            call(Function.GREATEST, Type.DOUBLE, whole, real),
            call(
                Function.MINUS,
                Type.INTERVAL_MICROS,
                new Expr.Ref(3, Type.TIMESTAMP),
                new Expr.Ref(4, Type.DATE)),
            call(
                Function.DATE_DIFF,
                Type.BIGINT,
                new Expr.Literal("DAY", Type.VARCHAR),
                new Expr.Ref(3, Type.TIMESTAMP),
                new Expr.Ref(4, Type.DATE)),
            new Expr.Case(
                List.of(new Expr.Case.Branch(Expr.Literal.TRUE, whole)),
                Optional.of(real),
                Type.DOUBLE))) {
      assertThrows(IllegalArgumentException.class, () -> expressions.sql(wrong), wrong::toString);
    }
    Relation one = new Relation.Values(List.of(new Column(1, "a", Type.BIGINT, true)), List.of());
    Relation two = new Relation.Values(List.of(new Column(2, "b", Type.DOUBLE, true)), List.of());
    Column both = new Column(3, "c", Type.DOUBLE, true);
    assertThrows(
        IllegalArgumentException.class, () -> new Relation.Project.Output(both, whole), "built");
    for (Relation wrong :
        List.of(
            new Relation.SetOperation(
                Relation.SetKind.UNION, true, one, two, List.of(both), Position.START),
            new Relation.Values(
                List.of(both), List.of(List.of(new Expr.Literal(null, Type.BIGINT)))))) {
      assertThrows(
          IllegalArgumentException.class, () -> Fixture.renderer().rows(wrong), wrong::toString);
    }
  }

  private static Expr call(Function function, Type type, Expr... arguments) {
    return new Expr.Call(function, List.of(arguments), type);
  }
}
