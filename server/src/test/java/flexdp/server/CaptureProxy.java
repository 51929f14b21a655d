package flexdp.server;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** Stands between a client and a PostgreSQL, and listens to what the client asks. */
final class CaptureProxy implements AutoCloseable {
  /**
   * A statement as it was asked.
   *
   * @param types what the client said of its parameters' types
   * @param values null for NULL
   * @param binary which values are
   * @param bound whether it was asked by the extended protocol with parameters
   */
  record Heard(
      String sql, List<Integer> types, List<byte[]> values, List<Boolean> binary, boolean bound) {}

  private static final int TLS = 80877103;
  private static final int GSS = 80877104;

  private final ServerSocket listener;
  private final int target;
  private final Consumer<Heard> listening;

  CaptureProxy(int target, Consumer<Heard> listening) throws IOException {
    this.target = target;
    this.listening = listening;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  int port() {
    return listener.getLocalPort();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        Socket client = listener.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        return; // closed
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        Socket server = new Socket(InetAddress.getLoopbackAddress(), target)) {
      DataInputStream in = new DataInputStream(client.getInputStream());
      DataOutputStream out = new DataOutputStream(server.getOutputStream());
      byte[] first = body(in);
      while (List.of(TLS, GSS).contains(ByteBuffer.wrap(first).getInt())) {
        client.getOutputStream().write('N');
        first = body(in);
      }
      send(out, first);
      Thread.ofVirtual().start(() -> back(server, client));
      Map<String, Prepared> prepared = new HashMap<>();
      for (int type = in.read(); type >= 0; type = in.read()) {
        byte[] message = body(in);
        hear((char) type, ByteBuffer.wrap(message), prepared);
        out.write(type);
        send(out, message);
      }
    } catch (IOException e) {
      return; // one of them is gone
    }
  }

  private static void back(Socket server, Socket client) {
    try (InputStream in = server.getInputStream()) {
      in.transferTo(client.getOutputStream());
    } catch (IOException e) {
      return; // one of them is gone
    }
  }

  private static byte[] body(DataInputStream in) throws IOException {
    byte[] body = new byte[in.readInt() - 4];
    in.readFully(body);
    return body;
  }

  private static void send(DataOutputStream out, byte[] body) throws IOException {
    out.writeInt(body.length + 4);
    out.write(body);
    out.flush();
  }

  private record Prepared(String sql, List<Integer> types) {}

  private void hear(char type, ByteBuffer body, Map<String, Prepared> prepared) {
    switch (type) {
      case 'Q' -> listening.accept(new Heard(text(body), List.of(), List.of(), List.of(), false));
      case 'P' -> {
        String name = text(body);
        String sql = text(body);
        List<Integer> types = new ArrayList<>();
        for (int n = body.getShort(); n > 0; n--) {
          types.add(body.getInt());
        }
        prepared.put(name, new Prepared(sql, types));
      }
      case 'B' -> {
        text(body);
        Prepared known = prepared.get(text(body));
        if (known != null) {
          listening.accept(bound(known, body));
        }
      }
      default -> {
        // says nothing new
      }
    }
  }

  private static Heard bound(Prepared known, ByteBuffer body) {
    int[] formats = new int[body.getShort()];
    for (int i = 0; i < formats.length; i++) {
      formats[i] = body.getShort();
    }
    List<byte[]> values = new ArrayList<>();
    List<Boolean> binary = new ArrayList<>();
    int count = body.getShort();
    for (int i = 0; i < count; i++) {
      int length = body.getInt();
      byte[] value = length < 0 ? null : new byte[length];
      if (value != null) {
        body.get(value);
      }
      values.add(value);
      binary.add(formats.length > 0 && formats[formats.length == 1 ? 0 : i] == 1);
    }
    return new Heard(known.sql(), known.types(), values, binary, count > 0);
  }

  private static String text(ByteBuffer body) {
    int from = body.position();
    while (body.get() != 0) {
      continue;
    }
    byte[] bytes = Arrays.copyOfRange(body.array(), from, body.position() - 1);
    return new String(bytes, StandardCharsets.UTF_8);
  }

  @Override
  public void close() throws IOException {
    listener.close();
  }
}
