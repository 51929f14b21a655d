package flexdp.gateway;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.cells.PersonCell;
import flexdp.decompose.QueryDecomposer;
import flexdp.gateway.database.JdbcDatabase;
import flexdp.gateway.database.Session;
import flexdp.gateway.engine.DatabaseRows;
import flexdp.gateway.prepare.RenderedStatements;
import flexdp.people.clipping.Contributions;
import flexdp.plan.ClippingPlan;
import flexdp.policy.Policy;
import flexdp.policy.Type;
import flexdp.query.NoisyAggregate;
import flexdp.release.LabelTable;
import flexdp.release.Reading;
import flexdp.sql.bind.SqlBinder;
import java.math.BigDecimal;
import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a database says of the people of {@link VisitQuestions}, of all or of some of them. */
record PeopleReading(JdbcDatabase database) {
  /** Fourteen people from one to some hundred rows; values at and beyond their ranges, and NULL. */
  static NoisyAggregate point(String sql) {
    return point(sql, VisitQuestions.POLICY);
  }

  static NoisyAggregate point(String sql, Policy policy) {
    Relation bound =
        new SqlBinder(policy, LocalDateTime.of(2024, 7, 1, 0, 0)).bound(sql).relation();
    return QueryDecomposer.of(bound, policy, Optional.empty()).releases().getFirst();
  }

  record Owned(Relation input, Column owner) {}

  /** The rows with their owner beside them. */
  static Owned owned(Relation relation) {
    return switch (relation) {
      case Relation.Scan scan ->
          new Owned(
              scan,
              scan.columns().stream()
                  .filter(c -> c.name().equals("person"))
                  .findFirst()
                  .orElseThrow());
      case Relation.Filter filter -> {
        Owned inner = owned(filter.input());
        yield new Owned(new Relation.Filter(inner.input(), filter.predicate()), inner.owner());
      }
      case Relation.Project project -> {
        Owned inner = owned(project.input());
        List<Relation.Project.Output> outputs = new ArrayList<>(project.outputs());
        if (outputs.stream().noneMatch(o -> o.column().id() == inner.owner().id())) {
          outputs.add(new Relation.Project.Output(inner.owner(), inner.owner().ref()));
        }
        yield new Owned(new Relation.Project(inner.input(), outputs), inner.owner());
      }
      default -> throw new IllegalArgumentException("no question here needs it");
    };
  }

  Contributions<PersonCell> read(NoisyAggregate point, Relation input, Column owner) {
    return read(point, input, owner, Optional.empty());
  }

  Contributions<PersonCell> read(
      NoisyAggregate point, Relation input, Column owner, Optional<List<List<Object>>> labels) {
    return read(point, input, owner, ClippingPlan.of(point, Optional.empty(), List.of()), labels);
  }

  Contributions<PersonCell> read(
      NoisyAggregate point,
      Relation input,
      Column owner,
      ClippingPlan clipping,
      Optional<List<List<Object>>> labels) {
    Contributions<PersonCell> all = new Contributions<>(clipping.levels(), clipping.digits());
    try (Session session = database.session()) {
      new DatabaseRows(new RenderedStatements(database), session, false)
          .people(new Reading.People(point.over(input), owner, clipping, labels), all);
    }
    return all;
  }

  /** Everybody but, or nobody but, one. */
  static Relation where(Owned owned, String comparison, int person) {
    Expr id = new Expr.Literal(BigDecimal.valueOf(person), owned.owner().type());
    Function function = comparison.equals("=") ? Function.EQ : Function.NE;
    return new Relation.Filter(
        owned.input(), new Expr.Call(function, List.of(owned.owner().ref(), id), Type.BOOLEAN));
  }

  static Set<PersonCell> cells(Contributions<PersonCell> a, Contributions<PersonCell> b) {
    Set<PersonCell> cells = new LinkedHashSet<>(a.cells());
    cells.addAll(b.cells());
    return cells;
  }

  /** Groups as the database finds them, or the bins of listed labels side by side. */
  static Optional<List<List<Object>>> labels(NoisyAggregate point, boolean beside) {
    return beside && !point.keys().isEmpty()
        ? Optional.of(
            new LabelTable(
                    point,
                    source -> {
                      throw new AssertionError("labels of constants");
                    },
                    100)
                .rows())
        : Optional.empty();
  }

  static long people(Contributions<PersonCell> a, Contributions<PersonCell> b) {
    long moved = 0;
    for (int bucket = 0; bucket < a.levels().buckets(); bucket++) {
      moved += a.people(bucket).subtract(b.people(bucket)).abs().longValueExact();
    }
    return moved;
  }
}
