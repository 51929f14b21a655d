package flexdp.gateway.json;

import flexdp.failure.ConfigurationError;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/** Lines as bytes, so that what is no UTF-8 is seen, and never longer than memory allows. */
public final class Lines {
  private static final int LONGEST = 32_000_000;

  private final InputStream in;

  public Lines(InputStream in) {
    this.in = new BufferedInputStream(in, 1 << 16);
  }

  /** The next line without its end; nothing at the end of the input. */
  public Optional<byte[]> next() throws IOException {
    ByteArrayOutputStream line = new ByteArrayOutputStream(256);
    boolean any = false;
    boolean tooLong = false;
    int b;
    while ((b = in.read()) >= 0) {
      any = true;
      if (b == '\n') {
        break;
      }
      if (line.size() < LONGEST) {
        line.write(b);
      } else {
        tooLong = true;
      }
    }
    if (tooLong) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_REQUEST, "the line is longer than " + LONGEST + " bytes");
    }
    return any ? Optional.of(line.toByteArray()) : Optional.empty();
  }
}
