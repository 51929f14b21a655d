package flexdp.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.collect.MetricsFile;
import flexdp.gateway.demo.Hospital;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code collect --release} where people own rows, and what is said before asking from then on. */
class CollectProfilesTest {

  @TempDir Path folder;
  private Path policy;
  private String out = "";
  private String err = "";

  @BeforeEach
  void create() throws Exception {
    String url = "jdbc:duckdb:" + folder.resolve("hospital.duckdb");
    try (Connection connection = DriverManager.getConnection(url)) {
      new Hospital(1_000).create(connection);
    }
    policy = folder.resolve("hospital.yaml");
    Files.writeString(policy, Hospital.policy(url));
  }

  private int run(String... words) {
    StringWriter said = new StringWriter();
    StringWriter complained = new StringWriter();
    List<String> all = new ArrayList<>(List.of(words));
    all.add(words.length > 0 && words[0].equals("budget") ? 2 : 1, "--policy");
    all.add(words.length > 0 && words[0].equals("budget") ? 3 : 2, policy.toString());
    int code =
        Main.run(new PrintWriter(said), new PrintWriter(complained), all.toArray(String[]::new));
    out = said.toString();
    err = complained.toString();
    return code;
  }

  @Test
  void profilesAreReleasedOnceAndForetellFromThenOn() throws Exception {
    String count = "SELECT COUNT(*) AS n FROM visit";
    assertEquals(0, run("collect"), err);
    assertEquals(0, run("explain", count), err);
    assertFalse(out.contains("released numbers"), out);
    assertEquals(0, run("collect", "--release", "--release-epsilon", "2"), err);
    assertTrue(out.contains("profile of visit: about "), out);
    assertTrue(out.contains("profile of visit.charge: about "), out);
    assertTrue(out.contains("each its share"), out);
    assertEquals(0, run("explain", count), err);
    assertTrue(out.contains("by released numbers, τ about"), out);
    assertEquals(0, run("explain", "--epsilon", "0.001", count), err);
    assertTrue(out.contains("warning: n: it will be noise: the noise is about ±"), out);
    String before = left();
    assertEquals(3, run("ask", "--epsilon", "0.001", "--noise-limit", "100%", count), out);
    assertTrue(err.contains("TOO_NOISY") && err.contains("Nothing was charged"), err);
    assertEquals(before, left());
    assertEquals(0, run("ask", "--epsilon", "0.001", count), err);
    assertTrue(err.contains("warning: n: it will be noise"), err);
    Path released = folder.resolve("hospital.released.json");
    List<Object> profiles = MetricsFile.profiles(released);
    assertTrue(profiles.size() > 3, profiles.toString());
    assertEquals(0, run("collect"), err);
    assertEquals(profiles, MetricsFile.profiles(released));
    assertEquals(0, run("explain", count), err);
    assertTrue(out.contains("by released numbers"), out);
  }

  private String left() {
    assertEquals(0, run("budget", "show"), err);
    return out;
  }
}
