package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server lets watches look by itself, once in each period. */
class WatchSchedulerTest {
  @TempDir Path folder;

  private static String order(String name, String above) {
    return "{\"name\": \"%s\", \"sql\": \"SELECT COUNT(*) FROM trips\", \"above\": %s, \"every\": \"month\"}"
        .formatted(name, above);
  }

  @Test
  void aWatchLooksWithoutBeingAskedTo() throws Exception {
    try (Demo demo = Demo.start(folder, Optional.empty(), "10000")) {
      WebClient ann = demo.web().signIn("ann");
      WebClient ben = demo.web().signIn("ben");
      assertEquals(201, ann.post("/v1/watches", order("never", "1e9")).status());
      assertEquals(201, ben.post("/v1/watches", order("always", "-1e9")).status());
      demo.service().round();
      demo.service().round();
      JsonNode never = ann.get("/v1/watches").json().path("watches");
      assertEquals(1, never.size(), "of others nothing is shown");
      assertEquals(1, never.at("/0/turns").size());
      assertEquals("miss", never.at("/0/turns/0/verdict").asText());
      assertEquals("armed", never.at("/0/state").asText());
      JsonNode always = ben.get("/v1/watches").json().path("watches");
      assertEquals("hit", always.at("/0/turns/0/verdict").asText());
      assertEquals("closed", always.at("/0/state").asText());
      JsonNode audit = demo.web().signIn("owner").get("/v1/owner/audit").json();
      assertTrue(audit.toString().contains("watch-look"), audit.toString());
    }
  }
}
