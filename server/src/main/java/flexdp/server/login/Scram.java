package flexdp.server.login;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The server's side of one SCRAM-SHA-256 login (RFC 5802, 7677; channel binding by RFC 5929). For a
 * name that is not known every step is the same, with a salt that is the same each time, and the
 * proof fails.
 */
public final class Scram {
  public static final String PLAIN = "SCRAM-SHA-256";
  public static final String PLUS = "SCRAM-SHA-256-PLUS";

  /** A login that does not follow the rules. */
  public static final class Malformed extends RuntimeException {
    private static final long serialVersionUID = 1L;

    Malformed(String message) {
      super(message, null, false, false);
    }
  }

  /** A proof that was accepted. */
  public record Accepted(String secret, byte[] finalMessage) {}

  private final Map<String, SecretVerifier> secrets;
  private final byte[] salt;
  private final Optional<byte[]> certificate;
  private final boolean plus;
  private final String nonce = Base64.getEncoder().encodeToString(Secrets.random(18));
  private String header = "";
  private String clientFirst = "";
  private String serverFirst = "";
  private String wholeNonce = "";

  /**
   * @param user nobody for a name that is not known
   * @param unknownSalt the salt that this name has when it is not known
   * @param certificate the hash of the certificate that the connection is encrypted with
   */
  public Scram(
      Optional<User> user, byte[] unknownSalt, Optional<byte[]> certificate, String mechanism) {
    this.secrets = user.map(User::secrets).orElse(Map.of());
    this.salt = user.map(User::salt).orElse(unknownSalt);
    this.certificate = certificate;
    this.plus = mechanism.equals(PLUS);
    if (plus && certificate.isEmpty() || !plus && !mechanism.equals(PLAIN)) {
      throw new Malformed("client selected an invalid SASL authentication mechanism");
    }
  }

  /** What the server offers. */
  public static List<String> mechanisms(boolean encrypted) {
    return encrypted ? List.of(PLUS, PLAIN) : List.of(PLAIN);
  }

  /** Takes the client's first message and gives the server's. */
  public byte[] first(byte[] message) {
    String text = ascii(message);
    String[] parts = text.split(",", 3);
    if (parts.length < 3 || !parts[1].isEmpty()) {
      throw malformed();
    }
    checkBinding(parts[0]);
    header = parts[0] + "," + parts[1] + ",";
    clientFirst = parts[2];
    Map<Character, String> fields = fields(clientFirst);
    String theirs = fields.getOrDefault('r', "");
    if (fields.containsKey('m') || theirs.isEmpty() || !fields.containsKey('n')) {
      throw malformed();
    }
    wholeNonce = theirs + nonce;
    serverFirst =
        "r="
            + wholeNonce
            + ",s="
            + Base64.getEncoder().encodeToString(salt)
            + ",i="
            + SecretVerifier.ITERATIONS;
    return serverFirst.getBytes(StandardCharsets.US_ASCII);
  }

  /** "y" says that the client could bind and believes that we cannot: somebody took it away. */
  private void checkBinding(String flag) {
    boolean bound = flag.equals("p=tls-server-end-point");
    if (bound != plus) {
      throw malformed();
    }
    if (!bound && !flag.equals("n") && !flag.equals("y")) {
      throw malformed();
    }
    if (flag.equals("y") && certificate.isPresent()) {
      throw new Malformed("SCRAM channel binding negotiation error");
    }
  }

  /** Takes the client's proof; nothing when it is wrong. */
  public Optional<Accepted> last(byte[] message) {
    String text = ascii(message);
    int at = text.lastIndexOf(",p=");
    if (at < 0 || serverFirst.isEmpty()) {
      throw malformed();
    }
    String withoutProof = text.substring(0, at);
    Map<Character, String> fields = fields(withoutProof);
    byte[] proof = decoded(text.substring(at + 3));
    boolean same =
        wholeNonce.equals(fields.get('r'))
            && java.security.MessageDigest.isEqual(
                binding(), decoded(fields.getOrDefault('c', "")));
    if (!same) {
      throw malformed();
    }
    byte[] messages =
        (clientFirst + "," + serverFirst + "," + withoutProof).getBytes(StandardCharsets.US_ASCII);
    // A name that is not known takes the time of one secret.
    new SecretVerifier(new byte[32], new byte[32]).accepts(proof, messages);
    for (Map.Entry<String, SecretVerifier> secret : secrets.entrySet()) {
      if (secret.getValue().accepts(proof, messages)) {
        String signature =
            Base64.getEncoder().encodeToString(secret.getValue().signature(messages));
        return Optional.of(
            new Accepted(secret.getKey(), ("v=" + signature).getBytes(StandardCharsets.US_ASCII)));
      }
    }
    return Optional.empty();
  }

  private byte[] binding() {
    byte[] head = header.getBytes(StandardCharsets.US_ASCII);
    byte[] data = plus ? certificate.orElseThrow() : new byte[0];
    byte[] all = java.util.Arrays.copyOf(head, head.length + data.length);
    System.arraycopy(data, 0, all, head.length, data.length);
    return all;
  }

  private static Map<Character, String> fields(String text) {
    Map<Character, String> fields = new HashMap<>();
    for (String field : text.split(",", -1)) {
      if (field.length() < 2 || field.charAt(1) != '=') {
        throw malformed();
      }
      fields.put(field.charAt(0), field.substring(2));
    }
    return fields;
  }

  private static byte[] decoded(String text) {
    try {
      return Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw malformed();
    }
  }

  private static String ascii(byte[] message) {
    for (byte b : message) {
      if (b < 0x20) {
        throw malformed();
      }
    }
    return new String(message, StandardCharsets.US_ASCII);
  }

  private static Malformed malformed() {
    return new Malformed("malformed SCRAM message");
  }
}
