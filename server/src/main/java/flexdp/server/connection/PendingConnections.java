package flexdp.server.connection;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedSet;

/**
 * Connections that have not logged in. There is room for some; when one more comes, another goes:
 * of those who have got least far, of the address that has the most, the one that has waited
 * longest. So a flood, or many who never end their greeting, push out each other, and whoever logs
 * in at an ordinary pace gets through.
 */
final class PendingConnections {
  /** How far somebody has got. */
  enum Step {
    CONNECTED,
    GREETED,
    ANSWERED
  }

  private final int most;
  private final List<Map<InetAddress, SequencedSet<Socket>>> waiting = new ArrayList<>();
  private int count;

  PendingConnections(int most) {
    this.most = most;
    for (int i = 0; i < Step.values().length; i++) {
      waiting.add(new HashMap<>());
    }
  }

  synchronized void add(Socket socket) {
    if (count >= most) {
      waiting.stream()
          .map(PendingConnections::longest)
          .flatMap(Optional::stream)
          .findFirst()
          .ifPresent(this::dismiss);
    }
    put(socket, Step.CONNECTED);
  }

  private static Optional<Socket> longest(Map<InetAddress, SequencedSet<Socket>> step) {
    return step.values().stream()
        .max(Comparator.comparingInt(SequencedSet::size))
        .map(SequencedSet::getFirst);
  }

  /** Whoever goes on is less likely to be sent away. */
  synchronized void reached(Socket socket, Step step) {
    if (remove(socket)) {
      put(socket, step);
    }
  }

  private void put(Socket socket, Step step) {
    waiting
        .get(step.ordinal())
        .computeIfAbsent(socket.getInetAddress(), a -> new LinkedHashSet<>())
        .add(socket);
    count++;
  }

  private void dismiss(Socket socket) {
    remove(socket);
    close(socket);
  }

  /** Whether it was there. */
  synchronized boolean remove(Socket socket) {
    for (Map<InetAddress, SequencedSet<Socket>> step : waiting) {
      SequencedSet<Socket> crowd = step.get(socket.getInetAddress());
      if (crowd != null && crowd.remove(socket)) {
        count--;
        if (crowd.isEmpty()) {
          step.remove(socket.getInetAddress());
        }
        return true;
      }
    }
    return false;
  }

  static void close(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      return; // closed already
    }
  }
}
