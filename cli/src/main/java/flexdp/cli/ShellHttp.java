package flexdp.cli;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.failure.DatabaseError;
import java.io.IOException;
import java.math.BigDecimal;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks a server over its HTTP API, with a token. */
final class ShellHttp implements ShellSource {
  private static final JsonMapper MAPPER =
      JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

  private final HttpClient client =
      HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(10)).build();
  private final URI server;
  private final String token;
  private final Optional<String> database;
  private final JsonNode schema;

  private ShellHttp(URI server, String token, Optional<String> database) {
    this.server = server;
    this.token = token;
    this.database = database;
    try {
      this.schema = sent(request("/v1/schema" + query()).GET());
    } catch (ServerRefusal e) {
      throw ConfigurationError.of(Code.BAD_USAGE, e.getMessage(), e.hint());
    }
  }

  static ShellHttp open(URI server, String token, Optional<String> database) {
    if (token == null || token.isBlank()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "no token in the environment",
          "Set FLEXDP_TOKEN; an owner makes one with: flexdp token create NAME PURPOSE");
    }
    return new ShellHttp(server, token, database);
  }

  private String query() {
    return database
        .map(name -> "?database=" + URLEncoder.encode(name, StandardCharsets.UTF_8))
        .orElse("");
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(server.resolve(path)).header("Authorization", "Bearer " + token);
  }

  private JsonNode sent(HttpRequest.Builder request) {
    try {
      HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
      JsonNode body = MAPPER.readTree(response.body());
      if (response.statusCode() != 200) {
        throw new ServerRefusal(body);
      }
      return body;
    } catch (JsonProcessingException e) {
      throw DatabaseError.of("The server does not speak as FlexDP does.", "Is it the HTTP port?");
    } catch (IOException e) {
      throw DatabaseError.of("The server cannot be reached.", "Is it running at " + server + "?");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw DatabaseError.of("The question was given up.", "");
    }
  }

  private ObjectNode question(String sql, ShellSettings settings) {
    ObjectNode body = MAPPER.createObjectNode().put("sql", sql);
    database.ifPresent(name -> body.put("database", name));
    settings.of(ShellSettings.EPSILON).map(BigDecimal::new).ifPresent(e -> body.put("epsilon", e));
    settings.of(ShellSettings.DELTA).map(BigDecimal::new).ifPresent(d -> body.put("delta", d));
    settings.of(ShellSettings.WITHIN).ifPresent(w -> body.put("within", w));
    return body;
  }

  private JsonNode posted(String path, ObjectNode body) {
    return sent(
        request(path)
            .header("Content-Type", "application/json")
            .POST(BodyPublishers.ofString(body.toString())));
  }

  @Override
  public List<Table> tables() {
    List<Table> tables = new ArrayList<>();
    for (JsonNode table : schema.path("tables")) {
      List<Column> columns = new ArrayList<>();
      for (JsonNode column : table.path("columns")) {
        List<String> facts = new ArrayList<>();
        if (column.path("unique").asBoolean()) {
          facts.add("unique");
        }
        if (!column.path("nullable").asBoolean(true)) {
          facts.add("not null");
        }
        if (column.path("labels").isArray()) {
          facts.add(column.path("labels").size() + " labels");
        }
        if (column.path("references").isTextual()) {
          facts.add("references " + column.path("references").asText());
        }
        columns.add(
            new Column(
                column.path("name").asText(),
                column.path("type").asText(),
                String.join(", ", facts)));
      }
      String about = table.path("protected").asBoolean() ? "protected" : "public";
      tables.add(new Table(table.path("name").asText(), about, columns));
    }
    return tables;
  }

  @Override
  public List<String> functions() {
    List<String> names = new ArrayList<>();
    schema.path("functions").forEach(f -> names.add(f.asText()));
    return names;
  }

  @Override
  public String ask(String sql, ShellSettings settings) {
    return ShellJson.answer(posted("/v1/ask", question(sql, settings).put("intervals", true)));
  }

  @Override
  public String explain(String sql, ShellSettings settings) {
    JsonNode said = posted("/v1/explain", question(sql, settings));
    if (!said.path("status").asText().equals("accepted")) {
      throw new ServerRefusal(said);
    }
    return ShellJson.explanation(said);
  }

  @Override
  public String budget() {
    return ShellJson.budget(sent(request("/v1/budget" + query()).GET()));
  }

  @Override
  public void close() {
    client.close();
  }
}
