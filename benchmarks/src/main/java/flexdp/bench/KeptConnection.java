package flexdp.bench;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Locale;

/**
 * A client that sends each request in one piece over one connection, as browsers do, and nothing
 * else: the JDK's own waits a millisecond for the server to hang up before it uses a connection
 * again, which would be measured as the server's.
 */
final class KeptConnection implements AutoCloseable {
  private final Socket socket;
  private final InputStream in;
  private final String host;
  private final String token;

  KeptConnection(URI page, String token) throws IOException {
    this.socket = new Socket(page.getHost(), page.getPort());
    this.socket.setTcpNoDelay(true);
    this.in = new BufferedInputStream(socket.getInputStream());
    this.host = page.getAuthority();
    this.token = token;
  }

  /** The body of the answer to a question. */
  byte[] post(String path, String sql) throws IOException {
    byte[] body = ("{\"sql\": \"" + sql + "\"}").getBytes(StandardCharsets.UTF_8);
    String head =
        "POST "
            + path
            + " HTTP/1.1\r\nHost: "
            + host
            + "\r\nAuthorization: Bearer "
            + token
            + "\r\nContent-Type: application/json\r\nContent-Length: "
            + body.length
            + "\r\n\r\n";
    ByteArrayOutputStream request = new ByteArrayOutputStream();
    request.writeBytes(head.getBytes(StandardCharsets.US_ASCII));
    request.writeBytes(body);
    socket.getOutputStream().write(request.toByteArray());
    String status = line();
    int length = 0;
    boolean chunked = false;
    for (String header = line(); !header.isEmpty(); header = line()) {
      String small = header.toLowerCase(Locale.ROOT);
      if (small.startsWith("content-length:")) {
        length = Integer.parseInt(small.substring(15).strip());
      }
      chunked |= small.equals("transfer-encoding: chunked");
    }
    byte[] answer = chunked ? chunks() : in.readNBytes(length);
    if (!status.startsWith("HTTP/1.1 200")) {
      throw new IOException(sql + ": " + new String(answer, StandardCharsets.UTF_8));
    }
    return answer;
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    for (int size = size(); size > 0; size = size()) {
      all.writeBytes(in.readNBytes(size));
      line();
    }
    line();
    return all.toByteArray();
  }

  private int size() throws IOException {
    return Integer.parseInt(line(), 16);
  }

  private String line() throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c != '\n'; c = in.read()) {
      if (c < 0) {
        throw new EOFException();
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
