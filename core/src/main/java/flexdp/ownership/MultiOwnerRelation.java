package flexdp.ownership;

import flexdp.algebra.Column;
import flexdp.algebra.Relation;
import flexdp.policy.PrivacyUnit;
import java.util.List;

/**
 * A relation whose rows may have several owners: a row is there as long as all of them are.
 *
 * @param relation as the database is to compute it
 * @param owners columns that name an owner each, or are NULL; one person may stand in several
 */
public record MultiOwnerRelation(Relation relation, List<Owner> owners) {
  public MultiOwnerRelation {
    owners = List.copyOf(owners);
  }

  /** A person, or a row of a table that stands for itself and is named by its key. */
  public record Owner(PrivacyUnit unit, Column column) {}
}
