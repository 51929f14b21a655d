package flexdp.cli;

import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A server that answers over HTTP, seen from outside. */
final class RemoteServer {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
          .build();

  private final URI base;
  private final HttpClient client;
  private final List<String> headers;

  private RemoteServer(URI base, HttpClient client, List<String> headers) {
    this.base = base;
    this.client = client;
    this.headers = List.copyOf(headers);
  }

  static RemoteServer at(URI base, Optional<Path> certificate) {
    String scheme = String.valueOf(base.getScheme()).toLowerCase(Locale.ROOT);
    boolean secure = scheme.equals("https");
    if (base.getHost() == null || !secure && !(scheme.equals("http") && isLocal(base.getHost()))) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "--server: " + base + " is no address that a secret may be sent to",
          "Write https://HOST:8433; http:// is for this machine only.");
    }
    HttpClient.Builder builder =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(Duration.ofSeconds(20));
    certificate.ifPresent(file -> builder.sslContext(trusting(file)));
    return new RemoteServer(base, builder.build(), List.of());
  }

  private static boolean isLocal(String host) {
    try {
      return InetAddress.getByName(host).isLoopbackAddress();
    } catch (IOException e) {
      return false;
    }
  }

  private static SSLContext trusting(Path file) {
    try (InputStream in = Files.newInputStream(file)) {
      KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
      store.load(null, null);
      store.setCertificateEntry(
          "server", CertificateFactory.getInstance("X.509").generateCertificate(in));
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(store);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return context;
    } catch (IOException | GeneralSecurityException e) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "--server-cert: " + file + " holds no certificate that can be read");
    }
  }

  RemoteServer with(String token) {
    if (!token.matches("[!-~]+")) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "this is no token", "A token is one line, as flexdp token printed it.");
    }
    return new RemoteServer(base, client, List.of("Authorization", "Bearer " + token));
  }

  /** With a session of its own. */
  RemoteServer signedIn(String user, String password) {
    HttpResponse<String> response =
        send("/v1/session", JSON.createObjectNode().put("user", user).put("password", password));
    List<String> session = new ArrayList<>();
    response
        .headers()
        .firstValue("Set-Cookie")
        .ifPresent(cookie -> session.addAll(List.of("Cookie", cookie.split(";", 2)[0])));
    session.addAll(List.of("X-CSRF-Token", read(response.body()).path("csrf").asText()));
    return new RemoteServer(base, client, session);
  }

  /**
   * @throws Failure as the server says, in the same words
   */
  HttpResponse<String> send(String path, ObjectNode body) {
    return send(
        HttpRequest.newBuilder(base.resolve(path))
            .header("Content-Type", "application/json")
            .POST(HttpRequest.BodyPublishers.ofString(body.toString())));
  }

  /**
   * @throws Failure as the server says, in the same words
   */
  HttpResponse<String> get(String path) {
    return send(HttpRequest.newBuilder(base.resolve(path)).GET());
  }

  /**
   * @throws Failure as the server says, in the same words
   */
  HttpResponse<String> delete(String path) {
    return send(HttpRequest.newBuilder(base.resolve(path)).DELETE());
  }

  /** A part of a path, or a value in a query. */
  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  void close() {
    client.close();
  }

  ObjectNode request() {
    return JSON.createObjectNode();
  }

  private HttpResponse<String> send(HttpRequest.Builder request) {
    if (!headers.isEmpty()) {
      request.headers(headers.toArray(String[]::new));
    }
    try {
      HttpResponse<String> response =
          client.send(request.build(), HttpResponse.BodyHandlers.ofString());
      if (response.statusCode() / 100 != 2) {
        throw failure(response.statusCode(), read(response.body()));
      }
      return response;
    } catch (IOException e) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "the server " + base + " cannot be reached",
          "Is it running? A certificate that it made itself has to be given by --server-cert.");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DatabaseError.of("The question was given up.", "");
    }
  }

  static JsonNode read(String body) {
    try {
      return JSON.readTree(body);
    } catch (IOException e) {
      throw ConfigurationError.of(Code.BAD_USAGE, "what answers there is no FlexDP server");
    }
  }

  static Failure failure(int status, JsonNode problem) {
    String code = problem.path("code").asText();
    String message = problem.path("message").asText(problem.path("detail").asText());
    String hint = problem.path("hint").asText();
    if (status == 422 || problem.path("status").asText().equals("rejected")) {
      return rejection(code, message, hint, problem);
    }
    if (status == 403 && code.startsWith("BUDGET")) {
      return BudgetError.of(message, hint);
    }
    return status == 502 || status == 409 || status == 503
        ? DatabaseError.of(message, hint)
        : ConfigurationError.of(Code.BAD_REQUEST, message.isEmpty() ? code : message, hint);
  }

  private static Rejection rejection(String code, String message, String hint, JsonNode problem) {
    RejectionCode known;
    try {
      known = RejectionCode.valueOf(code);
    } catch (IllegalArgumentException e) {
      known = RejectionCode.UNSUPPORTED; // of a server that is newer than this
    }
    return problem.has("line")
        ? Rejection.of(
            known,
            message,
            hint,
            new Position(problem.path("line").asInt(), problem.path("column").asInt()))
        : Rejection.of(known, message, hint);
  }
}
