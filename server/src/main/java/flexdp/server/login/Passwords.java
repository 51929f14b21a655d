package flexdp.server.login;

import java.util.Map;
import java.util.Optional;

/** Checks secrets that are sent as they are, over a connection that may carry them. */
public final class Passwords {
  private Passwords() {}

  /**
   * A secret that was right: whose, and which of theirs.
   *
   * @param name {@link User#PASSWORD}, or that of a token
   */
  public record Known(User user, String name, SecretVerifier verifier) {
    /** Whether the secret still opens the door. */
    public Optional<User> in(Users users) {
      return users
          .user(user.name())
          .filter(
              u ->
                  Optional.ofNullable(u.secrets().get(name))
                      .filter(v -> v.storedText().equals(verifier.storedText()))
                      .isPresent());
    }
  }

  /** Takes as long for names that are not known as for others. */
  public static Optional<Known> check(Users users, String name, String secret, byte[] pepper) {
    Optional<User> user = users.user(name);
    byte[] salt = user.map(User::salt).orElseGet(() -> Secrets.unknownSalt(pepper, name));
    String stored = SecretVerifier.of(secret, salt).storedText();
    for (Map.Entry<String, SecretVerifier> entry :
        user.map(User::secrets).orElse(Map.of()).entrySet()) {
      if (Secrets.isSame(entry.getValue().storedText(), stored)) {
        return Optional.of(new Known(user.get(), entry.getKey(), entry.getValue()));
      }
    }
    return Optional.empty();
  }
}
