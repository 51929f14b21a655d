package flexdp.gateway.hostile;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.YamlText;
import flexdp.policy.InputDialect;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Tables t and u whose rows people own, p, public, and the people themselves, q, if a table knows
 * them; hostile values in all columns but those that say whose a row is.
 *
 * @param way how t and u belong to somebody
 * @param keeps whether rows that nobody owns stand for themselves
 * @param known whether people have a table of their own
 * @param named whether questions may compare and order by the columns that say whose a row is
 * @param sessions whether the policy says that rows of one session are one person's, which they are
 *     not
 * @param columns of t, u and p beside id
 * @param rows of t, u and p, each value as SQL
 */
record HostilePeople(
    Way way,
    boolean keeps,
    boolean known,
    boolean named,
    boolean sessions,
    int perPerson,
    List<HostileColumn> columns,
    List<List<List<String>>> rows) {
  static final int PEOPLE = 5;

  private static final int WHO = 1;
  private static final int REF = 2;
  private static final int PLAIN = 3;

  /** Who stands for nobody. */
  private static final String NOBODY = "3";

  private static final String TABLE_OF_PEOPLE =
      "  q: {owners: {person: id}, columns: {id: {type: integer, unique: true, nullable:"
          + " false}}}\n";

  /** How u belongs to somebody, and t where it is not by its own column. */
  enum Way {
    OWN("owners: {person: who}"),
    PATH("owners: {person: ref.who}"),
    LONG("owners: {person: ref.ref.who}"),
    OPEN("owners: {person: ref.who}"),
    NOBODY("unit: row"),
    FIRMS("owners: {firm: who}"),
    TWICE("owners: {person: [who, ref]}"),
    BOTH("owners: {person: who, firm: ref}");

    private final String words;

    Way(String words) {
      this.words = words;
    }

    boolean isSeveral() {
      return this == TWICE || this == BOTH;
    }
  }

  /** Whoever leaves: what is left of the rows. */
  record Leaving(String who, Predicate<List<String>> ofT, Predicate<List<String>> ofU) {}

  static HostilePeople random(Random random, List<HostileColumn> all) {
    List<HostileColumn> columns = new ArrayList<>();
    columns.add(number("who", "INTEGER"));
    columns.add(number("ref", "INTEGER"));
    columns.add(number("ses", "INTEGER NOT NULL"));
    List<HostileColumn> some = Theme.columns(random, all);
    columns.addAll(some.subList(0, Math.min(4, some.size())));
    Way way = Way.values()[random.nextInt(Way.values().length)];
    List<List<List<String>>> rows = new ArrayList<>();
    for (int table = 0; table < 3; table++) {
      List<List<String>> own = new ArrayList<>();
      for (int i = 0; i < (table == 2 ? 4 : 6 + random.nextInt(30)); i++) {
        own.add(row(random, columns, i));
      }
      rows.add(own);
    }
    return new HostilePeople(
        way,
        random.nextInt(3) == 0,
        random.nextInt(3) > 0,
        random.nextInt(3) == 0,
        random.nextBoolean(),
        random.nextInt(3),
        List.copyOf(columns),
        rows);
  }

  private static HostileColumn number(String name, String physical) {
    return new HostileColumn(
        name,
        Family.INT,
        physical,
        "{type: integer}",
        List.of("1"),
        List.of("1", "2"),
        List.of(Integer::toString));
  }

  private static List<String> row(Random random, List<HostileColumn> columns, int id) {
    List<String> row = new ArrayList<>(List.of(Integer.toString(id)));
    row.add(random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(PEOPLE + 1)));
    row.add(random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(8)));
    row.add(Integer.toString(random.nextInt(4)));
    for (HostileColumn column : columns.subList(PLAIN, columns.size())) {
      row.add(
          switch (random.nextInt(5)) {
            case 0 -> column.values().get(random.nextInt(column.values().size()));
            case 1 -> "NULL";
            case 2 -> column.crowds().getFirst().apply(random.nextInt(3));
            default -> column.twins().get(random.nextInt(column.twins().size()));
          });
    }
    return row;
  }

  /** Whether ρ adds up, so that many groups are clipped in L2: in every other world. */
  boolean squares() {
    return rows.getFirst().size() % 2 == 0;
  }

  Policy policy(boolean thresholding, InputDialect dialect, boolean finds) {
    String cut = perPerson == 0 ? "" : "    rowsPerPerson: " + perPerson + "\n";
    String kept = keeps ? "    unowned: keep\n" : sessions ? "    sameOwner: [ses, ref]\n" : "";
    String f =
        way == Way.LONG
            ? "owners: {person: who}, columns: {who: {type: integer%s}, "
                .formatted(named ? ", individual: false" : "")
            : "owners: {firm: id}, columns: {";
    StringBuilder yaml =
        new StringBuilder(
            """
            privacy: {epsilon: 1, delta: 1e-6, budget: {epsilon: 1e12, delta: 0.9, composition: %s}, findRanges: %s%s}
            people: {person: {%snobody: [%s]}%s}
            tables:
            %s  f: {%sid: {type: integer, unique: true, nullable: false}}}
            """
                .formatted(
                    squares() ? "zcdp" : "basic",
                    finds,
                    thresholding ? ", thresholding: {delta: 1e-9}" : "",
                    known ? "key: q.id, " : "",
                    NOBODY,
                    way == Way.LONG ? "" : ", firm: {key: f.id}",
                    known ? TABLE_OF_PEOPLE : "",
                    f));
    yaml.append("  t:\n    owners: {person: " + (way == Way.LONG ? "ref.who" : "who") + "}\n");
    yaml.append(way == Way.BOTH ? "" : cut + kept).append(columns("t"));
    yaml.append("  u:\n    " + way.words + "\n");
    yaml.append(way == Way.NOBODY || way.isSeveral() ? "" : cut + kept).append(columns("u"));
    yaml.append("  p:\n    public: true\n").append(columns("p"));
    return PolicyReader.read(YamlText.tree(yaml.toString(), ConfigurationError.Code.BAD_POLICY))
        .in(dialect);
  }

  private String columns(String table) {
    String more = named && !table.equals("p") ? ", individual: false" : "";
    StringBuilder yaml =
        new StringBuilder(
            "    columns:\n      id: {type: integer, unique: true, nullable: false" + more + "}\n");
    for (HostileColumn column : columns) {
      yaml.append("      " + column.name() + ": ");
      switch (column.name()) {
        case "who" -> yaml.append("{type: integer" + more + "}");
        case "ses" -> yaml.append("{type: integer, nullable: false}");
        case "ref" -> yaml.append("{type: integer" + references(table) + more + "}");
        default -> yaml.append(column.declared());
      }
      yaml.append('\n');
    }
    return yaml.toString();
  }

  private String references(String table) {
    if (table.equals("u") && (way == Way.PATH || way == Way.LONG)) {
      return ", references: t.id";
    }
    if (table.equals("u") && way == Way.OPEN) {
      return ", references: p.id";
    }
    return table.equals("t") && way == Way.LONG ? ", references: f.id" : "";
  }

  /** The ids of f, and whose each is where somebody owns it by a column. */
  static String ownerOf(int f) {
    return f % 4 == 3 ? "NULL" : Integer.toString(f % 3 == 0 ? 1 : f % PEOPLE);
  }

  /** Whose a row of t is, as text; empty where it is nobody's. */
  private String ownerOfT(List<String> row) {
    String who = row.get(WHO);
    if (way == Way.LONG) {
      String ref = row.get(REF);
      who =
          ref.equals("NULL") || Integer.parseInt(ref) >= PEOPLE
              ? ""
              : ownerOf(Integer.parseInt(ref));
    }
    return somebody(who);
  }

  private static String somebody(String who) {
    return who.equals("NULL") || who.equals(NOBODY) ? "" : who;
  }

  /** Every firm is one. */
  private static String firm(String who) {
    return who.equals("NULL") ? "" : who;
  }

  private String ownerOfU(List<String> row) {
    return switch (way) {
      case PATH, LONG -> ownerOfRef(row, 0);
      case OPEN -> ownerOfRef(row, 2);
      case FIRMS -> firm(row.get(WHO));
      case OWN, NOBODY, TWICE, BOTH -> somebody(row.get(WHO));
    };
  }

  /** Whose the row is to which one leads, of t or, where everybody knows it, of p. */
  private String ownerOfRef(List<String> row, int table) {
    return rows.get(table).stream()
        .filter(to -> to.getFirst().equals(row.get(REF)))
        .map(to -> table == 0 ? ownerOfT(to) : somebody(to.get(WHO)))
        .findFirst()
        .orElse("");
  }

  /** Somebody with all of their rows, or a single row where rows stand for themselves. */
  Leaving leaving(Random random) {
    String person = Integer.toString(random.nextInt(PEOPLE));
    Predicate<List<String>> none = row -> true;
    Predicate<List<String>> ofT = row -> !ownerOfT(row).equals(person);
    Predicate<List<String>> ofU = row -> !ownerOfU(row).equals(person);
    if (keeps && !way.isSeveral() && random.nextInt(3) == 0) {
      return kept(random, none);
    }
    String single = rows.get(1).get(random.nextInt(rows.get(1).size())).getFirst();
    boolean one = random.nextBoolean();
    return switch (way) {
      case OWN, PATH, LONG, OPEN -> new Leaving("person " + person, ofT, ofU);
      case NOBODY ->
          one
              ? new Leaving("person " + person, ofT, none)
              : new Leaving("row " + single + " of u", none, r -> !r.getFirst().equals(single));
      case FIRMS ->
          one
              ? new Leaving("person " + person, ofT, none)
              : new Leaving("firm " + person, none, row -> !row.get(WHO).equals(person));
      case TWICE ->
          new Leaving(
              "person " + person,
              ofT,
              row ->
                  !somebody(row.get(WHO)).equals(person) && !somebody(row.get(REF)).equals(person));
      case BOTH ->
          one
              ? new Leaving("person " + person, ofT, ofU)
              : new Leaving("firm " + person, none, row -> !row.get(REF).equals(person));
    };
  }

  /** A row that nobody owns, which is then a person of its own. */
  private Leaving kept(Random random, Predicate<List<String>> none) {
    boolean first = random.nextBoolean() || way == Way.NOBODY;
    List<String> free =
        rows.get(first ? 0 : 1).stream()
            .filter(row -> (first ? ownerOfT(row) : ownerOfU(row)).isEmpty())
            .map(List::getFirst)
            .toList();
    if (free.isEmpty()) {
      return new Leaving("nobody", none, none);
    }
    String id = free.get(random.nextInt(free.size()));
    Predicate<List<String>> others = row -> !row.getFirst().equals(id);
    return new Leaving(
        "row " + id + (first ? " of t" : " of u") + ", which nobody owns",
        first ? others : none,
        first ? none : others);
  }

  /** These people without somebody. */
  HostilePeople without(Leaving leaving) {
    return new HostilePeople(
        way,
        keeps,
        known,
        named,
        sessions,
        perPerson,
        columns,
        List.of(
            rows.get(0).stream().filter(leaving.ofT()).toList(),
            rows.get(1).stream().filter(leaving.ofU()).toList(),
            rows.get(2)));
  }
}
