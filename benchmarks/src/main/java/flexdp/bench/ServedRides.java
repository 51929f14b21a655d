package flexdp.bench;

import flexdp.gateway.demo.RideSharing;
import flexdp.server.Service;
import flexdp.server.ServiceOptions;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import flexdp.server.login.UsersFile;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The demo's database behind the HTTP door, for one analyst.
 *
 * @param password of ann
 * @param token of hers, for programs
 */
record ServedRides(Service service, String password, String token) implements AutoCloseable {
  private static final int TRIPS = 20_000;

  static ServedRides open(Path folder) throws Exception {
    Path policy = policy(folder);
    Path users = ServiceOptions.usersBeside(policy);
    new Users(List.of()).write(users);
    UsersFile file = new UsersFile(users);
    String password = file.add("ann", User.Right.ANALYST, Set.of());
    String token = file.token("ann", "bench");
    ServiceOptions options =
        new ServiceOptions(
            List.of(policy),
            users,
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofSeconds(60),
            new ServiceOptions.Web(Optional.of(0), false, Map.of()));
    return new ServedRides(Service.start(options, ignored -> {}), password, token);
  }

  /** The database with its policy, measured. */
  static Path policy(Path folder) throws Exception {
    Path file = folder.resolve("rides.duckdb");
    new RideSharing(TRIPS, 1).create(file);
    String url = "jdbc:duckdb:" + file;
    AskedPolicy asked = AskedPolicy.write(RideSharing.policy(url), folder.resolve("rides.yaml"));
    asked.collect(url, "");
    return asked.file();
  }

  URI page() {
    return service.page().orElseThrow();
  }

  @Override
  public void close() {
    service.close();
  }
}
