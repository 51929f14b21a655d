package flexdp.gateway.hostile;

import flexdp.gateway.api.ProgramOutput;
import flexdp.gateway.api.ProgramRequest;
import flexdp.gateway.hostile.HostileExprs.Name;
import flexdp.gateway.hostile.HostileFrom.Rows;
import flexdp.wasm.Mess;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * Programs over random rows of hostile values: a key to make blocks by, and numbers of any kind.
 */
final class HostilePrograms {
  /** Mostly such that results are where they jump about. */
  private static final List<String> RANGES =
      List.of(
          "-10:10",
          "-10:10",
          "-13:13",
          "-13:13:-13",
          "-13:13:13",
          "-10:-3",
          "0:9",
          "2:9:2",
          "12:110",
          "0:0.001",
          "-999999999999999:999999999999999");

  private final HostileExprs exprs;
  private final HostileFrom froms;

  /** Rows and what blocks of them are made by, first of all the key of their join. */
  private record Keyed(Rows rows, String key) {}

  HostilePrograms(Random random, List<HostileColumn> columns) {
    this.exprs = new HostileExprs(random);
    this.froms = new HostileFrom(exprs, columns);
  }

  /** The lines of a policy that register what is asked here, some with room for few rows. */
  static String registered(Random random) {
    StringBuilder lines = new StringBuilder("programs:\n");
    for (int columns = 1; columns <= Mess.MOST; columns++) {
      lines.append(
          "  mess%d: {sha256: \"%s\", instructions: %d, memory: 1}\n"
              .formatted(
                  columns,
                  Mess.module(columns).digest(),
                  random.nextInt(4) == 0 ? 300 : 1_000_000));
    }
    return lines.toString();
  }

  ProgramRequest question() {
    froms.begin();
    int numbers = 1 + exprs.random.nextInt(3);
    boolean blocks = exprs.chance(70);
    String over = over(numbers, blocks);
    List<ProgramOutput> outputs = new ArrayList<>();
    List<String> names = new ArrayList<>(List.of("a", "b", "c"));
    Collections.shuffle(names, exprs.random);
    for (String name : names.subList(0, 1 + exprs.random.nextInt(3))) {
      outputs.add(ProgramOutput.parse(name + ":" + exprs.one(RANGES)));
    }
    ProgramRequest.Shape shape =
        blocks
            ? new ProgramRequest.Blocks(
                exprs.one(1, 2, 3, 3, 7, 7),
                numbers > 1 && exprs.chance(10) ? List.of("k", "n0") : List.of("k"),
                exprs.chance(50))
            : new ProgramRequest.Rows(1 + exprs.random.nextInt(3));
    int read = blocks ? numbers + 1 - ((ProgramRequest.Blocks) shape).by().size() : numbers;
    return new ProgramRequest(Mess.module(read), over, shape, outputs, Side.ask(""));
  }

  private String over(int numbers, boolean blocks) {
    Keyed from = keyed();
    String plain = selected(from, numbers, blocks);
    return switch (exprs.random.nextInt(14)) {
      case 0 -> "SELECT DISTINCT " + plain;
      case 1 -> grouped(from, numbers, blocks);
      case 2 ->
          "SELECT "
              + plain
              + exprs.one(" UNION ALL SELECT ", " UNION ALL SELECT ", " UNION SELECT ")
              + selected(keyed(), numbers, blocks);
      case 3 -> numbered(from, numbers, blocks);
      case 4 -> "SELECT " + plain + " ORDER BY 1 LIMIT " + exprs.one("1", "2", "100");
      case 5 ->
          "SELECT "
              + plain.replaceFirst(" WHERE .*", "")
              + " WHERE "
              + exprs.one("", "NOT ")
              + "EXISTS (SELECT 1 FROM u WHERE u.id = "
              + from.rows().scope().get(0).sql()
              + ")";
      default -> "SELECT " + plain;
    };
  }

