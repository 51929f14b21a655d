package flexdp.server.login;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Random bytes and keyed hashes of logins. Noise has its own source. */
public final class Secrets {
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String MAC = "HmacSHA256";

  /** How many bytes a salt has. */
  public static final int SALT = 16;

  private Secrets() {}

  public static byte[] random(int length) {
    byte[] bytes = new byte[length];
    RANDOM.nextBytes(bytes);
    return bytes;
  }

  public static int randomInt() {
    return RANDOM.nextInt();
  }

  /** A password that nobody has to make up: about 120 bits. */
  public static String password() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random(15));
  }

  /** A name that nobody guesses: 256 bits. */
  public static String key() {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(random(32));
  }

  /** Compares without telling by its time where a difference is. */
  static boolean isSame(String one, String two) {
    return MessageDigest.isEqual(
        one.getBytes(java.nio.charset.StandardCharsets.UTF_8),
        two.getBytes(java.nio.charset.StandardCharsets.UTF_8));
  }

  /** The salt of a name that is not known: always the same one, and nobody can tell. */
  public static byte[] unknownSalt(byte[] pepper, String name) {
    return java.util.Arrays.copyOf(
        hmac(pepper, name.getBytes(java.nio.charset.StandardCharsets.UTF_8)), SALT);
  }

  static byte[] hmac(byte[] key, byte[] data) {
    try {
      Mac mac = Mac.getInstance(MAC);
      mac.init(new SecretKeySpec(key, MAC));
      return mac.doFinal(data);
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  static byte[] sha256(byte[] data) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(data);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }
}
