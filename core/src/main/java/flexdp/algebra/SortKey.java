package flexdp.algebra;

/** One term of an ORDER BY, with the place of NULLs always said. */
public record SortKey(Expr expr, boolean descending, boolean nullsFirst) {}
