package flexdp.gateway.trino;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.SQLException;
import java.util.Properties;
import org.junit.jupiter.api.Test;

/** A server that is away is given up: the driver alone would try again for 999 days. */
class TrinoAwayTest {
  @Test
  void aServerThatIsAwayIsGivenUp() throws IOException {
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    TrinoConnector vendor = new TrinoConnector();
    SQLException away =
        assertThrows(
            SQLException.class,
            () ->
                vendor.connect(
                    "jdbc:trino://127.0.0.1:" + port + "/memory/default", new Properties(), false));
    assertTrue(vendor.isLost(away), "" + away);
  }
}
