package flexdp.sql.anatomy;

import flexdp.sql.anatomy.Anatomy.Key;
import flexdp.sql.anatomy.AnatomySource.Base;
import flexdp.sql.anatomy.AnatomySource.Derived;
import flexdp.sql.anatomy.AnatomySource.Scope;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.apache.calcite.sql.SqlBasicCall;
import org.apache.calcite.sql.SqlCall;
import org.apache.calcite.sql.SqlIdentifier;
import org.apache.calcite.sql.SqlJoin;
import org.apache.calcite.sql.SqlKind;
import org.apache.calcite.sql.SqlNode;
import org.apache.calcite.sql.SqlOrderBy;
import org.apache.calcite.sql.SqlSelect;
import org.apache.calcite.sql.SqlWith;
import org.apache.calcite.sql.SqlWithItem;

/** Finds out what the names in FROM clauses stand for. */
final class AnatomySources {
  private final Map<String, AnatomySource> named = new HashMap<>();
  private final Map<SqlNode, AnatomySource> known = new IdentityHashMap<>();
  private final Map<SqlNode, Scope> scopes = new IdentityHashMap<>();

  /** Common table expressions are known from here on by their names. */
  void with(SqlWith with) {
    for (SqlNode node : with.withList) {
      if (node instanceof SqlWithItem item) {
        named.put(lower(item.name), query(item.query));
      }
    }
  }

  Scope scope(SqlSelect select) {
    Scope scope = scopes.get(select);
    if (scope == null) {
      scope = Scope.empty();
      scopes.put(select, scope);
      fill(scope, select.getFrom(), "");
    }
    return scope;
  }

  /** The aliases of one operand of a join. */
  Scope scope(SqlNode from) {
    Scope scope = Scope.empty();
    fill(scope, from, "");
    return scope;
  }

  private void fill(Scope scope, SqlNode from, String alias) {
    switch (from) {
      case SqlJoin join -> {
        fill(scope, join.getLeft(), "");
        fill(scope, join.getRight(), "");
      }
      case SqlIdentifier table -> {
        String name = lower(table);
        String last = table.names.getLast().toLowerCase(Locale.ROOT);
        AnatomySource source = named.get(name);
        scope
            .byAlias()
            .put(alias.isEmpty() ? last : alias, source == null ? new Base(name) : source);
      }
      case SqlBasicCall call when call.getKind() == SqlKind.AS ->
          fill(scope, call.operand(0), lower(call.operand(1)));
      case SqlCall call when isQuery(call) ->
          scope.byAlias().put(alias.isEmpty() ? "(" + scope.byAlias().size() : alias, query(call));
      case SqlCall call when call.operandCount() > 0 -> fill(scope, call.operand(0), alias);
      case null, default -> {}
    }
  }

  private static boolean isQuery(SqlCall call) {
    return switch (call.getKind()) {
      case SELECT, WITH, ORDER_BY, UNION, EXCEPT, INTERSECT -> true;
      default -> false;
    };
  }

  private AnatomySource query(SqlNode query) {
    AnatomySource source = known.get(query);
    if (source == null) {
      if (query instanceof SqlWith with) {
        with(with);
      }
      Optional<SqlSelect> select = outermost(query);
      source =
          select.isPresent()
              ? derived(select.get())
              : new Derived(Map.of(), List.of(), java.util.Set.of(), false);
      known.put(query, source);
    }
    return source;
  }

  /** The SELECT whose columns are those of a query; of a set operation the first. */
  static Optional<SqlSelect> outermost(SqlNode node) {
    SqlNode at = node;
    while (true) {
      switch (at) {
        case SqlOrderBy order -> at = order.query;
        case SqlWith with -> at = with.body;
        case SqlSelect select -> {
          return Optional.of(select);
        }
        case SqlBasicCall call when call.operandCount() > 0 -> at = call.operand(0);
        case null, default -> {
          return Optional.empty();
        }
      }
    }
  }

  private Derived derived(SqlSelect select) {
    Scope inner = scope(select);
    Map<String, Key> columns = new HashMap<>();
    List<AnatomySource> stars = new ArrayList<>();
    for (SqlNode item : select.getSelectList()) {
      SqlNode expr = item;
      String name = "";
      if (item instanceof SqlBasicCall call && call.getKind() == SqlKind.AS) {
        expr = call.operand(0);
        name = lower(call.operand(1));
      }
      if (expr instanceof SqlIdentifier id && id.isStar()) {
        stars(inner, id, stars);
      } else if (expr instanceof SqlIdentifier id) {
        Key key = inner.key(id.names);
        columns.put(name.isEmpty() ? id.names.getLast().toLowerCase(Locale.ROOT) : name, key);
      } else if (!name.isEmpty()) {
        columns.put(name, new Key(Optional.empty(), name, false));
      }
    }
    boolean statistical = AnatomyAggregates.isStatistical(select, inner);
    return new Derived(columns, stars, inner.tables(), statistical);
  }

  private static void stars(Scope inner, SqlIdentifier star, List<AnatomySource> stars) {
    if (star.names.size() == 1) {
      stars.addAll(inner.byAlias().values());
      return;
    }
    String alias = star.names.get(star.names.size() - 2).toLowerCase(Locale.ROOT);
    AnatomySource source = inner.byAlias().get(alias);
    if (source != null) {
      stars.add(source);
    }
  }

  private static String lower(SqlNode node) {
    return node instanceof SqlIdentifier id
        ? String.join(".", id.names).toLowerCase(Locale.ROOT)
        : node.toString().toLowerCase(Locale.ROOT);
  }
}
