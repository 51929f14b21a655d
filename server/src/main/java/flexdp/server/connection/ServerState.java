package flexdp.server.connection;

import flexdp.gateway.database.ErrorLog;
import flexdp.server.audit.AuditLog;
import flexdp.server.engine.AdminApi;
import flexdp.server.engine.Engine;
import flexdp.server.engine.RunningQuestions;
import flexdp.server.login.Secrets;
import flexdp.server.login.Throttle;
import flexdp.server.login.Users;
import flexdp.server.session.ServerFacts;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * What all connections share.
 *
 * @param served what may be asked now; exchanged as a whole when the owner changes something
 * @param running what is being answered, whichever door it came through
 * @param workers who do the work of questions, each user with a share of them
 * @param pepper makes the salts of names that are not known, the same as long as the server runs
 * @param tlsRequired whether a login without encryption is refused
 */
public record ServerState(
    AtomicReference<Served> served,
    Optional<Tls> tls,
    boolean tlsRequired,
    Throttle throttle,
    AuditLog audit,
    ErrorLog log,
    RunningQuestions running,
    Workers workers,
    byte[] pepper) {
  /** The users and the policies with their engines and catalogues, by name. */
  public record Served(Users users, Map<String, Offer> offers) {
    public Served {
      offers = Map.copyOf(offers);
    }

    /**
     * The database that a client means; one that leaves the choice gets the only one there is.
     *
     * @param name empty when it named none
     */
    Optional<Offer> offer(String name, String user) {
      Optional<Offer> known = Optional.ofNullable(offers.get(name));
      boolean left = name.isEmpty() || name.equals(user);
      return known.isEmpty() && left && offers.size() == 1
          ? offers.values().stream().findFirst()
          : known;
    }
  }

  /** A policy that is served, and what its owner may do with it. */
  public record Offer(Engine engine, ServerFacts catalogue, AdminApi adminApi) {}

  public static ServerState of(
      Served served,
      Optional<Tls> tls,
      boolean tlsRequired,
      Throttle throttle,
      AuditLog audit,
      ErrorLog log) {
    return new ServerState(
        new AtomicReference<>(served),
        tls,
        tlsRequired,
        throttle,
        audit,
        log,
        new RunningQuestions(),
        new Workers(),
        Secrets.random(32));
  }
}
