package flexdp.server.pgcatalog;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** PostgreSQL's functions as the catalogue has them: macros with a prefix of their own. */
final class CatalogMacros {
  private static final Pattern NAME = Pattern.compile("^CREATE MACRO pgc\\.fdx_(\\w+)");
  private static final List<String> ALL = read();

  private CatalogMacros() {}

  /** In an order in which each finds those that it uses. */
  static List<String> definitions() {
    return ALL;
  }

  static Set<String> names() {
    return ALL.stream()
        .map(NAME::matcher)
        .filter(Matcher::find)
        .map(m -> m.group(1))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static List<String> read() {
    try (InputStream in = CatalogMacros.class.getResourceAsStream("macros.sql")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .lines()
          .filter(line -> line.startsWith("CREATE "))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
