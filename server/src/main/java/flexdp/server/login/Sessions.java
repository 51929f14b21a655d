package flexdp.server.login;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * People who are signed in, in memory alone: a restart signs everybody out. A session ends with the
 * secret that opened it.
 */
public final class Sessions {
  private static final Duration LONGEST = Duration.ofHours(12);
  private static final Duration IDLE = Duration.ofHours(2);
  private static final int MOST_OF_ONE = 20;
  private static final int MOST = 10_000;

  private final Clock clock;
  private final Map<String, Session> sessions = new ConcurrentHashMap<>();

  /**
   * @param csrf what requests that change something have to repeat
   */
  public record Session(Passwords.Known secret, String csrf, Instant begun, Instant seen) {
    public Instant expires() {
      Instant idle = seen.plus(IDLE);
      Instant last = begun.plus(LONGEST);
      return idle.isBefore(last) ? idle : last;
    }

    /** Whether a request knows what only the page that opened the session was told. */
    public boolean isRepeatedBy(String said) {
      return Secrets.isSame(csrf, said);
    }
  }

  /** A new session and the name under which its owner finds it again. */
  public record Opened(String cookie, Session session) {}

  public Sessions(Clock clock) {
    this.clock = clock;
  }

  public Opened open(Passwords.Known secret) {
    Instant now = clock.instant();
    sessions.values().removeIf(s -> !s.expires().isAfter(now));
    crowded(secret.user().name()).forEach(sessions::remove);
    String cookie = Secrets.key();
    Session session = new Session(secret, Secrets.key(), now, now);
    sessions.put(key(cookie), session);
    return new Opened(cookie, session);
  }

  /** The oldest sessions where there are too many. */
  private List<String> crowded(String user) {
    List<Map.Entry<String, Session>> own =
        sessions.entrySet().stream()
            .filter(
                e -> sessions.size() >= MOST || e.getValue().secret().user().name().equals(user))
            .sorted(Comparator.comparing(e -> e.getValue().seen()))
            .toList();
    int most = sessions.size() >= MOST ? MOST - 1 : MOST_OF_ONE - 1;
    return own.stream().limit(Math.max(0, own.size() - most)).map(Map.Entry::getKey).toList();
  }

  /** The session of a cookie, while the secret that opened it is still one. */
  public Optional<Session> find(String cookie, Users users) {
    Instant now = clock.instant();
    String key = key(cookie);
    Session found = sessions.get(key);
    if (found == null) {
      return Optional.empty();
    }
    if (!found.expires().isAfter(now) || found.secret().in(users).isEmpty()) {
      sessions.remove(key);
      return Optional.empty();
    }
    Session seen = new Session(found.secret(), found.csrf(), found.begun(), now);
    sessions.replace(key, found, seen);
    return Optional.of(seen);
  }

  public void close(String cookie) {
    sessions.remove(key(cookie));
  }

  /** What is kept of a cookie, so that the time of a search tells nothing of it. */
  private static String key(String cookie) {
    return Base64.getEncoder()
        .encodeToString(Secrets.sha256(cookie.getBytes(StandardCharsets.UTF_8)));
  }
}
