package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.server.login.SecretVerifier;
import flexdp.server.login.Secrets;
import flexdp.server.login.User;
import flexdp.server.login.Users;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Who may log in to a server. Only verifiers are kept, never a password. */
@Command(
    name = "user",
    description = "Add, remove and list the users of a server, or change a password.",
    mixinStandardHelpOptions = true,
    footerHeading = "%nExamples:%n",
    footer = {
      "  flexdp user add ann --users flexdp-users.json",
      "  flexdp user password ann --password-stdin < secret"
    })
final class UserCommand {
  static final String DEFAULT_FILE = "flexdp-users.json";

  @Spec CommandSpec spec;

  @Command(
      name = "add",
      mixinStandardHelpOptions = true,
      description = "Add a user; prints a password that was made, unless one is given.",
      footer = {"", "Example: flexdp user add ann --database rides"})
  int add(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--owner", description = "May see everybody's history.") boolean owner,
      @Option(
              names = "--database",
              paramLabel = "NAME",
              description = "May ask about this policy only; several times for several.")
          List<String> databases,
      @Option(
              names = "--password-stdin",
              description = "Read the password from stdin instead of making one.")
          boolean stdin,
      @Option(
              names = "--users",
              paramLabel = "FILE",
              defaultValue = DEFAULT_FILE,
              description = "The users' file.")
          Path file)
      throws IOException {
    Users users = Users.read(file);
    if (!name.matches("[^\\p{Cntrl}\\s]{1,63}")) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "a name has 1 to 63 characters and no white space");
    }
    if (users.user(name).isPresent()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "there is a user " + name + " already", "flexdp user password " + name);
    }
    String password = password(stdin);
    User.Right right = owner ? User.Right.OWNER : User.Right.ANALYST;
    users.with(made(name, right, password, databases == null ? List.of() : databases)).write(file);
    shown(stdin, password);
    return 0;
  }

  static User made(String name, User.Right right, String password, List<String> databases) {
    byte[] salt = Secrets.random(Secrets.SALT);
    Map<String, SecretVerifier> secrets = Map.of(User.PASSWORD, SecretVerifier.of(password, salt));
    return new User(name, right, salt, secrets, Set.copyOf(databases));
  }

  @Command(name = "remove", mixinStandardHelpOptions = true, description = "Remove a user.")
  int remove(
      @Parameters(paramLabel = "NAME") String name,
      @Option(
              names = "--users",
              paramLabel = "FILE",
              defaultValue = DEFAULT_FILE,
              description = "The users' file.")
          Path file) {
    Users users = Users.read(file);
    known(users, name);
    users.without(name).write(file);
    return 0;
  }

  @Command(name = "list", mixinStandardHelpOptions = true, description = "List the users.")
  int list(
      @Option(
              names = "--users",
              paramLabel = "FILE",
              defaultValue = DEFAULT_FILE,
              description = "The users' file.")
          Path file) {
    PrintWriter out = spec.commandLine().getOut();
    for (User user : Users.read(file).all()) {
      out.println(
          user.name()
              + "\t"
              + user.right().name().toLowerCase(Locale.ROOT)
              + "\t"
              + (user.databases().isEmpty() ? "all" : String.join(",", user.databases()))
              + "\t"
              + String.join(",", user.secrets().keySet().stream().sorted().toList()));
    }
    out.flush();
    return 0;
  }

  @Command(
      name = "password",
      mixinStandardHelpOptions = true,
      description = "Give a user another password; tokens stay valid.")
  int password(
      @Parameters(paramLabel = "NAME") String name,
      @Option(names = "--password-stdin", description = "Read it from stdin.") boolean stdin,
      @Option(
              names = "--users",
              paramLabel = "FILE",
              defaultValue = DEFAULT_FILE,
              description = "The users' file.")
          Path file)
      throws IOException {
    Users users = Users.read(file);
    User user = known(users, name);
    String password = password(stdin);
    users.with(secret(user, User.PASSWORD, password)).write(file);
    shown(stdin, password);
    return 0;
  }

  static User known(Users users, String name) {
    return users
        .user(name)
        .orElseThrow(() -> ConfigurationError.of(Code.BAD_USAGE, "there is no user " + name));
  }

  static User secret(User user, String which, String secret) {
    Map<String, SecretVerifier> secrets = new HashMap<>(user.secrets());
    secrets.put(which, SecretVerifier.of(secret, user.salt()));
    return new User(user.name(), user.right(), user.salt(), secrets, user.databases());
  }

  private static String password(boolean stdin) throws IOException {
    if (!stdin) {
      return Secrets.password();
    }
    String line =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
    if (line == null || line.length() < 8) {
      throw ConfigurationError.of(Code.BAD_USAGE, "a password has at least 8 characters");
    }
    return line;
  }

  private void shown(boolean stdin, String password) {
    if (!stdin) {
      spec.commandLine().getOut().println(password);
      spec.commandLine().getOut().flush();
    }
  }
}
