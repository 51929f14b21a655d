package flexdp.gateway.catalog;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The schema flexdp of a PostgreSQL database, in which notes and ledgers stand. Whoever owns a
 * schema, or may create in it, can put something of his own in the place of what is in it; triggers
 * and functions would then run with the rights of whoever writes there.
 */
public final class OwnSchema {
  /** What to do about a schema that is not ours. */
  public static final String HINT =
      "Who else can put things there could act with your rights. Look at what is in the schema;"
          + " then drop it, or give it to the role that writes there (ALTER SCHEMA flexdp OWNER TO"
          + " …; REVOKE CREATE ON SCHEMA flexdp FROM …), and try again.";

  private OwnSchema() {}

  /** Whether there is one. */
  public static boolean isThere(StatementRunner statements) throws SQLException {
    boolean[] there = {false};
    statements.run(
        "SELECT 1 FROM pg_catalog.pg_namespace WHERE nspname = 'flexdp'", row -> there[0] = true);
    return there[0];
  }

  /**
   * Why it must not be written to: it is neither ours nor a superuser's, or others may create in
   * it, or own something in it. Empty when there is none.
   */
  public static Optional<String> strange(StatementRunner statements) throws SQLException {
    List<String> reasons = new ArrayList<>();
    statements.run(
        """
        WITH trusted AS (SELECT oid FROM pg_catalog.pg_roles
          WHERE rolsuper OR rolname = CURRENT_USER)
        SELECT CASE
          WHEN n.nspowner NOT IN (SELECT oid FROM trusted)
            THEN 'the schema flexdp belongs to '
              || pg_catalog.pg_get_userbyid(n.nspowner)::pg_catalog.text
          WHEN EXISTS (SELECT 1 FROM pg_catalog.aclexplode(n.nspacl) a
            WHERE a.privilege_type = 'CREATE' AND a.grantee NOT IN (SELECT oid FROM trusted))
            THEN 'others may create in the schema flexdp'
          WHEN EXISTS (SELECT 1 FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid
              AND c.relowner NOT IN (SELECT oid FROM trusted))
            OR EXISTS (SELECT 1 FROM pg_catalog.pg_proc p WHERE p.pronamespace = n.oid
              AND p.proowner NOT IN (SELECT oid FROM trusted))
            OR EXISTS (SELECT 1 FROM pg_catalog.pg_type t WHERE t.typnamespace = n.oid
              AND t.typowner NOT IN (SELECT oid FROM trusted))
            THEN 'something in the schema flexdp belongs to others'
          END
        FROM pg_catalog.pg_namespace n WHERE n.nspname = 'flexdp'\
        """,
        row -> Optional.ofNullable(row.getString(1)).ifPresent(reasons::add));
    return reasons.stream().findFirst();
  }
}
