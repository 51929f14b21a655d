package flexdp.server.connection;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.security.spec.PKCS8EncodedKeySpec;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
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

  /**
   * A key and its certificates as they stand in files, found to belong together.
   *
   * @param chain the server's own first
   */
  record PemFiles(PrivateKey key, List<? extends Certificate> chain) {
    private static final Pattern PKCS8 =
        Pattern.compile("(?s)-----BEGIN PRIVATE KEY-----(.*?)-----END PRIVATE KEY-----");

    static PemFiles read(Path certificates, Path key) {
      List<? extends Certificate> chain = chain(certificates);
      PublicKey own = chain.getFirst().getPublicKey();
      PrivateKey secret = key(key, own.getAlgorithm());
      if (!belongTogether(own, secret)) {
        throw ConfigurationError.of(
            Code.BAD_USAGE,
            "the key " + key + " is not that of the certificate " + certificates,
            "Give the key that the certificate was made for; the server's own certificate stands"
                + " first in its file.");
      }
      return new PemFiles(secret, chain);
    }

    private static List<? extends Certificate> chain(Path file) {
      try {
        List<? extends Certificate> chain =
            List.copyOf(
                CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(Files.readAllBytes(file))));
        if (!chain.isEmpty()) {
          return chain;
        }
      } catch (IOException e) {
        throw unreadable("certificate", file);
      } catch (GeneralSecurityException e) {
        // Said below: there is none that can be read.
      }
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "the certificate " + file + " holds no certificate that can be read",
          "It is a file of PEM: -----BEGIN CERTIFICATE-----");
    }

    private static PrivateKey key(Path file, String algorithm) {
      String pem;
      try {
        pem = Files.readString(file, StandardCharsets.ISO_8859_1);
      } catch (IOException e) {
        throw unreadable("key", file);
      }
      Matcher body = PKCS8.matcher(pem);
      if (!body.find()) {
        throw ConfigurationError.of(
            Code.BAD_USAGE,
            "the key " + file + " is not PEM of PKCS #8" + kind(pem),
            "Convert it: openssl pkcs8 -topk8 -nocrypt -in " + file + " -out " + file + ".pk8");
      }
      try {
        byte[] bytes = Base64.getMimeDecoder().decode(body.group(1));
        return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(bytes));
      } catch (GeneralSecurityException | IllegalArgumentException e) {
        throw ConfigurationError.of(
            Code.BAD_USAGE,
            "the key "
                + file
                + " cannot be read as one of "
                + algorithm
                + ", as its certificate is",
            "Give the key that the certificate was made for.");
      }
    }

    private static String kind(String pem) {
      if (pem.contains("BEGIN ENCRYPTED PRIVATE KEY") || pem.contains("Proc-Type: 4,ENCRYPTED")) {
        return ": it is encrypted";
      }
      return pem.contains("BEGIN RSA PRIVATE KEY")
          ? ": it is PKCS #1"
          : pem.contains("BEGIN EC PRIVATE KEY") ? ": it is SEC 1" : "";
    }

    private static ConfigurationError unreadable(String what, Path file) {
      return ConfigurationError.of(
          Code.BAD_USAGE,
          "the " + what + " " + file + " cannot be read",
          "See that the file is there and that the server's user may read it.");
    }

    /** Whether what one signs the other takes; of kinds that are not known here it is taken so. */
    private static boolean belongTogether(PublicKey open, PrivateKey secret) {
      Optional<String> algorithm =
          switch (open.getAlgorithm()) {
            case "RSA" -> Optional.of("SHA256withRSA");
            case "EC" -> Optional.of("SHA256withECDSA");
            case "EdDSA", "Ed25519", "Ed448" -> Optional.of("EdDSA");
            default -> Optional.empty();
          };
      if (algorithm.isEmpty()) {
        return true;
      }
      byte[] text = "flexdp".getBytes(StandardCharsets.US_ASCII);
      try {
        Signature signing = Signature.getInstance(algorithm.get());
        signing.initSign(secret);
        signing.update(text);
        byte[] signed = signing.sign();
        Signature checking = Signature.getInstance(algorithm.get());
        checking.initVerify(open);
        checking.update(text);
        return checking.verify(signed);
      } catch (GeneralSecurityException e) {
        return false;
      }
    }
  }

  /**
   * A certificate for localhost that signs itself (RFC 5280), since the JDK makes none: P-256,
   * valid for a year.
   */
  record SelfSigned(PrivateKey key, X509Certificate certificate) {
    private static final byte[] ECDSA_SHA256 = HexFormat.of().parseHex("06082a8648ce3d040302");
    private static final byte[] COMMON_NAME = HexFormat.of().parseHex("0603550403");
    private static final byte[] ALTERNATIVE_NAME = HexFormat.of().parseHex("0603551d11");
    private static final byte[] LOOPBACK = {127, 0, 0, 1};

    static SelfSigned make() throws GeneralSecurityException, IOException {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      KeyPair pair = generator.generateKeyPair();
      byte[] name = der(0x30, der(0x31, der(0x30, COMMON_NAME, der(0x0c, ascii("flexdp")))));
      byte[] names = der(0x30, der(0x82, ascii("localhost")), der(0x87, LOOPBACK));
      byte[] content =
          der(
              0x30,
              der(0xa0, der(0x02, new byte[] {2})),
              der(0x02, BigInteger.valueOf(System.currentTimeMillis()).toByteArray()),
              der(0x30, ECDSA_SHA256),
              name,
              der(0x30, time(-1), time(365)),
              name,
              pair.getPublic().getEncoded(),
              der(0xa3, der(0x30, der(0x30, ALTERNATIVE_NAME, der(0x04, names)))));
      Signature signature = Signature.getInstance("SHA256withECDSA");
      signature.initSign(pair.getPrivate());
      signature.update(content);
      byte[] signed = signature.sign();
      byte[] bits = new byte[signed.length + 1];
      System.arraycopy(signed, 0, bits, 1, signed.length);
      byte[] whole = der(0x30, content, der(0x30, ECDSA_SHA256), der(0x03, bits));
      X509Certificate certificate =
          (X509Certificate)
              CertificateFactory.getInstance("X.509")
                  .generateCertificate(new ByteArrayInputStream(whole));
      return new SelfSigned(pair.getPrivate(), certificate);
    }

    private static byte[] time(int days) {
      ZonedDateTime at = ZonedDateTime.now(ZoneOffset.UTC).plusDays(days);
      return der(0x18, ascii(DateTimeFormatter.ofPattern("yyyyMMddHHmmss'Z'").format(at)));
    }

    private static byte[] ascii(String text) {
      return text.getBytes(StandardCharsets.US_ASCII);
    }

    private static byte[] der(int tag, byte[]... parts) {
      ByteArrayOutputStream body = new ByteArrayOutputStream();
      for (byte[] part : parts) {
        body.writeBytes(part);
      }
      ByteArrayOutputStream all = new ByteArrayOutputStream();
      all.write(tag);
      int length = body.size();
      if (length < 128) {
        all.write(length);
      } else if (length < 256) {
        all.write(0x81);
        all.write(length);
      } else {
        all.write(0x82);
        all.write(length >> 8);
        all.write(length);
      }
      all.writeBytes(body.toByteArray());
      return all.toByteArray();
    }
  }
}
