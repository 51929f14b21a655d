package flexdp.cli;

import static java.util.stream.Collectors.toMap;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.api.Suggestion;
import flexdp.server.connection.Tls;
import flexdp.server.login.Secrets;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jline.utils.Signals;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Lets analysts ask from their own programs and their own machines. */
@Command(
    name = "serve",
    description = "Answer questions over the PostgreSQL protocol, HTTP and on a web page.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  flexdp serve --demo",
      "  flexdp user add ann --users flexdp-users.json",
      "  flexdp serve --policy rides.yaml --users flexdp-users.json"
    })
final class ServeCommand implements Callable<Integer> {
  /** One protects rows, the other people. */
  private static final List<DemoDatabase> DEMOS =
      List.of(DemoDatabase.rides(20_000, RideSharing.DEFAULT_SEED), DemoDatabase.hospital(10_000));

  /** Questions have a minute to end. */
  private static final Duration STOPPING = Duration.ofSeconds(66);

  /** As the system has it for a process that SIGTERM ended. */
  private static final int STOPPED_HARD = 143;

  @Spec CommandSpec spec;

  @Option(
      names = "--policy",
      paramLabel = "FILE",
      description = "A policy; its name is the name of the database. May be given several times.",
      arity = "1..*")
  List<Path> policies = new ArrayList<>();

  @Option(
      names = "--users",
      paramLabel = "FILE",
      description = "The users' file (default: flexdp-users.json beside the first policy).")
  Path users;

  @Option(
      names = "--ledger",
      paramLabel = "FILE|URL",
      description =
          "The ledger, when it is not NAME.ledger beside the policy; one that several servers"
              + " share is on PostgreSQL.")
  Optional<String> ledger = Optional.empty();

  @Option(
      names = "--listen",
      paramLabel = "ADDRESS",
      description = "Where to listen (default: ${DEFAULT-VALUE}); other than loopback needs TLS.")
  String listen = "127.0.0.1";

  @Option(
      names = "--pg-port",
      paramLabel = "PORT",
      description = "The port of the PostgreSQL protocol (default: ${DEFAULT-VALUE}).")
  int pgPort = 5433;

  @Option(
      names = "--http-port",
      paramLabel = "PORT",
      description = "The port of the HTTP API and the console (default: ${DEFAULT-VALUE}).")
  int httpPort = 8433;

