package flexdp.gateway.ask;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The bytes of a program, which are what it is known by. */
public final class ProgramModule {
  private final byte[] bytes;
  private final String digest;

  public ProgramModule(byte[] bytes) {
    this.bytes = bytes.clone();
    try {
      this.digest =
          HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(this.bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  public byte[] bytes() {
    return bytes.clone();
  }

  /** The SHA-256 of it, in small hexadecimal digits. */
  public String digest() {
    return digest;
  }
}
