package flexdp.policy;

import flexdp.document.DocumentNode;
import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.policy.Table.Partition;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Reads one table of a policy. */
final class TableReader {
  private static final Set<String> TABLE_KEYS =
      Set.of(
          "public",
          "columns",
          "unique",
          "maxFrequencyAtMost",
          "keys",
          "static",
          "insertsAtMost",
          "partition",
          "owners",
          "unit",
          "unowned",
          "rowsPerPerson",
          "sameOwner",
          "trusted",
          "closed");
  private static final Set<String> COLUMN_KEYS =
      Set.of(
          "type",
          "nullable",
          "unique",
          "trusted",
          "range",
          "domain",
          "references",
          "maxFrequencyAtMost",
          "enforce",
          "individual");

  /** One row moves one more for each of them. */
  private static final int MOST_ENFORCED = 4;

  private static final Set<String> CAP_KEYS = Set.of("columns", "maxFrequencyAtMost", "enforce");

  private final String name;
  private final DocumentNode node;
  private final Map<String, ColumnSpec> columns = new LinkedHashMap<>();
  private final Set<Set<String>> uniqueKeys = new LinkedHashSet<>();
  private final Set<Set<String>> trusted = new HashSet<>();
  private final Map<Set<String>, BigInteger> caps = new LinkedHashMap<>();
  private final Set<Set<String>> enforced = new HashSet<>();

  /** Where each reference was written, for complaints once every table is known. */
  private final Map<String, DocumentNode> references = new HashMap<>();

  /** The columns of which the policy says whether they name an individual. */
  private final Set<String> said = new HashSet<>();

  private boolean isPublic;

  TableReader(String name, DocumentNode node) {
    this.name = name;
    this.node = node;
  }

  Table read() {
    Map<String, DocumentNode> fields = node.fields(TABLE_KEYS);
    isPublic = DocumentNode.optional(fields, "public").map(DocumentNode::bool).orElse(false);
    DocumentNode columnNode = node.required(fields, "columns");
    columnNode.entries().forEach(this::column);
    if (columns.isEmpty()) {
      throw columnNode.error("a table has at least one column");
    }
    refuseNamesThatDifferInCase(columnNode, columns.keySet());
    DocumentNode.optional(fields, "unique").ifPresent(this::compoundKeys);
    DocumentNode.optional(fields, "maxFrequencyAtMost").ifPresent(this::compoundCaps);
    DocumentNode.optional(fields, "keys").ifPresent(this::compoundCaps);
    List<Table.FrequencyCap> capList = new ArrayList<>();
    caps.forEach(
        (c, n) -> capList.add(new Table.FrequencyCap(Set.copyOf(c), n, enforced.contains(c))));
    Table table =
        new Table(
            name,
            isPublic,
            List.copyOf(columns.values()),
            List.copyOf(uniqueKeys),
            capList,
            insertsAtMost(fields));
    requireEnforceable(table, fields);
    DocumentNode.optional(fields, "trusted").ifPresent(this::trustAll);
    boolean closed = DocumentNode.optional(fields, "closed").map(DocumentNode::bool).orElse(false);
    return table
        .trusting(trusted, closed)
        .partitioned(
            DocumentNode.optional(fields, "partition")
                .map(parts -> PartitionReader.read(parts, isPublic, columns)));
  }

  private void trustAll(DocumentNode said) {
    if (uniqueKeys.isEmpty()) {
      throw said.error("there is no unique key that could be trusted");
    }
    if (said.bool()) {
      trusted.addAll(uniqueKeys);
    }
  }

  /** Which rows stay must follow from the rows themselves, and from no person's other rows. */
  private void requireEnforceable(Table table, Map<String, DocumentNode> fields) {
    if (table.enforced().isEmpty()) {
      return;
    }
    if (table.orderingKey().isEmpty()) {
      throw node.error(
          "a cap is enforced by the order of rows: declare a unique key of '"
              + name
              + "' whose columns are not nullable");
    }
    if (fields.containsKey("owners")) {
      throw node.error("a cap would let rows of others in when a person leaves; enforce none here");
    }
  }

  /**
   * A static table is one of which the owner says that nothing is inserted between measurements.
   */
  private static Optional<BigInteger> insertsAtMost(Map<String, DocumentNode> fields) {
    boolean isStatic =
        DocumentNode.optional(fields, "static").map(DocumentNode::bool).orElse(false);
    Optional<DocumentNode> inserts = DocumentNode.optional(fields, "insertsAtMost");
    if (!isStatic) {
      return inserts.map(DocumentNode::count);
    }
    inserts.ifPresent(
        n -> {
          throw n.error("a static table has no inserts; leave one of the two out");
        });
    return Optional.of(BigInteger.ZERO);
  }

