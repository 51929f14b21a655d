package flexdp.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Who is let in, and who has to go, when there are many. */
class AdmittanceTest {
  /** A socket from somewhere. */
  private static final class From extends Socket {
    private final InetAddress address;

    From(int address) throws Exception {
      this.address = InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) address});
    }

    @Override
    public InetAddress getInetAddress() {
      return address;
    }
  }

  @Test
  void aCrowdOfOneAddressPushesOutItself() throws Exception {
    PendingConnections pending = new PendingConnections(10);
    Socket alone = new From(1);
    Socket further = new From(2);
    pending.add(alone);
    pending.add(further);
    pending.reached(further, PendingConnections.Step.GREETED);
    List<Socket> crowd = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Socket next = new From(2);
      crowd.add(next);
      pending.add(next);
    }
    assertFalse(alone.isClosed());
    assertFalse(further.isClosed());
    assertEquals(92, crowd.stream().filter(Socket::isClosed).count());
    assertTrue(crowd.getFirst().isClosed());
    assertFalse(crowd.getLast().isClosed());
    assertFalse(pending.remove(crowd.getFirst()));
    assertTrue(pending.remove(alone));
  }

  @Test
  void everybodyHasTheirShareOfConnections() {
    PgServer.ConnectionLimits seats = new PgServer.ConnectionLimits(2);
    assertTrue(seats.take("ann"));
    assertTrue(seats.take("ann"));
    assertFalse(seats.take("ann"));
    assertTrue(seats.take("ben"));
    seats.leave("ann");
    assertTrue(seats.take("ann"));
  }
}
