package flexdp.server.api;

import flexdp.server.http.Refusal;
import flexdp.server.http.Response;
import flexdp.server.login.Secrets;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The console's page and what it loads. Names are plain words in one folder, so that no path leads
 * out of it; only what is there is remembered.
 */
final class ConsoleFiles {
  private static final String FOLDER = "/flexdp/server/console/";
  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
  private static final Map<String, String> TYPES =
      Map.of(
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "ico", "image/x-icon",
          "woff2", "font/woff2",
          "json", "application/json",
          "txt", "text/plain; charset=utf-8",
          "webmanifest", "application/manifest+json");

  private final Map<String, Tagged> known = new ConcurrentHashMap<>();
  private final ManualFiles manual;

  ConsoleFiles(ManualFiles manual) {
    this.manual = manual;
  }

  /** The page; a nonce lets its editor, and nothing else, write styles. */
  Response page(Call call) {
    String page =
        read("index.html")
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
            .orElseThrow(ConsoleFiles::missing);
    String nonce = Secrets.key();
    String policy =
        "default-src 'none'; script-src 'self'; style-src 'self' 'nonce-"
            + nonce
            + "'; img-src 'self' data:; font-src 'self'; connect-src 'self'; manifest-src 'self';"
            + " form-action 'none'; base-uri 'none'; frame-ancestors 'none'";
    return Response.text(
            200,
            "text/html; charset=utf-8",
            page.replace("{{nonce}}", nonce)
                .replace("__NONCE__", nonce)
                .replace("{{manual}}", manual.isThere() ? "manual/" + ManualFiles.FIRST : ""))
        .with("Content-Security-Policy", policy);
  }

  Response asset(Call call) {
    String name = call.variables().get("name");
    String ending = name.substring(name.lastIndexOf('.') + 1);
    if (!name.matches(NAME) || !TYPES.containsKey(ending)) {
      throw missing();
    }
    Tagged file = known.get(name);
    if (file == null) {
      byte[] bytes = read("assets/" + name).orElseThrow(ConsoleFiles::missing);
      file = Tagged.of(TYPES.get(ending), "no-cache", bytes);
      known.put(name, file);
    }
    return file.answer(call.request());
  }

  private static Optional<byte[]> read(String name) {
    try (InputStream in = ConsoleFiles.class.getResourceAsStream(FOLDER + name)) {
      return in == null ? Optional.empty() : Optional.of(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Refusal missing() {
    return Refusal.of(404, "NOT_FOUND", "there is nothing at this path");
  }
}
