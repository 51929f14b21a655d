package flexdp.gateway.hostile;

import flexdp.gateway.hostile.Mutant.Edit;
import java.util.List;

/** What was mended, each taken back in a few words. */
final class Mutants {
  private static final String CONVERSIONS = "flexdp/algebra/Conversions.java";
  private static final String DUCK_FORM = "flexdp/gateway/duckdb/DuckDbForm.java";
  private static final String POSTGRES_FORM = "flexdp/gateway/postgresql/PostgreSqlForm.java";
  private static final String SESSION = "flexdp/gateway/database/JdbcSession.java";

  private static final Edit UNREADABLE_THROWS =
      new Edit(
          SESSION,
          ".<Reading>map(Reading.Value::new).orElse(UNREADABLE)",
          ".<Reading>map(Reading.Value::new).orElseThrow()");
  private static final Edit THROWING =
      new Edit(
          SESSION,
          "      unreadable(e);\n      return UNREADABLE;",
          "      throw new IllegalStateException(e);");

  /** Without it a missing conversion would not even run. */
  private static final Edit SAME_TYPE =
      new Edit(
          "flexdp/gateway/render/SameType.java",
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
              "flexdp/algebra/Equalities.java",
              "nullSafe ? Conversions.column(expr) : Conversions.columnUnlessNull(expr)",
              "Conversions.columnUnlessNull(expr)",
              "DuckDB: keys that become NULL"),
          Mutant.of(
              "frequencies with NULL follow what becomes NULL",
              "flexdp/sensitivity/FrequencyRules.java",
              "nullCounts ? Conversions.column(expr) : Conversions.columnUnlessNull(expr)",
              "Conversions.columnUnlessNull(expr)",
              "DuckDB: keys that become NULL",
              "DuckDB: partitions of what becomes NULL"),
          new Mutant(
              "set operations convert by themselves",
              List.of(
                  new Edit(
                      "flexdp/sql/bind/SetOperations.java",
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
              "return \"(\" + sql + \" + '0'::float8)\";",
              "return sql;",
              "PostgreSQL: zeros with a sign"),
          Mutant.of(
              "labels show the sign of zero",
              "flexdp/release/Conversion.java",
              "Double.valueOf(value + 0.0)",
              "Double.valueOf(value)",
              "DuckDB: labels with a sign"),
          Mutant.of(
              "far days are kept on DuckDB",
              DUCK_FORM,
              "once(sql, v -> \"CASE WHEN \" + v + calendar(type.kind().name()) + \" THEN \" + v +"
                  + " \" END\");",
              "sql;",
              "DuckDB: days out of range"),
          new Mutant(
              "labels may be intervals",
              List.of(
                  new Edit(
                      "flexdp/cut/LabelTypes.java",
                      "for (Column key : keys) {",
                      "for (Column key : List.<Column>of()) {"),
                  new Edit(
                      "flexdp/release/Computable.java",
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
                      " BETWEEN CAST('-1.7976931348623157e308' AS DOUBLE)",
                      " BETWEEN CAST('-inf' AS DOUBLE)"),
                  new Edit(
                      DUCK_FORM,
                      " AND CAST('1.7976931348623157e308' AS DOUBLE)",
                      " AND CAST('inf' AS DOUBLE)")),
              List.of("DuckDB: labels that cannot be read")),
          Mutant.of(
              "NaN is a number on PostgreSQL",
              POSTGRES_FORM,
              "case DECIMAL -> \"NULLIF(\" + sql + \", 'NaN'::numeric)\";",
              "case DECIMAL -> sql;",
              "PostgreSQL: numbers that are none"),
          new Mutant(
              "days and hours of intervals are multiplied apart",
              List.of(
                  new Edit(
                      "flexdp/gateway/postgresql/PostgreSqlDates.java",
                      "END FROM (SELECT pg_catalog.justify_hours(\"\n        + interval.sql()",
                      "END FROM (SELECT (\"\n        + interval.sql()"),
                  new Edit(
                      "flexdp/gateway/postgresql/PostgreSqlDates.java",
                      "THEN pg_catalog.justify_hours(a + b) END",
                      "THEN a + b END")),
              List.of("PostgreSQL: a day less 24 hours")),
          Mutant.of(
              "texts keep their collation on PostgreSQL",
              "flexdp/gateway/postgresql/PostgreSqlVendor.java",
              "              ? dialect.byBytes(name)\n              : isText",
              "              ? name\n              : isText",
              "PostgreSQL: two collations"),
          Mutant.of(
              "moments at the end of the zones are converted",
              "flexdp/gateway/duckdb/DuckDb.java",
              "return \"CASE WHEN \" + sql + DuckDbForm.calendar(typeName) + \" THEN \" + converted"
                  + " + \" END\";",
              "return converted;",
              "DuckDB: days out of range"),
          new Mutant(
              "rows of VALUES are counted before they are converted",
              List.of(
                  new Edit(
                      "flexdp/sql/bind/Tuples.java",
                      "List<Expr> fitted = TypeRules.unify(byColumn.get(i), Reject.at(values));",
                      "List<Expr> fitted = byColumn.get(i);"),
                  SAME_TYPE),
              List.of("DuckDB: rows of VALUES")),
          new Mutant(
              "cells of one label overwrite each other",
              List.of(
                  new Edit(
                      "flexdp/release/Histogram.java",
                      "numbers.get(bin)[measurement] = numbers.get(bin)[measurement].add(steps);",
                      "numbers.get(bin)[measurement] = steps;"),
                  new Edit(
                      "flexdp/gateway/sqlite/SqliteValues.java",
                      "if (text.indexOf(REPLACEMENT) < 0) {",
                      "if (text.length() >= 0) {"),
                  new Edit(
                      "flexdp/gateway/sqlite/SqliteVendor.java",
                      "+ \") = 'text' AND \"\n              + Sqlite.isText(name)",
                      "+ \") = 'text' \"")),
              List.of("SQLite: texts that are none")),
          Mutant.of(
              "MariaDB computes without a sign",
              "flexdp/gateway/mariadb/MariaDbExact.java",
              "return hasSign(value.expr()) ? sql",
              "return hasSign(value.expr()) || sql != null ? sql",
              "MariaDB: numbers without a sign"),
          Mutant.of(
              "MariaDB sorts in little memory",
              "flexdp/gateway/mariadb/MariaDbVendor.java",
              "sort_buffer_size = 67108864",
              "sort_buffer_size = 524288",
              "MariaDB: texts in a window"));

  private Mutants() {}
}
