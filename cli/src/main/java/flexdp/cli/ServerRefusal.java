package flexdp.cli;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.failure.Position;
import java.util.Optional;

/** What a server says instead of an answer, in its own words. */
final class ServerRefusal extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String code;
  private final String hint;
  private final transient Optional<Position> at;

  ServerRefusal(JsonNode body) {
    super(
        body.path("message").asText(body.path("detail").asText("The server refused.")),
        null,
        false,
        false);
    this.code = body.path("code").asText("REFUSED");
    this.hint = body.path("hint").asText("");
    this.at =
        body.path("line").asInt(0) > 0 && body.path("column").asInt(0) > 0
            ? Optional.of(new Position(body.path("line").asInt(), body.path("column").asInt()))
            : Optional.empty();
  }

  /** As the terminal shows it, below the line that it speaks of. */
  String text(String sql) {
    return at.map(p -> ShellError.underlined(sql, p)).orElse("")
        + code
        + ": "
        + at.map(p -> "line " + p + ": ").orElse("")
        + getMessage()
        + "\n"
        + (hint.isEmpty() ? "" : "hint: " + hint + "\n");
  }

  String hint() {
    return hint;
  }
}
