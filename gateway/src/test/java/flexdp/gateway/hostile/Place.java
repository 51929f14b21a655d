package flexdp.gateway.hostile;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where an edit is made in the sources of today.
 *
 * <p>Its text may stand there once as it is written. If not, the code was moved or renamed, and is
 * looked for by its shape: the same words of Java, signs and literals, and the same names up to a
 * consistent renaming, which the replacement follows. Of several places the one with most names
 * unchanged is meant; two that are alike are none.
 *
 * @param text what stands there
 * @param replacement what shall
 */
record Place(Path file, String text, String replacement) {
  private static final Pattern TOKEN =
      Pattern.compile(
          "(?<space>\\s+|//[^\\n]*|/\\*(?s:.*?)\\*/)"
              + "|(?<name>[\\p{L}_$][\\p{L}\\p{N}_$]*)"
              + "|(?s:\"\"\".*?\"\"\")|\"(?:\\\\.|[^\"\\\\\\n])*\"|'(?:\\\\.|[^'\\\\\\n])*'"
              + "|[0-9][\\p{L}0-9_.]*|->|::|[=!<>&|+]=|&&|\\|\\||.");

  private static final Set<String> WORDS =
      Set.of(
          ("abstract boolean break byte case catch char class continue default do double else enum"
                  + " extends false final finally float for if implements import instanceof int"
                  + " interface long new null package private protected public record return"
                  + " sealed short static super switch synchronized this throw throws true try var"
                  + " void while yield")
              .split(" "));

  /** A piece of a source, with where it begins and ends. */
  private record Token(String text, boolean name, int from, int to) {}

  /** How a text is found by its shape: from one offset to another, with these names. */
  private record Match(Path file, int from, int to, Map<String, String> names) {
    long unchanged() {
      return names.entrySet().stream().filter(n -> n.getKey().equals(n.getValue())).count();
    }
  }

  /** Finds the place of an edit, or none. */
  static Optional<Place> of(Mutant.Edit edit, Map<Path, String> sources) {
    Map<Path, String> own = new HashMap<>(sources);
    own.keySet().removeIf(file -> !file.endsWith(edit.type() + ".java"));
    return written(edit, own)
        .or(() -> shaped(edit, own))
        .or(() -> written(edit, sources))
        .or(() -> own.isEmpty() ? shaped(edit, sources) : Optional.empty());
  }

  private static Optional<Place> written(Mutant.Edit edit, Map<Path, String> sources) {
    List<Path> found = new ArrayList<>();
    sources.forEach(
        (file, source) -> {
          for (int at = source.indexOf(edit.text());
              at >= 0;
              at = source.indexOf(edit.text(), at + 1)) {
            found.add(file);
          }
        });
    return found.size() == 1
        ? Optional.of(new Place(found.getFirst(), edit.text(), edit.replacement()))
        : Optional.empty();
  }

  private static Optional<Place> shaped(Mutant.Edit edit, Map<Path, String> sources) {
    List<Token> wanted = tokens(edit.text());
    List<Match> best = new ArrayList<>();
    sources.forEach(
        (file, source) -> {
          List<Token> tokens = tokens(source);
          for (int i = 0; i + wanted.size() <= tokens.size(); i++) {
            matched(file, wanted, tokens.subList(i, i + wanted.size()))
                .ifPresent(match -> keepBest(best, match));
          }
        });
    if (best.size() != 1 || 2 * best.getFirst().unchanged() < best.getFirst().names().size()) {
      return Optional.empty();
    }
    Match match = best.getFirst();
    return Optional.of(
        new Place(
            match.file(),
            sources.get(match.file()).substring(match.from(), match.to()),
            renamed(edit.replacement(), match.names())));
  }

  private static void keepBest(List<Match> best, Match match) {
    if (!best.isEmpty() && best.getFirst().unchanged() < match.unchanged()) {
      best.clear();
    }
    if (best.isEmpty() || best.getFirst().unchanged() == match.unchanged()) {
      best.add(match);
    }
  }

  private static Optional<Match> matched(Path file, List<Token> wanted, List<Token> there) {
    Map<String, String> names = new HashMap<>();
    Map<String, String> back = new HashMap<>();
    for (int i = 0; i < wanted.size(); i++) {
      Token one = wanted.get(i);
      Token other = there.get(i);
      boolean same =
          one.name() && other.name()
              ? names.computeIfAbsent(one.text(), n -> other.text()).equals(other.text())
                  && back.computeIfAbsent(other.text(), n -> one.text()).equals(one.text())
              : one.text().equals(other.text());
      if (!same) {
        return Optional.empty();
      }
    }
    return Optional.of(new Match(file, there.getFirst().from(), there.getLast().to(), names));
  }

  private static String renamed(String text, Map<String, String> names) {
    StringBuilder renamed = new StringBuilder();
    int done = 0;
    for (Token token : tokens(text)) {
      renamed.append(text, done, token.from());
      renamed.append(token.name() ? names.getOrDefault(token.text(), token.text()) : token.text());
      done = token.to();
    }
    return renamed.append(text.substring(done)).toString();
  }

  private static List<Token> tokens(String source) {
    List<Token> tokens = new ArrayList<>();
    Matcher matcher = TOKEN.matcher(source);
    while (matcher.find()) {
      if (matcher.group("space") == null) {
        String text = matcher.group();
        boolean name = matcher.group("name") != null && !WORDS.contains(text);
        tokens.add(new Token(text, name, matcher.start(), matcher.end()));
      }
    }
    return tokens;
  }
}
