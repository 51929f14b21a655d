package flexdp.server.connection;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Base64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Certificates and keys as they stand in files, right and wrong. */
class TlsTest {
  private static final Base64.Encoder LINES =
      Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));

  @TempDir Path folder;
  private Path certificate;
  private Path key;

  @BeforeEach
  void write() throws Exception {
    certificate = folder.resolve("server.crt");
    key = folder.resolve("server.key");
    write(Tls.SelfSigned.make(), certificate, key);
  }

  private static void write(Tls.SelfSigned made, Path certificate, Path key) throws Exception {
    Files.writeString(certificate, pem("CERTIFICATE", made.certificate().getEncoded()));
    Files.writeString(key, pem("PRIVATE KEY", made.key().getEncoded()));
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN "
        + what
        + "-----\n"
        + LINES.encodeToString(bytes)
        + "\n-----END "
        + what
        + "-----\n";
  }

  private ConfigurationError refused() {
    return assertThrows(ConfigurationError.class, () -> Tls.of(certificate, key));
  }

  @Test
  void aKeyOfAnotherCertificateIsRefusedAtTheStartAndLater() throws Exception {
    Tls tls = Tls.of(certificate, key);
    String before = tls.fingerprint();
    Path other = folder.resolve("other.key");
    write(Tls.SelfSigned.make(), folder.resolve("other.crt"), other);
    Files.copy(other, key, StandardCopyOption.REPLACE_EXISTING);
    assertTrue(refused().message().contains("is not that of the certificate"));
    assertThrows(ConfigurationError.class, tls::renew);
    assertEquals(before, tls.fingerprint());
    Files.copy(folder.resolve("other.crt"), certificate, StandardCopyOption.REPLACE_EXISTING);
    tls.renew();
    assertNotEquals(before, tls.fingerprint());
  }

  @Test
  void otherFormsOfKeysComeWithTheLineThatConvertsThem() throws Exception {
    Files.writeString(key, pem("RSA PRIVATE KEY", new byte[] {1}));
    ConfigurationError error = refused();
    assertTrue(error.message().contains("PKCS #1"), error.message());
    assertTrue(error.hint().contains("openssl pkcs8 -topk8 -nocrypt -in " + key), error.hint());
    Files.writeString(key, pem("EC PRIVATE KEY", new byte[] {1}));
    assertTrue(refused().message().contains("SEC 1"));
    Files.writeString(key, pem("ENCRYPTED PRIVATE KEY", new byte[] {1}));
    assertTrue(refused().message().contains("encrypted"));
    Files.delete(key);
    assertTrue(refused().message().contains("cannot be read"));
  }

  @Test
  void whatExpiresIsSaidBefore() {
    Tls tls = Tls.of(certificate, key);
    assertTrue(tls.isValid(tls.expires().minusSeconds(60)));
    assertFalse(tls.isValid(tls.expires().plusSeconds(60)));
    assertTrue(tls.warning(tls.expires().minus(Duration.ofDays(60))).isEmpty());
    assertTrue(
        tls.warning(tls.expires().minus(Duration.ofDays(2))).orElseThrow().contains("expires at"));
    assertTrue(tls.warning(tls.expires().plusSeconds(60)).orElseThrow().contains("expired at"));
  }
}