  private Keyed keyed() {
    if (exprs.chance(40)) {
      Rows left = froms.table("t");
      Rows right = froms.table(exprs.one("u", "u", "u", "p", "t"));
      Name mine = exprs.one(left.scope());
      Name yours = froms.partner(mine, right);
      List<Name> both = new ArrayList<>(left.scope());
      both.addAll(right.scope());
      String sql =
          left.sql()
              + exprs.one(" JOIN ", " JOIN ", " LEFT JOIN ", " RIGHT JOIN ", " FULL JOIN ")
              + right.sql()
              + " ON "
              + mine.sql()
              + exprs.one(" = ", " = ", " = ", " IS NOT DISTINCT FROM ")
              + yours.sql();
      String key =
          switch (exprs.random.nextInt(8)) {
            case 0 -> exprs.one(both).sql();
            case 1 -> yours.sql();
            case 2 -> "COALESCE(" + mine.sql() + ", " + yours.sql() + ")";
            default -> mine.sql();
          };
      return new Keyed(new Rows(sql, both), key);
    }
    Rows rows =
        switch (exprs.random.nextInt(6)) {
          case 0 -> froms.rows(2);
          case 1, 2 -> froms.rows(1);
          default -> froms.table(exprs.one("t", "t", "u"));
        };
    String key =
        switch (exprs.random.nextInt(6)) {
          case 0 -> exprs.of(rows.scope(), exprs.family(), 1);
          case 1, 2 -> exprs.one(rows.scope()).sql();
          default -> rows.scope().get(0).sql();
        };
    return new Keyed(rows, key);
  }

  private String selected(Keyed from, int numbers, boolean blocks) {
    StringBuilder list = new StringBuilder(blocks ? from.key() + " AS k" : "");
    for (int i = 0; i < numbers; i++) {
      list.append(list.isEmpty() ? "" : ", ")
          .append(i == 0 && exprs.chance(40) ? unlike(from.rows()) : number(from.rows()))
          .append(" AS n" + i);
    }
    return list
        + " FROM "
        + from.rows().sql()
        + (exprs.chance(20) ? " WHERE " + exprs.condition(from.rows().scope(), 1) : "");
  }

  private String number(Rows rows) {
    Family family =
        exprs.one(
            Family.INT,
            Family.DEC,
            Family.DEC,
            Family.DBL,
            Family.DBL,
            Family.DATE,
            Family.STAMP,
            Family.TIME,
            Family.BOOL);
    Name column = exprs.column(rows.scope(), family);
    return switch (exprs.random.nextInt(10)) {
      case 0, 1 -> exprs.of(rows.scope(), family, 2);
      case 8, 9 -> unlike(rows);
      case 2 -> "CASE WHEN " + exprs.condition(rows.scope(), 1) + " THEN 1 ELSE 0 END";
      default -> column == null ? exprs.of(rows.scope(), family, 1) : column.sql();
    };
  }

  /** What most rows have another number of. */
  private String unlike(Rows rows) {
    Name first = rows.scope().get(0);
    return first.family().isNumber() ? "(" + first.sql() + " % 1000)" : number(rows);
  }

  private String grouped(Keyed from, int numbers, boolean blocks) {
    StringBuilder list = new StringBuilder(blocks ? from.key() + " AS k" : "");
    for (int i = 0; i < numbers; i++) {
      String call =
          exprs.one(
              "COUNT(*)",
              "MAX(" + number(from.rows()) + ")",
              "MIN(" + number(from.rows()) + ")",
              "SUM(" + exprs.number(from.rows().scope(), 1) + ")",
              "COUNT(DISTINCT " + exprs.one(from.rows().scope()).sql() + ")");
      list.append(list.isEmpty() ? "" : ", ").append(call).append(" AS n" + i);
    }
    String group = blocks ? "1" : exprs.one(from.rows().scope()).sql();
    return "SELECT " + list + " FROM " + from.rows().sql() + " GROUP BY " + group;
  }

  /** Rows that know their place among others; now and then their block would be that place. */
  private String numbered(Keyed from, int numbers, boolean blocks) {
    String place =
        exprs.one("ROW_NUMBER()", "RANK()", "COUNT(*)", "LAG(" + number(from.rows()) + ")")
            + " OVER (PARTITION BY "
            + (exprs.chance(60) ? from.key() : exprs.one(from.rows().scope()).sql())
            + " ORDER BY "
            + from.rows().scope().get(0).sql()
            + ")";
    boolean key = blocks && exprs.chance(30);
    StringBuilder list = new StringBuilder(blocks ? (key ? place : from.key()) + " AS k" : "");
    for (int i = 0; i < numbers; i++) {
      String value = i == 0 && !key ? place : number(from.rows());
      list.append(list.isEmpty() ? "" : ", ").append(value).append(" AS n" + i);
    }
    return "SELECT " + list + " FROM " + from.rows().sql();
  }
}
