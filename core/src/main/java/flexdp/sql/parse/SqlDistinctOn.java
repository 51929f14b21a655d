package flexdp.sql.parse;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code SELECT DISTINCT ON (a) … ORDER BY a, b} keeps the first row of each a: it becomes {@code
 * QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY a, b) = 1}. Numbers and aliases of the select
 * list, which ORDER BY reads first and a window does not, are written out. Without ORDER BY the row
 * kept would be arbitrary, and that is refused. {@code SELECT TOP n WITH TIES … ORDER BY a} becomes
 * {@code QUALIFY RANK() OVER (ORDER BY a) <= n} in the same way.
 */
final class SqlDistinctOn {
  private final List<SqlToken> tokens;
  private final int select;
  private final List<SqlToken> keys;
  private final Optional<SqlToken> ties;
  private final int start;
  private final List<List<SqlToken>> items = new ArrayList<>();
  private int order = -1;
  private int end;

  private SqlDistinctOn(List<SqlToken> tokens, int select) {
    this.tokens = tokens;
    this.select = select;
    int close = close(select + 3);
    this.keys = tokens.subList(select + 4, close);
    this.ties = Optional.empty();
    this.start = close + 1;
    read();
  }

  /** TOP n WITH TIES. */
  private SqlDistinctOn(List<SqlToken> tokens, int select, int number, int start) {
    this.tokens = tokens;
    this.select = select;
    this.keys = List.of();
    this.ties = Optional.of(tokens.get(number));
    this.start = start;
    read();
  }

  static List<SqlToken> rewrite(List<SqlToken> tokens) {
    List<SqlToken> now = tokens;
    // The last one first: what stands inside another is then done when that one is copied.
    for (int i = tokens.size() - 4; i >= 0; i--) {
      if (now.get(i).isWord("SELECT")
          && now.get(i + 1).isWord("DISTINCT")
          && now.get(i + 2).isWord("ON")
          && now.get(i + 3).isSymbol("(")) {
        now = new SqlDistinctOn(now, i).written();
      } else if (now.get(i).isWord("SELECT") && now.get(i + 1).isWord("TOP")) {
        now = ties(now, i);
      }
    }
    return now;
  }

  private static List<SqlToken> ties(List<SqlToken> tokens, int select) {
    boolean inside = tokens.get(select + 2).isSymbol("(");
    int number = inside ? select + 3 : select + 2;
    int with = number + (inside ? 2 : 1);
    boolean wanted =
        with + 1 < tokens.size()
            && tokens.get(number).kind() == SqlToken.Kind.NUMBER
            && tokens.get(with).isWord("WITH")
            && tokens.get(with + 1).isWord("TIES");
    return wanted ? new SqlDistinctOn(tokens, select, number, with + 2).written() : tokens;
  }

  private int close(int open) {
    int depth = 0;
    for (int i = open; ; i++) {
      depth += tokens.get(i).isSymbol("(") ? 1 : tokens.get(i).isSymbol(")") ? -1 : 0;
      if (depth == 0) {
        return i;
      }
    }
  }

  /** Finds the items of the select list, ORDER BY, and where ORDER BY ends. */
  private void read() {
    int item = start;
    boolean inList = true;
    for (int i = start; ; i++) {
      SqlToken token = tokens.get(i);
      if (token.isSymbol("(")) {
        i = close(i);
        continue;
      }
      boolean last = token.isEnd() || token.isSymbol(")");
      if (inList && (last || token.isSymbol(",") || token.isWord("FROM"))) {
        items.add(tokens.subList(item, i));
        item = i + 1;
        inList = token.isSymbol(",");
      } else if (token.isWord("UNION") || token.isWord("INTERSECT") || token.isWord("EXCEPT")) {
        throw SqlRefusals.distinctOn("in a part of a set operation is not supported.", token);
      } else if (token.isWord("QUALIFY")) {
        throw SqlRefusals.distinctOn("and QUALIFY together are not supported.", token);
      } else if (token.isWord("ORDER") && tokens.get(i + 1).isWord("BY")) {
        order = i;
      }
      if (last || order >= 0 && isCut(i)) {
        end = i;
        break;
      }
    }
    if (order < 0 && ties.isPresent()) {
      throw SqlRefusals.tiesWithoutOrder(tokens.get(select + 1));
    }
    if (order < 0) {
      throw SqlRefusals.distinctOn(
          "without ORDER BY keeps an arbitrary row.", tokens.get(select + 1));
    }
  }

  private boolean isCut(int i) {
    SqlToken token = tokens.get(i);
    return token.isWord("LIMIT")
        || token.isWord("FETCH")
        || token.isWord("OFFSET") && tokens.get(i + 1).kind() == SqlToken.Kind.NUMBER;
  }

  private List<SqlToken> written() {
    SqlToken at = tokens.get(select + 1);
    List<SqlToken> all = new ArrayList<>(tokens.subList(0, select + 1));
    all.addAll(tokens.subList(start, order));
    words(all, at, "QUALIFY", ties.isPresent() ? "RANK" : "ROW_NUMBER", "(", ")", "OVER", "(");
    if (ties.isEmpty()) {
      words(all, at, "PARTITION", "BY");
      all.addAll(meant(keys));
    }
    words(all, at, "ORDER", "BY");
    all.addAll(ties.isPresent() ? meant(tokens.subList(order + 2, end)) : within());
    words(all, at, ")", ties.isPresent() ? "<=" : "=");
    all.add(ties.orElse(at.as(SqlToken.Kind.NUMBER, "1")));
    // In FROM the order is that of the rows which are kept, and no order of the result.
    boolean ordersNothing = ties.isEmpty() && tokens.get(end).isSymbol(")");
    all.addAll(tokens.subList(ordersNothing ? end : order, tokens.size()));
    return all;
  }

