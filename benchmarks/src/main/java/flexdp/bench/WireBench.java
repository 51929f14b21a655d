package flexdp.bench;

import flexdp.gateway.FlexDp;
import flexdp.gateway.api.QueryOptions;
import flexdp.gateway.api.QueryRequest;
import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import flexdp.server.login.UsersFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;

/**
 * What the PostgreSQL door adds to asking in the same process, and what it takes: many connections
 * at once, idle ones, the catalogue, several servers on one ledger. Clients run on the same
 * machine, over TLS, as in the demo.
 */
public final class WireBench {
  private static final int WARM_UP = 500;
  private static final int ROUNDS = 300;
  private static final int CONNECTIONS = 64;
  private static final int IDLE = 1_000;
  private static final double WARM_SECONDS = 2;
  private static final double SECONDS = 4;
  private static final String COUNT = "SELECT COUNT(*) FROM users";
  private static final String AFTER = "SELECT COUNT(*) FROM users WHERE id > ";

  private final Results results = new Results("wire", "Asking over the PostgreSQL protocol");
  private final Path work;
  private final Map<String, String> passwords = new HashMap<>();

  private WireBench(Path work) {
    this.work = work;
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args.length > 0 ? args[0] : "benchmarks/results");
    Files.createDirectories(folder);
    Path work = Files.createTempDirectory(folder, "wire");
    try {
      WireBench bench = new WireBench(work);
      bench.run();
      bench.results.write(folder);
    } finally {
      try (var files = Files.walk(work)) {
        for (Path one : files.sorted(Comparator.reverseOrder()).toList()) {
          Files.delete(one);
        }
      }
    }
  }

  private void run() throws Exception {
    Path inside = policy("inside").file();
    AskedPolicy served = policy("served");
    users(served.file());
    if (isWanted("alone")) {
      alone(inside, served.file());
    }
    if (isWanted("crowd")) {
      crowds(served.file());
    }
    if (isWanted("idle")) {
      idle(served.file());
    }
    if (isWanted("catalogue") || isWanted("servers")) {
      try (WirePostgres postgres = WirePostgres.start(work.resolve("postgres"), served.policy())) {
        if (isWanted("catalogue")) {
          describing(served.file(), postgres);
        }
        if (isWanted("servers")) {
          // A ledger elsewhere has to know of all that was answered: these data are new to it.
          Path shared = policy("shared").file();
          users(shared);
          servers(shared, postgres);
        }
      }
    }
  }

  /** All of them, or those that are named, with commas between. */
  private static boolean isWanted(String part) {
    return Arrays.stream(System.getProperty("flexdp.bench.only", "").split(","))
        .anyMatch(part::contains);
  }

  private AskedPolicy policy(String name) throws Exception {
    Path folder = Files.createDirectory(work.resolve(name));
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(20_000, 1).create(file);
    String url = "jdbc:duckdb:" + file;
    AskedPolicy asked = AskedPolicy.write(RideSharing.policy(url), folder.resolve("rides.yaml"));
    asked.collect(url, "");
    return asked;
  }

  private void users(Path policy) {
    Path file = ServiceOptions.usersBeside(policy);
    new Users(List.of()).write(file);
    for (String name : List.of("ann", "ben")) {
      passwords.put(name, new UsersFile(file).add(name, User.Right.ANALYST, Set.of()));
    }
  }

  private Connection connect(int port, int number, boolean simple) throws SQLException {
    String user = number % 2 == 0 ? "ann" : "ben";
    return WireServer.connect(port, user, passwords.get(user), simple);
  }

  private void alone(Path inside, Path served) throws Exception {
    results.say("Milliseconds by the clock, medians of " + ROUNDS + ", one connection by pgjdbc.");
    results.say("");
    results.table("what", "in the process", "over the wire", "added");
    try (FlexDp flexdp = FlexDp.open(inside);
        Service service =
            Service.start(WireServer.options(served, Optional.empty()), System.err::println);
        Connection simple = connect(service.port(), 0, true);
        Connection extended = connect(service.port(), 0, false)) {
      for (boolean plain : List.of(true, false)) {
        Connection connection = plain ? simple : extended;
        String by = plain ? ", simple protocol" : ", extended protocol";
        int shift = plain ? 0 : 1_000_000;
        added(flexdp, connection, "a free repeat" + by, i -> COUNT);
        added(flexdp, connection, "a count that is paid for" + by, i -> AFTER + (shift + i));
        added(
            flexdp,
            connection,
            "a histogram that is paid for" + by,
            i -> "SELECT payment, COUNT(*) FROM trips WHERE id > " + (shift + i) + " GROUP BY 1");
      }
    }
    results.end();
  }

  private void added(FlexDp flexdp, Connection wire, String what, IntFunction<String> text)
      throws SQLException {
    double[] inside = new double[ROUNDS];
    double[] outside = new double[ROUNDS];
    for (int i = -WARM_UP; i < ROUNDS; i++) {
      String sql = text.apply(i + WARM_UP);
      long start = System.nanoTime();
      flexdp.ask(new QueryRequest(sql, QueryOptions.DEFAULT, "ann", Set.of(), false));
      long middle = System.nanoTime();
      WireCrowd.read(wire, sql);
      if (i >= 0) {
        inside[i] = (middle - start) / 1e6;
        outside[i] = (System.nanoTime() - middle) / 1e6;
      }
    }
    double own = WireCrowd.quantile(inside, 0.5);
    double asked = WireCrowd.quantile(outside, 0.5);
    double more = Math.max(0, asked - own);
    results.row(what, Aim.atMost(1, more), own, asked, more);
    results.figure(what, asked, asked, 1.2);
  }

  private void crowds(Path policy) throws Exception {
    try (WireServer server = WireServer.start(policy, Optional.empty())) {
      results.section(CONNECTIONS + " connections of two analysts");
      results.say("Each answer is paid for, its charge on disk before it leaves.");
      results.say("");
      results.table("what", "answers a second", "median, ms", "99 % within, ms");
      warmUp(server);
      same(server, "the same question asked afresh, simple protocol", true);
      same(server, "the same question asked afresh, extended protocol", false);
      constants(
          server,
          "new constants, simple protocol",
          true,
          (connection, i) -> WireCrowd.read(connection, AFTER + i));
      constants(
          server,
          "new constants, as parameters",
          false,
          (connection, i) -> WireCrowd.read(connection, AFTER + "?", i));
      results.end();
    }
  }

  /** Until the compiler has seen the code; a server does this once. */
  private void warmUp(WireServer server) throws Exception {
    new WireCrowd(CONNECTIONS)
        .run(
            i -> fresh(connect(server.port(), i, i % 4 < 2)),
            (connection, i) -> WireCrowd.read(connection, i % 2 == 0 ? COUNT : AFTER + i),
            7 * WARM_SECONDS,
            1);
  }

  private void afresh(Connection connection, int ignored) throws SQLException {
    WireCrowd.read(connection, COUNT);
  }

  private void same(WireServer server, String what, boolean simple) throws Exception {
    WireCrowd.Found found =
        new WireCrowd(CONNECTIONS)
            .run(
                i -> fresh(connect(server.port(), i, simple)), this::afresh, WARM_SECONDS, SECONDS);
    boolean met = found.rate() >= 1000 && found.late() <= 100;
    row(what, new Aim("≥ 1000, 99 % ≤ 100", met), found);
  }

  private void constants(WireServer server, String what, boolean simple, WireCrowd.Deed deed)
      throws Exception {
    WireCrowd.Found found =
        new WireCrowd(CONNECTIONS)
            .run(i -> connect(server.port(), i, simple), deed, WARM_SECONDS, SECONDS);
    row(what, Aim.atLeast(300, found.rate()), found);
  }

  private void row(String what, Aim aim, WireCrowd.Found found) {
    results.row(what, aim, Math.round(found.rate()), found.median(), found.late());
    results.figure(what, 1000 / found.rate(), 1000 / found.rate(), 1.2);
  }

  /** Every answer is a new one. */
  private static Connection fresh(Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET flexdp.fresh = on");
    }
    return connection;
  }

  private void idle(Path policy) throws SQLException, IOException {
    results.section("Idle connections");
    results.say("What the system gives to the server's process, garbage included.");
    results.say("");
    results.table("what", "MB");
    List<Connection> open = new ArrayList<>();
    try (WireServer server = WireServer.start(policy, Optional.empty())) {
      for (int i = 0; i < 20; i++) { // what the first ones make the server load stays
        WireCrowd.read(add(open, server, i), "SELECT 1");
      }
      double before = server.megabytes();
      for (int i = 0; i < IDLE; i++) {
        add(open, server, i);
      }
      double added = server.megabytes() - before;
      results.row(IDLE + " idle connections add", Aim.atMost(200, added), added);
      for (Connection connection : open) {
        connection.close();
      }
    }
    results.end();
  }

  private Connection add(List<Connection> open, WireServer server, int number) throws SQLException {
    Connection connection = connect(server.port(), number, true);
    open.add(connection);
    return connection;
  }

  private void describing(Path policy, WirePostgres postgres) throws Exception {
    results.section("The catalogue");
    results.table("what", "PostgreSQL, ms", "FlexDP, ms");
    try (WireServer server = WireServer.start(policy, Optional.empty())) {
      double[] times =
          PsqlTimes.of(
              new PsqlTimes.Target(postgres.port(), "postgres", ""),
              new PsqlTimes.Target(server.port(), "ann", passwords.get("ann")));
      results.row("`\\d trips` of psql", Aim.times(3, times[0], times[1]), times[0], times[1]);
      results.figure("describing a table", times[1], times[1], 1.2);
    }
    results.end();
  }

  private void servers(Path policy, WirePostgres postgres) throws Exception {
    results.section("Servers on one ledger");
    results.say(
        "All of them, the ledger's PostgreSQL and "
            + CONNECTIONS
            + " clients share the processors of one machine.");
    results.say("");
    results.table("servers", "answers a second", "median, ms", "99 % within, ms");
    String ledger = postgres.ledger("ledger");
    for (int count = 1; count <= 3; count++) {
      several(policy, ledger, count);
    }
    results.end();
  }

  private void several(Path policy, String ledger, int count) throws Exception {
    List<WireServer> servers = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        servers.add(WireServer.start(policy, Optional.of(ledger)));
      }
      WireCrowd.Found found =
          new WireCrowd(CONNECTIONS)
              .run(
                  i -> fresh(connect(servers.get(i % count).port(), i / count, true)),
                  this::afresh,
                  2 * count * WARM_SECONDS, // each has its own compiler
                  SECONDS);
      row(Integer.toString(count), Aim.NONE, found);
    } finally {
      for (WireServer server : servers) {
        server.close();
      }
    }
  }
}
