package flexdp.server.door;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
          "the key " + file + " cannot be read as one of " + algorithm + ", as its certificate is",
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
