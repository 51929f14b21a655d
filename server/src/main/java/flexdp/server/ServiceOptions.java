package flexdp.server;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.pause.Breaker;
import flexdp.server.api.Suggestion;
import flexdp.server.connection.Tls;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a server is started with.
 *
 * @param users the users' file
 * @param ledger a ledger that several servers share; otherwise each policy has its own
 * @param pgPort 0 for any that is free
 * @param web the HTTP door
 * @param patience how long a question waits for a database or a ledger whose server is away
 */
public record ServiceOptions(
    List<Path> policies,
    Path users,
    Optional<String> ledger,
    String listen,
    int pgPort,
    Optional<Tls> tls,
    Duration timeout,
    Web web,
    Duration patience) {
  /**
   * The HTTP door.
   *
   * @param port 0 for any that is free; absent without this door
   * @param encrypted whether it uses the certificate; on other addresses than loopback it has to
   * @param suggestions questions to try, by the name of the policy
   * @param names by which a proxy on this machine, which encrypts, is known to browsers
   */
  public record Web(
      Optional<Integer> port,
      boolean encrypted,
      Map<String, List<Suggestion>> suggestions,
      Set<String> names) {
    public static final Web NONE = new Web(Optional.empty(), false, Map.of());

    public Web {
      suggestions = Map.copyOf(suggestions);
      names = Set.copyOf(names);
    }

    /** Without a proxy. */
    public Web(
        Optional<Integer> port, boolean encrypted, Map<String, List<Suggestion>> suggestions) {
      this(port, encrypted, suggestions, Set.of());
    }
  }

  /** With the PostgreSQL door alone. */
  public ServiceOptions(
      List<Path> policies,
      Path users,
      Optional<String> ledger,
      String listen,
      int pgPort,
      Optional<Tls> tls,
      Duration timeout) {
    this(policies, users, ledger, listen, pgPort, tls, timeout, Web.NONE);
  }

  /** With the usual patience. */
  public ServiceOptions(
      List<Path> policies,
      Path users,
      Optional<String> ledger,
      String listen,
      int pgPort,
      Optional<Tls> tls,
      Duration timeout,
      Web web) {
    this(policies, users, ledger, listen, pgPort, tls, timeout, web, Breaker.PATIENCE);
  }

  public ServiceOptions {
    policies = List.copyOf(policies);
    if (policies.isEmpty()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "no policy is given", "flexdp serve --policy rides.yaml");
    }
  }

  /** The file of users that stands beside a policy. */
  public static Path usersBeside(Path policy) {
    return policy.resolveSibling("flexdp-users.json");
  }

  /** What happened at the door, without secrets or data. */
  Path audit() {
    return users.resolveSibling("flexdp-audit.log");
  }

  /** The causes of faults, for the owner alone. */
  Path log() {
    return users.resolveSibling("flexdp-server.log");
  }

  InetAddress address() {
    try {
      return InetAddress.getByName(listen);
    } catch (UnknownHostException e) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "there is no address " + listen, "Write --listen 127.0.0.1");
    }
  }
}
