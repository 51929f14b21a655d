package flexdp.server.api;

import flexdp.server.api.ApiRoute.Access;
import flexdp.server.connection.ServerState;
import flexdp.server.connection.Tls;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.HttpServer;
import flexdp.server.http.Response;
import flexdp.server.login.Secrets;
import flexdp.server.login.UsersFile;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The HTTP door: the API and the page that uses it. */
public final class HttpApi implements AutoCloseable {
  private final HttpServer server;

  private HttpApi(HttpServer server) {
    this.server = server;
  }

  /**
   * What the door is made of.
   *
   * @param reload takes a changed file of users at once
   * @param suggestions questions to try, by policy
   * @param names by which a proxy on this machine is known to browsers
   * @param health what is known of the parts
   */
  public record Parts(
      ServerState serverState,
      UsersFile users,
      Runnable reload,
      Map<String, List<Suggestion>> suggestions,
      Set<String> names,
      Supplier<Health> health) {
    /** Parts of which no health is known. */
    public Parts(
        ServerState premises,
        UsersFile users,
        Runnable reload,
        Map<String, List<Suggestion>> suggestions,
        Set<String> names) {
      this(premises, users, reload, suggestions, names, () -> Health.UNKNOWN);
    }
  }

  /**
   * Listens from now on.
   *
   * @param tls when connections are to be encrypted
   * @param port 0 for any that is free
   */
  public static HttpApi start(Parts parts, Optional<Tls> tls, InetAddress address, int port)
      throws IOException {
    RequestAuthentication authentication =
        new RequestAuthentication(parts.serverState(), address.isLoopbackAddress(), parts.names());
    Counters counters = new Counters();
    Api api =
        new Api(
            parts.serverState(), authentication, routes(parts, authentication, counters), counters);
    Optional<HttpServer.Encryption> encryption = tls.map(t -> t::over);
    return new HttpApi(HttpServer.start(api, encryption, address, port));
  }

  /** The table of everything that is served. */
  static List<ApiRoute> routes(
      Parts parts, RequestAuthentication authentication, Counters counters) {
    List<ApiRoute> documented = new ArrayList<>();
    documented.addAll(new SessionRoutes(authentication).all());
    documented.addAll(new AskRoutes(parts.serverState()).all());
    documented.addAll(new WorkloadRoutes(parts.serverState()).all());
    documented.addAll(new WatchRoutes(parts.serverState()).all());
    documented.addAll(new InfoRoutes(parts.serverState(), parts.suggestions()).all());
    documented.addAll(new OwnerRoutes(parts.serverState()).all());
    documented.addAll(new UserRoutes(parts.serverState(), parts.users(), parts.reload()).all());
    CachedDocument document = CachedDocument.of(Json.TYPE, "no-cache", OpenApi.of(documented));
    ManualFiles manual = new ManualFiles();
    ConsoleFiles files = new ConsoleFiles(manual);
    List<ApiRoute> all = new ArrayList<>(documented);
    all.add(
        ApiRoute.get(
            "/v1/openapi.json",
            Access.ANYBODY,
            "This document.",
            call -> document.answer(call.request())));
    all.add(ApiRoute.get("/healthz", Access.ANYBODY, "Alive.", call -> text("ok\n")));
    all.add(ApiRoute.get("/readyz", Access.ANYBODY, "Ready.", call -> ready(parts.health().get())));
    all.add(
        ApiRoute.get(
            "/metrics",
            Access.ANYBODY,
            "For Prometheus.",
            call -> counters.prometheus(shown(call, parts.health().get()))));
    all.add(ApiRoute.get("/", Access.ANYBODY, "The page.", files::page));
    all.add(ApiRoute.get("/assets/{name}", Access.ANYBODY, "What it loads.", files::asset));
    all.addAll(manual.routes());
    return all;
  }

  /** What is left of which table is for those who may ask about it. */
  private static Health shown(ApiCall call, Health health) {
    return health.of(
        database -> call.somebody().filter(c -> c.user().mayAsk(database)).isPresent());
  }

  /** Ready while questions can be answered; a configuration that is refused does not end that. */
  private static Response ready(Health health) {
    List<String> faults = health.faults();
    String first = faults.isEmpty() ? "ready\n" : "not ready\n";
    String lines =
        Stream.concat(faults.stream(), health.warnings().stream())
            .map(line -> line + "\n")
            .collect(Collectors.joining());
    return Response.text(faults.isEmpty() ? 200 : 503, "text/plain; charset=utf-8", first + lines);
  }

  private static Response text(String text) {
    return Response.text(200, "text/plain; charset=utf-8", text);
  }

  /** How many are connected. */
  public int connections() {
    return server.connections();
  }

  public int port() {
    return server.port();
  }

  /** Answers in flight are sent, then connections end. */
  @Override
  public void close() {
    server.close();
  }

  /**
   * The console's page and what it loads. Names are plain words in one folder, so that no path
   * leads out of it; only what is there is remembered.
   */
  static final class ConsoleFiles {
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

    private final Map<String, CachedDocument> known = new ConcurrentHashMap<>();
    private final ManualFiles manual;

    ConsoleFiles(ManualFiles manual) {
      this.manual = manual;
    }

    /** The page; a nonce lets its editor, and nothing else, write styles. */
    Response page(ApiCall call) {
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

    Response asset(ApiCall call) {
      String name = call.variables().get("name");
      String ending = name.substring(name.lastIndexOf('.') + 1);
      if (!name.matches(NAME) || !TYPES.containsKey(ending)) {
        throw missing();
      }
      CachedDocument file = known.get(name);
      if (file == null) {
        byte[] bytes = read("assets/" + name).orElseThrow(ConsoleFiles::missing);
        file = CachedDocument.of(TYPES.get(ending), "no-cache", bytes);
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

    private static HttpRefusal missing() {
      return HttpRefusal.of(404, "NOT_FOUND", "there is nothing at this path");
    }
  }
}
