package flexdp.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** A body in chunks. One that is not finished shows its reader that it was cut off. */
final class Chunks extends OutputStream {
  private final OutputStream out;
  private final byte[] buffer = new byte[32 * 1024];
  private int filled;

  Chunks(OutputStream out) {
    this.out = out;
  }

  @Override
  public void write(int b) throws IOException {
    if (filled == buffer.length) {
      send();
    }
    buffer[filled++] = (byte) b;
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int at = from;
    int left = length;
    while (left > 0) {
      if (filled == buffer.length) {
        send();
      }
      int some = Math.min(left, buffer.length - filled);
      System.arraycopy(bytes, at, buffer, filled, some);
      filled += some;
      at += some;
      left -= some;
    }
  }

  private void send() throws IOException {
    if (filled > 0) {
      out.write((Integer.toHexString(filled) + "\r\n").getBytes(StandardCharsets.US_ASCII));
      out.write(buffer, 0, filled);
      out.write('\r');
      out.write('\n');
      filled = 0;
    }
  }

  void finish() throws IOException {
    send();
    out.write("0\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
  }
}
