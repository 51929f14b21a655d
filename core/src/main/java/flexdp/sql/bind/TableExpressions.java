package flexdp.sql.bind;

import flexdp.failure.RejectionCode;
import flexdp.sql.function.NameMatching;
import flexdp.sql.function.Rejections;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlWithItem;

/**
 * The common table expressions in sight, innermost first. A reference binds the text again, so that
 * each one has columns of its own.
 */
final class TableExpressions {
  static final TableExpressions NONE = new TableExpressions(null, null, false);

  private final SqlWithItem item;
  private final TableExpressions rest;
  private final boolean open;

  private TableExpressions(SqlWithItem item, TableExpressions rest, boolean open) {
    this.item = item;
    this.rest = rest;
    this.open = open;
  }

  /** These and one more. */
  TableExpressions and(SqlWithItem item) {
    return new TableExpressions(item, this, false);
  }

  /** What the text of an item may refer to: the ones before it, and itself in order to say no. */
  TableExpressions within() {
    boolean recursive = item.recursive != null && item.recursive.booleanValue();
    return recursive ? new TableExpressions(item, rest, true) : rest;
  }

  SqlWithItem item() {
    return item;
  }

  /** The query of that name, if it means the same wherever these names are known. */
  Optional<SqlNode> standalone(SqlIdentifier name) {
    Optional<TableExpressions> found = find(name);
    if (found.isEmpty() || found.get().item.columnList != null) {
      return Optional.empty();
    }
    String text = found.get().item.query.toString();
    for (TableExpressions here = this; here != found.get().rest; here = here.rest) {
      if (text.matches("(?is).*\\b" + Pattern.quote(here.item.name.getSimple()) + "\\b.*")) {
        return Optional.empty();
      }
    }
    return Optional.of(found.get().item.query);
  }

  /** The innermost expression of that name. */
  Optional<TableExpressions> find(SqlIdentifier name) {
    if (!name.isSimple()) {
      return Optional.empty();
    }
    for (TableExpressions here = this; here.item != null; here = here.rest) {
      if (NameMatching.match(name.getSimple(), here.item.name.getSimple())) {
        if (here.open) {
          throw Rejections.of(
              RejectionCode.RECURSIVE,
              "'" + name.getSimple() + "' refers to itself.",
              "Recursive queries have no bound; write the joins that you need one by one.",
              name);
        }
        return Optional.of(here);
      }
    }
    return Optional.empty();
  }
}
