package flexdp.gateway.files;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.policy.PolicyReader;
import flexdp.policy.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes {@code closed: true} under a table of a policy, and leaves every other letter of it as the
 * owner wrote it. What comes of it is read again: a policy that is written in another way than
 * block by block is left alone, with the line to write.
 */
public final class TableClosing {
  private static final Pattern TABLES = Pattern.compile("tables:\\s*(#.*)?");
  private static final Pattern NAME =
      Pattern.compile("(\\s+)(?:\"([^\"]*)\"|'([^']*)'|([^\\s\"'#][^#]*?))\\s*:\\s*(#.*)?");

  private TableClosing() {}

  /** The text of the policy in which the table is closed. */
  public static String in(String policy, String table) {
    List<String> lines = new ArrayList<>(policy.lines().toList());
    int at = line(lines, table);
    if (at >= 0) {
      String indent = indent(lines.get(at));
      String inner =
          lines.subList(at + 1, lines.size()).stream()
              .filter(l -> !l.isBlank() && !l.strip().startsWith("#"))
              .findFirst()
              .map(TableClosing::indent)
              .orElse(indent + "  ");
      lines.add(at + 1, inner + "closed: true");
      String text = String.join("\n", lines) + "\n";
      if (isClosed(text, table)) {
        return text;
      }
    }
    throw ConfigurationError.of(
        Code.BAD_USAGE,
        "the place of the table '" + table + "' in the policy was not found",
        "Write it yourself: closed: true, among the keys of the table.");
  }

  private static boolean isClosed(String text, String table) {
    try {
      return PolicyReader.read(YamlText.tree(text, Code.BAD_POLICY))
          .table(table)
          .filter(Table::isClosed)
          .isPresent();
    } catch (ConfigurationError e) {
      return false;
    }
  }

  /** Where the table begins, or -1. */
  private static int line(List<String> lines, String table) {
    boolean within = false;
    String indent = "";
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.isBlank() || line.strip().startsWith("#")) {
        continue;
      }
      if (!Character.isWhitespace(line.charAt(0))) {
        within = TABLES.matcher(line).matches();
        indent = "";
        continue;
      }
      indent = indent.isEmpty() ? indent(line) : indent;
      Matcher name = NAME.matcher(line);
      if (within && name.matches() && name.group(1).equals(indent) && named(name).equals(table)) {
        return i;
      }
    }
    return -1;
  }

  private static String named(Matcher name) {
    return name.group(2) != null
        ? name.group(2)
        : name.group(3) != null ? name.group(3) : name.group(4);
  }

  private static String indent(String line) {
    return line.substring(0, line.length() - line.stripLeading().length());
  }
}
