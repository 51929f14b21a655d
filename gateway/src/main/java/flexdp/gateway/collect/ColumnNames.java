package flexdp.gateway.collect;

import flexdp.document.NearestName;
import flexdp.failure.ConfigurationError;
import flexdp.policy.ColumnSpec;
import flexdp.policy.Policy;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Columns of one table, as people name them: {@code trips.city_id}, {@code trips.(driver_id,
 * city_id)} for a set, {@code trips.*} for every column by itself. Odd names stand in double
 * quotes.
 */
public record ColumnNames(String table, Set<String> columns) {

  /** Every selection of a list separated by commas or line ends; {@code #} begins a comment. */
  public static List<ColumnNames> parse(String text, Policy policy) {
    List<ColumnNames> all = new ArrayList<>();
    Scanner scanner = new Scanner(text);
    while (scanner.hasMore()) {
      scanner.selection(policy, all);
    }
    return List.copyOf(all);
  }

  private static ConfigurationError error(String message) {
    return ConfigurationError.of(
        ConfigurationError.Code.BAD_USAGE,
        message,
        "Write table.column, table.(column, column) or table.*, separated by commas.");
  }

  /** Reads names one after the other. */
  private static final class Scanner {
    private final String text;
    private int at;

    Scanner(String text) {
      this.text = text;
    }

    boolean hasMore() {
      while (at < text.length()) {
        char c = text.charAt(at);
        if (c == '#') {
          int end = text.indexOf('\n', at);
          at = end < 0 ? text.length() : end;
        } else if (c == ',' || Character.isWhitespace(c)) {
          at++;
        } else {
          return true;
        }
      }
      return false;
    }

    void selection(Policy policy, List<ColumnNames> all) {
      List<String> path = new ArrayList<>(List.of(name()));
      while (take('.')) {
        String table = String.join(".", path);
        if (take('*')) {
          Table known = table(table, policy);
          known.columns().forEach(c -> all.add(new ColumnNames(known.name(), Set.of(c.name()))));
          return;
        }
        if (take('(')) {
          all.add(known(table, set(), policy));
          return;
        }
        path.add(name());
      }
      if (path.size() < 2) {
        throw error("'" + path.getFirst() + "' names no column of a table");
      }
      all.add(
          known(
              String.join(".", path.subList(0, path.size() - 1)), Set.of(path.getLast()), policy));
    }

    private Set<String> set() {
      Set<String> names = new LinkedHashSet<>();
      do {
        names.add(name());
      } while (take(','));
      if (!take(')')) {
        throw error("a ')' is missing in '" + text.strip() + "'");
      }
      return names;
    }

    private boolean take(char wanted) {
      int next = at;
      while (next < text.length() && text.charAt(next) == ' ') {
        next++;
      }
      if (next < text.length() && text.charAt(next) == wanted) {
        at = next + 1;
        return true;
      }
      return false;
    }

    private String name() {
      if (take('"')) {
        return quoted();
      }
      take(' ');
      int start = at;
      while (at < text.length() && ".,()#\"\n\r*".indexOf(text.charAt(at)) < 0) {
        at++;
      }
      String name = text.substring(start, at).strip();
      if (name.isEmpty()) {
        throw error("a name is missing in '" + text.strip() + "'");
      }
      return name;
    }

    private String quoted() {
      StringBuilder name = new StringBuilder();
      while (at < text.length()) {
        char c = text.charAt(at++);
        if (c != '"') {
          name.append(c);
        } else if (at < text.length() && text.charAt(at) == '"') {
          name.append('"');
          at++;
        } else {
          return name.toString();
        }
      }
      throw error("a closing quote is missing in '" + text.strip() + "'");
    }

    private static ColumnNames known(String table, Set<String> columns, Policy policy) {
      Table found = table(table, policy);
      for (String column : columns) {
        if (found.column(column).isEmpty()) {
          List<String> names = found.columns().stream().map(ColumnSpec::name).toList();
          throw error(
              "table '"
                  + table
                  + "' of the policy has no column '"
                  + column
                  + "'."
                  + NearestName.question(column, names));
        }
      }
      return new ColumnNames(table, Set.copyOf(columns));
    }

    private static Table table(String name, Policy policy) {
      return policy
          .table(name)
          .orElseThrow(
              () ->
                  error(
                      "the policy has no table '"
                          + name
                          + "'."
                          + NearestName.question(name, policy.tables().keySet())));
    }
  }
}
