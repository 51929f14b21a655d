package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server shows the manual where a launcher names its folder, and nothing outside of it. */
class ManualTest {
  private static final String PROPERTY = "flexdp.manual";

  @TempDir Path folder;

  @Test
  void pagesOfTheManualAreServedAndTheConsoleLinksThem() throws Exception {
    Path manual = Files.createDirectories(folder.resolve("manual"));
    Files.createDirectories(manual.resolve("pages/more"));
    Files.writeString(manual.resolve("index.html"), "<title>first</title>");
    Files.writeString(manual.resolve("pages/policy.html"), "<title>policy</title>");
    Files.writeString(manual.resolve("pages/more/0001.html"), "<title>decision</title>");
    Files.writeString(folder.resolve("secret.html"), "secret");
    Files.createSymbolicLink(manual.resolve("pages/link.html"), folder.resolve("secret.html"));
    Files.createSymbolicLink(manual.resolve("up"), folder);
    System.setProperty(PROPERTY, manual.toString());
    try (Demo demo = Demo.start(Files.createDirectories(folder.resolve("demo")))) {
      WebClient nobody = demo.web();
      assertTrue(nobody.get("/manual/index.html").body().contains("first"));
      assertTrue(nobody.get("/manual/pages/policy.html").body().contains("policy"));
      WebClient.Reply decision = nobody.get("/manual/pages/more/0001.html");
      assertTrue(decision.body().contains("decision"));
      assertTrue(decision.header("content-security-policy").contains("default-src 'none'"));
      assertTrue(nobody.get("/").body().contains("content=\"manual/index.html\""));
      for (String path :
          List.of(
              "/manual/pages/link.html",
              "/manual/up/secret.html",
              "/manual/%2e%2e/secret.html",
              "/manual/pages/%2e%2e/%2e%2e/secret.html",
              "/manual/pages/..%2f..%2fsecret.html",
              "/manual/pages",
              "/manual/nothing.html")) {
        WebClient.Reply reply = nobody.get(path);
        assertTrue(reply.status() == 404 || reply.status() == 400, path + ": " + reply.body());
      }
    } finally {
      System.clearProperty(PROPERTY);
    }
  }

  @Test
  void withoutAManualThereIsNoLink() throws Exception {
    try (Demo demo = Demo.start(Files.createDirectories(folder.resolve("demo")))) {
      assertTrue(demo.web().get("/").body().contains("name=\"manual\" content=\"\""));
      assertEquals(404, demo.web().get("/manual/index.html").status());
    }
  }
}
