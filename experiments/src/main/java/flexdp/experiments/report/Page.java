package flexdp.experiments.report;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** A whole report: sections made before, with a table of contents and the style they share. */
public final class Page {
  private Page() {}

  /**
   * A section as it was written to a page.
   *
   * @param html from {@link Html#section}
   */
  public record Part(String name, String title, String html) {}

  public static String of(String title, String introduction, List<Part> parts) {
    StringBuilder html = new StringBuilder("<!DOCTYPE html>\n<html lang='en'>\n<head>\n");
    html.append("<meta charset='utf-8'/>\n");
    html.append("<meta name='viewport' content='width=device-width, initial-scale=1'/>\n");
    html.append("<title>").append(Html.text(title)).append("</title>\n");
    html.append("<style>\n").append(style()).append("</style>\n</head>\n<body>\n<main>\n");
    html.append("<h1>").append(Html.text(title)).append("</h1>\n");
    html.append("<p>").append(Html.text(introduction)).append("</p>\n");
    if (parts.size() > 1) {
      html.append("<nav><ul>\n");
      for (Part part : parts) {
        html.append("<li><a href='#").append(Html.text(part.name())).append("'>");
        html.append(Html.text(part.title())).append("</a></li>\n");
      }
      html.append("</ul></nav>\n");
    }
    parts.forEach(part -> html.append(part.html()));
    return html.append("</main>\n</body>\n</html>\n").toString();
  }

  private static String style() {
    try (InputStream in = Page.class.getResourceAsStream("report.css")) {
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
