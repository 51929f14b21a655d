package flexdp.gateway.program;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Relation;
import flexdp.cells.CellSink;
import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.database.Session;
import flexdp.gateway.database.Session.CellReader;
import flexdp.gateway.render.SqlRenderer;
import flexdp.policy.Range;
import flexdp.query.Measurement;
import flexdp.query.NoisyAggregate;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.sql.ResultSet;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Runs a program on what the database reads, and makes cells of what it says. Whatever a program
 * does, its question goes on: where it fails its default stands, and what it says is kept in the
 * range and on the grid that the noise is made for.
 */
public final class ProgramReading {
  /** Numbers that all blocks together hold; each has the same part of them, whatever is in it. */
  private static final int MOST_NUMBERS = 1 << 24;

  private final ProgramRequest asked;
  private final ProgramRelation relation;
  private final RunnableProgram program;

  ProgramReading(ProgramRequest asked, ProgramRelation relation, RunnableProgram program) {
    this.asked = asked;
    this.relation = relation;
    this.program = program;
  }

  /** Measurements of narrower ranges than those that are kept would have too little noise. */
  void require(NoisyAggregate point) {
    for (Measurement measurement : point.measurements()) {
      Range range = clamp(measurement).range();
      Range kept =
          switch (asked.shape()) {
            case ProgramRequest.Blocks blocks ->
                ProgramRelation.range(asked.outputs().get(output(measurement)), blocks);
            case ProgramRequest.Rows ignored -> ProgramRelation.widest(asked.outputs());
          };
      if (range.low().compareTo(kept.low()) > 0 || range.high().compareTo(kept.high()) < 0) {
        throw new IllegalStateException("a program whose range is not what is measured");
      }
    }
    rows(point);
  }

  /**
   * Fills the cells of a release point.
   *
   * @param read the release point over the rows that are to be read
   */
  public void fill(NoisyAggregate read, Session session, SqlRenderer renderer, CellSink sink) {
    switch (asked.shape()) {
      case ProgramRequest.Blocks blocks -> blocks(blocks, read, session, renderer, sink);
      case ProgramRequest.Rows rows -> rows(rows, read, session, renderer, sink);
    }
  }

  private void blocks(
      ProgramRequest.Blocks shape,
      NoisyAggregate read,
      Session session,
      SqlRenderer renderer,
      CellSink sink) {
    List<Column> columns = relation.read();
    SortedMap<BigInteger, BlockRows> blocks = new TreeMap<>();
    session.run(
        renderer.filledRows(rows(read)),
        row -> {
          BigDecimal block = session.number(row, 1).orElse(BigDecimal.ZERO);
          blocks
              .computeIfAbsent(
                  block.toBigInteger(),
                  b -> new BlockRows(columns.size(), MOST_NUMBERS / shape.count()))
              .add(RowNumbers.of(session, row, 2, columns));
        });
    // Not before all is read: how long programs run should not end a statement of the database.
    for (BlockRows block : blocks.values()) {
      List<OptionalDouble> said = block.isTooMany() ? List.of() : program.run(block.sorted());
      for (int i = 0; i < read.measurements().size(); i++) {
        Measurement measurement = read.measurements().get(i);
        int output = output(measurement);
        ProgramOutput of = asked.outputs().get(output);
        BigDecimal value = value(said, output).map(v -> within(v, of)).orElse(of.fallback());
        BigDecimal from = shape.mean() ? of.fallback() : BigDecimal.ZERO;
        BigInteger step = step(value.subtract(from), clamp(measurement));
        if (measurement instanceof Measurement.Selected) {
          sink.add(sink.onlyGrouping(), List.of(), i, step, BigInteger.ONE);
        } else {
          sink.add(sink.onlyGrouping(), List.of(), i, step);
        }
      }
    }
  }

  private void rows(
      ProgramRequest.Rows shape,
      NoisyAggregate read,
      Session session,
      SqlRenderer renderer,
      CellSink sink) {
    Measurement.Clamp clamp = clamp(read.measurements().getFirst());
    boolean several = !read.keys().isEmpty();
    try (RowSpool waiting = new RowSpool(relation.read().size(), RowSpool.HELD)) {
      session.run(
          renderer.filledRows(rows(read)),
          row -> waiting.add(RowNumbers.of(session, row, 1, relation.read())));
      // As with blocks: a row on which the program is slow would end the statement, and be seen.
      waiting.forEach(
          row -> {
            List<OptionalDouble> said = program.run(row);
            int emitted = 0;
            for (int i = 0; i < asked.outputs().size() && emitted < shape.emits(); i++) {
              ProgramOutput output = asked.outputs().get(i);
              BigDecimal value = value(said, i).map(v -> within(v, output)).orElse(null);
              if (value != null) {
                List<Object> label = several ? List.of(output.name()) : List.of();
                sink.add(sink.onlyGrouping(), label, 0, step(value, clamp));
                emitted++;
              }
            }
          });
    }
  }

