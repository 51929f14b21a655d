package flexdp.server.login;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;

/** Changes to the file of users. Secrets are made here and returned once; only hashes are kept. */
public final class UsersFile {
  private static final String NAME = "[^\\p{Cntrl}\\s]{1,63}";
  private static final String TOKEN = "[A-Za-z0-9._-]{1,40}";

  private final Path file;

  public UsersFile(Path file) {
    this.file = file;
  }

  public Users read() {
    return Users.read(file);
  }

  private synchronized void change(UnaryOperator<Users> change) {
    change.apply(read()).write(file);
  }

  /**
   * @return the password that was made
   */
  public String add(String name, User.Right right, Set<String> databases) {
    require(name.matches(NAME), "a name has 1 to 63 characters and no white space");
    String password = Secrets.password();
    byte[] salt = Secrets.random(Secrets.SALT);
    Map<String, SecretVerifier> secrets = Map.of(User.PASSWORD, SecretVerifier.of(password, salt));
    change(
        users -> {
          require(users.user(name).isEmpty(), "there is a user " + name + " already");
          return users.with(new User(name, right, salt, secrets, databases));
        });
    return password;
  }

  public void remove(String name) {
    change(
        users -> {
          known(users, name);
          return users.without(name);
        });
  }

  /**
   * @return the password that was made
   */
  public String password(String name) {
    String password = Secrets.password();
    change(users -> users.with(with(known(users, name), User.PASSWORD, password)));
    return password;
  }

  /**
   * @param token what to call it
   * @return the secret that was made
   */
  public String token(String name, String token) {
    require(
        token.matches(TOKEN) && !token.equals(User.PASSWORD),
        "a token's name has letters, digits, dots and dashes");
    String secret = Tokens.make(name);
    change(
        users -> {
          User user = known(users, name);
          require(!user.secrets().containsKey(token), "there is a token of this name already");
          return users.with(with(user, token, secret));
        });
    return secret;
  }

  public void revoke(String name, String token) {
    change(
        users -> {
          User user = known(users, name);
          boolean there = !token.equals(User.PASSWORD) && user.secrets().containsKey(token);
          require(there, name + " has no token " + token);
          Map<String, SecretVerifier> left = new HashMap<>(user.secrets());
          left.remove(token);
          return users.with(
              new User(user.name(), user.right(), user.salt(), left, user.databases()));
        });
  }

  private static User with(User user, String which, String secret) {
    Map<String, SecretVerifier> secrets = new HashMap<>(user.secrets());
    secrets.put(which, SecretVerifier.of(secret, user.salt()));
    return new User(user.name(), user.right(), user.salt(), secrets, user.databases());
  }

  private static User known(Users users, String name) {
    return users
        .user(name)
        .orElseThrow(() -> ConfigurationError.of(Code.BAD_USAGE, "there is no user " + name));
  }

  private static void require(boolean fulfilled, String otherwise) {
    if (!fulfilled) {
      throw ConfigurationError.of(Code.BAD_USAGE, otherwise);
    }
  }
}
