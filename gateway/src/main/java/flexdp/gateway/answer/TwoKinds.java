package flexdp.gateway.answer;

import flexdp.algebra.Column;
import flexdp.algebra.Expr;
import flexdp.algebra.Exprs;
import flexdp.algebra.Function;
import flexdp.algebra.Relation;
import flexdp.gateway.database.Reading;
import flexdp.gateway.database.Session;
import flexdp.gateway.render.DegreeBuckets;
import flexdp.gateway.render.Dialect;
import flexdp.gateway.render.ReleaseStatement;
import flexdp.gateway.render.SqlRenderer;
import flexdp.people.clip.Levels;
import flexdp.people.descent.Holdings;
import flexdp.people.descent.OwnerBuckets;
import flexdp.people.descent.OwnerDegrees;
import flexdp.people.descent.OwnerSets;
import flexdp.plan.Calibrated;
import flexdp.policy.Type;
import flexdp.question.Labels;
import flexdp.question.ReleasePoint;
import flexdp.release.Histogram;
import flexdp.release.SharedReleaser;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.ResultSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * Reads rows that have at most one owner of each of two kinds: what each person's weigh, in one
 * pass, and what several have together only where a value asks for it. Most rows then never leave
 * the database.
 */
final class TwoKinds {
  private static final Set<Type.Kind> WHOLE =
      Set.of(Type.Kind.SMALLINT, Type.Kind.INTEGER, Type.Kind.BIGINT);

  private final ReleasePoint read;
  private final List<Calibrated.Descended> noise;
  private final List<Column> owners;
  private final Histogram bins;
  private final Session session;
  private final Whole whole;
  private boolean readable = true;

  /** Reads every set of owners of some rows; by measurement and bin. */
  interface Whole {
    List<List<OwnerSets>> of(ReleasePoint read);
  }

  /**
   * @param owners the columns that name them, the first of one kind and the second of another
   */
  TwoKinds(
      ReleasePoint read,
      List<Calibrated.Descended> noise,
      List<Column> owners,
      Histogram bins,
      Session session,
      Whole whole) {
    this.read = read;
    this.noise = noise;
    this.owners = owners;
    this.bins = bins;
    this.session = session;
    this.whole = whole;
  }

  /** Two columns for two kinds; names that are whole numbers can always be read. */
  static boolean are(List<Column> owners, List<Integer> kinds) {
    return kinds.equals(List.of(0, 1))
        && owners.stream().allMatch(c -> WHOLE.contains(c.type().kind()));
  }

  /** By measurement and bin: of one measurement how many have how much, else what each has. */
  List<? extends List<? extends Holdings>> holdings(Dialect dialect, SqlRenderer renderer) {
    Optional<List<OwnerBuckets>> buckets =
        noise.size() == 1 ? buckets(dialect, renderer) : Optional.empty();
    return buckets.isPresent() ? List.of(buckets.get()) : degrees(renderer);
  }

  private Optional<List<OwnerBuckets>> buckets(Dialect dialect, SqlRenderer renderer) {
    Levels levels = noise.getFirst().descending().levels();
    List<OwnerBuckets> buckets = new ArrayList<>();
    for (int i = 0; i < bins.bins().size(); i++) {
      int bin = i;
      buckets.add(new OwnerBuckets(levels, () -> degrees(renderer).getFirst().get(bin)));
    }
    for (ReleaseStatement each : renderer.statements(byEither(read, owners))) {
      session.run(
          DegreeBuckets.sql(dialect, each, read.keys(), owners, levels), row -> add(row, buckets));
    }
    boolean whole = readable;
    readable = true;
    return whole ? Optional.of(buckets) : Optional.empty();
  }

  private void add(ResultSet row, List<OwnerBuckets> to) {
    int at = 1;
    int kind = kind(row, at++);
    List<Object> labels = new ArrayList<>();
    boolean labelled = true;
    for (Column key : read.keys()) {
      switch (session.value(row, at++, key.type())) {
        case Reading.Value(Object value) -> labels.add(value);
        case Reading.Unreadable() -> labelled = false;
      }
    }
    OptionalInt bin = labelled ? bins.place(labels) : OptionalInt.empty();
    int bucket = number(row, at++).intValue();
    BigInteger people = number(row, at++);
    BigInteger weight = number(row, at++);
    BigInteger most = number(row, at++);
    readable &=
        weight.signum() >= 0
            && people.bitLength() < Integer.SIZE - 1
            && most.bitLength() <= DegreeBuckets.MOST_BITS;
    if (bin.isPresent() && readable) {
      OwnerBuckets of = to.get(bin.getAsInt());
      if (bucket < 0) {
        of.nobodys(kind, weight);
      } else {
        of.add(kind, bucket, people.intValue(), weight);
      }
    }
  }