  /** The rows that the program is to read: what the release point stands on, and no more of it. */
  private Relation rows(NoisyAggregate read) {
    List<Column> columns = new ArrayList<>();
    Relation found = below(read.input(), relation.block().isPresent());
    relation.block().ifPresent(columns::add);
    columns.addAll(relation.read());
    List<Integer> there = found.columns().stream().map(Column::id).toList();
    List<Relation.Project.Output> outputs = new ArrayList<>();
    for (Column column : columns) {
      if (!there.contains(column.id())) {
        throw new IllegalStateException("rows without what the program reads of them");
      }
      outputs.add(new Relation.Project.Output(column, column.ref()));
    }
    return new Relation.Project(found, outputs);
  }

  private static Relation below(Relation input, boolean blocks) {
    if (input instanceof Relation.Project project) {
      if (blocks && project.input() instanceof Relation.Aggregate groups) {
        return groups.input();
      }
      if (!blocks && project.input() instanceof Relation.Join join) {
        return join.left();
      }
    }
    throw new IllegalStateException("a program is asked about in another shape");
  }

  private int output(Measurement measurement) {
    return relation.values().indexOf(((Expr.Ref) measurement.argument().orElseThrow()).column());
  }

  private static Measurement.Clamp clamp(Measurement measurement) {
    return measurement
        .clamping()
        .orElseThrow(() -> new IllegalStateException("programs do not count"));
  }

  private static Optional<Double> value(List<OptionalDouble> said, int output) {
    return output < said.size() && said.get(output).isPresent()
        ? Optional.of(said.get(output).getAsDouble()).filter(v -> !Double.isNaN(v))
        : Optional.empty();
  }

  private static BigDecimal within(double value, ProgramOutput output) {
    if (value >= output.high().doubleValue()) {
      return output.high();
    }
    if (value <= output.low().doubleValue()) {
      return output.low();
    }
    return new BigDecimal(value).min(output.high()).max(output.low());
  }

  private static BigInteger step(BigDecimal value, Measurement.Clamp clamp) {
    BigInteger step = value.divide(clamp.grid(), 0, RoundingMode.HALF_EVEN).toBigIntegerExact();
    return clamp.nearest(step);
  }

  /**
   * The rows of one block. They are handed to the program in the order of their numbers, so that it
   * sees no order in which a database met them. A block that is too large is known to be so, and no
   * more of it is kept.
   */
  private static final class BlockRows {
    private final int width;
    private final int most;
    private double[] numbers;
    private int size;
    private boolean tooMany;

    /**
     * @param most numbers that are kept
     */
    BlockRows(int width, int most) {
      this.width = width;
      this.most = most;
      this.numbers = new double[Math.min(most, 8 * width)];
    }

    void add(double[] row) {
      if (tooMany || size + width > most) {
        tooMany = true;
        numbers = new double[0];
        return;
      }
      if (size + width > numbers.length) {
        numbers =
            Arrays.copyOf(numbers, Math.min(most, Math.max(size + width, 2 * numbers.length)));
      }
      System.arraycopy(row, 0, numbers, size, width);
      size += width;
    }

    boolean isTooMany() {
      return tooMany;
    }

    /** Row after row, sorted by their first numbers, then by the second ones, NaN last. */
    double[] sorted() {
      Integer[] rows = new Integer[size / width];
      Arrays.setAll(rows, i -> i);
      Comparator<Integer> order =
          (a, b) ->
              Arrays.compare(
                  numbers, a * width, (a + 1) * width, numbers, b * width, (b + 1) * width);
      Arrays.sort(rows, order);
      double[] sorted = new double[size];
      for (int i = 0; i < rows.length; i++) {
        System.arraycopy(numbers, rows[i] * width, sorted, i * width, width);
      }
      return sorted;
    }
  }

  /**
   * Rows as programs read them. NULL and what cannot be read are NaN; truth values are 0 and 1,
   * days count from 1970, moments are seconds since then, times of day seconds since midnight.
   * Every value has one form: there is no negative zero, and one NaN.
   */
  private static final class RowNumbers {
    private static final double NANOS = 1e9;

    private RowNumbers() {}

    /** The numbers of a row, whose columns stand from the given place on. Never throws. */
    static double[] of(Session session, ResultSet row, int first, List<Column> columns) {
      double[] numbers = new double[columns.size()];
      for (int i = 0; i < numbers.length; i++) {
        numbers[i] =
            switch (session.value(row, first + i, columns.get(i).type())) {
              case CellReader.Value(Object value) -> number(value);
              case CellReader.Unreadable() -> Double.NaN;
            };
      }
      return numbers;
    }

    static double number(Object value) {
      return switch (value) {
        case null -> Double.NaN;
        case Boolean b -> b ? 1 : 0;
        case BigDecimal n -> n.doubleValue() + 0.0;
        case Double d -> Double.isNaN(d) ? Double.NaN : d + 0.0;
        case LocalDate d -> d.toEpochDay();
        case LocalTime t -> t.toNanoOfDay() / NANOS;
        case LocalDateTime t -> t.toEpochSecond(ZoneOffset.UTC) + t.getNano() / NANOS;
        default -> Double.NaN;
      };
    }
  }
}
