package flexdp.server.door;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;

/**
 * A certificate for localhost that signs itself (RFC 5280), since the JDK makes none: P-256, valid
 * for a year.
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
