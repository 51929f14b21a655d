package flexdp.gateway.program;

import flexdp.algebra.AggregateCall;
import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.FreshColumns;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.failure.Position;
import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.hash.PortableHash;
import flexdp.policy.Policy.RegisteredProgram;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A program as the analysis sees it. Of what a program makes of rows nothing is known, so in its
 * place stands something of which nothing is used either: of a row the hash of all that the program
 * reads of it, of a block the sum of these. A bound that holds for any such sum holds for any
 * function of the block's rows. The bytes, limits and defaults of the program are in the hash, so
 * that two programs never mean the same.
 *
 * @param root what is asked, as a relation
 * @param read what the program reads of a row, in its order
 * @param block the column of the block, where there are blocks
 * @param values the column that stands for each output, by id; one for all of them over rows
 */
record ProgramRelation(
    Relation root, List<Column> read, Optional<Column> block, List<Integer> values) {
  /** The column that says which output a sum is of. */
  static final String OUTPUT = "output";

  /** Another way of running programs needs another name. */
  private static final String NAME = "program/1";

  private static final Type SUM = Type.decimal(38, 0);
  private static final Position AT = Position.START;

  /**
   * @param by what blocks are made by
   */
  static ProgramRelation ofBlocks(
      ProgramRequest asked,
      ProgramRequest.Blocks blocks,
      RegisteredProgram limits,
      Relation over,
      List<Column> read,
      List<Column> by) {
    FreshColumns fresh = new FreshColumns(over);
    Column block = fresh.column("block", Type.BIGINT, false);
    List<Relation.Project.Output> outputs = bare(read);
    List<Expr> keys = by.stream().<Expr>map(Column::ref).toList();
    outputs.add(new Relation.Project.Output(block, PortableHash.block(keys, blocks.count())));
    Relation rows = new Relation.Project(over, outputs);
    List<AggregateCall> sums = new ArrayList<>();
    List<Relation.Project.Output> kept = new ArrayList<>();
    List<AggregateCall> calls = new ArrayList<>();
    List<Relation.Project.Output> shown = new ArrayList<>();
    List<Integer> values = new ArrayList<>();
    for (ProgramOutput output : asked.outputs()) {
      Column sum = fresh.column("sum", SUM, false);
      String name = name(asked, limits, output.toString());
      sums.add(call(sum, AggregateCall.Kind.SUM, number(name, read, List.of())));
      Expr within = within(sum.ref(), range(output, blocks), output.scale());
      Column value = fresh.column("value", within.type(), false);
      values.add(value.id());
      kept.add(new Relation.Project.Output(value, within));
      Column of = fresh.column(output.name(), within.type(), false);
      calls.add(
          blocks.mean()
              ? call(of, AggregateCall.Kind.SUM, value.ref())
              : new AggregateCall(
                  of,
                  AggregateCall.Kind.QUANTILE,
                  Optional.of(value.ref()),
                  false,
                  Optional.empty(),
                  Optional.of(new BigDecimal("0.5")),
                  AT));
      shown.add(
          blocks.mean()
              ? new Relation.Project.Output(
                  fresh.column(output.name(), Type.DOUBLE, false), mean(of, blocks.count(), output))
              : new Relation.Project.Output(of, of.ref()));
    }
    Relation grouped = aggregate(rows, List.of(block), sums);
    Relation root =
        new Relation.Project(
            aggregate(new Relation.Project(grouped, kept), List.of(), calls), shown);
    return new ProgramRelation(root, read, Optional.of(block), values);
  }

  /**
   * What is kept of an output. The mean is taken of distances from the default, which a block
   * without rows has none of.
   */
  static Range range(ProgramOutput output, ProgramRequest.Blocks blocks) {
    BigDecimal from = blocks.mean() ? output.fallback() : BigDecimal.ZERO;
    return new Range(output.low().subtract(from), output.high().subtract(from));
  }

  /** The sum of so many distances from the default, as the mean that it tells of. */
  private static Expr mean(Column sum, int count, ProgramOutput output) {
    Expr mean =
        Exprs.call(
            Function.DIVIDE,
            Type.DOUBLE,
            Exprs.as(sum.ref(), Type.DOUBLE),
            Exprs.number(BigDecimal.valueOf(count), Type.DOUBLE));
    return Exprs.call(
        Function.PLUS, Type.DOUBLE, Exprs.number(output.fallback(), Type.DOUBLE), mean);
  }

  /** Each row as often as it may emit; where there are several outputs, each time for one. */
  static ProgramRelation ofRows(
      ProgramRequest asked,
      ProgramRequest.Rows shape,
      RegisteredProgram limits,
      Relation over,
      List<Column> read) {
    FreshColumns fresh = new FreshColumns(over);
    boolean several = asked.outputs().size() > 1;
    int emits = Math.min(shape.emits(), asked.outputs().size());
    Column turn = fresh.column("turn", Type.INTEGER, false);
    Relation turns =
        new Relation.Values(
            List.of(turn),
            IntStream.range(0, emits).mapToObj(i -> List.of(Exprs.integer(i))).toList());
    Relation rows =
        new Relation.Join(
            Relation.JoinKind.INNER,
            new Relation.Project(over, bare(read)),
            turns,
            Expr.Literal.TRUE,
            AT);
    List<String> written = asked.outputs().stream().map(ProgramOutput::toString).toList();
    String name = name(asked, limits, String.join(" ", written));
    List<Relation.Project.Output> outputs = bare(read);
    Column output = fresh.column(OUTPUT, Type.VARCHAR, false);
    outputs.add(
        new Relation.Project.Output(
            output, Exprs.as(hash(name + " output", read, List.of(turn)), Type.VARCHAR)));
    Expr within =
        within(
            number(name + " value", read, List.of(turn)),
            widest(asked.outputs()),
            asked.outputs().stream().mapToInt(ProgramOutput::scale).max().orElseThrow());
    Column value = fresh.column("value", within.type(), false);
    outputs.add(new Relation.Project.Output(value, within));
    Column sum =
        fresh.column(several ? "sum" : asked.outputs().getFirst().name(), within.type(), false);
    Relation root =
        aggregate(
            new Relation.Project(rows, outputs),
            several ? List.of(output) : List.of(),
            List.of(call(sum, AggregateCall.Kind.SUM, value.ref())));
    return new ProgramRelation(root, read, Optional.empty(), List.of(value.id()));
  }

  /** All ranges in one. */
  static Range widest(List<ProgramOutput> outputs) {
    return new Range(
        outputs.stream().map(ProgramOutput::low).min(BigDecimal::compareTo).orElseThrow(),
        outputs.stream().map(ProgramOutput::high).max(BigDecimal::compareTo).orElseThrow());
  }

  private static List<Relation.Project.Output> bare(List<Column> columns) {
    List<Relation.Project.Output> outputs = new ArrayList<>();
    columns.stream()
        .distinct()
        .forEach(column -> outputs.add(new Relation.Project.Output(column, column.ref())));
    return outputs;
  }

  private static String name(ProgramRequest asked, RegisteredProgram limits, String outputs) {
    return String.join(
        " ",
        NAME,
        asked.module().digest(),
        Long.toString(limits.instructions()),
        Integer.toString(limits.megabytes()),
        outputs);
  }

  private static Expr hash(String name, List<Column> read, List<Column> more) {
    List<Expr> values = new ArrayList<>(List.of(Exprs.text(name)));
    read.forEach(column -> values.add(column.ref()));
    more.forEach(column -> values.add(column.ref()));
    return PortableHash.of(values);
  }

  /** Of either sign: of a hash it is known that it is none below zero. */
  private static Expr number(String name, List<Column> read, List<Column> more) {
    return Exprs.call(
        Function.MINUS, Type.BIGINT, hash(name, read, more), hash(name + " less", read, more));
  }

  private static Expr within(Expr value, Range range, int scale) {
    Type type = Type.decimal(38, scale);
    return Exprs.call(
        Function.LEAST,
        type,
        Exprs.call(Function.GREATEST, type, Exprs.as(value, type), Exprs.number(range.low(), type)),
        Exprs.number(range.high(), type));
  }

  private static AggregateCall call(Column output, AggregateCall.Kind kind, Expr argument) {
    return new AggregateCall(
        output, kind, Optional.of(argument), false, Optional.empty(), Optional.empty(), AT);
  }

  private static Relation aggregate(Relation input, List<Column> keys, List<AggregateCall> calls) {
    return new Relation.Aggregate(
        input,
        keys,
        List.of(IntStream.range(0, keys.size()).boxed().toList()),
        calls,
        List.of(),
        Optional.empty(),
        calls.stream().map(AggregateCall::output).toList(),
        AT);
  }
}
