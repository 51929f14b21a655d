package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.failure.ConfigurationError;
import flexdp.server.connection.Tls;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The HTTP door with a certificate, and where it may listen. */
class HttpsTest {
  @TempDir Path folder;

  /** Believes every certificate: the one of the test was made for it. */
  private static final class Trusting implements X509TrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }

  private static ServiceOptions options(Demo demo, String listen, int port, boolean encrypted) {
    return new ServiceOptions(
        List.of(demo.policy),
        demo.users,
        Optional.empty(),
        listen,
        0,
        Optional.of(Tls.selfSigned()),
        Duration.ofMinutes(5),
        new ServiceOptions.Web(Optional.of(port), encrypted, Map.of()));
  }

  @Test
  void aCertificateEncryptsThePageAndItsCookie() throws Exception {
    Demo demo = Demo.start(folder);
    demo.close();
    try (Service service = Service.start(options(demo, "0.0.0.0", 0, false), ignored -> {})) {
      URI page = service.page().orElseThrow();
      assertEquals("https", page.getScheme());
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, new TrustManager[] {new Trusting()}, new SecureRandom());
      HttpsURLConnection connection =
          (HttpsURLConnection) page.resolve("/v1/session").toURL().openConnection();
      connection.setSSLSocketFactory(context.getSocketFactory());
      connection.setHostnameVerifier((host, session) -> true);
      connection.setRequestProperty("Content-Type", "application/json");
      connection.setDoOutput(true);
      try (OutputStream out = connection.getOutputStream()) {
        out.write(
            ("{\"user\": \"ann\", \"password\": \"" + Demo.PASSWORD + "\"}")
                .getBytes(StandardCharsets.UTF_8));
      }
      assertEquals(200, connection.getResponseCode());
      String cookie = connection.getHeaderField("Set-Cookie");
      assertTrue(cookie.startsWith("__Host-flexdp=") && cookie.contains("; Secure"), cookie);
      try (Socket plain = new Socket("127.0.0.1", page.getPort())) {
        plain
            .getOutputStream()
            .write("GET /healthz HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.UTF_8));
        plain.setSoTimeout(300_000);
        assertTrue(
            !new String(plain.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                .contains("ok\n"));
      } catch (IOException e) {
        assertTrue(e.getMessage().contains("reset"), e.getMessage());
      }
    }
  }

  @Test
  void aProxyOnThisMachineIsKnownByTheNamesThatTheOwnerGives() throws Exception {
    Demo demo = Demo.start(folder);
    demo.close();
    ServiceOptions options =
        new ServiceOptions(
            List.of(demo.policy),
            demo.users,
            Optional.empty(),
            "127.0.0.1",
            0,
            Optional.empty(),
            Duration.ofMinutes(5),
            new ServiceOptions.Web(Optional.of(0), false, Map.of(), Set.of("dp.example.org")));
    try (Service service = Service.start(options, ignored -> {})) {
      int port = service.page().orElseThrow().getPort();
      String body = "{\"user\": \"ann\", \"password\": \"" + Demo.PASSWORD + "\"}";
      String proxied = signIn(port, "dp.example.org", "https://dp.example.org", body);
      assertTrue(proxied.startsWith("HTTP/1.1 200"), proxied);
      assertTrue(proxied.contains("__Host-flexdp=") && proxied.contains("; Secure"), proxied);
      String foreign = signIn(port, "dp.example.org", "https://evil.example", body);
      assertTrue(foreign.startsWith("HTTP/1.1 403"), foreign);
      String other = signIn(port, "evil.example", "https://evil.example", body);
      assertTrue(other.startsWith("HTTP/1.1 421"), other);
    }
  }

  private static String signIn(int port, String host, String origin, String body)
      throws IOException {
    String head =
        "POST /v1/session HTTP/1.1\r\nHost: %s\r\nOrigin: %s\r\nConnection: close\r\n"
            + "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n";
    try (Socket socket = new Socket("127.0.0.1", port)) {
      String text = String.format(Locale.ROOT, head, host, origin, body.length()) + body;
      socket.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void aPortThatIsTakenIsNamed() throws Exception {
    Demo demo = Demo.start(folder);
    demo.close();
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getByName("127.0.0.1"))) {
      ServiceOptions options = options(demo, "127.0.0.1", taken.getLocalPort(), false);
      ConfigurationError error =
          assertThrows(ConfigurationError.class, () -> Service.start(options, ignored -> {}));
      assertTrue(error.hint().contains("--http-port"), error.hint());
    }
  }
}
