package flexdp.gateway.trino;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.ConnectException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which failures of Trino say something of the question. The numbers are those of its SPI. */
class TrinoFailuresTest {
  private final TrinoConnector vendor = new TrinoConnector();

  private static SQLException coded(int code) {
    return new SQLException("said by the server", "", code);
  }

  @Test
  void machinesThatAreGoneAreNotHeldAgainstTheQuestion() {
    // TOO_MANY_REQUESTS_FAILED, PAGE_TRANSPORT_ERROR, NO_NODES_AVAILABLE, REMOTE_TASK_ERROR,
    // REMOTE_TASK_MISMATCH, SERVER_SHUTTING_DOWN, SERVER_STARTING_UP, REMOTE_HOST_GONE.
    for (int code : List.of(65_537, 65_539, 65_541, 65_544, 65_545, 65_548, 65_558)) {
      assertTrue(vendor.isLost(coded(code)), () -> "" + code);
      assertFalse(vendor.isTimeout(coded(code)), () -> "" + code);
    }
    // GENERIC_USER_ERROR, DIVISION_BY_ZERO, GENERIC_INTERNAL_ERROR, PAGE_TOO_LARGE, COMPILER_ERROR,
    // and the limits of one statement.
    for (int code :
        List.of(
            0, 8, 65_536, 65_538, 65_540, 65_542, 65_543, 65_547, 65_553, 131_073, 131_075,
            131_079)) {
      assertFalse(vendor.isLost(coded(code)), () -> "" + code);
    }
  }

  @Test
  void limitsOfMemoryAreLimitsLikeThatOfTime() {
    for (int code : List.of(131_073, 131_075, 131_076, 131_077, 131_079, 131_081)) {
      assertTrue(vendor.isTimeout(coded(code)), () -> "" + code);
    }
    assertFalse(vendor.isTimeout(coded(8)));
  }

  @Test
  void aServerThatWasStartedAgainKnowsNothingOfTheStatement() {
    assertTrue(
        vendor.isLost(
            new SQLException(
                "Error executing query",
                new RuntimeException(
                    "Error fetching next at http://trino/v1/statement returned an invalid"
                        + " response: JsonResponse{statusCode=404}"))));
    assertTrue(
        vendor.isLost(
            new SQLException(
                "Error executing query",
                new RuntimeException(new ConnectException("Connection refused")))));
    assertFalse(
        vendor.isLost(new SQLException("Query failed", new RuntimeException("Division by zero"))));
  }
}
