package flexdp.gateway.policydraft;

import flexdp.gateway.catalog.PhysicalColumn;
import flexdp.gateway.catalog.PhysicalTable;
import flexdp.gateway.collect.RangeEnd;
import flexdp.gateway.policydraft.CheckConstraint.CheckFact;
import flexdp.gateway.policydraft.PolicyDraft.ForeignReferences;
import flexdp.policy.Range;
import flexdp.policy.Type;
import java.math.BigDecimal;
import java.time.DateTimeException;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.BinaryOperator;

/** One table of a proposed policy. */
final class TableDraft {
  private final PhysicalTable table;
  private final ForeignReferences references;
  private final String whose;
  private final List<CheckFact> facts = new ArrayList<>();

  /** How to say as what the text of a CSV file is read; nothing about it is guessed from rows. */
  private static final String UNTYPED =
      """
          # A CSV file holds nothing but text. Say as what each column is read, as in
          #   visits:  {type: integer, range: [0, 1000]}
          #   amount:  {type: "decimal(12,2)", range: [0, 500]}
          #   weight:  {type: double, range: [0, 300]}
          #   paid:    {type: boolean}
          #   born:    {type: date, range: ["1900-01-01", "2030-12-31"]}
          #   seen_at: {type: timestamp}
          #   status:  {type: varchar, domain: [open, closed, null]}
          # What cannot be read so is NULL.
      """;

  private final boolean untyped;

  /**
   * @param whose the lines that say to whom the rows belong
   */
  TableDraft(PhysicalTable table, ForeignReferences references, boolean files, String whose) {
    this.untyped =
        files && table.columns().stream().allMatch(c -> c.type().kind() == Type.Kind.VARCHAR);
    this.table = table;
    this.references = references;
    this.whose = whose;
    table.checks().forEach(check -> facts.addAll(CheckConstraint.facts(check)));
  }

  String text() {
    StringBuilder text = new StringBuilder();
    text.append("  ").append(YamlScalars.text(table.policyName())).append(":\n");
    text.append("    # public: true   # only if every row may be known to everyone\n");
    text.append(whose);
    text.append("    # static: true   # only if no row is added or changed between two collects\n");
    text.append("    columns:\n");
    if (untyped) {
      text.append(UNTYPED);
    }
    Set<String> names = new HashSet<>();
    for (PhysicalColumn column : table.columns()) {
      if (column.computed()) {
        text.append("      # left out: ").append(YamlScalars.comment(column.name()));
        text.append(" is computed whenever it is read, which may fail on one row\n");
      } else if (names.add(column.name().toLowerCase(Locale.ROOT))) {
        column(text, column);
      } else {
        text.append("      # left out: ").append(YamlScalars.comment(column.name()));
        text.append(" differs from another column in upper and lower case only\n");
      }
    }
    List<List<String>> compound =
        table.keys().stream().filter(k -> k.size() > 1).distinct().toList();
    if (!compound.isEmpty()) {
      text.append("    unique: [");
      text.append(String.join(", ", compound.stream().map(YamlScalars::list).toList()))
          .append("]\n");
    }
    for (List<String> key : table.doubtfulKeys()) {
      text.append("    # unique in the database, but not by the equality that joins use: ");
      text.append(YamlScalars.comment(String.join(", ", key))).append('\n');
    }
    for (String check : table.checks()) {
      if (CheckConstraint.facts(check).isEmpty()) {
        text.append("    # CHECK ").append(YamlScalars.comment(check)).append('\n');
      }
    }
    return text.toString();
  }

  private void column(StringBuilder text, PhysicalColumn column) {
    ColumnFacts known = ColumnFacts.of(column.name(), column.type(), facts);
    boolean notNull = column.notNull() || known.notNull() && column.total();
    List<String> fields = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    fields.add("type: " + typeName(column.type()));
    if (column.type().kind() == Type.Kind.OPAQUE) {
      notes.add(column.typeName() + " can be counted and grouped, nothing else");
    }
    if (notNull) {
      fields.add("nullable: false");
    }
    if (table.keys().contains(List.of(column.name()))) {
      fields.add("unique: true");
    }
    Optional<List<Object>> labels = known.labels().or(() -> enumLabels(column));
    Optional<Range> range = known.range().or(() -> labels.flatMap(TableDraft::span));
    range.ifPresent(r -> fields.add("range: " + ends(r, column.type())));
    labels
        .filter(l -> range.isEmpty() || l.stream().allMatch(v -> within(v, range.get())))
        .ifPresent(l -> fields.add("domain: " + domain(l, notNull)));
    if (range.isEmpty() && (known.low().isPresent() || known.high().isPresent())) {
      notes.add("a CHECK bounds it on one side; give both: range: [lowest, highest]");
    } else if (range.isEmpty() && wantsRange(column)) {
      notes.add("range: [lowest, highest] to sum or average it");
    }
    reference(column).ifPresent(target -> fields.add("references: " + YamlScalars.text(target)));
    text.append("      ").append(YamlScalars.text(column.name())).append(": {");
    text.append(String.join(", ", fields)).append('}');
    if (!notes.isEmpty()) {
      text.append("   # ").append(YamlScalars.comment(String.join("; ", notes)));
    }
    text.append('\n');
  }

  private static String typeName(Type type) {
    return type.kind() == Type.Kind.DECIMAL ? "\"" + type + "\"" : type.toString();
  }

  static String ends(Range range, Type type) {
    return YamlScalars.list(
        List.of(RangeEnd.of(range.low(), type), RangeEnd.of(range.high(), type)));
  }

  /** A domain that leaves out NULL would leave out its rows, so a nullable column lists it. */
  private static String domain(List<Object> labels, boolean notNull) {
    List<Object> all = new ArrayList<>(labels);
    if (!notNull) {
      all.add(null);
    }
    return YamlScalars.list(all);
  }

