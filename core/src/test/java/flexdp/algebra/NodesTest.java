package flexdp.algebra;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.Position;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.function.Executable;

/** Nodes of the algebra that are built wrongly are not built at all. */
class NodesTest {
  private static final Column NUMBER = new Column(1, "n", Type.INTEGER, true);
  private static final Column TEXT = new Column(2, "t", Type.VARCHAR, true);
  private static final Relation ONE =
      new Relation.Values(List.of(NUMBER), List.of(List.of(number(1))));
  private static final Relation TWO =
      new Relation.Values(
          List.of(NUMBER, TEXT), List.of(List.of(number(1), new Expr.Literal("a", Type.VARCHAR))));

  private static Expr.Literal number(long value) {
    return new Expr.Literal(BigDecimal.valueOf(value), Type.INTEGER);
  }

  private static AggregateCall call(AggregateCall.Kind kind, Optional<BigDecimal> fraction) {
    return new AggregateCall(
        new Column(9, "x", Type.BIGINT, true),
        kind,
        Optional.empty(),
        false,
        Optional.empty(),
        fraction,
        Position.START);
  }

  private static Relation.Aggregate aggregate(List<List<Integer>> sets, List<Column> visible) {
    return new Relation.Aggregate(
        ONE,
        List.of(NUMBER),
        sets,
        List.of(),
        List.of(),
        Optional.empty(),
        visible,
        Position.START);
  }

  @TestFactory
  Stream<DynamicTest> wrongOnesAreRefused() {
    return Stream.of(
        refused("a column without id", () -> new Column(-1, "n", Type.INTEGER, true)),
        refused("a number as text", () -> new Expr.Literal(BigDecimal.ONE, Type.VARCHAR)),
        refused("a double as a number", () -> new Expr.Literal(1.0, Type.INTEGER)),
        refused(
            "a value of no type", () -> new Expr.Literal(UUID.fromString("0-0-0-0-0"), Type.NULL)),
        refused(
            "a sum of one",
            () -> new Expr.Call(Function.PLUS, List.of(NUMBER.ref()), Type.INTEGER)),
        refused("an empty AND", () -> new Expr.Call(Function.AND, List.of(), Type.BOOLEAN)),
        refused(
            "IN of no list",
            () -> new Expr.Call(Function.IN_LIST, List.of(NUMBER.ref()), Type.BOOLEAN)),
        refused(
            "CASE without WHEN",
            () -> new Expr.Case(List.of(), Optional.of(number(1)), Type.INTEGER)),
        refused("WHEN 1", () -> new Expr.Case.Branch(number(1), number(2))),
        refused("WHERE 1", () -> new Relation.Filter(ONE, number(1))),
        refused(
            "ON 1",
            () -> new Relation.Join(Relation.JoinKind.INNER, ONE, TWO, number(1), Position.START)),
        refused("a number in a text column", () -> new Relation.Project.Output(TEXT, number(1))),
        refused(
            "a row too short",
            () -> new Relation.Values(List.of(NUMBER, TEXT), List.of(List.of(number(1))))),
        refused("a set of another key", () -> aggregate(List.of(List.of(1)), List.of())),
        refused("no set at all", () -> aggregate(List.of(), List.of())),
        refused("an output of no call", () -> aggregate(List.of(List.of(0)), List.of(TEXT))),
        refused(
            "a union of one and two",
            () ->
                new Relation.SetOperation(
                    Relation.SetKind.UNION, true, ONE, TWO, List.of(NUMBER), Position.START)),
        refused(
            "less than no rows",
            () -> new Relation.Limit(ONE, List.of(), 0, OptionalLong.of(-1), Position.START)),
        refused("a sum of nothing", () -> call(AggregateCall.Kind.SUM, Optional.empty())),
        refused(
            "a count at one half",
            () -> call(AggregateCall.Kind.COUNT, Optional.of(new BigDecimal("0.5")))),
        refused("shown twice", () -> new Relation.Released(1, List.of(NUMBER), List.of(1, 2))));
  }

  private static DynamicTest refused(String name, Executable building) {
    return DynamicTest.dynamicTest(
        name, () -> assertThrows(IllegalArgumentException.class, building));
  }

  @Test
  void childrenAreAllThatANodeReads() {
    Expr.Call positive = new Expr.Call(Function.GT, List.of(NUMBER.ref(), number(0)), Type.BOOLEAN);
    Expr.Case choice =
        new Expr.Case(
            List.of(new Expr.Case.Branch(positive, number(1))),
            Optional.of(number(2)),
            Type.INTEGER);
    assertEquals(List.of(positive, number(1), number(2)), choice.children());
    Subquery exists =
        new Subquery.Exists(
            new Column(7, "e", Type.BOOLEAN, false), false, TWO, positive, Position.START);
    assertEquals(List.of(ONE, TWO), new Relation.Where(ONE, List.of(exists), positive).children());
  }
}
