package flexdp.gateway.hostile;

import flexdp.sql.function.FunctionCatalog;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Calls of every function that a question may name, and of every operator, with constants at the
 * ends of what is accepted and far beyond: a limit that is missing shows as a failure on the row
 * that meets the constant.
 */
final class HostileExtremes {
  /** What an argument is. */
  private enum Kind {
    TEXT,
    WHOLE,
    NUMBER,
    DAY,
    MOMENT,
    CONDITION,
    WORD
  }

  /** How an attempt at a call reads, and what its arguments were. */
  record Call(String name, String sql, List<String> kinds) {}

  private static final int MOST_ARGUMENTS = 4;

  private static final List<String> TEXTS =
      List.of(
          "''",
          "'a'",
          "'😀'",
          "'a😀'",
          "'😀%'",
          "'a%😀'",
          "'%'",
          "'_'",
          "'\\'",
          "'a\\'",
          "'!'",
          "'!!a!'",
          "'ab'",
          "'['",
          "'[z-a]'",
          "'(a'",
          "'a{2,1}'",
          "'^[a-z]{2}'",
          "'*a'",
          "'İ'",
          "'ß'",
          "'\u0000'",
          "'a\u0000b'",
          "'\ud83d'",
          "'\ufffd'",
          "'1e60'",
          "'-0'",
          "'NaN'",
          "'infinity'",
          "'99999-12-31'",
          "'0000-00-00'",
          "'24:00:00'",
          "'+1 month'",
          "'+99999999 years'",
          "'start of day'",
          "'%Y-%m-%d'",
          "'YYYY-MM-DD'",
          "'%.2f'",
          "'N2'",
          "'g'",
          "'i'",
          "'x'",
          "'\\1'",
          "NULL");

  /** Long ones: of one character, of several bytes each, of wildcards, of steps down a stack. */
  private static final List<String> LONG =
      List.of(
          text("a".repeat(50_001)),
          text("a".repeat(9_999) + "%"),
          text("漢".repeat(9_999)),
          text("漢".repeat(17_000)),
          text("_".repeat(9_999)),
          text("_".repeat(10_000)),
          text("%_".repeat(100)),
          text("%a".repeat(100) + "_"),
          text("%".repeat(101)),
          text("a".repeat(1_001)),
          text("[ab]".repeat(99)),
          text("(".repeat(300) + ")".repeat(300)),
          text("İ".repeat(10_000)),
          text("😀".repeat(5_000)));

  private static final List<String> WHOLES =
      List.of(
          "0",
          "-1",
          "1",
          "2",
          "-2",
          "3",
          "30",
          "31",
          "-31",
          "101",
          "50001",
          "2147483647",
          "2147483648",
          "-2147483648",
          "4294967297",
          "9223372036854775807",
          "(-9223372036854775807 - 1)",
          "1" + "0".repeat(60),
          "CAST(NULL AS BIGINT)");

  private static final List<String> NUMBERS =
      List.of(
          "0.0",
          "-0.5",
          "0e0",
          "1e60",
          "-1e60",
          "1e308",
          "4.9e-324",
          "0." + "0".repeat(36) + "1",
          "9".repeat(38),
          "9".repeat(28) + ".9999999999",
          "CAST('NaN' AS DOUBLE)",
          "CAST('inf' AS DOUBLE)",
          "CAST(NULL AS DOUBLE)",
          "CAST(" + "9".repeat(38) + " AS DECIMAL(38,0))",
          "CAST(0.1 AS DECIMAL(38,38))");

  private static final List<String> DAYS =
      List.of(
          "DATE '0001-01-01'",
          "DATE '9999-12-31'",
          "DATE '1582-10-10'",
          "DATE '2024-02-29'",
          "CAST(NULL AS DATE)",
          "CAST('infinity' AS DATE)");

