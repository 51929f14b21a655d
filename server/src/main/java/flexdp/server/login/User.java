package flexdp.server.login;

import java.util.Map;
import java.util.Set;

/**
 * Somebody who may log in.
 *
 * @param salt of all their secrets: which one is meant shows only at the end of a login
 * @param secrets by name: {@code password}, or that of a token
 * @param databases which policies they may ask about; none stands for all
 */
public record User(
    String name,
    Right right,
    byte[] salt,
    Map<String, SecretVerifier> secrets,
    Set<String> databases) {
  /** The name of the secret that a person types. */
  public static final String PASSWORD = "password";

  /** What somebody may do. */
  public enum Right {
    /** Asks questions. */
    ANALYST,
    /** Sees everybody's history as well. */
    OWNER
  }

  public User {
    secrets = Map.copyOf(secrets);
    databases = Set.copyOf(databases);
  }

  public boolean mayAsk(String database) {
    return databases.isEmpty() || databases.contains(database);
  }

  @Override
  public String toString() {
    return "User[" + name + ", " + right + "]";
  }
}