  /** Whose its rows are, once every table is known. */
  TableOwnership ownership(Table table, OwnersReader owners) {
    return owners.read(table, node, node.fields(TABLE_KEYS));
  }

  Optional<DocumentNode> owners() {
    return DocumentNode.optional(node.fields(TABLE_KEYS), "owners");
  }

  /** The table, where these columns name individuals unless the policy says otherwise. */
  Table individual(Table table, Set<String> names) {
    return table.withColumns(
        table.columns().stream()
            .map(c -> names.contains(c.name()) && !said.contains(c.name()) ? c.asIndividual() : c)
            .toList());
  }

  DocumentNode node() {
    return node;
  }

  Map<String, DocumentNode> references() {
    return references;
  }

  /** SQL folds case, so such names could not be told apart. */
  static void refuseNamesThatDifferInCase(DocumentNode node, Set<String> names) {
    Map<String, String> folded = new HashMap<>();
    for (String one : names) {
      String other = folded.put(one.toLowerCase(Locale.ROOT), one);
      if (other != null) {
        throw node.error("'" + other + "' and '" + one + "' differ in case only");
      }
    }
  }

  private void column(String column, DocumentNode spec) {
    Map<String, DocumentNode> fields = spec.fields(COLUMN_KEYS);
    Type type = TypeNames.read(spec.required(fields, "type"));
    boolean nullable =
        DocumentNode.optional(fields, "nullable").map(DocumentNode::bool).orElse(true);
    Optional<Range> range = DocumentNode.optional(fields, "range").map(n -> range(n, type));
    Optional<List<Object>> domain =
        DocumentNode.optional(fields, "domain").map(n -> domain(n, type, nullable, range));
    Optional<ColumnSpec.Reference> references =
        DocumentNode.optional(fields, "references").map(n -> reference(column, n));
    if (fields.containsKey("individual")) {
      said.add(column);
    }
    boolean individual =
        DocumentNode.optional(fields, "individual").map(this::individual).orElse(false);
    columns.put(
        column, new ColumnSpec(column, type, nullable, range, domain, references, individual));
    if (DocumentNode.optional(fields, "unique").map(DocumentNode::bool).orElse(false)) {
      uniqueKeys.add(Set.of(column));
    }
    DocumentNode.optional(fields, "trusted").ifPresent(said -> trust(column, said));
    Optional<DocumentNode> enforce = DocumentNode.optional(fields, "enforce");
    Optional<DocumentNode> cap = DocumentNode.optional(fields, "maxFrequencyAtMost");
    if (cap.isEmpty() && enforce.isPresent()) {
      throw enforce.get().error("there is no maxFrequencyAtMost that could be enforced");
    }
    cap.ifPresent(n -> cap(Set.of(column), n, enforce));
  }

  private void trust(String column, DocumentNode said) {
    if (!uniqueKeys.contains(Set.of(column))) {
      throw said.error("there is no unique: true that could be trusted");
    }
    if (said.bool()) {
      trusted.add(Set.of(column));
    }
  }

  private boolean individual(DocumentNode node) {
    boolean individual = node.bool();
    if (individual && isPublic) {
      throw node.error("a public table has no individual columns: everyone knows its rows");
    }
    return individual;
  }

  private static Range range(DocumentNode node, Type type) {
    List<DocumentNode> ends = node.list();
    if (ends.size() != 2) {
      throw node.error("a range is a list of two: [lowest, highest]");
    }
    BigDecimal low = PolicyValues.bound(ends.get(0), type);
    BigDecimal high = PolicyValues.bound(ends.get(1), type);
    if (low.compareTo(high) > 0) {
      throw node.error("the range is empty: its first number is above its second");
    }
    return new Range(low, high);
  }

  private static List<Object> domain(
      DocumentNode node, Type type, boolean nullable, Optional<Range> range) {
    Set<Object> labels = new LinkedHashSet<>();
    for (DocumentNode entry : node.list()) {
      Object label = PolicyValues.label(entry, type);
      if (label == null && !nullable) {
        throw entry.error("null is listed in the domain of a column that is not nullable");
      }
      if (label != null
          && range.isPresent()
          && isOutside(PolicyValues.number(label), range.get())) {
        throw entry.error("the label lies outside the range of its column");
      }
      if (!labels.add(label)) {
        throw entry.error("the label is listed twice");
      }
    }
    if (labels.isEmpty()) {
      throw node.error("a domain lists at least one label");
    }
    // List.copyOf refuses null, which is a label here.
    return java.util.Collections.unmodifiableList(new ArrayList<>(labels));
  }

