package flexdp.server;

import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

/** A client that logs in by SCRAM step by step, so that any of the steps can be done wrongly. */
final class Login implements AutoCloseable {
  /** A FATAL error; the message is its SQLSTATE. */
  static final class Refused extends IOException {
    private static final long serialVersionUID = 1L;

    Refused(String state) {
      super(state);
    }
  }

  final RawClient raw;
  int process;
  int secret;

  private Login(RawClient raw) {
    this.raw = raw;
  }

  static Login of(int port, String user) throws IOException {
    Login login = new Login(new RawClient(port).startup(user));
    login.expect('R');
    String first = "n=,r=abcdefghijklmnop";
    String challenge = login.first("n,," + first);
    login.raw.send('p', proof(first, challenge, Demo.PASSWORD).getBytes(StandardCharsets.US_ASCII));
    for (char type = login.expectAny(); type != 'Z'; type = login.expectAny()) {
      if (type == 'K') {
        java.nio.ByteBuffer key = java.nio.ByteBuffer.wrap(login.raw.body);
        login.process = key.getInt();
        login.secret = key.getInt();
      }
    }
    return login;
  }

  /** Sends the first message; the server's. */
  String first(String message) throws IOException {
    return first(raw, message);
  }

  static String first(RawClient raw, String message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream data = new DataOutputStream(bytes);
    data.write("SCRAM-SHA-256\0".getBytes(StandardCharsets.US_ASCII));
    data.writeInt(message.length());
    data.write(message.getBytes(StandardCharsets.US_ASCII));
    raw.send('p', bytes.toByteArray());
    raw.next();
    return new String(raw.body, 4, raw.body.length - 4, StandardCharsets.US_ASCII);
  }

  private void expect(char type) throws IOException {
    char found = expectAny();
    if (found != type) {
      throw new IOException("expected " + type + ", not " + found);
    }
  }

  private char expectAny() throws IOException {
    char found = raw.next();
    if (found == 'E') {
      throw new Refused(raw.fields().get('C'));
    }
    return found;
  }

  /** The client's last message. */
  static String proof(String first, String challenge, String password) {
    String nonce = challenge.substring(2, challenge.indexOf(','));
    byte[] salt = Base64.getDecoder().decode(challenge.replaceAll(".*,s=([^,]*),.*", "$1"));
    String last = "c=biws,r=" + nonce;
    try {
      PBEKeySpec keys = new PBEKeySpec(password.toCharArray(), salt, 4_096, 256);
      byte[] salted =
          SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(keys).getEncoded();
      byte[] key = hmac(salted, "Client Key");
      byte[] stored = MessageDigest.getInstance("SHA-256").digest(key);
      byte[] signature = hmac(stored, first + "," + challenge + "," + last);
      for (int i = 0; i < key.length; i++) {
        key[i] = (byte) (key[i] ^ signature[i]);
      }
      return last + ",p=" + Base64.getEncoder().encodeToString(key);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] hmac(byte[] key, String text) throws GeneralSecurityException {
    Mac mac = Mac.getInstance("HmacSHA256");
    mac.init(new SecretKeySpec(key, "HmacSHA256"));
    return mac.doFinal(text.getBytes(StandardCharsets.US_ASCII));
  }

  void query(String sql) throws IOException {
    raw.send('Q', (sql + "\0").getBytes(StandardCharsets.UTF_8));
  }

  @Override
  public void close() throws IOException {
    raw.close();
  }
}
