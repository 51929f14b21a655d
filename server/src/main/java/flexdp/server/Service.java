package flexdp.server;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.Failure;
import flexdp.gateway.database.ErrorLog;
import flexdp.gateway.pause.Pause;
import flexdp.server.api.HttpApi;
import flexdp.server.audit.AuditLog;
import flexdp.server.connection.PgServer;
import flexdp.server.connection.ServerState;
import flexdp.server.connection.Tls;
import flexdp.server.engine.GatewayEngine;
import flexdp.server.login.Throttle;
import flexdp.server.login.Users;
import flexdp.server.login.UsersFile;
import flexdp.server.pgcatalog.PolicyCatalogs;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/** Everything that {@code flexdp serve} runs, in one process. */
public final class Service implements AutoCloseable {
  private static final Duration LOOK_AGAIN = Duration.ofSeconds(2);
  private static final Duration BETWEEN_ROUNDS = Duration.ofSeconds(30);

  private final ServiceOptions options;
  private final Consumer<String> say;
  private final PolicyCatalogs catalogues;
  private final Map<Path, ReloadableEngine> engines;
  private final Map<Path, String> seen = new LinkedHashMap<>();

  /** What each policy and its metrics were when they were taken. */
  private final Map<Path, String> used = new HashMap<>();

  private final Map<String, String> refused = new ConcurrentHashMap<>();
  private final Map<Path, Again> again = new HashMap<>();
  private final Map<Path, String> troubles = new HashMap<>();
  private final ServerState serverState;
  private final PgServer server;
  private final Optional<HttpApi> console;
  private final Thread watcher;
  private final WatchScheduler rounds;
  private final HealthWatch health;
  private volatile boolean closing;
  private Instant warned = Instant.EPOCH;

  /** When something that was refused is tried again: what it waits for may have come, a GRANT. */
  private record Again(long at, Duration pause) {}

  private Service(
      ServiceOptions options,
      Consumer<String> say,
      PolicyCatalogs catalogues,
      Map<Path, ReloadableEngine> engines,
      ServerState serverState,
      PgServer server,
      HealthWatch health,
      Optional<HttpApi> console) {
    this.health = health;
    this.options = options;
    this.say = say;
    this.catalogues = catalogues;
    this.engines = engines;
    this.serverState = serverState;
    this.server = server;
    this.console = console;
    look(options.users());
    engines.keySet().forEach(policy -> used.put(policy, states(policy)));
    seen.putAll(used);
    serverState.tls().ifPresent(tls -> tls.files().forEach(this::look));
    engines.values().stream()
        .filter(ReloadableEngine::isNew)
        .forEach(
            engine ->
                say.accept(
                    "nothing was ever charged to the ledger of "
                        + engine.name()
                        + ": it begins with the full budget. If its data were asked about before,"
                        + " under another name or ledger, stop and bring that ledger: flexdp ledger"
                        + " import"));
    warnOfCertificate();
    health.begin(
        this::reloads, () -> server.connections() + console.map(HttpApi::connections).orElse(0));
    this.watcher = Thread.ofPlatform().daemon().name("flexdp-reload").start(this::watch);
    this.rounds = new WatchScheduler(serverState, BETWEEN_ROUNDS);
  }