  private static boolean isOutside(BigDecimal number, Range range) {
    return number.compareTo(range.low()) < 0 || number.compareTo(range.high()) > 0;
  }

  private ColumnSpec.Reference reference(String column, DocumentNode node) {
    String text = node.text();
    int dot = text.lastIndexOf('.');
    if (dot < 1 || dot == text.length() - 1) {
      throw node.error("must be written table.column");
    }
    references.put(column, node);
    return new ColumnSpec.Reference(text.substring(0, dot), text.substring(dot + 1));
  }

  private void compoundKeys(DocumentNode node) {
    for (DocumentNode key : node.list()) {
      if (!key.isList()) {
        throw node.error("must be a list of lists of columns, such as [[driver_id, started_at]]");
      }
      uniqueKeys.add(known(key));
    }
  }

  private void compoundCaps(DocumentNode node) {
    for (DocumentNode entry : node.list()) {
      Map<String, DocumentNode> fields = entry.fields(CAP_KEYS);
      Set<String> names = known(entry.required(fields, "columns"));
      cap(
          names,
          entry.required(fields, "maxFrequencyAtMost"),
          DocumentNode.optional(fields, "enforce"));
    }
  }

  private void cap(Set<String> names, DocumentNode node, Optional<DocumentNode> enforce) {
    BigInteger most = node.count();
    if (most.signum() == 0) {
      throw node.error("must be at least 1");
    }
    if (caps.putIfAbsent(new HashSet<>(names), most) != null) {
      throw node.error("maxFrequencyAtMost is given twice for the same columns");
    }
    enforce.filter(DocumentNode::bool).ifPresent(said -> enforce(names, said));
  }

  /** Ranks of several caps are all taken on the whole table, so none depends on another. */
  private void enforce(Set<String> names, DocumentNode said) {
    if (isPublic) {
      throw said.error("a public table needs no cap: everyone knows its rows");
    }
    if (enforced.size() == MOST_ENFORCED) {
      throw said.error("at most " + MOST_ENFORCED + " caps of a table can be enforced");
    }
    enforced.add(Set.copyOf(names));
  }

  private Set<String> known(DocumentNode node) {
    Set<String> names = node.names();
    for (String one : names) {
      if (!columns.containsKey(one)) {
        throw node.error(
            "table '"
                + name
                + "' has no column '"
                + one
                + "'."
                + NearestName.question(one, columns.keySet()));
      }
    }
    return names;
  }

  /** The names by which a policy may call a type. */
  private static final class TypeNames {
    private static final Pattern SHAPE =
        Pattern.compile(
            "([a-z][a-z0-9 ]*?)\\s*(?:\\(\\s*(\\d{1,9})\\s*(?:,\\s*(\\d{1,9})\\s*)?\\))?");
    private static final int WIDEST = 38;

    /** The scale of a decimal that is declared without one. */
    private static final int USUAL_SCALE = 10;

    private static final Map<String, Type> PLAIN =
        new TreeMap<>(
            Map.ofEntries(
                Map.entry("boolean", Type.BOOLEAN),
                Map.entry("bool", Type.BOOLEAN),
                Map.entry("tinyint", Type.SMALLINT),
                Map.entry("smallint", Type.SMALLINT),
                Map.entry("int", Type.INTEGER),
                Map.entry("integer", Type.INTEGER),
                Map.entry("bigint", Type.BIGINT),
                Map.entry("double", Type.DOUBLE),
                Map.entry("double precision", Type.DOUBLE),
                Map.entry("float", Type.DOUBLE),
                Map.entry("real", Type.DOUBLE),
                Map.entry("varchar", Type.VARCHAR),
                Map.entry("character varying", Type.VARCHAR),
                Map.entry("text", Type.VARCHAR),
                Map.entry("char", Type.VARCHAR),
                Map.entry("character", Type.VARCHAR),
                Map.entry("string", Type.VARCHAR),
                Map.entry("date", Type.DATE),
                Map.entry("time", Type.TIME),
                Map.entry("timestamp", Type.TIMESTAMP),
                Map.entry("datetime", Type.TIMESTAMP),
                Map.entry("uuid", Type.UUID),
                Map.entry("opaque", Type.OPAQUE)));