  /**
   * The order without what is the same in all rows of a part, as the standard has it stand first.
   */
  private List<SqlToken> within() {
    List<SqlToken> whole = meant(tokens.subList(order + 2, end));
    List<List<SqlToken>> same = items(meant(keys));
    List<SqlToken> rest = new ArrayList<>();
    for (List<SqlToken> item : items(whole)) {
      if (same.stream().noneMatch(key -> texts(key).equals(texts(withoutDirection(item))))) {
        if (!rest.isEmpty()) {
          words(rest, item.getFirst(), ",");
        }
        rest.addAll(item);
      }
    }
    return rest.isEmpty() ? whole : rest;
  }

  private static List<String> texts(List<SqlToken> item) {
    return item.stream().map(t -> t.kind() + t.upper()).toList();
  }

  private static List<SqlToken> withoutDirection(List<SqlToken> item) {
    int size = item.size();
    if (size > 2 && item.get(size - 2).isWord("NULLS")) {
      size -= 2;
    }
    boolean directed =
        size > 1 && (item.get(size - 1).isWord("ASC") || item.get(size - 1).isWord("DESC"));
    return item.subList(0, directed ? size - 1 : size);
  }

  /** A list at its commas. */
  private static List<List<SqlToken>> items(List<SqlToken> list) {
    List<List<SqlToken>> items = new ArrayList<>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < list.size(); i++) {
      depth += list.get(i).isSymbol("(") ? 1 : list.get(i).isSymbol(")") ? -1 : 0;
      if (depth == 0 && list.get(i).isSymbol(",")) {
        items.add(list.subList(from, i));
        from = i + 1;
      }
    }
    items.add(list.subList(from, list.size()));
    return items.stream().filter(item -> !item.isEmpty()).toList();
  }

  private static void words(List<SqlToken> into, SqlToken at, String... words) {
    for (String word : words) {
      boolean isWord = Character.isLetter(word.charAt(0));
      into.add(at.as(isWord ? SqlToken.Kind.WORD : SqlToken.Kind.SYMBOL, word));
    }
  }

  /** A list of expressions, those that only name a result column written out. */
  private List<SqlToken> meant(List<SqlToken> list) {
    List<SqlToken> all = new ArrayList<>();
    for (int i = 0; i < list.size(); i++) {
      boolean starts = i == 0 || list.get(i - 1).isSymbol(",");
      boolean alone =
          i + 1 == list.size()
              || list.get(i + 1).isSymbol(",")
              || list.get(i + 1).isWord("ASC")
              || list.get(i + 1).isWord("DESC")
              || list.get(i + 1).isWord("NULLS");
      List<SqlToken> item = starts && alone ? item(list.get(i)) : List.of();
      if (list.get(i).isSymbol("(")) {
        int inner = 0;
        do {
          inner += list.get(i).isSymbol("(") ? 1 : list.get(i).isSymbol(")") ? -1 : 0;
          all.add(list.get(i++));
        } while (inner > 0);
        i--;
      } else if (item.isEmpty()) {
        all.add(list.get(i));
      } else {
        words(all, list.get(i), "(");
        all.addAll(item);
        words(all, list.get(i), ")");
      }
    }
    return all;
  }

  /** What a number or a name stands for in the select list; empty if it is a name of FROM. */
  private List<SqlToken> item(SqlToken name) {
    if (name.kind() == SqlToken.Kind.NUMBER) {
      int number = name.text().matches("[0-9]{1,4}") ? Integer.parseInt(name.text()) : 0;
      if (number < 1 || number > items.size() || isStar(items)) {
        throw SqlRefusals.distinctOn("cannot use this number of a column.", name);
      }
      return expression(items.get(number - 1));
    }
    for (List<SqlToken> item : items) {
      List<SqlToken> expression = expression(item);
      if (expression.size() < item.size()
          && item.getLast().upper().equalsIgnoreCase(name.upper())) {
        return expression;
      }
    }
    return List.of();
  }

  private static boolean isStar(List<List<SqlToken>> items) {
    return items.stream().anyMatch(item -> !item.isEmpty() && item.getLast().isSymbol("*"));
  }

  /** An item without its alias. */
  private static List<SqlToken> expression(List<SqlToken> item) {
    int size = item.size();
    if (size < 2 || !isName(item.get(size - 1))) {
      return item;
    }
    SqlToken before = item.get(size - 2);
    if (before.isWord("AS")) {
      return item.subList(0, size - 2);
    }
    boolean ends =
        isName(before)
            || before.isSymbol(")")
            || before.kind() == SqlToken.Kind.NUMBER
            || before.kind() == SqlToken.Kind.STRING;
    return ends ? item.subList(0, size - 1) : item;
  }

  private static boolean isName(SqlToken token) {
    return token.kind() == SqlToken.Kind.QUOTED_NAME
        || token.kind() == SqlToken.Kind.WORD
            && !KeywordResolution.isReserved(token)
            && !token.isWord("END");
  }
}