  private static final List<String> MOMENTS =
      List.of(
          "TIMESTAMP '0001-01-01 00:00:00'",
          "TIMESTAMP '9999-12-31 23:59:59.999999'",
          "TIMESTAMP '2024-03-31 02:30:00'",
          "CAST(NULL AS TIMESTAMP)");

  private static final List<String> WORDS =
      List.of(
          "YEAR",
          "MONTH",
          "DAY",
          "WEEK",
          "HOUR",
          "SECOND",
          "'year'",
          "'week'",
          "'day'",
          "'second'",
          "VARCHAR(3)",
          "INTEGER",
          "DATE",
          "DECIMAL(9,2)");

  private static final List<String> LENGTHS =
      List.of(
          "INTERVAL '49999' YEAR",
          "INTERVAL '50001' YEAR",
          "INTERVAL '600000' MONTH",
          "INTERVAL '999999999' DAY",
          "INTERVAL '1' SECOND",
          "INTERVAL '0' DAY",
          "INTERVAL '-1' MONTH");

  private static final List<String> TYPES =
      List.of(
          "SMALLINT",
          "INTEGER",
          "BIGINT",
          "DECIMAL(9,2)",
          "DECIMAL(38,38)",
          "DECIMAL(38,0)",
          "DOUBLE",
          "REAL",
          "VARCHAR",
          "VARCHAR(1)",
          "CHAR(2)",
          "DATE",
          "TIMESTAMP",
          "TIME",
          "BOOLEAN",
          "UUID");

  /** What is no call by name; holes as in {@link HostileSpellings}. */
  private static final List<String> FORMS =
      List.of(
          "{t} LIKE {t}",
          "{t} LIKE {t} ESCAPE {t}",
          "{t} NOT LIKE {t} ESCAPE {t}",
          "{t} ILIKE {t} ESCAPE {t}",
          "{t} ILIKE {t}",
          "{t} SIMILAR TO {t}",
          "{t} SIMILAR TO {t} ESCAPE {t}",
          "{t} GLOB {t}",
          "{t} ~ {t}",
          "{t} !~* {t}",
          "{t} RLIKE {t}",
          "{t} LIKE ANY ({t}, {t})",
          "PATINDEX({t}, {t}) > 0",
          "POSITION({t} IN {t})",
          "SUBSTRING({t} FROM {i} FOR {i})",
          "TRIM(BOTH {t} FROM {t})",
          "OVERLAY({t} PLACING {t} FROM {i})",
          "{t} || {t}",
          "{t} < {t}",
          "{t} IN ({t}, {t})",
          "{i} + {i}",
          "{i} - {n}",
          "{i} * {i}",
          "{n} * {n}",
          "{n} / {n}",
          "{i} / {i}",
          "{i} % {i}",
          "-{i}",
          "{n} IN ({n}, {i}, {n})",
          "{n} BETWEEN {n} AND {i}",
          "{n} IS NOT DISTINCT FROM {i}",
          "CAST({t} AS {y})",
          "CAST({n} AS {y})",
          "CAST({i} AS {y})",
          "CAST({s} AS {y})",
          "TRY_CAST({t} AS {y})",
          "EXTRACT(WEEK FROM {d})",
          "EXTRACT(EPOCH FROM {s})",
          "EXTRACT(DECADE FROM {d})",
          "DATE_TRUNC('quarter', {d})",
          "DATE_TRUNC('hour', {s})",
          "{d} + {v}",
          "{s} - {v}",
          "{s} + {i} * {v}",
          "{d} + {i}",
          "{s} - {s}",
          "EXTRACT(EPOCH FROM ({s} - {d}))",
          "{d} = {s}",
          "CASE {t} WHEN {t} THEN {i} ELSE {n} END",
          "{s} AT TIME ZONE {t}",
          "DATE_ADD({d}, INTERVAL {i} YEAR)",
          "FLOOR({s} TO MONTH)");

  private final Random random;
  private final List<HostileColumn> columns;
  private final List<String> names;
  private final Map<String, List<List<Kind>>> taken = new HashMap<>();
  private int next;