    private TypeNames() {}

    static Type read(DocumentNode node) {
      String text = node.text();
      Matcher shape = SHAPE.matcher(text.strip().toLowerCase(Locale.ROOT));
      if (text.length() > 100 || !shape.matches()) {
        throw unknown(node, text);
      }
      String name = shape.group(1);
      if (name.equals("decimal") || name.equals("numeric")) {
        return decimal(node, shape.group(2), shape.group(3));
      }
      Type type = PLAIN.get(name);
      if (type == null) {
        throw unknown(node, name);
      }
      boolean takesLength = type.kind() == Type.Kind.VARCHAR || type.kind() == Type.Kind.TIMESTAMP;
      if (shape.group(3) != null || shape.group(2) != null && !takesLength) {
        throw node.error("the type " + name + " takes no numbers in parentheses");
      }
      return type;
    }

    private static Type decimal(DocumentNode node, String precision, String scale) {
      if (precision == null) {
        return Type.decimal(WIDEST, USUAL_SCALE);
      }
      int digits = Integer.parseInt(precision);
      int fraction = scale == null ? 0 : Integer.parseInt(scale);
      if (digits < 1 || digits > WIDEST || fraction > digits) {
        throw node.error(
            "decimal(precision, scale) takes 1 <= precision <= 38 and scale <= precision");
      }
      return Type.decimal(digits, fraction);
    }

    private static RuntimeException unknown(DocumentNode node, String name) {
      String shown = name.length() <= 40 ? name : name.substring(0, 37) + "...";
      return node.error(
          "unknown type '"
              + shown
              + "'."
              + NearestName.question(name, PLAIN.keySet())
              + " Known: decimal(p,s), numeric(p,s), "
              + PLAIN.keySet().stream().collect(Collectors.joining(", "))
              + " (opaque: counted and grouped, nothing else)");
    }
  }

  /** Reads {@code partition: {by: requested_at, each: month}} of a table. */
  static final class PartitionReader {
    private static final Set<String> KEYS = Set.of("by", "each");

    private PartitionReader() {}

    static Partition read(DocumentNode node, boolean isPublic, Map<String, ColumnSpec> columns) {
      Map<String, DocumentNode> fields = node.fields(KEYS);
      DocumentNode by = node.required(fields, "by");
      if (isPublic) {
        throw node.error(
            "a public table has no account that could have parts", "Leave the partition out.");
      }
      ColumnSpec column = columns.get(by.text());
      if (column == null) {
        throw by.error(
            "the table has no column '"
                + by.text()
                + "'."
                + NearestName.question(by.text(), columns.keySet()));
      }
      if (column.individual()) {
        throw by.error(
            "names individuals, which questions may not compare with constants, so that every"
                + " question would read all parts",
            "Partition by a column that questions name, such as a date.");
      }
      Optional<Partition.Each> each =
          DocumentNode.optional(fields, "each").map(PartitionReader::each).or(() -> days(column));
      if (each.isPresent() && !column.type().isDateTime()) {
        throw by.error(
            "has type " + column.type() + ", and each is for dates and timestamps",
            "Leave each out: every value of the column is a part then.");
      }
      if (each.isEmpty() && !Partition.isListed(column.type())) {
        throw by.error(
            "has type " + column.type() + ", whose values cannot be parts",
            column.type().isDateTime()
                ? "Say how long a part is: each: month."
                : "Partition by a date, a timestamp, a whole number, a text or a truth value.");
      }
      return new Partition(column.name(), column.type(), each);
    }

    private static Partition.Each each(DocumentNode node) {
      List<String> words =
          Arrays.stream(Partition.Each.values()).map(Partition.Each::word).toList();
      return Partition.Each.values()[node.word(words)];
    }

    /** A date is a day. */
    private static Optional<Partition.Each> days(ColumnSpec column) {
      return column.type().kind() == Type.Kind.DATE
          ? Optional.of(Partition.Each.DAY)
          : Optional.empty();
    }

    /** Under replace-one a row may move from one part to another, and both losses would be hers. */
    static void require(Neighbors neighbors, Table table) {
      if (table.partition().isPresent() && neighbors == Neighbors.REPLACE_ONE) {
        throw ConfigurationError.of(
            ConfigurationError.Code.PARTITION_NEIGHBORS,
            "tables."
                + table.name()
                + ".partition: under replace-one a row may move from one part to another, so that"
                + " what both have spent would be lost on it.",
            "Leave the partition out, or write neighbors: add-remove-one.");
      }
    }
  }
}
