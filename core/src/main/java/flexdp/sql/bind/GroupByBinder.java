package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.failure.RejectionCode;
import flexdp.sql.function.NameMatching;
import flexdp.sql.function.Rejections;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlNodeList;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.util.Litmus;

/**
 * GROUP BY: the different keys, and which of them each grouping set has. Without GROUP BY there is
 * one set without keys.
 */
final class GroupByBinder {
  private static final int MOST_SETS = 512;

  /** Which set a row is of is told by a bit for each key; PostgreSQL has 31 of them. */
  private static final int MOST_KEYS = 24;

  private final boolean present;
  private final List<Expr> keys = new ArrayList<>();
  private final List<String> names = new ArrayList<>();
  private final Map<SqlNode, Expr> bound = new IdentityHashMap<>();
  private List<List<Integer>> sets = List.of(List.of());

  private final SqlSelect select;
  private final ExpressionContext place;
  private final BindingContext binder;

  private GroupByBinder(SqlSelect select, ExpressionContext place, BindingContext binder) {
    this.select = select;
    this.place = place;
    this.binder = binder;
    this.present = select.getGroup() != null;
  }

  static GroupByBinder bind(
      SqlSelect select,
      Scope scope,
      TableExpressions ctes,
      SelectAggregates aggregation,
      BindingContext binder) {
    ExpressionContext place = ExpressionContext.of(scope, ctes, "GROUP BY", aggregation.below());
    GroupByBinder grouping = new GroupByBinder(select, place, binder);
    if (grouping.present && grouping.isAll()) {
      grouping.groupByAll();
    } else if (grouping.present) {
      for (SqlNode element : select.getGroup()) {
        grouping.multiply(grouping.element(element), element);
      }
    }
    if (grouping.sets.size() > 1 && grouping.keys.size() > MOST_KEYS) {
      throw Rejections.of(
          RejectionCode.TOO_COMPLEX,
          "GROUP BY makes grouping sets of more than " + MOST_KEYS + " keys.",
          "Group by fewer keys, or by one set of them.",
          select.getGroup());
    }
    return grouping;
  }

  /** GROUP BY ALL, which the front writes as an unquoted name that no column can have. */
  private boolean isAll() {
    return select.getGroup().size() == 1
        && select.getGroup().get(0) instanceof SqlIdentifier name
        && name.isSimple()
        && !name.isComponentQuoted(0)
        && name.getSimple().equalsIgnoreCase("ALL");
  }

  /** Every item of the select list without an aggregate or window function is a key. */
  private void groupByAll() {
    List<Integer> set = List.of();
    for (SqlNode item : select.getSelectList()) {
      if (item instanceof SqlIdentifier name && name.isStar()) {
        throw Rejections.of(
            RejectionCode.INVALID_GROUPING,
            "GROUP BY ALL cannot be used with '*'.",
            "Name the columns to group by.",
            item);
      }
      if (!AggregateBinder.contains(item) && !WindowBinder.contains(item)) {
        SqlNode value = item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
        set = union(set, List.of(key(value)));
      }
    }
    sets = List.of(set);
  }

  boolean isPresent() {
    return present;
  }

  /** What an item of the select list is as a key; null if it was not named as one. */
  Expr bound(SqlNode item) {
    return bound.get(item);
  }

  List<Expr> keys() {
    return keys;
  }

  /** A name for each key, for keys that are computed. */
  List<String> names() {
    return names;
  }

  List<List<Integer>> sets() {
    return sets;
  }

  /** Adds a key that the others determine; it belongs to every set. */
  int addDependent(Expr key, String name) {
    int index = add(key, name);
    List<List<Integer>> wider = new ArrayList<>();
    for (List<Integer> set : sets) {
      wider.add(union(set, List.of(index)));
    }
    sets = wider;
    return index;
  }

