package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import flexdp.server.WebClient.Reply;
import flexdp.server.login.UsersFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who is signed in, and who only says so. */
class HttpSessionTest {
  private static final String COUNT = WebClient.question("SELECT COUNT(*) FROM trips");

  @TempDir Path folder;

  @Test
  void aCookieIsStrictAndChangesNeedWhatOnlyThePageKnows() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      String login = "{\"user\": \"ann\", \"password\": \"" + Demo.PASSWORD + "\"}";
      Reply in = demo.web().post("/v1/session", login);
      String cookie = in.header("set-cookie");
      assertTrue(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), cookie);
      assertFalse(in.body().contains(cookie.split("[=;]")[1]));
      WebClient ann = demo.web().signIn("ann");
      assertEquals("ann", ann.get("/v1/session").json().path("user").asText());
      assertEquals(200, ann.post("/v1/ask", COUNT).status());
      assertEquals("CSRF", ann.with("X-CSRF-Token", "").post("/v1/ask", COUNT).code());
      assertEquals("CSRF", ann.with("X-CSRF-Token", "x").post("/v1/ask", COUNT).code());
      WebClient ben = demo.web().signIn("ben");
      String foreign = ben.get("/v1/session").json().path("csrf").asText();
      assertEquals("CSRF", ann.with("X-CSRF-Token", foreign).post("/v1/ask", COUNT).code());
      assertEquals(
          "CROSS_SITE", ann.with("Origin", "http://evil.example").post("/v1/ask", COUNT).code());
      assertEquals("CROSS_SITE", ann.with("Origin", "null").post("/v1/ask", COUNT).code());
      assertEquals(
          "CROSS_SITE", ann.with("Sec-Fetch-Site", "cross-site").get("/v1/history").code());
      String own = "http://127.0.0.1:" + demo.web().root.getPort();
      assertEquals(200, ann.with("Origin", own).post("/v1/ask", COUNT).status());
    }
  }

  @Test
  void aSessionEndsWithItsSignOutItsSecretItsUserOrItsServer() throws Exception {
    WebClient left;
    try (Demo demo = Demo.start(folder)) {
      WebClient ann = demo.web().signIn("ann");
      assertEquals(204, ann.delete("/v1/session").status());
      assertEquals("NOT_SIGNED_IN", ann.post("/v1/ask", COUNT).code());
      assertTrue(ann.get("/v1/session").json().path("user").isNull());
      WebClient ben = demo.web().signIn("ben");
      new UsersFile(demo.users).password("ben");
      demo.service().reload();
      assertEquals("NOT_SIGNED_IN", ben.post("/v1/ask", COUNT).code());
      WebClient eve = demo.web().signIn("eve");
      new UsersFile(demo.users).remove("eve");
      demo.service().reload();
      assertEquals("NOT_SIGNED_IN", eve.get("/v1/budget").code());
      left = demo.web().signIn("ann");
    }
    try (Demo again = Demo.start(Files.createDirectory(folder.resolve("again")))) {
      WebClient replayed = again.web();
      for (String header : new String[] {"Cookie", "X-CSRF-Token"}) {
        replayed = replayed.with(header, left.header(header));
      }
      assertEquals("NOT_SIGNED_IN", replayed.post("/v1/ask", COUNT).code());
      String two = left.header("Cookie") + "; " + again.web().signIn("ann").header("Cookie");
      assertEquals(401, again.web().with("Cookie", two).get("/v1/budget").status());
    }
  }

  @Test
  void aTokenIsAProgramsAloneAndEndsWhenItIsRevoked() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      UsersFile users = new UsersFile(demo.users);
      String token = users.token("ann", "notebook");
      demo.service().reload();
      WebClient program = demo.web().token(token);
      assertEquals(200, program.post("/v1/ask", COUNT).status());
      assertEquals("ann", program.get("/v1/session").json().path("user").asText());
      assertEquals(403, program.get("/v1/owner/users").status());
      assertEquals(401, demo.web().token(Demo.PASSWORD).get("/v1/budget").status());
      assertEquals(401, demo.web().token(token + "x").get("/v1/budget").status());
      assertEquals(
          401, demo.web().with("Authorization", "Basic YW5uOng=").get("/v1/budget").status());
      demo.connect("ann", "password", token).close();
      users.revoke("ann", "notebook");
      demo.service().reload();
      Reply revoked = program.post("/v1/ask", COUNT);
      assertEquals(401, revoked.status());
      assertEquals("Bearer", revoked.header("www-authenticate"));
      String audit = Files.readString(folder.resolve("flexdp-audit.log"));
      assertFalse(audit.contains(token) || audit.contains(Demo.PASSWORD));
    }
  }

  @Test
  void wrongPasswordsAndNamesLookAlikeAndAreSlowedDown() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      Reply wrong = demo.web().post("/v1/session", "{\"user\": \"ann\", \"password\": \"x\"}");
      Reply nobody = demo.web().post("/v1/session", "{\"user\": \"zoe\", \"password\": \"x\"}");
      assertEquals("LOGIN_FAILED", wrong.code());
      assertEquals(wrong.body(), nobody.body());
      for (int i = 0; i < 2; i++) {
        demo.web().post("/v1/session", "{\"user\": \"ann\", \"password\": \"x\"}");
      }
      long start = System.nanoTime();
      demo.web().post("/v1/session", "{\"user\": \"ann\", \"password\": \"x\"}");
      assertTrue(System.nanoTime() - start > 300_000_000L * Pause.pace());
    }
  }

  @Test
  void bodiesThatAreNoQuestionsAreRefusedAndNothingIsRun() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      WebClient ann = demo.web().signIn("ann");
      assertEquals(415, ann.with("Content-Type", "text/plain").post("/v1/ask", COUNT).status());
      assertEquals(
          415,
          ann.with("Content-Type", "application/x-www-form-urlencoded")
              .post("/v1/ask", "sql=SELECT+COUNT(*)+FROM+trips")
              .status());
      assertEquals(
          415,
          ann.with("Content-Type", "application/json; charset=utf-16")
              .post("/v1/ask", COUNT)
              .status());
      for (String body :
          new String[] {
            "{",
            "[]",
            "null",
            "{}",
            "{\"sql\": 1}",
            "{\"sql\": \"SELECT 1\", \"sql\": \"SELECT 2\"}",
            "{\"sql\": \"SELECT 1\", \"analyst\": \"ben\"}",
            "{\"sql\": \"SELECT COUNT(*) FROM trips\", \"epsilon\": -1}",
            "{\"sql\": \"SELECT COUNT(*) FROM trips\", \"epsilon\": 1e999999999}",
            "{\"sql\": \"SELECT COUNT(*) FROM trips\", \"delta\": 1}",
            "{\"sql\": \"SELECT COUNT(*) FROM trips\", \"format\": \"xml\"}",
            "{\"sql\": \"SELECT COUNT(*) FROM trips\", \"id\": \"" + "x".repeat(65) + "\"}",
            "[".repeat(100_000),
            "{\"sql\":" + "[".repeat(300) + "]".repeat(300) + "}"
          }) {
        Reply reply = ann.post("/v1/ask", body);
        assertEquals(400, reply.status(), body.substring(0, Math.min(80, body.length())));
        assertEquals("BAD_REQUEST", reply.code());
      }
      assertEquals(400, ann.get("/v1/history?limit=x").status());
      assertEquals(400, ann.get("/v1/history?limits=1").status());
      assertEquals(400, ann.get("/v1/history?limit=1&limit=2").status());
      assertEquals(405, ann.get("/v1/ask").status());
      assertEquals("POST", ann.get("/v1/ask").header("allow"));
      assertEquals(501, ann.send("PATCH", "/v1/ask", COUNT).status());
      assertEquals(0, ann.get("/v1/history").json().path("questions").size());
    }
  }

  @Test
  void whatIsAnsweredIsNeverHtmlAndNeverKept() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      WebClient ann = demo.web().signIn("ann");
      String html = "<script>alert(1)</script>";
      for (Reply reply :
          new Reply[] {
            ann.post("/v1/ask", WebClient.question("SELECT '" + html + "' AS \"" + html + "\"")),
            ann.post("/v1/ask", WebClient.question("SELECT COUNT(*) FROM \"" + html + "\"")),
            ann.post("/v1/explain", WebClient.question("SELECT \"" + html + "\" FROM trips")),
            ann.post("/v1/session", "{\"user\": \"" + html + "\", \"password\": \"x\"}"),
            ann.get("/%3Cscript%3E")
          }) {
        assertTrue(reply.header("content-type").matches("application/(problem\\+)?json"));
        assertEquals("nosniff", reply.header("x-content-type-options"));
        assertEquals("no-store", reply.header("cache-control"));
        assertTrue(reply.header("content-security-policy").startsWith("default-src 'none'"));
      }
    }
  }
}
