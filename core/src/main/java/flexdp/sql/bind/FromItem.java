package flexdp.sql.bind;

import flexdp.algebra.Expr;
import java.util.ArrayList;
import java.util.List;

/**
 * What one item of FROM offers by name.
 *
 * @param alias the name before the dot; empty for columns merged by USING, which have none
 */
record FromItem(String alias, List<Field> fields) {
  /**
   * A name and what it stands for.
   *
   * @param hidden merged by USING: found only with the alias written
   */
  record Field(String name, Expr expr, boolean hidden) {
    Field asHidden() {
      return new Field(name, expr, true);
    }
  }

  /** This source with one field no longer found without the alias. */
  FromItem hiding(Field field) {
    List<Field> changed = new ArrayList<>(fields.size());
    for (Field f : fields) {
      changed.add(f == field ? f.asHidden() : f);
    }
    return new FromItem(alias, changed);
  }
}