  HostileExtremes(Random random, List<HostileColumn> columns) {
    this.random = random;
    this.columns = columns;
    this.names =
        Stream.of(FunctionCatalog.names(), FORMS, HostileSpellings.templates())
            .flatMap(List::stream)
            .toList();
    next = random.nextInt(names.size());
  }

  private static String text(String value) {
    return "'" + value + "'";
  }

  static int size() {
    return FunctionCatalog.names().size() + FORMS.size() + HostileSpellings.templates().size();
  }

  /** One after the other, from a random one on. */
  String name() {
    next = (next + 1) % names.size();
    return names.get(next);
  }

  /** An attempt at a call; most are refused for their arguments until some were accepted. */
  Call call(String name) {
    if (name.indexOf('{') >= 0) {
      return new Call(name, filled(name), List.of());
    }
    List<List<Kind>> known = taken.getOrDefault(name, List.of());
    List<Kind> kinds = new ArrayList<>();
    if (known.isEmpty() || random.nextInt(4) == 0) {
      for (int i = random.nextInt(MOST_ARGUMENTS + 1); i > 0; i--) {
        kinds.add(Kind.values()[random.nextInt(Kind.values().length)]);
      }
    } else {
      kinds.addAll(known.get(random.nextInt(known.size())));
    }
    String arguments = kinds.stream().map(this::argument).collect(Collectors.joining(", "));
    return new Call(name, name + "(" + arguments + ")", kinds.stream().map(Kind::name).toList());
  }

  /** Its kinds of arguments are what the function takes. */
  void accepted(Call call) {
    List<List<Kind>> known = taken.computeIfAbsent(call.name(), n -> new ArrayList<>());
    List<Kind> kinds = call.kinds().stream().map(Kind::valueOf).toList();
    if (!known.contains(kinds)) {
      known.add(kinds);
    }
  }

  private String filled(String template) {
    StringBuilder sql = new StringBuilder();
    for (int i = 0; i < template.length(); i++) {
      boolean hole = template.startsWith("{", i) && template.startsWith("}", i + 2);
      char what = hole ? template.charAt(i + 1) : ' ';
      if (!hole || Character.isDigit(what)) {
        sql.append(template.charAt(i));
        continue;
      }
      i += 2;
      sql.append(
          switch (what) {
            case 'i' -> argument(Kind.WHOLE);
            case 't' -> argument(Kind.TEXT);
            case 'd' -> argument(Kind.DAY);
            case 's', 'm' -> argument(Kind.MOMENT);
            case 'c' -> argument(Kind.CONDITION);
            case 'v' -> one(LENGTHS);
            case 'y' -> one(TYPES);
            default -> argument(Kind.NUMBER);
          });
    }
    return sql.toString();
  }

  private String argument(Kind kind) {
    return switch (kind) {
      case TEXT -> random.nextInt(6) == 0 ? one(LONG) : of(TEXTS, Family.TEXT);
      case WHOLE -> of(WHOLES, Family.INT);
      case NUMBER ->
          random.nextInt(3) == 0
              ? of(WHOLES, Family.DEC)
              : of(NUMBERS, random.nextBoolean() ? Family.DBL : Family.DEC);
      case DAY -> of(DAYS, Family.DATE);
      case MOMENT -> of(MOMENTS, Family.STAMP);
      case CONDITION -> random.nextBoolean() ? "(" + filled("{t} < {t}") + ")" : "NULL";
      case WORD -> one(WORDS);
    };
  }

  /** A constant or, as often, a column: where all are constants, the database computes once. */
  private String of(List<String> constants, Family family) {
    List<HostileColumn> some = columns.stream().filter(c -> c.family() == family).toList();
    return some.isEmpty() || random.nextBoolean()
        ? one(constants)
        : some.get(random.nextInt(some.size())).name();
  }

  private String one(List<String> some) {
    return some.get(random.nextInt(some.size()));
  }
}