  private static Optional<Range> span(List<Object> labels) {
    if (!labels.stream().allMatch(BigDecimal.class::isInstance)) {
      return Optional.empty();
    }
    List<BigDecimal> numbers = labels.stream().map(BigDecimal.class::cast).sorted().toList();
    return Optional.of(new Range(numbers.getFirst(), numbers.getLast()));
  }

  private static boolean within(Object label, Range range) {
    return !(label instanceof BigDecimal number)
        || number.compareTo(range.low()) >= 0 && number.compareTo(range.high()) <= 0;
  }

  /** The labels of an ENUM are part of its type, not of the data. */
  private static Optional<List<Object>> enumLabels(PhysicalColumn column) {
    String name = column.typeName();
    if (!name.startsWith("ENUM(")) {
      return Optional.empty();
    }
    return CheckConstraint.facts("x IN " + name.substring("ENUM".length())).stream()
        .filter(CheckFact.OneOf.class::isInstance)
        .map(f -> ((CheckFact.OneOf) f).values())
        .findFirst();
  }

  private boolean wantsRange(PhysicalColumn column) {
    boolean key = table.keys().stream().anyMatch(k -> k.contains(column.name()));
    return column.type().isNumeric() && !key && reference(column).isEmpty();
  }

  private Optional<String> reference(PhysicalColumn column) {
    return references.of(table, column).map(ForeignReferences.Target::written);
  }

  /**
   * What the CHECK constraints of a table prove of one column.
   *
   * @param low nothing smaller occurs, as the numbers of {@link Range}
   * @param labels nothing else occurs
   */
  record ColumnFacts(
      boolean notNull,
      Optional<BigDecimal> low,
      Optional<BigDecimal> high,
      Optional<List<Object>> labels) {

    static ColumnFacts of(String column, Type type, List<CheckFact> facts) {
      boolean notNull = false;
      Optional<BigDecimal> low = Optional.empty();
      Optional<BigDecimal> high = Optional.empty();
      Optional<List<Object>> labels = Optional.empty();
      for (CheckFact fact : facts) {
        if (!fact.column().equalsIgnoreCase(column)) {
          continue;
        }
        switch (fact) {
          case CheckFact.NotNull ignored -> notNull = true;
          case CheckFact.AtLeast least -> {
            Optional<BigDecimal> end = number(least.value(), type).map(n -> above(n, least, type));
            low = tighter(low, end, BigDecimal::max);
          }
          case CheckFact.AtMost most -> {
            Optional<BigDecimal> end = number(most.value(), type).map(n -> below(n, most, type));
            high = tighter(high, end, BigDecimal::min);
          }
          case CheckFact.OneOf oneOf -> {
            if (labels.isEmpty()) {
              labels = labels(oneOf.values(), type);
            }
          }
        }
      }
      return new ColumnFacts(notNull, low, high, labels);
    }

    private static Optional<BigDecimal> tighter(
        Optional<BigDecimal> one, Optional<BigDecimal> two, BinaryOperator<BigDecimal> which) {
      return one.isPresent() && two.isPresent()
          ? Optional.of(which.apply(one.get(), two.get()))
          : one.or(() -> two);
    }

    /** Both ends, when both are proven and leave something between them. */
    Optional<Range> range() {
      return low.isPresent() && high.isPresent() && low.get().compareTo(high.get()) <= 0
          ? Optional.of(new Range(low.get(), high.get()))
          : Optional.empty();
    }

    private static BigDecimal above(BigDecimal end, CheckFact.AtLeast fact, Type type) {
      return fact.strict() && isWhole(end, type) ? end.add(BigDecimal.ONE) : end;
    }

    private static BigDecimal below(BigDecimal end, CheckFact.AtMost fact, Type type) {
      return fact.strict() && isWhole(end, type) ? end.subtract(BigDecimal.ONE) : end;
    }

    /** Between whole numbers, dates or microseconds nothing lies, so a strict end moves by one. */
    private static boolean isWhole(BigDecimal end, Type type) {
      return (type.isInteger() || type.isDateTime()) && end.stripTrailingZeros().scale() <= 0;
    }

    private static Optional<BigDecimal> number(Object value, Type type) {
      try {
        return switch (type.kind()) {
          case SMALLINT, INTEGER, BIGINT, DECIMAL, DOUBLE ->
              value instanceof BigDecimal number ? Optional.of(number) : Optional.empty();
          case DATE ->
              Optional.of(BigDecimal.valueOf(LocalDate.parse((String) value).toEpochDay()));
          case TIMESTAMP -> Optional.of(micros((String) value));
          default -> Optional.empty();
        };
      } catch (DateTimeException | ClassCastException e) {
        return Optional.empty();
      }
    }

    private static BigDecimal micros(String text) {
      LocalDateTime time =
          text.length() == 10
              ? LocalDate.parse(text).atStartOfDay()
              : LocalDateTime.parse(text.replace(' ', 'T'));
      return BigDecimal.valueOf(time.toEpochSecond(ZoneOffset.UTC))
          .multiply(BigDecimal.valueOf(1_000_000))
          .add(BigDecimal.valueOf(time.getNano() / 1000));
    }

    private static Optional<List<Object>> labels(List<Object> values, Type type) {
      boolean fits =
          values.stream()
              .allMatch(
                  v ->
                      type.kind() == Type.Kind.VARCHAR && v instanceof String
                          || type.isInteger()
                              && v instanceof BigDecimal n
                              && n.stripTrailingZeros().scale() <= 0);
      return fits ? Optional.of(new ArrayList<>(new LinkedHashSet<>(values))) : Optional.empty();
    }
  }
}
