import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Block;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** The manual as static pages: DocsSite ROOT OUT. Exits with 1 where a link leads nowhere. */
public class DocsSite {
  private static final List<Extension> TABLES = List.of(TablesExtension.create());
  private static final Parser PARSER = Parser.builder().extensions(TABLES).build();
  private static final Pattern LISTED = Pattern.compile("\\[([^]]+)]\\(([^)#\\s]+\\.md)\\)");

  private final Path root;
  private final Path out;
  private final Map<String, Node> pages = new LinkedHashMap<>();
  private final Map<String, Map<Heading, String>> anchors = new HashMap<>();
  private final Set<String> broken = new TreeSet<>();
  private final List<String> index = new ArrayList<>();
  private int links;

  private DocsSite(Path root, Path out) {
    this.root = root;
    this.out = out;
  }

  public static void main(String[] args) throws IOException {
    DocsSite site = new DocsSite(Path.of(args[0]).toAbsolutePath().normalize(), Path.of(args[1]));
    site.make();
    site.broken.forEach(System.err::println);
    System.err.printf("docs: %d pages, %d links, %s%n", site.pages.size(), site.links, site.out);
    System.exit(site.broken.isEmpty() ? 0 : 1);
  }

  private void make() throws IOException {
    try (Stream<Path> docs = Files.walk(root.resolve("docs"));
        Stream<Path> top = Files.list(root)) {
      for (Path file : Stream.concat(top, docs).sorted().toList()) {
        String name = root.relativize(file).toString();
        if (name.endsWith(".md")) {
          Node page = PARSER.parse(Files.readString(file));
          pages.put(name, page);
          anchors.put(name, headings(page));
        } else if (name.startsWith("docs/") && Files.isRegularFile(file)) {
          copy(file, out.resolve(name));
        }
      }
    }
    String menu = Files.readString(root.resolve("docs/README.md"));
    for (String name : pages.keySet()) {
      write(name, menu);
    }
    Files.writeString(out.resolve("search-index.js"), "var PAGES = [\n" + String.join(",\n", index) + "\n];\n");
    copy(root.resolve("scripts/docs-site/site.css"), out.resolve("site.css"));
    copy(root.resolve("scripts/docs-site/search.js"), out.resolve("search.js"));
    copy(out.resolve("README.html"), out.resolve("index.html"));
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to.getParent());
    Files.copy(from, to, java.nio.file.StandardCopyOption.REPLACE_EXISTING);
  }

  /** As GitHub names them. */
  private static Map<Heading, String> headings(Node page) {
    Map<Heading, String> slugs = new LinkedHashMap<>();
    Map<String, Integer> seen = new HashMap<>();
    page.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Heading heading) {
            String slug =
                text(heading)
                    .strip()
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N} _-]", "")
                    .replace(' ', '-');
            int before = seen.merge(slug, 1, Integer::sum) - 1;
            slugs.put(heading, before == 0 ? slug : slug + "-" + before);
          }
        });
    return slugs;
  }

  private static String text(Node node) {
    StringBuilder text = new StringBuilder();
    node.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Text part) {
            text.append(part.getLiteral());
          }

          @Override
          public void visit(Code part) {
            text.append(part.getLiteral());
          }

          @Override
          public void visit(SoftLineBreak end) {
            text.append(' ');
          }

          @Override
          protected void visitChildren(Node parent) {
            boolean block = parent instanceof Block || parent instanceof CustomNode;
            super.visitChildren(parent);
            text.append(block ? " " : "");
          }
        });
    return text.toString();
  }

  private void write(String name, String menu) throws IOException {
    Node page = pages.get(name);
    Map<Heading, String> slugs = anchors.get(name);
    page.accept(
        new AbstractVisitor() {
          @Override
          public void visit(Link link) {
            link.setDestination(target(name, link.getDestination()));
            visitChildren(link);
          }

          @Override
          public void visit(Image image) {
            links++;
            if (!Files.exists(root.resolve(name).resolveSibling(image.getDestination()))) {
              broken.add(name + " shows " + image.getDestination());
            }
          }
        });
    HtmlRenderer html =
        HtmlRenderer.builder()
            .extensions(TABLES)
            .attributeProviderFactory(
                context ->
                    (node, tag, attributes) -> {
                      if (node instanceof Heading heading) {
                        attributes.put("id", slugs.get(heading));
                      }
                    })
            .build();
    String title = slugs.isEmpty() ? name : text(slugs.keySet().iterator().next()).strip();
    String up = "../".repeat(name.split("/").length - 1);
    String body =
        html.render(page)
            .replace("<table>", "<div class=\"wide\"><table>")
            .replace("</table>", "</table></div>")
            .replaceAll("<a href=\"repository:[^\"]*\">(.*?)</a>", "<span class=\"repository\">$1</span>");
    Path file = out.resolve(name.replaceAll("\\.md$", ".html"));
    Files.createDirectories(file.getParent());
    Files.writeString(
        file,
        """
        <!doctype html>
        <html lang="en"><head><meta charset="utf-8"><title>%s · FlexDP</title>
        <meta name="viewport" content="width=device-width, initial-scale=1">
        <link rel="stylesheet" href="%ssite.css"></head><body data-up="%s">
        <header><a class="home" href="%sindex.html">FlexDP</a>
        <input id="search" type="search" placeholder="Search the manual" aria-label="Search the manual"></header>
        <ol id="found" hidden></ol>
        <nav><details open><summary>Pages</summary>%s</details></nav>
        <main>%s</main>
        <script src="%ssearch-index.js"></script><script src="%ssearch.js"></script></body></html>
        """
            .formatted(escape(title), up, up, up, menu(menu, name, up), body, up, up));
    entries(name, page, title, slugs);
  }

  /** One entry of the search for each section. */
  private void entries(String name, Node page, String title, Map<Heading, String> slugs) {
    String heading = title;
    String anchor = "";
    StringBuilder text = new StringBuilder();
    for (Node node = page.getFirstChild(); node != null; node = node.getNext()) {
      if (node instanceof Heading next) {
        entry(name, title, heading, anchor, text);
        heading = text(next).strip();
        anchor = slugs.get(next);
        text.setLength(0);
      } else {
        text.append(text(node)).append(' ');
      }
    }
    entry(name, title, heading, anchor, text);
  }

  private void entry(String name, String title, String heading, String anchor, StringBuilder text) {
    if (!text.isEmpty() || !anchor.isEmpty()) {
      String file = name.replaceAll("\\.md$", ".html") + "#" + anchor;
      index.add("[" + quote(file) + "," + quote(title) + "," + quote(heading) + "," + quote(text.toString()) + "]");
    }
  }

  private static String quote(String text) {
    String plain = text.replaceAll("\\s+", " ").strip().replace("\\", "\\\\").replace("\"", "\\\"");
    return "\"" + plain.replace("<", "\\u003c") + "\"";
  }

  private static String escape(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;");
  }

  private String menu(String menu, String here, String up) {
    StringBuilder html = new StringBuilder();
    Set<String> listed = new HashSet<>();
    for (String line : menu.split("\n")) {
      if (line.startsWith("## ")) {
        html.append(html.isEmpty() ? "" : "</ul>").append("<h2>").append(line.substring(3)).append("</h2><ul>");
      }
      Matcher entry = LISTED.matcher(html.isEmpty() || !line.startsWith("|") ? "" : line.split("\\|")[1]);
      while (entry.find()) {
        String name = Path.of("docs").resolve(entry.group(2)).normalize().toString();
        if (listed.add(name)) {
          html.append(name.equals(here) ? "<li class=\"here\">" : "<li>")
              .append("<a href=\"%s%s\">%s</a></li>".formatted(up, name.replaceAll("\\.md$", ".html"), capital(entry.group(1))));
        }
      }
    }
    return html.append("</ul>").toString();
  }

  private static String capital(String title) {
    return escape(title.substring(0, 1).toUpperCase(Locale.ROOT) + title.substring(1));
  }

  private String target(String from, String link) {
    links++;
    if (link.matches("[a-z]+:.*")) {
      return link;
    }
    String[] parts = link.split("#", 2);
    String name = from;
    if (!parts[0].isEmpty()) {
      Path to = root.resolve(from).resolveSibling(parts[0]).normalize();
      if (!Files.exists(to)) {
        broken.add(from + " leads to " + link);
        return link;
      }
      name = root.relativize(to).toString();
      name = Files.isDirectory(to) && pages.containsKey(name + "/README.md") ? name + "/README.md" : name;
    }
    if (!pages.containsKey(name)) {
      return name.startsWith("docs/") && Files.isRegularFile(root.resolve(name)) ? link : "repository:" + name;
    }
    if (parts.length == 2 && !anchors.get(name).containsValue(parts[1])) {
      broken.add(from + " leads to " + link);
    }
    String file = parts[0].isEmpty() ? "" : relative(from, name).replaceAll("\\.md$", ".html");
    return file + (parts.length == 2 ? "#" + parts[1] : "");
  }

  private static String relative(String from, String to) {
    Path folder = Path.of(from).getParent();
    return (folder == null ? Path.of(to) : folder.relativize(Path.of(to))).toString();
  }
}
