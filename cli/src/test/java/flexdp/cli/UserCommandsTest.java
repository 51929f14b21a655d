package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code user} and {@code token}: who may log in to a server, and with which secrets. */
class UserCommandsTest {
  @TempDir Path folder;

  private Path users;
  private String out;
  private String err;

  @BeforeEach
  void names() {
    users = folder.resolve("flexdp-users.json");
  }

  @Test
  void secretsAreShownOnceAndOnlyHashesAreKept() throws IOException {
    assertEquals(0, run("user", "add", "ann", "--database", "rides"));
    String password = out.strip();
    assertEquals(0, run("token", "create", "ann", "dashboard"));
    String token = out.strip();
    assertTrue(password.length() >= 12 && token.length() >= 32, password + token);
    String kept = Files.readString(users);
    assertFalse(kept.contains(password), kept);
    assertFalse(kept.contains(token), kept);
    assertEquals(0, run("user", "list"));
    assertEquals("ann\tanalyst\trides\tdashboard,password", out.strip());
  }

  @Test
  void tokensAreAddedListedAndRemoved() {
    run("user", "add", "ann");
    run("user", "add", "ben", "--owner");
    assertEquals(0, run("token", "create", "ann", "dashboard"));
    assertEquals(0, run("token", "add", "ben", "report"));
    assertEquals(0, run("token", "add", "ann", "alarm"));
    assertEquals(0, run("token", "list"));
    assertEquals(List.of("ann\talarm", "ann\tdashboard", "ben\treport"), out.lines().toList());
    assertEquals(0, run("token", "remove", "ann", "alarm"));
    assertEquals(0, run("token", "revoke", "ben", "report"));
    assertEquals(0, run("token", "list"));
    assertEquals(List.of("ann\tdashboard"), out.lines().toList());
    assertEquals(2, run("token", "remove", "ann", "alarm"));
    assertTrue(err.contains("ann has no token alarm"), err);
    assertEquals(2, run("token", "remove", "ann", "password"));
    assertEquals(2, run("token", "add", "ann", "dashboard"));
    assertEquals(2, run("token", "add", "nobody", "x"));
    assertTrue(err.contains("there is no user nobody"), err);
  }

  @Test
  void usersAreAddedOnceAndRemoved() {
    assertEquals(0, run("user", "add", "ann"));
    assertEquals(2, run("user", "add", "ann"));
    assertTrue(err.contains("there is a user ann already"), err);
    assertEquals(0, run("user", "password", "ann"));
    assertEquals(0, run("user", "remove", "ann"));
    assertEquals(2, run("user", "remove", "ann"));
    assertEquals(0, run("user", "list"));
    assertEquals("", out);
  }

  private int run(String... words) {
    List<String> all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--users", users.toString()));
    StringWriter to = new StringWriter();
    StringWriter errors = new StringWriter();
    int code = Main.run(new PrintWriter(to), new PrintWriter(errors), all.toArray(String[]::new));
    out = to.toString();
    err = errors.toString();
    return code;
  }
}
