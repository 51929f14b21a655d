package flexdp.experiments.wpinq;

/**
 * Weighted PINQ as plain SQL: weights are a column. Shows that no runtime of its own is needed, and
 * lets a database compute what wPINQ would answer before its noise.
 */
final class WeightedSql {
  static final String WEIGHT = "w_";

  private WeightedSql() {}

  /** A query for the records and their weights. Equal records may stand in several rows. */
  static String of(Weighted program) {
    return switch (program) {
      case Weighted.Rows rows ->
          "SELECT %s, CAST(1 AS DOUBLE) AS %s FROM %s"
              .formatted(String.join(", ", rows.columns()), WEIGHT, rows.table());
      case Weighted.Where where ->
          "SELECT * FROM (%s) WHERE %s".formatted(of(where.input()), where.predicate());
      case Weighted.Select select ->
          "SELECT %s, %s FROM (%s)"
              .formatted(String.join(", ", select.columns()), WEIGHT, of(select.input()));
      case Weighted.Lookup lookup ->
          "SELECT i.*, %s FROM (%s) i JOIN %s p ON i.%s = p.%s"
              .formatted(
                  String.join(", ", lookup.columns().stream().map(c -> "p." + c).toList()),
                  of(lookup.input()),
                  lookup.table(),
                  lookup.key(),
                  lookup.tableKey());
      case Weighted.Join join -> join(join);
      case Weighted.Distinct distinct -> {
        String columns = String.join(", ", distinct.columns());
        yield "SELECT %s, LEAST(1, SUM(%s)) AS %s FROM (%s) GROUP BY %s"
            .formatted(columns, WEIGHT, WEIGHT, of(distinct.input()), columns);
      }
    };
  }

  private static String join(Weighted.Join join) {
    return """
    SELECT l.* EXCLUDE (w_, total_), r.* EXCLUDE (w_, total_),
      l.w_ * r.w_ / (l.total_ + r.total_) AS w_
    FROM (SELECT *, SUM(w_) OVER (PARTITION BY %2$s) AS total_ FROM (%1$s)) l
    JOIN (SELECT *, SUM(w_) OVER (PARTITION BY %4$s) AS total_ FROM (%3$s)) r
      ON l.%2$s = r.%4$s\
    """
        .formatted(of(join.left()), join.leftKey(), of(join.right()), join.rightKey());
  }

  /** What weighs how much in each group; without columns, in all. */
  static String grouped(Weighted program, String columns) {
    return columns.isEmpty()
        ? "SELECT COALESCE(SUM(%s), 0) FROM (%s)".formatted(WEIGHT, of(program))
        : "SELECT %s, SUM(%s) FROM (%s) GROUP BY %s"
            .formatted(columns, WEIGHT, of(program), columns);
  }
}
