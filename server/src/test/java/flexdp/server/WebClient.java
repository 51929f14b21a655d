package flexdp.server;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.LinkedHashMap;
import java.util.Map;

/** Somebody who calls the API: nobody, a person with a cookie, or a program with a token. */
final class WebClient {
  static final ObjectMapper JSON = new ObjectMapper();
  private static final HttpClient CLIENT =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  final URI root;
  private final Map<String, String> headers = new LinkedHashMap<>();

  WebClient(URI root) {
    this.root = root;
  }

  /** What came back. */
  record Reply(HttpResponse<String> response) {
    int status() {
      return response.statusCode();
    }

    String body() {
      return response.body();
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    JsonNode json() {
      try {
        return JSON.readTree(body());
      } catch (JsonProcessingException e) {
        throw new AssertionError(body(), e);
      }
    }

    String code() {
      return json().path("code").asText();
    }
  }

  WebClient with(String name, String value) {
    WebClient other = new WebClient(root);
    other.headers.putAll(headers);
    if (value.isEmpty()) {
      other.headers.remove(name);
    } else {
      other.headers.put(name, value);
    }
    return other;
  }

  /** This client, signed in as a person. */
  WebClient signIn(String user) throws Exception {
    String body = "{\"user\": \"" + user + "\", \"password\": \"" + Demo.PASSWORD + "\"}";
    Reply reply = post("/v1/session", body);
    if (reply.status() != 200) {
      throw new AssertionError(reply.body());
    }
    return with("Cookie", reply.header("set-cookie").split(";")[0])
        .with("X-CSRF-Token", reply.json().path("csrf").asText());
  }

  String header(String name) {
    return headers.get(name);
  }

  WebClient token(String token) {
    return with("Authorization", "Bearer " + token);
  }

  Reply get(String target) throws IOException, InterruptedException {
    return send("GET", target, "");
  }

  Reply post(String target, String body) throws IOException, InterruptedException {
    return send("POST", target, body);
  }

  Reply delete(String target) throws IOException, InterruptedException {
    return send("DELETE", target, "");
  }

  /** A question as JSON text. */
  static String question(String sql) {
    return JSON.createObjectNode().put("sql", sql).toString();
  }

  Reply send(String method, String target, String body) throws IOException, InterruptedException {
    HttpRequest.Builder request = HttpRequest.newBuilder(root.resolve(target));
    headers.forEach(request::header);
    if (!body.isEmpty() && !headers.containsKey("Content-Type")) {
      request.header("Content-Type", "application/json");
    }
    request.method(
        method,
        body.isEmpty()
            ? HttpRequest.BodyPublishers.noBody()
            : HttpRequest.BodyPublishers.ofString(body));
    return new Reply(CLIENT.send(request.build(), HttpResponse.BodyHandlers.ofString()));
  }
}
