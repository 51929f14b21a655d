package flexdp.server.login;

import flexdp.cache.LruCache;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Optional;

/**
 * Secrets of programs that send nothing else. A token says whose it is, so that one check of a
 * secret is enough to refuse it; what was right once is remembered by its hash, since that check is
 * slow on purpose.
 */
public final class Tokens {
  private static final String MARK = "fdp.";
  private static final int REMEMBERED = 1_000;

  private final byte[] pepper;
  private final LruCache<String, Passwords.Known> known = new LruCache<>(REMEMBERED);

  public Tokens(byte[] pepper) {
    this.pepper = pepper.clone();
  }

  /** A new token of somebody; it is a password of theirs for every door. */
  public static String make(String user) {
    return MARK + base64(user) + "." + Secrets.password() + Secrets.password();
  }

  /** Whose token it says it is. */
  public static Optional<String> user(String token) {
    String[] parts = token.split("\\.", -1);
    if (parts.length != 3 || !token.startsWith(MARK)) {
      return Optional.empty();
    }
    try {
      byte[] name = Base64.getUrlDecoder().decode(parts[1]);
      return Optional.of(new String(name, StandardCharsets.UTF_8));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }

  /** The user of a token that was right before and still is; costs nothing. */
  public Optional<User> remembered(Users users, String token) {
    return known.get(key(token)).flatMap(k -> k.in(users));
  }

  /** The user of a token. A person's password is none. */
  public Optional<User> check(Users users, String token) {
    Optional<Passwords.Known> found =
        user(token)
            .flatMap(name -> Passwords.check(users, name, token, pepper))
            .filter(k -> !k.name().equals(User.PASSWORD));
    found.ifPresent(k -> known.put(key(token), k));
    return found.map(Passwords.Known::user);
  }

  private String key(String token) {
    return Base64.getEncoder()
        .encodeToString(Secrets.hmac(pepper, token.getBytes(StandardCharsets.UTF_8)));
  }

  private static String base64(String text) {
    return Base64.getUrlEncoder()
        .withoutPadding()
        .encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