  private List<List<Integer>> element(SqlNode node) {
    return switch (node.getKind()) {
      case GROUPING_SETS -> {
        List<List<Integer>> all = new ArrayList<>();
        for (SqlNode operand : ((SqlCall) node).getOperandList()) {
          all.addAll(element(operand));
        }
        yield all;
      }
      case ROLLUP -> {
        List<List<Integer>> parts = parts((SqlCall) node);
        List<List<Integer>> all = new ArrayList<>();
        for (int n = parts.size(); n >= 0; n--) {
          List<Integer> set = List.of();
          for (int i = 0; i < n; i++) {
            set = union(set, parts.get(i));
          }
          all.add(set);
        }
        yield all;
      }
      case CUBE -> {
        List<List<Integer>> parts = parts((SqlCall) node);
        if (parts.size() > 9) {
          throw tooManySets(node);
        }
        List<List<Integer>> all = new ArrayList<>();
        for (int chosen = (1 << parts.size()) - 1; chosen >= 0; chosen--) {
          List<Integer> set = List.of();
          for (int i = 0; i < parts.size(); i++) {
            if ((chosen >> (parts.size() - 1 - i) & 1) == 1) {
              set = union(set, parts.get(i));
            }
          }
          all.add(set);
        }
        yield all;
      }
      default -> List.of(part(node));
    };
  }

  private List<List<Integer>> parts(SqlCall call) {
    List<List<Integer>> parts = new ArrayList<>();
    for (SqlNode operand : call.getOperandList()) {
      parts.add(part(operand));
    }
    return parts;
  }

  /** One key, or several in brackets. */
  private List<Integer> part(SqlNode node) {
    List<SqlNode> nodes =
        node instanceof SqlNodeList list
            ? list
            : node.getKind() == SqlKind.ROW ? ((SqlCall) node).getOperandList() : List.of(node);
    List<Integer> set = List.of();
    for (SqlNode one : nodes) {
      set = union(set, List.of(key(one)));
    }
    return set;
  }

  private int key(SqlNode node) {
    SqlNode meant = meant(node);
    Expr expr = bound.computeIfAbsent(meant, n -> binder.expressions.bind(n, place));
    return add(expr, name(meant));
  }

  /** The alias that the select list gives to a key, by which labels for it may be supplied. */
  private String name(SqlNode key) {
    for (SqlNode item : select.getSelectList()) {
      if (item.getKind() == SqlKind.AS
          && ((SqlCall) item).operand(0).equalsDeep(key, Litmus.IGNORE)) {
        return ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple();
      }
    }
    return ColumnNaming.of(key);
  }

  private int add(Expr expr, String name) {
    int known = keys.indexOf(expr);
    if (known >= 0) {
      return known;
    }
    keys.add(expr);
    names.add(name);
    return keys.size() - 1;
  }

  /** GROUP BY 2 and GROUP BY alias name an item of the select list; a column of FROM goes first. */
  private SqlNode meant(SqlNode node) {
    List<SqlNode> items = select.getSelectList();
    int ordinal = OrderByBinder.ordinal(node, items.size());
    if (ordinal > 0) {
      SqlNode item = items.get(ordinal - 1);
      if (item instanceof SqlIdentifier name && name.isStar()) {
        throw Rejections.of(
            RejectionCode.INVALID_GROUPING,
            "GROUP BY " + ordinal + " refers to '*'.",
            "Name the columns to group by.",
            node);
      }
      return item.getKind() == SqlKind.AS ? ((SqlCall) item).operand(0) : item;
    }
    if (node instanceof SqlIdentifier name && name.isSimple() && place.scope().find(name) == null) {
      for (SqlNode item : items) {
        if (item.getKind() == SqlKind.AS
            && NameMatching.match(
                name.getSimple(), ((SqlIdentifier) ((SqlCall) item).operand(1)).getSimple())) {
          return ((SqlCall) item).operand(0);
        }
      }
    }
    return node;
  }

  private void multiply(List<List<Integer>> more, SqlNode at) {
    if ((long) sets.size() * more.size() > MOST_SETS) {
      throw tooManySets(at);
    }
    List<List<Integer>> all = new ArrayList<>();
    for (List<Integer> set : sets) {
      for (List<Integer> other : more) {
        all.add(union(set, other));
      }
    }
    sets = all;
  }

  private static flexdp.failure.Rejection tooManySets(SqlNode at) {
    return Rejections.of(
        RejectionCode.TOO_COMPLEX,
        "GROUP BY makes more than " + MOST_SETS + " grouping sets.",
        "List the sets that you need with GROUPING SETS.",
        at);
  }

  private static List<Integer> union(List<Integer> a, List<Integer> b) {
    List<Integer> all = new ArrayList<>(a);
    for (Integer key : b) {
      if (!all.contains(key)) {
        all.add(key);
      }
    }
    return all;
  }
}
