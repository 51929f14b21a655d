package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.server.WebClient.Reply;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The document of the API is what the server does: every example is sent. */
class ApiDocumentTest {
  @TempDir Path folder;
  private final List<String> differences = new ArrayList<>();

  @Test
  void everyExampleOfTheDocumentIsAnsweredInTheShapeThatItShows() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      JsonNode document = demo.web().get("/v1/openapi.json").json();
      assertEquals("3.1.0", document.path("openapi").asText());
      int sent = 0;
      for (Map.Entry<String, JsonNode> path : document.path("paths").properties()) {
        for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
          sent += examples(demo, path.getKey(), operation.getKey(), operation.getValue());
        }
      }
      assertEquals(List.of(), differences);
      assertTrue(sent >= 24, "sent only " + sent);
    }
  }

  private int examples(Demo demo, String path, String method, JsonNode operation) throws Exception {
    WebClient owner = demo.web().signIn("owner");
    boolean open = operation.path("security").isMissingNode();
    JsonNode examples = operation.path("x-examples");
    assertTrue(examples.size() > 0, method + " " + path + " has no example");
    for (JsonNode example : examples) {
      String request =
          example.path("request").isMissingNode() ? "" : example.path("request").toString();
      String what = method + " " + example.path("target").asText() + " " + request;
      Reply reply =
          (open ? demo.web() : owner)
              .send(
                  method.toUpperCase(java.util.Locale.ROOT),
                  example.path("target").asText(),
                  request);
      if (example.path("status").asInt() != reply.status()) {
        differences.add(what + ": " + reply.status() + " " + reply.body());
      } else if (example.path("response").isObject()) {
        compare(what, example.path("response"), reply.json());
      } else {
        assertEquals(example.path("response").asText().isEmpty(), reply.body().isEmpty(), what);
      }
    }
    return examples.size();
  }

  /** Compares keys and kinds of values; of lists the first entry stands for all. */
  private void compare(String what, JsonNode shown, JsonNode real) {
    if (shown.isObject() && real.isObject()) {
      for (Map.Entry<String, JsonNode> entry : shown.properties()) {
        if (entry.getKey().matches("[0-9]+|released")) {
          continue;
        }
        if (!real.has(entry.getKey())) {
          differences.add(what + ": no " + entry.getKey() + " in " + real);
        } else {
          compare(what + "." + entry.getKey(), entry.getValue(), real.get(entry.getKey()));
        }
      }
    } else if (shown.isArray() && real.isArray()) {
      if (!shown.isEmpty() && !real.isEmpty() && shown.get(0).isObject()) {
        compare(what + "[]", shown.get(0), real.get(0));
      }
    } else if (shown.getNodeType() != real.getNodeType() && !shown.isNull() && !real.isNull()) {
      differences.add(what + ": " + shown + " is shown and " + real + " came");
    }
  }

  @Test
  void theDocumentListsEveryRouteOfTheApiAndWhoMayUseIt() throws Exception {
    try (Demo demo = Demo.start(folder)) {
      JsonNode paths = demo.web().get("/v1/openapi.json").json().path("paths");
      Map<String, Integer> ofStrangers = new LinkedHashMap<>();
      Map<String, Integer> ofAnalysts = new LinkedHashMap<>();
      WebClient ann = demo.web().signIn("ann");
      for (Map.Entry<String, JsonNode> path : paths.properties()) {
        for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
          String method = operation.getKey().toUpperCase(java.util.Locale.ROOT);
          JsonNode example = operation.getValue().path("x-examples").path(0);
          String target = example.path("target").asText();
          String body =
              example.path("request").isMissingNode() ? "" : example.path("request").toString();
          String name = method + " " + path.getKey();
          if (operation.getValue().has("security")) {
            ofStrangers.put(name, demo.web().send(method, target, body).status());
          }
          if (operation.getValue().path("description").asText().equals("For owners.")) {
            ofAnalysts.put(name, ann.send(method, target, body).status());
          }
        }
      }
      assertEquals(java.util.Set.of(401), new TreeSet<>(ofStrangers.values()), "" + ofStrangers);
      assertEquals(java.util.Set.of(403), new TreeSet<>(ofAnalysts.values()), "" + ofAnalysts);
      assertTrue(ofAnalysts.size() >= 12, "" + ofAnalysts);
    }
  }
}
