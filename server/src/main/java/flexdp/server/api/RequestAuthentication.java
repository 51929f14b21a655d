package flexdp.server.api;

import flexdp.server.connection.ServerState;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.HttpRequest;
import flexdp.server.login.Passwords;
import flexdp.server.login.Sessions;
import flexdp.server.login.Throttle;
import flexdp.server.login.Tokens;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/** Finds out who calls, and refuses what another site made a browser send. */
final class RequestAuthentication {
  private static final Set<String> LOCAL = Set.of("localhost", "127.0.0.1", "[::1]");
  private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}$");
  private static final Duration LONGEST_COOKIE = Duration.ofHours(12);

  private final ServerState serverState;
  private final boolean local;
  private final Set<String> names;
  private final Sessions sessions = new Sessions(Clock.systemUTC());
  private final Tokens tokens;

  /**
   * @param local whether only this machine is listened to
   * @param names of a proxy on this machine, which encrypts
   */
  RequestAuthentication(ServerState serverState, boolean local, Set<String> names) {
    this.serverState = serverState;
    this.local = local;
    this.names = names;
    this.tokens = new Tokens(serverState.pepper());
  }

  /** A name of this machine that another site made up would let that site read answers. */
  void requireOwnName(HttpRequest request) {
    if (local && !LOCAL.contains(host(request)) && !names.contains(host(request))) {
      throw HttpRefusal.of(
          421,
          "MISDIRECTED",
          "this server has another name",
          "Use localhost or 127.0.0.1; the owner names others with --http-host.");
    }
  }

  private static String host(HttpRequest request) {
    String host = request.header("host").orElse("").toLowerCase(Locale.ROOT);
    return PORT.matcher(host).replaceFirst("");
  }

  /** Whether the browser's own connection is encrypted: here, or at the proxy. */
  private boolean isEncrypted(HttpRequest request) {
    return request.encrypted() || names.contains(host(request));
  }

  /** Requests that a browser sends for another site's page. */
  void requireSameSite(HttpRequest request) {
    String site = request.header("sec-fetch-site").orElse("none");
    boolean foreign = !Set.of("none", "same-origin").contains(site);
    Optional<String> origin = request.header("origin");
    if (foreign || origin.isPresent() && !isOwn(origin.get(), request)) {
      throw HttpRefusal.of(403, "CROSS_SITE", "the request was made by another site's page");
    }
  }

  private static boolean isOwn(String origin, HttpRequest request) {
    try {
      return request.header("host").orElse("").equalsIgnoreCase(URI.create(origin).getAuthority());
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  /** Whoever calls; nobody when the request brings nothing that is known. */
  Optional<Caller> caller(HttpRequest request, ServerState.Served served) {
    Optional<String> authorization = request.header("authorization");
    if (authorization.isPresent()) {
      return Optional.of(
          new Caller(bearer(authorization.get(), request, served), Optional.empty()));
    }
    return cookie(request)
        .flatMap(c -> sessions.find(c, served.users()))
        .map(
            s ->
                new Caller(
                    served.users().user(s.secret().user().name()).orElseThrow(), Optional.of(s)));
  }

  /** Whom a request that was let in comes from, by the users of now. */
  Optional<User> present(HttpRequest request, Users users) {
    Optional<String> authorization = request.header("authorization");
    if (authorization.isPresent()) {
      String token = authorization.get().substring("Bearer ".length()).strip();
      return tokens.remembered(users, token).or(() -> tokens.check(users, token));
    }
    return cookie(request)
        .flatMap(c -> sessions.find(c, users))
        .flatMap(s -> users.user(s.secret().user().name()));
  }

  private User bearer(String authorization, HttpRequest request, ServerState.Served served) {
    if (!authorization.regionMatches(true, 0, "Bearer ", 0, 7)) {
      throw notKnown("the only authorization is a bearer's token");
    }
    String token = authorization.substring(7).strip();
    Optional<User> remembered = tokens.remembered(served.users(), token);
    if (remembered.isPresent()) {
      return remembered.get();
    }
    String name = Tokens.user(token).orElse("");
    Optional<User> user =
        guessed(request.address(), name, () -> tokens.check(served.users(), token));
    if (user.isEmpty()) {
      serverState.audit().record("refused login", name, request.address(), "", "", "wrong token");
      throw notKnown("the token is wrong, or was revoked");
    }
    serverState.audit().record("login", name, request.address(), "", "", "token accepted");
    return user.get();
  }

  /** What changes something repeats what only the page of the session was told. */
  void requireRepeated(HttpRequest request, Caller caller) {
    String said = request.header("x-csrf-token").orElse("");
    if (caller.session().isPresent() && !caller.session().get().isRepeatedBy(said)) {
      throw HttpRefusal.of(
          403, "CSRF", "the header X-CSRF-Token is not that of the session", "Reload the page.");
    }
  }

  private <T> Optional<T> guessed(String address, String name, Supplier<Optional<T>> check) {
    try {
      return serverState.throttle().guess(address, name, check);
    } catch (Throttle.Crowded e) {
      serverState
          .audit()
          .record("refused login", name, address, "", "", "too many wrong passwords");
      throw HttpRefusal.of(429, "TOO_MANY_LOGINS", e.getMessage());
    }
  }

  static HttpRefusal notKnown(String message) {
    return HttpRefusal.of(401, "NOT_SIGNED_IN", message, "Sign in, or send a token.")
        .with("WWW-Authenticate", "Bearer");
  }

  /** Opens a session, or waits and refuses as the other door does. */
  Sessions.Opened signIn(
      HttpRequest request, ServerState.Served served, String name, String password) {
    String address = request.address();
    Optional<Passwords.Known> known =
        guessed(
            address,
            name,
            () -> Passwords.check(served.users(), name, password, serverState.pepper()));
    if (known.isEmpty()) {
      serverState.audit().record("refused login", name, address, "", "", "wrong name or password");
      throw HttpRefusal.of(401, "LOGIN_FAILED", "wrong name or password");
    }
    serverState.audit().record("login", name, address, "", "", "accepted");
    return sessions.open(known.get());
  }

  void signOut(HttpRequest request) {
    cookie(request).ifPresent(sessions::close);
  }

  /** The cookie of a session; without one, of no age at all. */
  String cookie(HttpRequest request, Optional<String> value) {
    return cookieName(request)
        + "="
        + value.orElse("")
        + "; Path=/; HttpOnly; SameSite=Strict; Max-Age="
        + (value.isPresent() ? LONGEST_COOKIE.toSeconds() : 0)
        + (isEncrypted(request) ? "; Secure" : "");
  }

  private String cookieName(HttpRequest request) {
    return isEncrypted(request) ? "__Host-flexdp" : "flexdp";
  }

  /** Of two cookies of this name one is not ours, and nobody can tell which. */
  private Optional<String> cookie(HttpRequest request) {
    List<String> found = new ArrayList<>();
    for (String pair : request.header("cookie").orElse("").split(";")) {
      int equals = pair.indexOf('=');
      if (equals > 0 && pair.substring(0, equals).strip().equals(cookieName(request))) {
        found.add(pair.substring(equals + 1).strip());
      }
    }
    return found.size() == 1 ? Optional.of(found.getFirst()) : Optional.empty();
  }
}
