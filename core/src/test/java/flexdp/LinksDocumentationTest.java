package flexdp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Links, anchors and references into the documents lead somewhere; their lines can be read. */
class LinksDocumentationTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#:]*)(#[^)\\s]+)?\\)");
  private static final Pattern SECTION =
      Pattern.compile("(?i)\\bguarantee(?:\\.md)?[, (]+(?:§ ?|sections? )(\\d+)");
  private static final int LINE = 120;
  private static final int SENTENCE = 40;
  private static final int WORDS = 35_000;

  /** What has a form of its own: numbers of other people's pages, lists that are tables. */
  private static final Set<String> RECORDS = Set.of("CHANGELOG.md", "history.md");

  private static List<Path> documents() throws IOException {
    List<Path> documents = new ArrayList<>();
    try (Stream<Path> top = Files.list(ROOT);
        Stream<Path> docs = Files.walk(ROOT.resolve("docs"))) {
      Stream.concat(top, docs).filter(f -> f.toString().endsWith(".md")).forEach(documents::add);
    }
    return documents;
  }

  /** The lines outside of fences, without code spans' contents changed. */
  private static List<String> prose(Path document) throws IOException {
    List<String> prose = new ArrayList<>();
    boolean fenced = false;
    for (String line : Files.readAllLines(document)) {
      if (line.startsWith("```")) {
        fenced = !fenced;
        prose.add("");
      } else {
        prose.add(fenced ? "" : line);
      }
    }
    return prose;
  }

  /** As GitHub makes them of headings. */
  private static Set<String> anchors(Path document) throws IOException {
    Set<String> anchors = new HashSet<>();
    Map<String, Integer> seen = new HashMap<>();
    for (String line : prose(document)) {
      if (line.matches("#{1,6} .*")) {
        String text = line.replaceFirst("^#+ ", "").replaceAll("\\]\\([^)]*\\)", "]");
        String slug =
            text.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
        int before = seen.merge(slug, 1, Integer::sum) - 1;
        anchors.add(before == 0 ? slug : slug + "-" + before);
      }
    }
    return anchors;
  }

  @Test
  void everyLinkAndItsAnchorLeadSomewhere() throws IOException {
    Set<String> broken = new TreeSet<>();
    int links = 0;
    for (Path document : documents()) {
      Matcher link = LINK.matcher(String.join("\n", prose(document)));
      while (link.find()) {
        links++;
        Path target =
            link.group(1).isEmpty() ? document : document.resolveSibling(link.group(1)).normalize();
        String anchor = link.group(2);
        if (!Files.exists(target)
            || anchor != null
                && target.toString().endsWith(".md")
                && !anchors(target).contains(anchor.substring(1))) {
          broken.add(ROOT.relativize(document) + " leads to " + link.group());
        }
      }
    }
    assertTrue(links > 300, links + " links");
    assertEquals(Set.of(), broken);
  }

  @Test
  void everyPageAndDecisionIsOnItsIndex() throws IOException {
    String index = Files.readString(ROOT.resolve("docs/README.md"));
    Set<String> missing = new TreeSet<>();
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
      pages
          .map(p -> p.getFileName().toString())
          .filter(n -> n.endsWith(".md") && !n.equals("README.md") && !index.contains("](" + n))
          .forEach(missing::add);
    }
    String decisions = Files.readString(ROOT.resolve("docs/adr/README.md"));
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs/adr"))) {
      pages
          .map(p -> p.getFileName().toString())
          .filter(n -> !n.equals("README.md") && !decisions.contains("](" + n + ")"))
          .forEach(missing::add);
    }
    assertEquals(Set.of(), missing);
  }

  @Test
  void everyPageSaysForWhomItIs() throws IOException {
    Set<String> silent = new TreeSet<>();
    try (Stream<Path> pages = Files.list(ROOT.resolve("docs"))) {
      for (Path page : pages.filter(p -> p.toString().endsWith(".md")).toList()) {
        String name = page.getFileName().toString();
        if (!name.equals("README.md") && !Files.readAllLines(page).get(2).startsWith("For ")) {
          silent.add(name);
        }
      }
    }
    assertEquals(Set.of(), silent, "pages that do not begin with whom they are for");
  }

  /** Tables, commands and what they print aside; so are decisions and what was once. */
  @Test
  void theManualCanBeRead() throws IOException {
    int words = 0;
    for (Path document : documents()) {
      if (!RECORDS.contains(document.getFileName().toString())
          && !document.startsWith(ROOT.resolve("docs/adr"))) {
        for (String line : prose(document)) {
          words += line.isBlank() || line.startsWith("|") ? 0 : line.strip().split("\\s+").length;
        }
      }
    }
    assertTrue(words <= WORDS, words + " words; say it once, and link");
  }

  @Test
  void noLineIsLongerThanAScreen() throws IOException {
    Set<String> longer = new TreeSet<>();
    for (Path document : documents()) {
      if (RECORDS.contains(document.getFileName().toString())) {
        continue;
      }
      List<String> lines = prose(document);
      for (int i = 0; i < lines.size(); i++) {
        String line = lines.get(i);
        if (line.length() > LINE && !line.startsWith("|") && !line.startsWith("![")) {
          longer.add(ROOT.relativize(document) + ":" + (i + 1) + " has " + line.length());
        }
      }
    }
    assertEquals(Set.of(), longer, "lines end at " + LINE + " characters, tables aside");
  }

  /** Of the pages for people who use and operate it. */
  @Test
  void sentencesAreShort() throws IOException {
    Set<String> longer = new TreeSet<>();
    for (Path document : documents()) {
      if (RECORDS.contains(document.getFileName().toString())
          || !ROOT.resolve("docs").equals(document.getParent())) {
        continue;
      }
      StringBuilder text = new StringBuilder();
      for (String line : prose(document)) {
        boolean ends = line.isBlank() || line.matches("^( *[-*>#|]| *\\d+\\.).*");
        text.append(ends ? "\n" : " ").append(line.startsWith("|") ? "" : line.strip());
      }
      for (String block : text.toString().replaceAll("`[^`]*`", "x").split("\n")) {
        for (String sentence : block.split("(?<=[.!?:;])\\s+(?=[\\p{Lu}\\[(*x\"])|: ")) {
          int words = sentence.strip().split("\\s+").length;
          if (words > SENTENCE) {
            longer.add(document.getFileName() + " (" + words + "): " + sentence.strip());
          }
        }
      }
    }
    assertEquals(Set.of(), longer, "sentences have " + SENTENCE + " words at most");
  }

  @Test
  void referencesIntoTheGuaranteeNameSectionsThatAreThere() throws IOException {
    int sections = 0;
    for (String line : prose(ROOT.resolve("docs/guarantee.md"))) {
      sections += line.matches("## \\d+\\. .*") ? 1 : 0;
    }
    Set<String> dead = new TreeSet<>();
    int found = 0;
    for (Path source : sources()) {
      String text = Files.readString(source).replaceAll("\\s+\\* ", " ");
      String where = ROOT.relativize(source).toString();
      Matcher named = SECTION.matcher(text);
      while (named.find()) {
        found++;
        if (Integer.parseInt(named.group(1)) > sections) {
          dead.add(where + ": " + named.group());
        }
      }
      Matcher gone =
          Pattern.compile("(?i)guarantee D\\d+|\\bpeople[, ]+(?:§|sections? )\\d").matcher(text);
      while (gone.find()) {
        dead.add(where + ": " + gone.group());
      }
      Matcher page =
          Pattern.compile("docs/([\\w/-]+(?:\\.(?:md|sql|yaml|wat|wasm|service|ipynb|json))?)")
              .matcher(text);
      while (page.find()) {
        String name = page.group(1);
        if (!Files.exists(ROOT.resolve("docs/" + name)) && !isDecision(name)) {
          dead.add(where + ": docs/" + name);
        }
      }
    }
    assertTrue(found > 30, found + " references");
    assertEquals(Set.of(), dead);
  }

  /** Sections within and into the guarantee, decisions, and definitions, which have no numbers. */
  @Test
  void referencesOfDocumentsNameWhatIsThere() throws IOException {
    int sections = 0;
    for (String line : prose(ROOT.resolve("docs/guarantee.md"))) {
      sections += line.matches("## \\d+\\. .*") ? 1 : 0;
    }
    List<Path> all = new ArrayList<>(documents());
    all.removeIf(d -> RECORDS.contains(d.getFileName().toString()));
    all.addAll(sources());
    Set<String> dead = new TreeSet<>();
    int found = 0;
    for (Path file : all) {
      String text = Files.readString(file).replaceAll("\\s+(?:\\* )?", " ");
      String where = ROOT.relativize(file).toString();
      boolean own = file.endsWith("guarantee.md");
      Matcher section =
          (own ? Pattern.compile("(?:§ ?|\\bsections? )(\\d+)(?!\\.\\d)") : SECTION).matcher(text);
      while (section.find()) {
        found++;
        if (Integer.parseInt(section.group(1)) > sections) {
          dead.add(where + ": " + section.group());
        }
      }
      Matcher decision = Pattern.compile("\\bADR (\\d+)\\b").matcher(text);
      while (decision.find()) {
        found++;
        if (!isDecision(String.format("adr/%04d", Integer.parseInt(decision.group(1))))) {
          dead.add(where + ": " + decision.group());
        }
      }
      Matcher gone = Pattern.compile("(?<![\\w`])D\\d{1,2}\\b").matcher(text);
      while (where.endsWith(".md") && gone.find()) {
        dead.add(where + ": " + gone.group() + " is no number of a definition");
      }
    }
    assertTrue(found > 50, found + " references");
    assertEquals(Set.of(), dead);
  }

  /** A first sentence is read alone: in lists of methods, and where an editor shows it. */
  @Test
  void firstSentencesOfCommentsStandAlone() throws IOException {
    Pattern leaning = Pattern.compile("/\\*\\*\\s*(?:\\* )?(?:The same\\b|Likewise\\b|See above)");
    Set<String> found = new TreeSet<>();
    for (Path source : sources()) {
      String text = Files.readString(source);
      Matcher comment = leaning.matcher(text);
      while (comment.find()) {
        long line = text.substring(0, comment.start()).lines().count() + 1;
        found.add(ROOT.relativize(source) + ":" + line + " begins \"The same\"");
      }
      if (Pattern.compile("(?i)\\bwhoever ask(?:s|ed)\\b").matcher(text).find()) {
        found.add(ROOT.relativize(source) + " says \"whoever asks\": the analyst, or the caller");
      }
    }
    assertEquals(Set.of(), found);
  }

  /** By its number, as in docs/adr/0012. */
  private static boolean isDecision(String name) {
    try (Stream<Path> files = Files.list(ROOT.resolve("docs/adr"))) {
      return files.anyMatch(f -> ("adr/" + f.getFileName()).startsWith(name + "-"));
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }

  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    try (Stream<Path> modules = Files.list(ROOT)) {
      for (Path module : modules.map(m -> m.resolve("src")).filter(Files::isDirectory).toList()) {
        try (Stream<Path> files = Files.walk(module)) {
          files
              .filter(f -> f.toString().endsWith(".java"))
              .filter(f -> !f.endsWith("LinksDocumentationTest.java"))
              .forEach(sources::add);
        }
      }
    }
    return sources;
  }
}
