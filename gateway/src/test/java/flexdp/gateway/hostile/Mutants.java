package flexdp.gateway.hostile;

import flexdp.gateway.hostile.Mutant.Edit;
import java.util.List;

/** What was mended, each taken back in a few words. */
public final class Mutants {
  private static final String CONVERSIONS = "Conversions";
  private static final String DUCK_FORM = "DuckDbCanonicalForm";
  private static final String POSTGRES_FORM = "PostgreSqlCanonicalForm";
  private static final String SESSION = "JdbcDatabase";

  public static final Edit UNREADABLE_THROWS =
      new Edit(
          SESSION,
          ".<CellReader>map(CellReader.Value::new).orElse(UNREADABLE)",
          ".<CellReader>map(CellReader.Value::new).orElseThrow()");
  public static final Edit THROWING =
      new Edit(
          SESSION,
          "      unreadable(e);\n      return UNREADABLE;",
          "      throw new IllegalStateException(e);");

  /** Without it a missing conversion would not even run. */
  private static final Edit SAME_TYPE =
      new Edit(
          "TypeAgreement",
          "if (!one.equals(other)) {",
          "if (!one.equals(other) && other == null) {");

  static final List<Mutant> ALL =
      List.of(
          Mutant.of(
              "bigint to double is injective",
              CONVERSIONS,
              "case BIGINT, DECIMAL -> holdsAll(from, to);",
              "case BIGINT, DECIMAL -> to.kind() == Type.Kind.DOUBLE || holdsAll(from, to);",
              "DuckDB: keys read as doubles"),
          Mutant.of(
              "digits after the point may be cut off",
              CONVERSIONS,
              "&& to.isExact() && to.scale() >= from.scale();",
              "&& to.isExact();",
              "DuckDB: digits cut off"),
          Mutant.of(
              "a NULL-safe equality follows what becomes NULL",
              "Equalities",
              "nullSafe ? Conversions.column(expr) : Conversions.columnUnlessNull(expr)",
              "Conversions.columnUnlessNull(expr)",
              "DuckDB: keys that become NULL"),
          Mutant.of(
              "frequencies with NULL follow what becomes NULL",
              "FrequencyRules",
              "nullCounts ? Conversions.column(expr) : Conversions.columnUnlessNull(expr)",
              "Conversions.columnUnlessNull(expr)",
              "DuckDB: keys that become NULL",
              "DuckDB: partitions of what becomes NULL"),
          new Mutant(
              "set operations convert by themselves",
              List.of(
                  new Edit(
                      "SetOperationBinder",
                      "return fits ? relation : new Relation.Project(relation, outputs);",
                      "return relation;"),
                  SAME_TYPE),
              List.of("DuckDB: keys read as doubles")),
          Mutant.of(
              "text shows the sign of zero on DuckDB",
              DUCK_FORM,
              "return \"(\" + sql + \" + CAST(0 AS DOUBLE))\";",
              "return sql;",
              "DuckDB: zeros with a sign"),
          Mutant.of(
              "text shows the sign of zero on PostgreSQL",
              POSTGRES_FORM,
              "return \"(\" + sql + \" + '0'::pg_catalog.float8)\";",
              "return sql;",
              "PostgreSQL: zeros with a sign"),
          Mutant.of(
              "labels show the sign of zero",
              "ValueConversion",
              "Double.valueOf(value + 0.0)",
              "Double.valueOf(value)",
              "DuckDB: labels with a sign"),
          Mutant.of(
              "far days are kept on DuckDB",
              DUCK_FORM,
              "case DATE, TIMESTAMP -> Optional.of(sql + calendar(type.kind().name()));",
              "case DATE, TIMESTAMP -> Optional.of(sql + \" IS NOT NULL\");",
              "DuckDB: days out of range"),
          new Mutant(
              "labels may be intervals",
              List.of(
                  new Edit(
                      "LabelTypes",
                      "for (Column key : keys) {",
                      "for (Column key : List.<Column>of()) {"),
                  new Edit(
                      "EvaluableExpressions",
                      "case Expr.Ref ref -> !ref.type().isInterval();",
                      "case Expr.Ref ref -> true;"),
                  UNREADABLE_THROWS,
                  THROWING),
              List.of("DuckDB: labels that cannot be read")),
          new Mutant(
              "a label that cannot be read ends the question",
              List.of(
                  UNREADABLE_THROWS,
                  THROWING,
                  new Edit(
                      DUCK_FORM,
                      "CAST('-1.7976931348623157e308' AS DOUBLE)",
                      "CAST('-inf' AS DOUBLE)"),
                  new Edit(
                      DUCK_FORM,
                      "CAST('1.7976931348623157e308' AS DOUBLE)",
                      "CAST('inf' AS DOUBLE)")),
              List.of("DuckDB: labels that cannot be read")),
          Mutant.of(
              "NaN is a number on PostgreSQL",
              POSTGRES_FORM,
              "case DECIMAL -> \"NULLIF(\" + sql + \", 'NaN'::pg_catalog.numeric)\";",
              "case DECIMAL -> sql;",
              "PostgreSQL: numbers that are none"),
          new Mutant(
              "days and hours of intervals are multiplied apart",
              List.of(
                  new Edit(
                      "PostgreSqlDates",
                      "pg_catalog.justify_hours({interval}) AS i",
                      "({interval}) AS i"),
                  new Edit(
                      "PostgreSqlDates",
                      "THEN pg_catalog.justify_hours(a + b) END",
                      "THEN a + b END")),
              List.of("PostgreSQL: a day less 24 hours")),
          Mutant.of(
              "texts keep their collation on PostgreSQL",
              "PostgreSqlConnector",
              "              ? dialect.byBytes(name)\n              : isText",
              "              ? name\n              : isText",
              "PostgreSQL: two collations"),
          Mutant.of(
              "moments at the end of the zones are converted",
              "DuckDb",
              "return \"CASE WHEN \" + sql + DuckDbCanonicalForm.calendar(typeName) + \" THEN \" + converted"
                  + " + \" END\";",
              "return converted;",
              "DuckDB: days out of range"),
          new Mutant(
              "rows of VALUES are counted before they are converted",
              List.of(
                  new Edit(
                      "ValuesBinder",
                      "Expr.Literal cell = (Expr.Literal) fitted.get(r);",
                      "Expr.Literal cell = (Expr.Literal) byColumn.get(i).get(r);"),
                  new Edit(
                      "RelationRenderer",
                      "texts.add(dialect.literal(row.get(i)));",
                      "texts.add(dialect.cast(dialect.literal(row.get(i)), row.get(i).type(),"
                          + " columns.get(i).type()));"),
                  SAME_TYPE),
              List.of("DuckDB: rows of VALUES")),
          new Mutant(
              "cells of one label overwrite each other",
              List.of(
                  new Edit(
                      "ExactHistogram",
                      "numbers.get(bin)[measurement] = numbers.get(bin)[measurement].add(steps);",
                      "numbers.get(bin)[measurement] = steps;"),
                  new Edit(
                      "SqliteConnector",
                      "if (text.indexOf(REPLACEMENT) < 0) {",
                      "if (text.length() >= 0) {"),
                  new Edit("Sqlite", "return \"flexdp_utf8(\" + sql + \")\";", "return \"1\";")),
              List.of("SQLite: texts that are none")),
          new Mutant(
              "functions fail on DuckDB where they have no value",
              List.of(
                  new Edit(
                      "DuckDbFunctions",
                      "String total = \"TRY(\" + sql + \")\";",
                      "String total = \"(\" + sql + \")\";"),
                  new Edit(
                      "FunctionSpelling",
                      "template.substring(0, end)",
                      "template.substring(0, end).replace(\"TRY(\", \"(\")")),
              List.of("DuckDB: functions at the ends of types, again")),
          Mutant.of(
              "MariaDB computes without a sign",
              "MariaDbExact",
              "return hasSign(value.expr()) ? sql",
              "return hasSign(value.expr()) || sql != null ? sql",
              "MariaDB: numbers without a sign"),
          Mutant.of(
              "MariaDB sorts in little memory",
              "MariaDbConnector",
              "sort_buffer_size = 67108864",
              "sort_buffer_size = 524288",
              "MariaDB: texts in a window"),
          new Mutant(
              "a table is what the policy calls it",
              List.of(
                  new Edit(
                      "TableIdentities",
                      "found.put(word, present.get(table))",
                      "found.put(word, new TableIdentity(word, \"\"))"),
                  new Edit(
                      "AccountMatching",
                      "return !unknown.isEmpty() && !missing",
                      "return false && !missing")),
              List.of("Ledger: a table respelt")),
          new Mutant(
              "neighbours may change",
              List.of(
                  new Edit(
                      "LedgerOpening",
                      "if (!before.equals(now.word())) {",
                      "if (before.isEmpty()) {"),
                  new Edit(
                      "NeighborConversion",
                      "return same || now ==",
                      "return same || now != null || now ==")),
              List.of("Ledger: other neighbours")),
          Mutant.of(
              "composition is compared with the last policy only",
              "LedgerOpening",
              ".filter(c -> tally.composition().filter(t -> t != c).isPresent())",
              ".filter(c -> books.terms().flatMap(t -> t.limits().composition(account)).filter(t ->"
                  + " t != c).isPresent())",
              "Ledger: another composition, by way of no budget"),
          Mutant.of(
              "running out of time is no failure",
              "ChargeOutcome",
              "return this == FAILED || this == TIMED_OUT;",
              "return this == FAILED;",
              "Ledger: questions that run out of time"),
          Mutant.of(
              "PostgreSQL forgets what stood on the notes",
              "PostgreSqlChangeLog",
              "IF whole LIKE '%%whole%%' THEN",
              "IF false THEN",
              "PostgreSQL: a trigger on the notes for a while"),
          Mutant.of(
              "PostgreSQL forgets what rules the notes had",
              "PostgreSqlChangeLog",
              "OR EXISTS (SELECT 1 FROM pg_catalog.pg_rewrite WHERE ev_class = %3$s)\n          OR"
                  + " written <> (%4$s) THEN",
              "OR (%4$s) < 0 THEN",
              "PostgreSQL: a rule on the notes for a while"),
          Mutant.of(
              "MariaDB knows the notes by their name",
              "MariaDbChangeLog",
              "text(identity.get())),",
              "text(\"\")),",
              "MariaDB: notes that are cut off"),
          Mutant.of(
              "MariaDB notes wherever a name leads",
              "MariaDbChangeLog",
              "\"INSERT INTO %s PARTITION (notes) (",
              "\"INSERT INTO %s (",
              "MariaDB: a temporary table for the notes"),
          Mutant.of(
              "MariaDB compares the beginning of texts",
              "MariaDbConnector",
              "max_sort_length = 262144",
              "max_sort_length = 1024",
              "MariaDB: texts that begin alike"),
          new Mutant(
              "grouping sets have any number of keys",
              List.of(
                  new Edit("GroupByBinder", "MOST_KEYS = 24;", "MOST_KEYS = 1_000;"),
                  new Edit("NoisyAggregate", "MOST_TOLD_APART = 62;", "MOST_TOLD_APART = 1_000;")),
              List.of("SQLite: keys beyond the bits of a number")),
          Mutant.of(
              "aggregates of constants stand where they are written",
              "RelationRenderer",
              "call.kind() != AggregateCall.Kind.COUNT",
              "call.kind() == AggregateCall.Kind.MODE",
              "PostgreSQL: sums of constants"),
          Mutant.of(
              "DuckDB is told to compare bytes",
              "DuckDbTables",
              "\"decode(encode(\" + name + \"))\"",
              "\"(\" + name + \" COLLATE \\\"binary\\\")\"",
              "DuckDB: set operations of collated text"),
          Mutant.of(
              "integers of DuckDB are multiplied in their own bits",
              "DuckDbFunctions",
              "\"CAST(\" + value.sql() + \" AS DECIMAL(\" + width + \", 0))\"",
              "width == 0 ? \"\" : value.sql()",
              "DuckDB: squares of small integers"),
          Mutant.of(
              "rows in one group are not grouped",
              "RelationRenderer",
              "calls.isEmpty() && aggregate",
              "!calls.isEmpty() && aggregate",
              "DuckDB: all rows as a group, twice"),
          new Mutant(
              "patterns of LIKE stay as they are written",
              List.of(
                  new Edit(
                      "LikePatterns",
                      "formed((String) written.value(), (String) given.value(), at)",
                      "(String) written.value()"),
                  new Edit(
                      "LikePatterns",
                      "return text.contains(ConstantLimits.ESCAPE)",
                      "return !\"\".equals(given.value())"),
                  new Edit(
                      "LikePatterns",
                      "Exprs.text(text), Exprs.text(ConstantLimits.ESCAPE))",
                      "Exprs.text(text), given)"),
                  new Edit("Expr", "!pattern || RowLimits", "pattern || !pattern || RowLimits")),
              List.of("PostgreSQL: " + SpelledAims.CONSTANTS)),
          Mutant.of(
              "patterns are as long as anybody likes",
              "ConstantLimits",
              "LONGEST_PATTERN = 10_000;",
              "LONGEST_PATTERN = 1_000_000;",
              "SQLite: " + SpelledAims.CONSTANTS),
          Mutant.of(
              "any character set of MariaDB makes a key",
              "MariaDbTables",
              "characterSet != null && INJECTIVE.contains(characterSet);",
              "characterSet != null;",
              "MariaDB: a key of ascii bytes"),
          Mutant.of(
              "a SET of MariaDB makes a key",
              "MariaDbTables",
              "case \"binary\", \"varbinary\", \"tinyblob\", \"blob\", \"mediumblob\", \"longblob\""
                  + " -> true;",
              "case \"set\", \"binary\", \"varbinary\", \"tinyblob\", \"blob\", \"mediumblob\","
                  + " \"longblob\" -> true;",
              "MariaDB: a key of equal members"),
          Mutant.of(
              "a key is unique in whatever type it is read",
              "PhysicalCatalog",
              "if (connector.readsApart(physical(table, column), column.type())) {",
              "if (vendor != null) {",
              "DuckDB: a key of bigints that are read as doubles"));

  private Mutants() {}

  /** The one of this name, for tests that try the same mistake in another way. */
  public static Mutant named(String name) {
    return ALL.stream().filter(m -> m.name().equals(name)).findFirst().orElseThrow();
  }
}
