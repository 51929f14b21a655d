package flexdp.gateway.render;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * SQL as it reads: a template with names in braces. {@code Sql.of("CASE WHEN {v} < {low} THEN {low}
 * ELSE {v} END", v, low)} gives each name, in the order in which they first stand there, the next
 * value. What a value says is never read again; a brace before anything but a letter is one.
 */
public final class Sql {
  private Sql() {}

  /** The template with a value for each of its names. */
  public static String of(String template, Object... values) {
    Map<String, String> known = new HashMap<>();
    String sql =
        filled(
            template,
            name -> known.computeIfAbsent(name, n -> String.valueOf(values[known.size()])));
    if (known.size() != values.length) {
      throw new IllegalArgumentException(values.length + " values for: " + template);
    }
    return sql;
  }

  /** The template with what each of its names stands for. */
  public static String filled(String template, UnaryOperator<String> named) {
    StringBuilder sql = new StringBuilder(template.length() * 2);
    int end = 0;
    for (int at = template.indexOf('{'); at >= 0; at = template.indexOf('{', at + 1)) {
      if (Character.isLetter(template.charAt(at + 1))) {
        int close = template.indexOf('}', at);
        sql.append(template, end, at).append(named.apply(template.substring(at + 1, close)));
        end = close + 1;
      }
    }
    return sql.append(template, end, template.length()).toString();
  }
}
