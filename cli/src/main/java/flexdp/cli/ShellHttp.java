package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Asks a server over its HTTP API. */
final class ShellHttp implements ShellSource {
  private final RemoteServer server;
  private final Optional<String> database;
  private final JsonNode schema;

  private ShellHttp(RemoteServer server, Optional<String> database) {
    this.server = server;
    this.database = database;
    this.schema = read("/v1/schema");
  }

  static ShellHttp open(RemoteServer server, Optional<String> database) {
    return new ShellHttp(server, database);
  }

  private JsonNode read(String path) {
    String query = database.map(name -> "?database=" + RemoteServer.encoded(name)).orElse("");
    return RemoteServer.read(server.get(path + query).body());
  }

  private ObjectNode question(String sql, ShellSettings settings) {
    ObjectNode body = server.request().put("sql", sql);
    database.ifPresent(name -> body.put("database", name));
    settings.of(ShellSettings.EPSILON).map(BigDecimal::new).ifPresent(e -> body.put("epsilon", e));
    settings.of(ShellSettings.DELTA).map(BigDecimal::new).ifPresent(d -> body.put("delta", d));
    settings.of(ShellSettings.WITHIN).ifPresent(w -> body.put("within", w));
    return body;
  }

  private JsonNode posted(String path, ObjectNode body) {
    return RemoteServer.read(server.send(path, body).body());
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
    return RemoteText.answer(posted("/v1/ask", question(sql, settings).put("intervals", true)));
  }

  @Override
  public String explain(String sql, ShellSettings settings) {
    JsonNode said = posted("/v1/explain", question(sql, settings));
    if (!said.path("status").asText().equals("accepted")) {
      throw RemoteServer.failure(200, said);
    }
    return RemoteText.explanation(said);
  }

  @Override
  public String budget() {
    return RemoteText.budget(read("/v1/budget"));
  }

  @Override
  public void close() {
    server.close();
  }
}
