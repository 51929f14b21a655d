package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.server.login.SecretVerifier;
import flexdp.server.login.Tokens;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Secrets for programs, used in place of a password and revoked one by one. */
@Command(
    name = "token",
    description = "Create, list and revoke secrets for programs.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExample:%n",
    footer = {"  flexdp token create ann dashboard"})
final class TokenCommand {
  @Spec CommandSpec spec;

  @Command(
      name = "create",
      aliases = "add",
      mixinStandardHelpOptions = true,
      description =
          "Make a token and print it, once: a password for programs, a bearer's token over HTTP.")
  int create(
      @Parameters(paramLabel = "USER") String name,
      @Parameters(paramLabel = "TOKEN", description = "What to call it.") String token,
      @Option(names = "--users", paramLabel = "FILE", defaultValue = UserCommand.DEFAULT_FILE)
          Path file) {
    Users users = Users.read(file);
    User user = UserCommand.known(users, name);
    if (!token.matches("[A-Za-z0-9._-]{1,40}") || user.secrets().containsKey(token)) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "there is a token of this name, or it is no name",
          "Letters, digits, dots and dashes; not the name of another token.");
    }
    String secret = Tokens.make(name);
    users.with(UserCommand.secret(user, token, secret)).write(file);
    spec.commandLine().getOut().println(secret);
    spec.commandLine().getOut().flush();
    return 0;
  }

  @Command(
      name = "list",
      mixinStandardHelpOptions = true,
      description = "List the tokens by user and name; what they are nobody can show.")
  int list(
      @Option(names = "--users", paramLabel = "FILE", defaultValue = UserCommand.DEFAULT_FILE)
          Path file) {
    PrintWriter out = spec.commandLine().getOut();
    for (User user : Users.read(file).all()) {
      user.secrets().keySet().stream()
          .filter(token -> !token.equals(User.PASSWORD))
          .sorted()
          .forEach(token -> out.println(user.name() + "\t" + token));
    }
    out.flush();
    return 0;
  }

  @Command(
      name = "revoke",
      aliases = "remove",
      mixinStandardHelpOptions = true,
      description = "Revoke a token.")
  int revoke(
      @Parameters(paramLabel = "USER") String name,
      @Parameters(paramLabel = "TOKEN") String token,
      @Option(names = "--users", paramLabel = "FILE", defaultValue = UserCommand.DEFAULT_FILE)
          Path file) {
    Users users = Users.read(file);
    User user = UserCommand.known(users, name);
    if (token.equals(User.PASSWORD) || !user.secrets().containsKey(token)) {
      throw ConfigurationError.of(Code.BAD_USAGE, name + " has no token " + token);
    }
    Map<String, SecretVerifier> secrets = new HashMap<>(user.secrets());
    secrets.remove(token);
    users
        .with(new User(user.name(), user.right(), user.salt(), secrets, user.databases()))
        .write(file);
    return 0;
  }
}
