package flexdp.server.door;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;

/**
 * The certificate that connections are encrypted with: given, or made when the server starts. One
 * that is given is read again when its files change; connections that are open keep theirs.
 */
public final class Tls {
  private static final char[] NO_PASSWORD = new char[0];

  /** Before it ends, the owner is told. */
  private static final Duration SOON = Duration.ofDays(21);

  private record Present(SSLContext context, X509Certificate certificate) {}

  private final List<Path> files;
  private volatile Present present;

  private Tls(List<Path> files, Present present) {
    this.files = files;
    this.present = present;
  }

  /**
   * @param certificates as PEM, the server's own first
   * @param key as PEM (PKCS #8)
   * @throws ConfigurationError when they cannot be used, or do not belong together
   */
  public static Tls of(Path certificates, Path key) {
    return new Tls(List.of(certificates, key), read(certificates, key));
  }

  /** With a certificate made for this run. */
  public static Tls selfSigned() {
    try {
      SelfSigned made = SelfSigned.make();
      return new Tls(List.of(), of(made.key(), List.of(made.certificate())));
    } catch (GeneralSecurityException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static Present read(Path certificates, Path key) {
    PemFiles pem = PemFiles.read(certificates, key);
    try {
      return of(pem.key(), pem.chain());
    } catch (IOException | GeneralSecurityException e) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "the certificate " + certificates + " and " + key + " cannot be used");
    }
  }

  /**
   * Takes what stands in the files now.
   *
   * @throws ConfigurationError when that cannot be used; what was there before stays
   */
  public void renew() {
    if (!files.isEmpty()) {
      present = read(files.getFirst(), files.getLast());
    }
  }

  /** The files that it was read from; none if it was made. */
  public List<Path> files() {
    return files;
  }

  /** When it ends. */
  public Instant expires() {
    return present.certificate().getNotAfter().toInstant();
  }

  /** Whether clients may take it at a time. */
  public boolean isValid(Instant at) {
    X509Certificate certificate = present.certificate();
    return !at.isBefore(certificate.getNotBefore().toInstant())
        && !at.isAfter(certificate.getNotAfter().toInstant());
  }

  /** What the owner should know of it. */
  public Optional<String> warning(Instant now) {
    if (!isValid(now)) {
      boolean over = now.isAfter(expires());
      return Optional.of(
          over
              ? "the certificate expired at " + expires() + ": clients will refuse it"
              : "the certificate is not valid yet: it begins at "
                  + present.certificate().getNotBefore().toInstant());
    }
    return now.isBefore(expires().minus(SOON)) || files.isEmpty()
        ? Optional.empty()
        : Optional.of("the certificate expires at " + expires());
  }

  private static Present of(PrivateKey key, List<? extends Certificate> chain)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, NO_PASSWORD);
    store.setKeyEntry("server", key, NO_PASSWORD, chain.toArray(Certificate[]::new));
    // The other kind, PKIX, decrypts the key anew for every connection.
    KeyManagerFactory keys = KeyManagerFactory.getInstance("SunX509");
    keys.init(store, NO_PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), null, null);
    return new Present(context, (X509Certificate) chain.getFirst());
  }

  /** Encrypts a connection from here on. */
  public SSLSocket over(Socket socket) throws IOException {
    SSLSocket secure =
        (SSLSocket)
            present
                .context()
                .getSocketFactory()
                .createSocket(
                    socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
    secure.setUseClientMode(false);
    secure.setEnabledProtocols(new String[] {"TLSv1.3", "TLSv1.2"});
    secure.startHandshake();
    return secure;
  }

  /**
   * What a login is bound to (RFC 5929, tls-server-end-point): the certificate that the connection
   * itself was opened with.
   */
  static byte[] endPoint(SSLSocket socket) {
    X509Certificate certificate = (X509Certificate) socket.getSession().getLocalCertificates()[0];
    String algorithm = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
    String hash =
        algorithm.startsWith("SHA384")
            ? "SHA-384"
            : algorithm.startsWith("SHA512") ? "SHA-512" : "SHA-256";
    return digest(certificate, hash);
  }

  /** By which people recognise the certificate. */
  public String fingerprint() {
    return "SHA256:"
        + HexFormat.ofDelimiter(":")
            .withUpperCase()
            .formatHex(digest(present.certificate(), "SHA-256"));
  }

  private static byte[] digest(X509Certificate certificate, String hash) {
    try {
      return MessageDigest.getInstance(hash).digest(certificate.getEncoded());
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(e);
    }
  }
}
