package flexdp.gateway.hostile;

import flexdp.failure.ConfigurationError;
import flexdp.gateway.text.YamlText;
import flexdp.policy.Policy;
import flexdp.policy.PolicyReader;
import flexdp.policy.Wording;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;

/**
 * Tables t and u whose rows people own, p, public, and the people themselves, q; hostile values in
 * all columns but those that say whose a row is.
 *
 * @param way how u belongs to somebody
 * @param columns of t, u and p beside id
 * @param rows of t, u and p, each value as SQL
 */
record HostilePeople(
    Way way,
    boolean keeps,
    int perPerson,
    List<HostileColumn> columns,
    List<List<List<String>>> rows) {
  static final int PEOPLE = 5;

  private static final int WHO = 1;
  private static final int REF = 2;

  /** How u belongs to somebody. */
  enum Way {
    OWN("owners: {person: who}"),
    PATH("owners: {person: ref.who}"),
    NOBODY("unit: row"),
    FIRMS("owners: {firm: who}"),
    BOTH("owners: {person: who, firm: ref}");

    private final String words;

    Way(String words) {
      this.words = words;
    }
  }

  /** Whoever leaves: what is left of the rows. */
  record Leaving(String who, Predicate<List<String>> ofT, Predicate<List<String>> ofU) {}

  static HostilePeople random(Random random, List<HostileColumn> all) {
    List<HostileColumn> columns = new ArrayList<>();
    columns.add(number("who"));
    columns.add(number("ref"));
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
        way, random.nextInt(3) == 0, random.nextInt(3), List.copyOf(columns), rows);
  }

  private static HostileColumn number(String name) {
    return new HostileColumn(
        name,
        Family.INT,
        "INTEGER",
        "{type: integer}",
        List.of("1"),
        List.of("1", "2"),
        List.of(Integer::toString));
  }

  private static List<String> row(Random random, List<HostileColumn> columns, int id) {
    List<String> row = new ArrayList<>(List.of(Integer.toString(id)));
    row.add(random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(PEOPLE + 1)));
    row.add(random.nextInt(8) == 0 ? "NULL" : Integer.toString(random.nextInt(8)));
    for (HostileColumn column : columns.subList(2, columns.size())) {
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

  Policy policy(boolean thresholding, Wording dialect) {
    String more =
        (perPerson == 0 || way == Way.BOTH ? "" : "    rowsPerPerson: " + perPerson + "\n")
            + (keeps && way != Way.BOTH ? "    unowned: keep\n" : "");
    StringBuilder yaml =
        new StringBuilder(
            """
            privacy: {epsilon: 1, delta: 1e-6, budget: {epsilon: 1e12, delta: 0.9}%s}
            people: {person: {key: q.id}, firm: {key: f.id}}
            tables:
              q: {owners: {person: id}, columns: {id: {type: integer, unique: true, nullable: false}}}
              f: {owners: {firm: id}, columns: {id: {type: integer, unique: true, nullable: false}}}
            """
                .formatted(thresholding ? ", thresholding: {delta: 1e-9}" : ""));
    yaml.append("  t:\n    owners: {person: who}\n").append(more).append(columns("t"));
    yaml.append("  u:\n    " + way.words + "\n");
    yaml.append(way == Way.NOBODY ? "" : more).append(columns("u"));
    yaml.append("  p:\n    public: true\n").append(columns("p"));
    return PolicyReader.read(YamlText.tree(yaml.toString(), ConfigurationError.Code.BAD_POLICY))
        .in(dialect);
  }

  private String columns(String table) {
    StringBuilder yaml =
        new StringBuilder(
            "    columns:\n      id: {type: integer, unique: true, nullable: false}\n");
    for (HostileColumn column : columns) {
      boolean leads = table.equals("u") && way == Way.PATH && column.name().equals("ref");
      yaml.append("      " + column.name() + ": ");
      yaml.append(leads ? "{type: integer, references: t.id}" : column.declared()).append('\n');
    }
    return yaml.toString();
  }

  /** Somebody with all of their rows, or a single row where rows stand for themselves. */
  Leaving leaving(Random random) {
    String person = Integer.toString(random.nextInt(PEOPLE));
    List<String> theirs =
        rows.get(0).stream().filter(r -> r.get(WHO).equals(person)).map(List::getFirst).toList();
    Predicate<List<String>> none = row -> true;
    Predicate<List<String>> others = row -> !row.get(WHO).equals(person);
    String single = rows.get(1).get(random.nextInt(rows.get(1).size())).getFirst();
    return switch (way) {
      case OWN, PATH ->
          new Leaving(
              "person " + person,
              others,
              way == Way.OWN ? others : row -> !theirs.contains(row.get(REF)));
      case NOBODY ->
          random.nextBoolean()
              ? new Leaving("person " + person, others, none)
              : new Leaving("row " + single + " of u", none, r -> !r.getFirst().equals(single));
      case FIRMS ->
          random.nextBoolean()
              ? new Leaving("person " + person, others, none)
              : new Leaving("firm " + person, none, others);
      case BOTH ->
          random.nextBoolean()
              ? new Leaving("person " + person, others, others)
              : new Leaving("firm " + person, none, row -> !row.get(REF).equals(person));
    };
  }

  /** The same without somebody. */
  HostilePeople without(Leaving leaving) {
    return new HostilePeople(
        way,
        keeps,
        perPerson,
        columns,
        List.of(
            rows.get(0).stream().filter(leaving.ofT()).toList(),
            rows.get(1).stream().filter(leaving.ofU()).toList(),
            rows.get(2)));
  }
}