  /**
   * Opens everything and listens.
   *
   * @param say takes what the owner should know while it runs
   * @throws Failure when something cannot be opened
   */
  public static Service start(ServiceOptions options, Consumer<String> say) {
    Users users = users(options.users());
    InetAddress address = options.address();
    boolean local = address.isLoopbackAddress();
    if (!local && options.tls().isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "other machines can reach " + options.listen() + ", and there is no certificate",
          "Give --tls-cert and --tls-key, or --tls-self-signed; or listen on 127.0.0.1.");
    }
    PolicyCatalogs catalogues = PolicyCatalogs.open(ErrorLog.file(options.log()));
    Map<Path, ReloadableEngine> engines = new LinkedHashMap<>();
    try {
      for (Path policy : options.policies()) {
        engines.put(policy, open(options, policy, catalogues));
      }
      Map<String, ServerState.Offer> offers = offers(engines);
      ErrorLog log = ErrorLog.file(options.log());
      ServerState serverState =
          ServerState.of(
              new ServerState.Served(users, offers),
              options.tls(),
              !local,
              new Throttle(Clock.systemUTC()),
              AuditLog.open(options.audit(), Clock.systemUTC()),
              log);
      PgServer server = listening(options, serverState, address);
      HealthWatch health = new HealthWatch(engines.values(), options.tls(), log, say);
      Optional<HttpApi> console = console(options, serverState, server, health);
      return new Service(options, say, catalogues, engines, serverState, server, health, console);
    } catch (RuntimeException e) {
      engines.values().forEach(ReloadableEngine::close);
      catalogues.close();
      throw e;
    }
  }

  /**
   * Reads the users who may sign in.
   *
   * @throws ConfigurationError when nobody may: then a server is of no use
   */
  public static Users users(Path file) {
    Users users = Users.read(file);
    if (users.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "there are no users in " + file,
          "Add one: flexdp user add NAME --users " + file);
    }
    return users;
  }

  private static PgServer listening(
      ServiceOptions options, ServerState serverState, InetAddress address) {
    try {
      return PgServer.start(serverState, address, options.pgPort());
    } catch (IOException e) {
      throw taken(options, options.pgPort(), "--pg-port");
    }
  }

  private static Optional<HttpApi> console(
      ServiceOptions options, ServerState serverState, PgServer beside, HealthWatch health) {
    if (options.web().port().isEmpty()) {
      return Optional.empty();
    }
    InetAddress address = options.address();
    boolean encrypted = options.web().encrypted() || !address.isLoopbackAddress();
    HttpApi.Parts parts =
        new HttpApi.Parts(
            serverState,
            new UsersFile(options.users()),
            () -> users(serverState, Users.read(options.users())),
            options.web().suggestions(),
            options.web().names(),
            health::latest);
    int port = options.web().port().get();
    try {
      Optional<Tls> tls = encrypted ? options.tls() : Optional.empty();
      return Optional.of(HttpApi.start(parts, tls, address, port));
    } catch (IOException e) {
      beside.close();
      throw taken(options, port, "--http-port");
    }
  }

  private static ConfigurationError taken(ServiceOptions options, int port, String option) {
    return ConfigurationError.of(
        Code.BAD_USAGE,
        "cannot listen on " + options.listen() + ":" + port,
        "Is the port taken? Choose another with " + option + ".");
  }

  private static ReloadableEngine open(
      ServiceOptions options, Path policy, PolicyCatalogs catalogues) {
    GatewayEngine engine =
        GatewayEngine.open(policy, options.ledger(), options.timeout(), options.patience());
    return new ReloadableEngine(
        engine, catalogues.of(engine.policy()), ErrorLog.file(options.log()));
  }

  private static Map<String, ServerState.Offer> offers(Map<Path, ReloadableEngine> engines) {
    Map<String, ServerState.Offer> offers = new LinkedHashMap<>();
    engines.forEach(
        (path, engine) -> {
          if (offers.put(engine.name(), new ServerState.Offer(engine, engine, engine)) != null) {
            throw ConfigurationError.of(
                Code.BAD_USAGE,
                "two policies are called " + engine.name(),
                "Rename one of the files; its name is the name of the database.");
          }
        });
    return offers;
  }

  public int port() {
    return server.port();
  }

  /** The address of the console; none without HTTP. */
  public Optional<URI> page() {
    boolean encrypted = options.web().encrypted() || !options.address().isLoopbackAddress();
    String host = options.address().isAnyLocalAddress() ? "localhost" : options.listen();
    String shown = host.contains(":") ? "[" + host + "]" : host;
    return console.map(
        c -> URI.create((encrypted ? "https" : "http") + "://" + shown + ":" + c.port() + "/"));
  }

  public Optional<Tls> tls() {
    return serverState.tls();
  }

  private void watch() {
    try {
      while (true) {
        Pause.of(LOOK_AGAIN);
        look();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whatever goes wrong, the next look is had: rights that were taken away must be noticed. */
  private void look() {
    try {
      takeChanged();
    } catch (RuntimeException e) {
      serverState.log().failure("reload", e);
    }
  }

  /** Takes what the owner has changed. What cannot be used is said, and the old one stays. */
  public synchronized void reload() {
    again.clear();
    takeChanged();
  }

  /** Reads everything anew, changed or not, as a signal asks for it. */
  public synchronized void reloadAll() {
    seen.clear();
    refused.clear();
    reload();
  }

  private synchronized void takeChanged() {
    if (look(options.users()) | isDue(options.users())) {
      attempt("users", options.users(), () -> users(serverState, Users.read(options.users())));
      if (serverState.served().get().users().isEmpty()) {
        // Rights that were taken away are gone at once, whatever a start says.
        say.accept("there are no users in " + options.users() + ": nobody can sign in");
      }
    }
    serverState.tls().filter(tls -> !tls.files().isEmpty()).ifPresent(this::renew);
    engines.forEach(this::reload);
    engines.forEach(this::tell);
    warnOfCertificate();
  }

  /** A column that was dropped stops questions: an analyst cannot mend that. Said once. */
  private void tell(Path policy, ReloadableEngine engine) {
    Optional<String> now = engine.trouble();
    Optional<String> before = Optional.ofNullable(troubles.get(policy));
    if (now.isPresent() && !now.equals(before)) {
      say.accept("questions about " + engine.name() + " are refused: " + now.get());
    }
    now.ifPresentOrElse(t -> troubles.put(policy, t), () -> troubles.remove(policy));
    if (now.isPresent() && !again.containsKey(policy)) {
      later(policy); // the database may become again what the policy says
    }
  }

  private void renew(Tls tls) {
    boolean changed = false;
    for (Path file : tls.files()) {
      changed |= look(file);
    }
    if (changed | isDue(tls.files().getFirst())) {
      attempt(
          "certificate",
          tls.files().getFirst(),
          () -> {
            tls.renew();
            warned = Instant.EPOCH; // what was said of the one before is not said of this one
          });
    }
  }

  /** Once a day, and of each new one. */
  private void warnOfCertificate() {
    Instant now = Instant.now();
    if (warned.plus(Duration.ofDays(1)).isBefore(now)) {
      Optional<String> warning = serverState.tls().flatMap(tls -> tls.warning(now));
      warning.ifPresent(say);
      warned = warning.isPresent() ? now : warned;
    }
  }

  private boolean isDue(Path file) {
    Again next = again.get(file);
    return next != null && System.nanoTime() - next.at() >= 0;
  }

  private void later(Path file) {
    Duration pause =
        Optional.ofNullable(again.get(file)).map(a -> a.pause().multipliedBy(2)).orElse(LOOK_AGAIN);
    Duration most = pause.compareTo(BETWEEN_ROUNDS) > 0 ? BETWEEN_ROUNDS : pause;
    again.put(file, new Again(System.nanoTime() + most.toNanos(), most));
  }

  /** By what is configured, whether what stands there now is what is used. */
  private Map<String, Boolean> reloads() {
    Map<String, Boolean> all = new HashMap<>();
    all.put("users", !refused.containsKey("users"));
    serverState
        .tls()
        .filter(tls -> !tls.files().isEmpty())
        .ifPresent(tls -> all.put("certificate", !refused.containsKey("certificate")));
    engines.forEach(
        (policy, engine) ->
            all.put(
                engine.name(),
                !refused.containsKey(policy.toString()) && engine.trouble().isEmpty()));
    return all;
  }

  private void reload(Path policy, ReloadableEngine engine) {
    String now = states(policy);
    boolean same = now.equals(seen.put(policy, now)) & !isDue(policy);
    boolean free;
    try {
      // Where something still runs on a file that was replaced, the next look tries again.
      free = !(same && engine.stands()) && engine.leaveMoved();
    } catch (RuntimeException e) {
      unexpected(policy.toString(), policy, e);
      return;
    }
    if (free) {
      attempt(
          policy.toString(),
          policy,
          () -> {
            exchange(policy, engine);
            used.put(policy, now);
          });
    }
  }

  /** Lets the watches look whose turn has come; done by itself twice a minute. */
  public void round() {
    rounds.round();
  }

  private static void users(ServerState serverState, Users users) {
    serverState.served().updateAndGet(s -> new ServerState.Served(users, s.offers()));
  }

  private void exchange(Path policy, ReloadableEngine engine) {
    GatewayEngine opened =
        GatewayEngine.open(policy, options.ledger(), options.timeout(), options.patience());
    if (closing) {
      opened.close();
      return;
    }
    engine.change(opened, catalogues.of(opened.policy()));
    if (closing) {
      engine.close(); // the one that was there is closed by whoever closes this
    }
  }

  private void attempt(String what, Path file, Runnable change) {
    try {
      change.run();
    } catch (Failure e) {
      later(file);
      refuse(what, file, e.codeName() + ": " + told(e));
      return;
    } catch (RuntimeException e) {
      unexpected(what, file, e);
      return;
    }
    refused.remove(what);
    again.remove(file);
    say.accept("reloaded " + what);
  }

  /** What is wrong, and what to do about it. */
  static String told(Failure e) {
    String end = e.message().endsWith(".") ? " " : ". ";
    return e.message() + (e.hint().isEmpty() ? "" : end + e.hint());
  }

  /** Logs an unexpected fault once; what failed is tried again with every round. */
  private void unexpected(String what, Path file, RuntimeException e) {
    later(file);
    if (!e.toString().equals(refused.get(what))) {
      serverState.log().failure("reload of " + what, e);
    }
    refuse(what, file, e.toString());
  }

  /** A file that was replaced is tried again with every look, and said once. */
  private void refuse(String what, Path file, String why) {
    if (!why.equals(refused.put(what, why))) {
      boolean same = states(file).equals(used.get(file));
      say.accept(
          same
              ? what + " did not change and cannot be opened anew (" + why + "); it is tried again"
              : "cannot use the new " + what + " (" + why + "); the old stays");
    }
  }

  private boolean look(Path file) {
    String now = state(file);
    return !now.equals(seen.put(file, now));
  }

  /** The policy and what was measured: either may change. */
  private static String states(Path policy) {
    return state(policy) + state(flexdp.gateway.collect.MetricsFile.beside(policy));
  }

  private static String state(Path file) {
    try {
      return Files.exists(file)
          ? Files.getLastModifiedTime(file) + "/" + Files.size(file) + ";"
          : "none;";
    } catch (IOException e) {
      return "unreadable;";
    }
  }

  /** Answers in flight finish and are settled. */
  @Override
  public void close() {
    closing = true;
    watcher.interrupt();
    health.close();
    rounds.close();
    console.ifPresent(HttpApi::close);
    server.close();
    engines.values().forEach(ReloadableEngine::close);
    catalogues.close();
    serverState.audit().close();
  }
}
