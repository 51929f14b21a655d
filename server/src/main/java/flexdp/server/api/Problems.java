package flexdp.server.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import flexdp.failure.BudgetError;
import flexdp.failure.ConfigurationError;
import flexdp.failure.DatabaseError;
import flexdp.failure.Failure;
import flexdp.failure.LedgerError;
import flexdp.failure.Rejection;
import flexdp.server.http.HttpRefusal;
import flexdp.server.http.Response;
import flexdp.server.session.SqlError;
import java.util.Map;

/** What went wrong, as RFC 9457 has it, with the code and the words of every other way in. */
final class Problems {
  static final String TYPE = "application/problem+json";

  private Problems() {}

  static Response of(HttpRefusal refusal) {
    Response response =
        response(
            refusal.status(),
            refusal.status() < 500 ? "Refused" : "Failed",
            fields(refusal.code(), refusal.getMessage(), refusal.hint()));
    for (Map.Entry<String, String> header : refusal.headers().entrySet()) {
      response = response.with(header.getKey(), header.getValue());
    }
    return response;
  }

  static Response of(Failure failure) {
    return response(status(failure), title(failure), fields(failure));
  }

  /** A question that was given up, or a server that stops. */
  static HttpRefusal of(SqlError error) {
    return error.state().equals("57014")
        ? HttpRefusal.of(409, "CANCELLED", "The question was cancelled.", error.hint())
        : HttpRefusal.of(503, "STOPPING", "The server is stopping.", "Ask again when it is back.");
  }

  private static Response response(int status, String title, ObjectNode fields) {
    ObjectNode problem = Json.object();
    problem.put("type", "urn:flexdp:problem:" + fields.path("code").asText());
    problem.put("title", title).put("status", status);
    problem.put("detail", fields.path("message").asText());
    problem.setAll(fields);
    return Response.text(status, TYPE, problem.toString());
  }

  /** The words of a failure, without what is the owner's business. */
  static ObjectNode fields(Failure failure) {
    boolean ledger = failure instanceof LedgerError;
    ObjectNode fields =
        fields(
            failure.codeName(),
            ledger
                ? "The budget's ledger cannot be used, so nothing is answered."
                : failure.message(),
            ledger ? "" : failure.hint());
    failure.at().ifPresent(at -> fields.put("line", at.line()).put("column", at.column()));
    return fields;
  }

  private static ObjectNode fields(String code, String message, String hint) {
    ObjectNode fields = Json.object().put("code", code).put("message", message);
    return hint.isEmpty() ? fields : fields.put("hint", hint);
  }

  static String title(Failure failure) {
    return switch (failure) {
      case Rejection ignored -> "Rejected";
      case BudgetError ignored -> "Refused";
      case DatabaseError ignored -> "Failed";
      case LedgerError ignored -> "Failed";
      case ConfigurationError ignored -> "Error";
    };
  }

  private static int status(Failure failure) {
    return switch (failure) {
      case Rejection ignored -> 422;
      case BudgetError ignored -> 403;
      case DatabaseError d -> d.isAway() ? 503 : 502;
      case LedgerError ignored -> 503;
      case ConfigurationError c ->
          switch (c.code()) {
            case BAD_REQUEST, BAD_USAGE -> 400;
            case BAD_POLICY, PARTITION_NEIGHBORS, BAD_METRICS -> 422;
            case INTERNAL -> 500;
          };
    };
  }
}