  @Option(
      names = "--http-host",
      paramLabel = "NAME",
      description =
          "A name by which a proxy on this machine, which encrypts, serves the console; may be"
              + " given several times.")
  List<String> httpHosts = new ArrayList<>();

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "A certificate, as PEM.")
  Path certificate;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Its key, as PEM (PKCS #8).")
  Path key;

  @Option(
      names = "--tls-self-signed",
      description = "Make a certificate for this run and print its fingerprint.")
  boolean selfSigned;

  @Option(
      names = "--timeout",
      paramLabel = "SECONDS",
      description = "How long the database may take (default: ${DEFAULT-VALUE}).")
  int timeout = 300;

  @Option(
      names = "--database-wait",
      paramLabel = "SECONDS",
      description =
          "How long a question waits for a database or a ledger that is away, such as while it"
              + " restarts; then it ends with 57P03, or HTTP 503 (default: ${DEFAULT-VALUE}).")
  int patience = 4;

  @Option(
      names = "--demo",
      description =
          "Serve two demo databases (rides, and a hospital whose patients are protected) with two"
              + " analysts and an owner, made for this run and gone with it.")
  boolean demo;

  @Override
  public Integer call() throws Exception {
    PrintWriter out = spec.commandLine().getOut();
    requirePort("--pg-port", pgPort);
    requirePort("--http-port", httpPort);
    if (!demo) {
      return serve(out, List.of(), () -> {});
    }
    List<String> lines = new ArrayList<>();
    TemporaryFolder place = TemporaryFolder.of("flexdp-serve-");
    try {
      prepareDemo(place.path(), lines);
      return serve(out, lines, place);
    } catch (Exception e) {
      place.close();
      throw e;
    }
  }

  /**
   * Until it is stopped.
   *
   * @param after what is closed when the service is
   */
  private Integer serve(PrintWriter out, List<String> lines, AutoCloseable after)
      throws IOException, InterruptedException {
    if (policies.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "no policy is given", "flexdp serve --policy rides.yaml, or --demo");
    }
    Path file = users == null ? ServiceOptions.usersBeside(policies.getFirst()) : users;
    ServiceOptions options =
        new ServiceOptions(
            policies,
            file,
            ledger,
            listen,
            pgPort,
            tls(),
            Duration.ofSeconds(timeout),
            web(),
            Duration.ofSeconds(Math.max(0, patience)));
    Service service = Service.start(options, this::say);
    Signals.register("HUP", service::reloadAll);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform()
                .unstarted(
                    () -> {
                      haltLater(stopped);
                      service.close();
                      closeQuietly(after);
                      stopped.countDown();
                    }));
    out.println("listening on " + listen + ":" + service.port() + " (PostgreSQL protocol)");
    service.page().ifPresent(page -> out.println("console at   " + page));
    service.tls().ifPresent(tls -> out.println("certificate " + tls.fingerprint()));
    String page = service.page().map(Object::toString).orElse("");
    lines.forEach(
        line ->
            out.println(
                line.replace("PORT", Integer.toString(service.port())).replace("PAGE", page)));
    out.flush();
    stopped.await();
    return 0;
  }

  /**
   * The page is served without encryption on this machine's own loopback unless a certificate was
   * asked for: browsers warn of one that is made for the demo.
   */
  private ServiceOptions.Web web() {
    return new ServiceOptions.Web(
        Optional.of(httpPort),
        certificate != null || selfSigned,
        demo
            ? DEMOS.stream().collect(toMap(DemoDatabase::name, ServeCommand::suggested))
            : Map.of(),
        httpHosts.stream().map(n -> n.toLowerCase(Locale.ROOT)).collect(Collectors.toSet()));
  }

  private static List<Suggestion> suggested(DemoDatabase demo) {
    return demo.questions().stream().map(q -> new Suggestion(q.title(), q.sql())).toList();
  }

  private void say(String sentence) {
    PrintWriter err = spec.commandLine().getErr();
    err.println(Instant.now().truncatedTo(ChronoUnit.SECONDS) + " flexdp: " + sentence);
    err.flush();
  }

  private Optional<Tls> tls() {
    // Without one, a password would cross the machine's own loopback in SCRAM's form at worst.
    return given(certificate, key)
        .or(() -> selfSigned || demo ? Optional.of(Tls.selfSigned()) : Optional.empty());
  }

  /** The certificate that is named, if one is. */
  static Optional<Tls> given(Path certificate, Path key) {
    if ((certificate == null) != (key == null)) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "--tls-cert and --tls-key belong together", "Give both or neither.");
    }
    return Optional.ofNullable(certificate).map(file -> Tls.of(file, key));
  }

  private static void requirePort(String option, int port) {
    if (port < 0 || port > 65_535) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          option + ": there is no port " + port,
          "A port is a number from 1 to 65535, or 0 for any that is free.");
    }
  }

  /** Whatever hangs, a server that was told to stop has stopped then; what was charged stays so. */
  private static void haltLater(CountDownLatch stopped) {
    Thread.ofPlatform()
        .daemon()
        .start(
            () -> {
              try {
                if (!stopped.await(STOPPING.toSeconds(), TimeUnit.SECONDS)) {
                  Runtime.getRuntime().halt(STOPPED_HARD);
                }
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            });
  }

  private static void closeQuietly(AutoCloseable after) {
    try {
      after.close();
    } catch (Exception e) {
      // What is left of the demo is among the temporary files; the server has stopped all the same.
    }
  }

  /** The demo's databases, their policies and their people, in a folder. */
  private void prepareDemo(Path place, List<String> lines) throws IOException {
    PrintWriter err = spec.commandLine().getErr();
    for (DemoDatabase database : DEMOS) {
      database.create(err, place);
      database.measure(err, place);
    }
    policies = DEMOS.stream().map(database -> database.policy(place)).toList();
    users = ServiceOptions.usersBeside(policies.getFirst());
    Users all = new Users(List.of());
    List<String> links = new ArrayList<>();
    for (String name : List.of("ann", "ben", "owner")) {
      String password = Secrets.password();
      User.Right right = name.equals("owner") ? User.Right.OWNER : User.Right.ANALYST;
      all = all.with(UserCommand.made(name, right, password, List.of()));
      // The page fills the form in with it; what stands behind # is not sent to any server.
      links.add("  PAGE#/signin?user=" + name + "&password=" + password);
      lines.add(
          (name.equals("ann") ? "\nOr try, in another terminal:\n" : "")
              + "  PGPASSWORD="
              + password
              + " psql -h 127.0.0.1 -p PORT -U "
              + name
              + " rides");
    }
    lines.addFirst("\nOpen in a browser:\n" + String.join("\n", links));
    lines.add("\n  rides=> SELECT status, count(*) FROM trips GROUP BY status;");
    lines.add("  rides=> SELECT * FROM flexdp.budget;");
    lines.add("  rides=> \\c hospital");
    lines.add("  hospital=> SELECT kind, count(*) FROM visit GROUP BY kind;");
    all.write(users);
  }
}
