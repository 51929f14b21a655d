package flexdp.server.api;

import flexdp.server.http.HttpRefusal;
import flexdp.server.http.Response;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The manual as static pages ({@code make docs}), where the launcher found them. Each part of a
 * path is a plain word, so that none leads out of the folder; links in it are not followed.
 */
final class ManualFiles {
  /** Names the folder; the launchers set it. */
  static final String PROPERTY = "flexdp.manual";

  static final String FIRST = "index.html";

  private static final String NAME = "[A-Za-z0-9][A-Za-z0-9._-]{0,99}";
  private static final String POLICY =
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; form-action 'none';"
          + " base-uri 'none'; frame-ancestors 'none'";
  private static final Map<String, String> TYPES =
      Map.of(
          "html", "text/html; charset=utf-8",
          "js", "text/javascript; charset=utf-8",
          "css", "text/css; charset=utf-8",
          "svg", "image/svg+xml",
          "png", "image/png",
          "json", "application/json",
          "wasm", "application/wasm");

  private final Optional<Path> folder;

  /** No more of them than the folder has files. */
  private final Map<Path, Read> read = new ConcurrentHashMap<>();

  ManualFiles() {
    this(Optional.ofNullable(System.getProperty(PROPERTY)).map(Path::of));
  }

  ManualFiles(Optional<Path> folder) {
    this.folder = folder.map(Path::toAbsolutePath).filter(f -> isFile(f.resolve(FIRST)));
  }

  boolean isThere() {
    return folder.isPresent();
  }

  /** Routes of pages in the folder and in two folders below each other. */
  List<ApiRoute> routes() {
    return Stream.of("{name}", "{a}/{name}", "{a}/{b}/{name}")
        .map(
            path ->
                ApiRoute.get("/manual/" + path, ApiRoute.Access.ANYBODY, "The manual.", this::page))
        .toList();
  }

  private Response page(ApiCall call) {
    List<String> parts =
        Stream.of("a", "b", "name").map(call.variables()::get).filter(p -> p != null).toList();
    Path file = folder.orElseThrow(ManualFiles::missing);
    for (String part : parts) {
      if (!part.matches(NAME)) {
        throw missing();
      }
      file = file.resolve(part);
      if (Files.isSymbolicLink(file)) {
        throw missing();
      }
    }
    if (!isFile(file)) {
      throw missing();
    }
    String name = parts.getLast();
    String type =
        TYPES.getOrDefault(name.substring(name.lastIndexOf('.') + 1), "text/plain; charset=utf-8");
    try {
      return document(file, type).answer(call.request()).with("Content-Security-Policy", POLICY);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Compressed once for as long as the file stays as it is: anybody may ask for it. */
  private CachedDocument document(Path file, String type) throws IOException {
    FileTime time = Files.getLastModifiedTime(file);
    long size = Files.size(file);
    Read known = read.get(file);
    if (known == null || !known.time().equals(time) || known.size() != size) {
      CachedDocument document = CachedDocument.of(type, "no-cache", Files.readAllBytes(file));
      known = new Read(time, size, document);
      read.put(file, known);
    }
    return known.document();
  }

  private record Read(FileTime time, long size, CachedDocument document) {}

  private static boolean isFile(Path file) {
    return Files.isRegularFile(file);
  }

  private static HttpRefusal missing() {
    return HttpRefusal.of(404, "NOT_FOUND", "there is nothing at this path");
  }
}
