package flexdp.server.login;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.text.Normalizer;
import java.util.Base64;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * What is kept of a secret (RFC 5802): enough to check it, not enough to log in with it.
 *
 * @param stored the hash of the client's key
 * @param server the key with which the server shows that it knows the verifier
 */
public record SecretVerifier(byte[] stored, byte[] server) {
  /** PostgreSQL's own number; secrets that we make have no need of more. */
  public static final int ITERATIONS = 4_096;

  public static SecretVerifier of(String secret, byte[] salt) {
    byte[] salted = salted(prepared(secret), salt);
    byte[] client = Secrets.hmac(salted, ascii("Client Key"));
    return new SecretVerifier(Secrets.sha256(client), Secrets.hmac(salted, ascii("Server Key")));
  }

  static SecretVerifier decode(String stored, String server) {
    Base64.Decoder base64 = Base64.getDecoder();
    return new SecretVerifier(base64.decode(stored), base64.decode(server));
  }

  String storedText() {
    return Base64.getEncoder().encodeToString(stored);
  }

  String serverText() {
    return Base64.getEncoder().encodeToString(server);
  }

  /** Whether a proof over these messages was made with the secret. */
  boolean accepts(byte[] proof, byte[] messages) {
    byte[] signature = Secrets.hmac(stored, messages);
    byte[] key = new byte[signature.length];
    for (int i = 0; i < key.length; i++) {
      key[i] = (byte) (signature[i] ^ (i < proof.length ? proof[i] : 0));
    }
    return MessageDigest.isEqual(Secrets.sha256(key), stored) && proof.length == key.length;
  }

  byte[] signature(byte[] messages) {
    return Secrets.hmac(server, messages);
  }

  private static byte[] salted(String secret, byte[] salt) {
    try {
      // The key specification takes characters and encodes them as UTF-8 for this algorithm.
      PBEKeySpec keys = new PBEKeySpec(secret.toCharArray(), salt, ITERATIONS, 256);
      return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256").generateSecret(keys).getEncoded();
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  /** SASLprep as far as it changes what keyboards produce. */
  private static String prepared(String secret) {
    if (secret.chars().allMatch(c -> c < 128)) {
      return secret;
    }
    StringBuilder mapped = new StringBuilder();
    secret
        .codePoints()
        .filter(c -> c != 0x00ad && c != 0x200b && c != 0x2060 && c != 0xfeff)
        .map(c -> Character.getType(c) == Character.SPACE_SEPARATOR ? ' ' : c)
        .forEach(mapped::appendCodePoint);
    return Normalizer.normalize(mapped, Normalizer.Form.NFKC);
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }

  @Override
  public String toString() {
    return "Verifier[not shown]";
  }
}
