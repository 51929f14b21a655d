package flexdp.server;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;

/** Bytes to and from the door, as a client that keeps to no rules would send them. */
final class RawClient implements AutoCloseable {
  final Socket socket;
  final DataInputStream in;
  final DataOutputStream out;

  RawClient(int port) throws IOException {
    socket = new Socket("127.0.0.1", port);
    socket.setSoTimeout(300_000);
    in = new DataInputStream(socket.getInputStream());
    out = new DataOutputStream(socket.getOutputStream());
  }

  /** A startup message without login. */
  RawClient startup(String user) throws IOException {
    byte[] body = ("user\0" + user + "\0database\0rides\0\0").getBytes(StandardCharsets.UTF_8);
    out.writeInt(8 + body.length);
    out.writeInt(3 << 16);
    out.write(body);
    out.flush();
    return this;
  }

  void send(char type, byte[] body) throws IOException {
    out.writeByte(type);
    out.writeInt(4 + body.length);
    out.write(body);
    out.flush();
  }

  /** The next message of the server: its type. The body is left in {@link #body}. */
  char next() throws IOException {
    char type = (char) in.readByte();
    body = new byte[in.readInt() - 4];
    in.readFully(body);
    return type;
  }

  byte[] body = {};

  /** The fields of an error. */
  Map<Character, String> fields() {
    Map<Character, String> fields = new LinkedHashMap<>();
    for (int i = 0; body[i] != 0; ) {
      int end = i + 1;
      while (body[end] != 0) {
        end++;
      }
      fields.put((char) body[i], new String(body, i + 1, end - i - 1, StandardCharsets.UTF_8));
      i = end + 1;
    }
    return fields;
  }

  /** Whether the server closes the connection without another word. */
  boolean isClosed() throws IOException {
    try {
      while (in.read() >= 0) {
        continue;
      }
      return true;
    } catch (java.net.SocketException e) {
      return true;
    } catch (java.net.SocketTimeoutException e) {
      return false;
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
