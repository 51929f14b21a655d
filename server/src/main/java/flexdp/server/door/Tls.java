package flexdp.server.door;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/** The certificate that connections are encrypted with: given, or made when the server starts. */
public final class Tls {
  private static final char[] NO_PASSWORD = new char[0];

  private final SSLContext context;
  private final X509Certificate certificate;

  private Tls(SSLContext context, X509Certificate certificate) {
    this.context = context;
    this.certificate = certificate;
  }

  /**
   * @param certificates as PEM, the server's own first
   * @param key as PEM (PKCS #8)
   */
  public static Tls of(Path certificates, Path key) {
    try {
      List<? extends Certificate> chain =
          List.copyOf(
              CertificateFactory.getInstance("X.509")
                  .generateCertificates(
                      new ByteArrayInputStream(Files.readAllBytes(certificates))));
      if (chain.isEmpty()) {
        throw bad(certificates, "holds no certificate");
      }
      X509Certificate own = (X509Certificate) chain.getFirst();
      String pem = Files.readString(key, StandardCharsets.US_ASCII);
      return of(key(pem, own.getPublicKey().getAlgorithm()), chain);
    } catch (IOException | GeneralSecurityException | IllegalArgumentException e) {
      throw bad(certificates, "and " + key + " cannot be used (PEM, the key as PKCS #8)");
    }
  }

  /** With a certificate made for this run. */
  public static Tls selfSigned() {
    try {
      SelfSigned made = SelfSigned.make();
      return of(made.key(), List.of(made.certificate()));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Tls of(PrivateKey key, List<? extends Certificate> chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    store.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
    // The other kind, PKIX, decrypts the key anew for every connection.
    KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
    keys.init(store, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return new Tls(context, (X509Certificate) chain.getFirst());
  }

  private static PrivateKey key(String pem, String algorithm) throws GeneralSecurityException {
    String body =
        pem.replaceAll("(?s).*-----BEGIN PRIVATE KEY-----(.*)-----END PRIVATE KEY-----.*", "$1")
            .replaceAll("\\s", "");
    return KeyFactory.getInstance(algorithm)
        .generatePrivate(new PKCS8EncodedKeySpec(Base64.getDecoder().decode(body)));
  }

  /** Encrypts a connection from here on. */
  public SSLSocket over(Socket socket) throws IOException {
    SSLSocket secure =
        (SSLSocket)
            context
                .getSocketFactory()
                .createSocket(
                    socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
    secure.setUseClientMode(false);
    secure.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    secure.startHandshake();
    return secure;
  }

  /** What a login is bound to (RFC 5929, tls-server-end-point). */
  byte[] endPoint() {
    String algorithm = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
    String hash =
        algorithm.startsWith("SHA384")
            ? "SHA-384"
            : algorithm.startsWith("SHA512") ? "SHA-512" : "SHA-256";
    return digest(hash);
  }

  /** By which people recognise the certificate. */
  public String fingerprint() {
    return "SHA256:" + HexFormat.ofDelimiter(":").withUpperCase().formatHex(digest("SHA-256"));
  }

  private byte[] digest(String hash) {
    try {
      return MessageDigest.getInstance(hash).digest(certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }

  private static ConfigurationError bad(Path file, String what) {
    return ConfigurationError.of(Code.BAD_USAGE, "the certificate " + file + " " + what);
  }
}
