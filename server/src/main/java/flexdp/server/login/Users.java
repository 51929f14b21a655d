package flexdp.server.login;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** The users' file: names, rights and verifiers, never a secret. It is its owner's alone. */
public final class Users {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FORMAT = "flexdp-users";

  private final Map<String, User> users;

  public Users(Collection<User> users) {
    Map<String, User> byName = new TreeMap<>();
    users.forEach(user -> byName.put(user.name(), user));
    this.users = byName;
  }

  public Optional<User> user(String name) {
    return Optional.ofNullable(users.get(name));
  }

  public List<User> all() {
    return List.copyOf(users.values());
  }

  public boolean isEmpty() {
    return users.isEmpty();
  }

  public Users with(User user) {
    Map<String, User> changed = new TreeMap<>(users);
    changed.put(user.name(), user);
    return new Users(changed.values());
  }

  public Users without(String name) {
    Map<String, User> changed = new TreeMap<>(users);
    changed.remove(name);
    return new Users(changed.values());
  }

  /** Reads a file; one that is not there has nobody in it. */
  public static Users read(Path file) {
    if (!Files.exists(file)) {
      return new Users(List.of());
    }
    try {
      requirePrivate(file);
      JsonNode root = JSON.readTree(Files.readAllBytes(file));
      if (root == null || root.path(FORMAT).asInt() != 1) {
        throw bad(file, "is no file of users");
      }
      List<User> read = new ArrayList<>();
      root.path("users").forEach(node -> read.add(user(node)));
      return new Users(read);
    } catch (IOException | IllegalArgumentException e) {
      throw bad(file, "cannot be read");
    }
  }

  private static void requirePrivate(Path file) throws IOException {
    if (file.getFileSystem().supportedFileAttributeViews().contains("posix")
        && !PosixFilePermissions.toString(Files.getPosixFilePermissions(file)).endsWith("------")) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "the users' file " + file + " can be read by others",
          "Make it yours alone: chmod 600 " + file);
    }
  }

  private static User user(JsonNode node) {
    Map<String, SecretVerifier> secrets = new TreeMap<>();
    node.path("secrets")
        .properties()
        .forEach(
            e ->
                secrets.put(
                    e.getKey(),
                    SecretVerifier.decode(
                        e.getValue().path("stored").asText(),
                        e.getValue().path("server").asText())));
    List<String> databases = new ArrayList<>();
    node.path("databases").forEach(d -> databases.add(d.asText()));
    return new User(
        node.path("name").asText(),
        User.Right.valueOf(node.path("right").asText().toUpperCase(Locale.ROOT)),
        Base64.getDecoder().decode(node.path("salt").asText()),
        secrets,
        java.util.Set.copyOf(databases));
  }

  /** Replaces the file in one stroke; the new one has mode 600 before anything is in it. */
  public void write(Path file) {
    ObjectNode root = JSON.createObjectNode().put(FORMAT, 1);
    var all = root.putArray("users");
    for (User user : users.values()) {
      ObjectNode node = all.addObject().put("name", user.name());
      node.put("right", user.right().name().toLowerCase(Locale.ROOT));
      node.put("salt", Base64.getEncoder().encodeToString(user.salt()));
      ObjectNode secrets = node.putObject("secrets");
      new TreeMap<>(user.secrets())
          .forEach(
              (name, verifier) ->
                  secrets
                      .putObject(name)
                      .put("stored", verifier.storedText())
                      .put("server", verifier.serverText()));
      var databases = node.putArray("databases");
      user.databases().stream().sorted().forEach(databases::add);
    }
    try {
      Path folder = file.toAbsolutePath().getParent();
      Path draft = Files.createTempFile(folder, ".users", ".new"); // mode 600
      Files.write(draft, JSON.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
      Files.move(draft, file, StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw bad(file, "cannot be written");
    }
  }

  private static ConfigurationError bad(Path file, String what) {
    return ConfigurationError.of(Code.BAD_USAGE, "the users' file " + file + " " + what);
  }
}
