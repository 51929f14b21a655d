package flexdp.sql.bind;

import flexdp.algebra.Expr;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import flexdp.sql.function.NameMatching;
import flexdp.sql.function.Rejections;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.calcite.sql.SqlIdentifier;

/**
 * The names that an expression may use.
 *
 * @param outer the query around a subquery
 * @param barrier whether names of the outer query are known but may not be used (a derived table)
 */
record Scope(List<FromItem> sources, Optional<Scope> outer, boolean barrier) {
  static final Scope EMPTY = new Scope(List.of(), Optional.empty(), true);

  /**
   * What a name stands for.
   *
   * @param depth how many queries further out: 0 is this one
   */
  record Found(Expr expr, int depth) {}

  private static final int UNREACHABLE = 100;

  /** Resolves a column, or rejects the name. */
  Found resolve(SqlIdentifier name) {
    Found found = find(name);
    if (found == null) {
      throw unknown(name);
    }
    return found;
  }

  /** As {@link #resolve}, with null for a name that nothing has. */
  Found find(SqlIdentifier name) {
    int depth = 0;
    for (Scope scope = this; scope != null; scope = scope.outer.orElse(null)) {
      Expr expr = scope.local(name);
      if (expr != null) {
        return new Found(expr, depth);
      }
      depth += scope.barrier ? UNREACHABLE : 1;
    }
    return null;
  }

  private Expr local(SqlIdentifier name) {
    int parts = name.names.size();
    String column = name.names.get(parts - 1);
    if (parts == 1) {
      return choose(sources, column, name, true);
    }
    List<FromItem> named = named(name.names.get(parts - 2));
    return named.isEmpty() ? null : choose(named, column, name, false);
  }

  /** The items of FROM with this alias. */
  List<FromItem> named(String alias) {
    List<FromItem> named = List.of();
    for (FromItem source : sources) {
      if (!source.alias().isEmpty() && NameMatching.match(alias, source.alias())) {
        if (named.isEmpty()) {
          named = List.of(source);
        } else {
          named = new ArrayList<>(named);
          named.add(source);
        }
      }
    }
    if (named.size() > 1) {
      List<FromItem> exact = new ArrayList<>();
      for (FromItem source : named) {
        if (source.alias().equals(alias)) {
          exact.add(source);
        }
      }
      return exact.isEmpty() ? named : exact;
    }
    return named;
  }

  private static Expr choose(
      List<FromItem> among, String column, SqlIdentifier at, boolean unqualified) {
    Expr folded = null;
    Expr exact = null;
    int foldedCount = 0;
    int exactCount = 0;
    for (FromItem source : among) {
      for (FromItem.Field field : source.fields()) {
        if (NameMatching.match(column, field.name()) && !(unqualified && field.hidden())) {
          foldedCount++;
          folded = field.expr();
          if (column.equals(field.name())) {
            exactCount++;
            exact = field.expr();
          }
        }
      }
    }
    if (foldedCount <= 1) {
      return folded;
    }
    if (exactCount == 1) {
      return exact;
    }
    throw Rejections.of(
        RejectionCode.AMBIGUOUS_COLUMN,
        "The column '" + column + "' stands for several columns here.",
        "Write the table's alias before it, as in t." + column + ".",
        at);
  }

  private Rejection unknown(SqlIdentifier name) {
    int parts = name.names.size();
    String column = name.names.get(parts - 1);
    if (parts > 1) {
      String alias = name.names.get(parts - 2);
      for (Scope s = this; s != null; s = s.outer.orElse(null)) {
        List<FromItem> named = s.named(alias);
        if (!named.isEmpty()) {
          return Rejections.of(
              RejectionCode.UNKNOWN_COLUMN,
              "The table '" + alias + "' has no column '" + column + "'.",
              NameMatching.didYouMean(
                  column, columns(named), "Only the columns of the policy can be asked about."),
              name);
        }
      }
      List<String> aliases = new ArrayList<>();
      sources.forEach(s -> aliases.add(s.alias()));
      return Rejections.of(
          RejectionCode.UNKNOWN_TABLE,
          "No table or alias '" + alias + "' is in FROM.",
          NameMatching.didYouMean(alias, aliases, "Write an alias that FROM has."),
          name);
    }
    List<String> known = new ArrayList<>();
    for (Scope s = this; s != null; s = s.outer.orElse(null)) {
      known.addAll(columns(s.sources));
    }
    return Rejections.of(
        RejectionCode.UNKNOWN_COLUMN,
        "The column '" + column + "' does not exist.",
        NameMatching.didYouMean(
            column, known, "Only the columns of the policy can be asked about."),
        name);
  }

  private static List<String> columns(List<FromItem> sources) {
    List<String> names = new ArrayList<>();
    for (FromItem source : sources) {
      source.fields().forEach(f -> names.add(f.name()));
    }
    return names;
  }
}
