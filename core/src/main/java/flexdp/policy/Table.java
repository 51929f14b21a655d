package flexdp.policy;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * A table that may be asked about.
 *
 * @param uniqueKeys sets of columns that no two rows share (rows with a NULL among them excepted)
 * @param caps frequencies the owner vouches for, which hold at every distance, or has enforced
 * @param insertsAtMost how many rows, the owner vouches, are inserted or get another key between
 *     two measurements: 0 for a static table; absent when anything may happen
 * @param ownership whose rows they are
 * @param partition into parts that are charged each for itself
 * @param trusted the keys that the owner vouches for, be it that no database keeps them unique
 * @param isClosed whether the owner wants nothing to be read of it for now
 */
public record Table(
    String name,
    boolean isPublic,
    List<ColumnSpec> columns,
    List<Set<String>> uniqueKeys,
    List<FrequencyCap> caps,
    Optional<BigInteger> insertsAtMost,
    TableOwnership ownership,
    Optional<Partition> partition,
    Set<Set<String>> trusted,
    boolean isClosed) {

  /**
   * No combination of values of these columns occurs in more rows than this, NULLs aside.
   *
   * @param enforced rows beyond it are left out where it matters; otherwise the owner vouches for
   *     it
   */
  public record FrequencyCap(Set<String> columns, BigInteger atMost, boolean enforced) {
    public FrequencyCap(Set<String> columns, BigInteger atMost) {
      this(columns, atMost, false);
    }
  }

  public Table {
    columns = List.copyOf(columns);
    uniqueKeys = uniqueKeys.stream().map(Set::copyOf).toList();
    caps = List.copyOf(caps);
    trusted = Set.copyOf(trusted);
  }

  /** Of one part. */
  public Table(
      String name,
      boolean isPublic,
      List<ColumnSpec> columns,
      List<Set<String>> uniqueKeys,
      List<FrequencyCap> caps,
      Optional<BigInteger> insertsAtMost,
      TableOwnership ownership) {
    this(
        name,
        isPublic,
        columns,
        uniqueKeys,
        caps,
        insertsAtMost,
        ownership,
        Optional.empty(),
        Set.of(),
        false);
  }

  /** Each of whose rows stands for itself. */
  public Table(
      String name,
      boolean isPublic,
      List<ColumnSpec> columns,
      List<Set<String>> uniqueKeys,
      List<FrequencyCap> caps,
      Optional<BigInteger> insertsAtMost) {
    this(name, isPublic, columns, uniqueKeys, caps, insertsAtMost, TableOwnership.ROWS);
  }

  /** Of which nothing is known to stay as it was measured. */
  public Table(
      String name,
      boolean isPublic,
      List<ColumnSpec> columns,
      List<Set<String>> uniqueKeys,
      List<FrequencyCap> caps) {
    this(name, isPublic, columns, uniqueKeys, caps, Optional.empty());
  }

  public boolean isProtected() {
    return !isPublic;
  }

  /** What one step between neighbours takes rows from: nothing of a public table. */
  public List<PrivacyUnit> units() {
    if (isPublic) {
      return List.of();
    }
    return ownership.owners().isEmpty()
        ? List.of(new PrivacyUnit.Row(name))
        : ownership.owners().stream()
            .<PrivacyUnit>map(owner -> new PrivacyUnit.Person(owner.kind()))
            .distinct()
            .sorted()
            .toList();
  }

  /** The frequencies that hold of the table as it is. */
  public List<FrequencyCap> vouched() {
    return caps.stream().filter(cap -> !cap.enforced()).toList();
  }

  /** The frequencies that are enforced by leaving rows out. */
  public List<FrequencyCap> enforced() {
    return caps.stream().filter(FrequencyCap::enforced).toList();
  }

  /** A declared key without NULL, by which its rows can be put in order. */
  public Optional<Set<String>> orderingKey() {
    return uniqueKeys.stream()
        .filter(
            key ->
                key.stream().allMatch(name -> column(name).filter(c -> !c.nullable()).isPresent()))
        .findFirst();
  }

  public Table ownedBy(TableOwnership owners) {
    return new Table(
        name,
        isPublic,
        columns,
        uniqueKeys,
        caps,
        insertsAtMost,
        owners,
        partition,
        trusted,
        isClosed);
  }

  public Table withColumns(List<ColumnSpec> others) {
    return new Table(
        name,
        isPublic,
        others,
        uniqueKeys,
        caps,
        insertsAtMost,
        ownership,
        partition,
        trusted,
        isClosed);
  }

  public Table partitioned(Optional<Partition> parts) {
    return new Table(
        name,
        isPublic,
        columns,
        uniqueKeys,
        caps,
        insertsAtMost,
        ownership,
        parts,
        trusted,
        isClosed);
  }

  /** With other keys than were declared. */
  public Table withKeys(List<Set<String>> keys) {
    return new Table(
        name,
        isPublic,
        columns,
        keys,
        caps,
        insertsAtMost,
        ownership,
        partition,
        trusted,
        isClosed);
  }

  /** This table with these keys vouched for by its owner, and read or not. */
  public Table trusting(Set<Set<String>> keys, boolean closed) {
    return new Table(
        name,
        isPublic,
        columns,
        uniqueKeys,
        caps,
        insertsAtMost,
        ownership,
        partition,
        keys,
        closed);
  }

  /**
   * The partition by which its account is kept. One person may have rows in every part: a table
   * with owners is charged to them, as a whole.
   */
  public Optional<Partition> charged() {
    return partition.filter(p -> ownership.owners().isEmpty());
  }

  public Optional<ColumnSpec> column(String name) {
    for (ColumnSpec column : columns) {
      if (column.name().equals(name)) {
        return Optional.of(column);
      }
    }
    return Optional.empty();
  }

  /**
   * How the rows of a table fall into parts, each of which has an account of its own: by the value
   * of a column, or by the year, quarter, month, week or day that a moment lies in. NULL is a part.
   */
  public record Partition(String column, Type type, Optional<Each> each) {
    /** A stretch of the calendar. Weeks begin on Mondays. */
    public enum Each {
      YEAR,
      QUARTER,
      MONTH,
      WEEK,
      DAY;

      public String word() {
        return name().toLowerCase(Locale.ROOT);
      }
    }

    public Partition {
      boolean moments = type.isDateTime();
      if (moments != each.isPresent() || !moments && !isListed(type)) {
        throw new IllegalArgumentException("no parts by " + each + " of " + type);
      }
    }

    /** Whether single values of the type can be parts: those that have one spelling each. */
    static boolean isListed(Type type) {
      return type.isInteger()
          || type.kind() == Type.Kind.VARCHAR
          || type.kind() == Type.Kind.BOOLEAN;
    }

    /**
     * What a ledger knows it by. What was spent by another one counts for every part of this one,
     * so whatever changes which rows are together belongs to it.
     */
    public String identity() {
      return column + " " + each.map(e -> e.word() + " ").orElse("") + type;
    }

    /** How people say it. */
    @Override
    public String toString() {
      return each.map(e -> e.word() + " of ").orElse("") + column;
    }
  }

  /**
   * The key that names a row which nobody owns, where each such row is a person of its own:
   * declared, never NULL, and of values that can be written one after the other so that different
   * keys are written differently. Texts hold anything, so one of them comes last and no other.
   */
  public static final class RowKey {
    private RowKey() {}

    /** The columns in the order in which they are written; the shortest key that there is. */
    public static Optional<List<ColumnSpec>> of(Table table) {
      return table.uniqueKeys().stream()
          .map(key -> columns(table, key))
          .flatMap(Optional::stream)
          .min(Comparator.<List<ColumnSpec>>comparingInt(List::size).thenComparing(List::toString));
    }

    private static Optional<List<ColumnSpec>> columns(Table table, Set<String> key) {
      List<ColumnSpec> columns = new ArrayList<>();
      for (String name : key) {
        Optional<ColumnSpec> column = table.column(name).filter(c -> !c.nullable());
        if (column.isEmpty() || !isWritten(column.get().type())) {
          return Optional.empty();
        }
        columns.add(column.get());
      }
      if (columns.stream().filter(RowKey::isText).count() > 1) {
        return Optional.empty();
      }
      columns.sort(Comparator.comparing(RowKey::isText).thenComparing(ColumnSpec::name));
      return Optional.of(columns);
    }

    private static boolean isText(ColumnSpec column) {
      return column.type().kind() == Type.Kind.VARCHAR;
    }

    private static boolean isWritten(Type type) {
      return switch (type.kind()) {
        case SMALLINT, INTEGER, BIGINT, DECIMAL, VARCHAR, DATE, TIMESTAMP, UUID -> true;
        case BOOLEAN, DOUBLE, TIME, OPAQUE, INTERVAL_MONTHS, INTERVAL_MICROS, NULL -> false;
      };
    }
  }
}
