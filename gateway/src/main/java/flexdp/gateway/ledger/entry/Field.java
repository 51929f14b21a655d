package flexdp.gateway.ledger.entry;

import java.nio.charset.StandardCharsets;
import java.util.Locale;

/** The columns of an entry. Their names enter its hash: add at the end, never rename. */
public enum Field {
  KIND,
  LEDGER,
  ANALYST,
  ROLES,
  QUERY,
  TABLES,
  MECHANISM,
  COST,
  EPSILON,
  DELTA,
  SQUARES,
  RHO,
  FAILURE,
  SNAPSHOT,
  RESERVATION,
  OUTCOME,
  ACCOUNT,
  OWNER,
  NOTE,
  NEIGHBORS,
  COMPOSITION,
  UNIT,
  IDENTITIES,
  MEANING,
  PARTS;

  private final String column = name().toLowerCase(Locale.ROOT);
  private final byte[] utf8 = column.getBytes(StandardCharsets.UTF_8);

  /** The name of the column in a store and in an export. */
  public String column() {
    return column;
  }

  /** The name as it enters the hash; not to be written to. */
  byte[] utf8() {
    return utf8;
  }
}