  private List<? extends List<? extends Holdings>> degrees(SqlRenderer renderer) {
    List<List<OwnerDegrees>> degrees = new ArrayList<>();
    for (int m = 0; m < noise.size(); m++) {
      Levels levels = noise.get(m).descending().levels();
      List<OwnerDegrees> each = new ArrayList<>();
      for (int bin = 0; bin < bins.bins().size(); bin++) {
        each.add(new OwnerDegrees(levels.at(levels.last()), new Results(m, bin)));
      }
      degrees.add(each);
    }
    for (ReleaseStatement statement : renderer.statements(byEither(read, owners))) {
      session.run(statement.sql(), row -> add(statement, row, degrees));
    }
    return readable ? degrees : whole.of(read);
  }

  /** By one owner, and by the other; somebody owns every row. */
  static ReleasePoint byEither(ReleasePoint read, List<Column> owners) {
    List<Expr> there = new ArrayList<>();
    owners.forEach(o -> there.add(Exprs.test(Function.IS_NOT_NULL, o.ref())));
    List<Column> keys = new ArrayList<>(read.keys());
    keys.addAll(owners);
    List<List<Integer>> sets = new ArrayList<>();
    for (int kind = 0; kind < owners.size(); kind++) {
      List<Integer> set = new ArrayList<>();
      for (int key = 0; key < read.keys().size(); key++) {
        set.add(key);
      }
      set.add(read.keys().size() + kind);
      sets.add(set);
    }
    return new ReleasePoint(
        read.id(),
        new Relation.Filter(read.input(), Exprs.or(there)),
        keys,
        sets,
        List.of(),
        read.measurements(),
        new Labels.Thresholded(),
        read.at());
  }

  /** The last bit is that of the second owner: 1 where rows are not by it. */
  private int kind(ResultSet row, int at) {
    return number(row, at).testBit(0) ? 0 : 1;
  }

  private void add(ReleaseStatement statement, ResultSet row, List<List<OwnerDegrees>> degrees) {
    int at = 1;
    int kind = kind(row, at++);
    List<Object> labels = new ArrayList<>();
    boolean labelled = true;
    for (Column key : read.keys()) {
      switch (session.value(row, at++, key.type())) {
        case Reading.Value(Object value) -> labels.add(value);
        case Reading.Unreadable() -> labelled = false;
      }
    }
    Optional<Object> owner = Optional.empty();
    for (int i = 0; i < owners.size(); i++) {
      switch (session.value(row, at++, owners.get(i).type())) {
        case Reading.Value(Object value) -> {
          if (i == kind && value != null) {
            owner = Optional.of(SharedReleaser.owner(kind, value).id());
          }
        }
        case Reading.Unreadable() -> readable = false;
      }
    }
    OptionalInt bin = labelled ? bins.place(labels) : OptionalInt.empty();
    for (ReleaseStatement.Cell cell : statement.cells()) {
      BigDecimal number = decimal(row, at++);
      BigInteger weight =
          cell.shift().isPresent() ? cell.units(number, decimal(row, at++)) : cell.units(number);
      readable &= weight.signum() >= 0;
      if (bin.isPresent() && readable) {
        degrees.get(cell.measurement()).get(bin.getAsInt()).add(kind, owner, weight);
      }
    }
  }

  private BigInteger number(ResultSet row, int at) {
    return decimal(row, at).toBigInteger();
  }

  private BigDecimal decimal(ResultSet row, int at) {
    Optional<BigDecimal> number = session.number(row, at);
    readable &= number.isPresent();
    return number.orElse(BigDecimal.ZERO);
  }

  /** The results of one measurement in one bin. */
  private final class Results implements OwnerDegrees.Source {
    private final int measurement;
    private final int bin;

    Results(int measurement, int bin) {
      this.measurement = measurement;
      this.bin = bin;
    }

    @Override
    public OwnerSets of(int kind, Set<Object> people) {
      Column owner = owners.get(kind);
      List<Expr> named = new ArrayList<>(List.of(owner.ref()));
      people.stream()
          .map(id -> ((BigDecimal) id).setScale(0))
          .sorted()
          .forEach(id -> named.add(new Expr.Literal(id, owner.type())));
      Expr hers = new Expr.Call(Function.IN_LIST, named, Type.BOOLEAN);
      return whole.of(read.over(new Relation.Filter(read.input(), hers))).get(measurement).get(bin);
    }

    @Override
    public OwnerSets all() {
      return whole.of(read).get(measurement).get(bin);
    }
  }
}
