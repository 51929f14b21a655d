package flexdp.gateway.ledger;

import java.util.Locale;

/** The columns of an entry. Their names enter its hash: add at the end, never rename. */
enum Field {
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
  NOTE;

  /** The name of the column in a store and in an export. */
  String column() {
    return name().toLowerCase(Locale.ROOT);
  }
}
