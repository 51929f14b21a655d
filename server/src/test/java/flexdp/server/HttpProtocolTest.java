package flexdp.server;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.gateway.pause.Pause;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Bytes that no honest client sends: each is refused, and nothing after it is taken for more. */
class HttpProtocolTest {
  @TempDir static Path folder;
  private static Demo demo;

  @BeforeAll
  static void start() throws Exception {
    demo = Demo.start(folder);
  }

  @AfterAll
  static void stop() {
    demo.close();
  }

  /** Everything that the server sends until it closes. */
  private static String raw(String bytes) throws IOException {
    try (Socket socket = new Socket("127.0.0.1", demo.web().root.getPort())) {
      socket.setSoTimeout(300_000);
      socket.getOutputStream().write(bytes.getBytes(StandardCharsets.ISO_8859_1));
      socket.getOutputStream().flush();
      socket.shutdownOutput();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private static int answers(String text) {
    return text.split("HTTP/1\\.1 [2345]", -1).length - 1;
  }

  private static final String HOST = "Host: localhost\r\n";
  private static final String CHUNKED = "Transfer-Encoding: chunked\r\n\r\n";
  private static final String SECOND = "GET /healthz HTTP/1.1\r\n" + HOST + "\r\n";

  @Test
  void requestsThatTwoReadersWouldReadDifferentlyAreRefusedAndTheConnectionEnds() throws Exception {
    Map<String, String> attacks = new LinkedHashMap<>();
    String post = "POST /v1/session HTTP/1.1\r\n" + HOST;
    attacks.put(
        "both lengths", post + "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n");
    attacks.put("two lengths", post + "Content-Length: 0\r\nContent-Length: 40\r\n\r\n");
    attacks.put("a list of lengths", post + "Content-Length: 0, 40\r\n\r\n");
    attacks.put("a signed length", post + "Content-Length: +0\r\n\r\n");
    attacks.put("a negative length", post + "Content-Length: -1\r\n\r\n");
    attacks.put("a length in hexadecimal", post + "Content-Length: 0x10\r\n\r\n");
    attacks.put("a huge length", post + "Content-Length: 99999999999999999999\r\n\r\n");
    attacks.put("two encodings", post + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n");
    attacks.put("a disguised encoding", post + "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n");
    attacks.put(
        "two encoding headers",
        post + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n");
    attacks.put("a blank before the colon", post + "Content-Length : 0\r\n\r\n");
    attacks.put("a folded header", post + "X: a\r\n b\r\n\r\n");
    attacks.put("a bare line feed", "GET /healthz HTTP/1.1\n" + HOST + "\r\n");
    attacks.put("a bare carriage return", "GET /healthz HTTP/1.1\r\nX: a\rb\r\n" + HOST + "\r\n");
    attacks.put("a zero byte", "GET /healthz HTTP/1.1\r\nX: a\0b\r\n" + HOST + "\r\n");
    attacks.put("a header without a name", "GET /healthz HTTP/1.1\r\n: b\r\n" + HOST + "\r\n");
    attacks.put("no host", "GET /healthz HTTP/1.1\r\n\r\n");
    attacks.put("two hosts", "GET /healthz HTTP/1.1\r\n" + HOST + HOST + "\r\n");
    attacks.put("another version", "GET /healthz HTTP/3.0\r\n" + HOST + "\r\n");
    attacks.put("HTTP/2 at once", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
    attacks.put("a whole address", "GET http://localhost/healthz HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("a small method", "get /healthz HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("two blanks", "GET  /healthz HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("a blank line first", "\r\nGET /healthz HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("a chunk of a bad size", post + "Transfer-Encoding: chunked\r\n\r\nzz\r\n");
    attacks.put("a chunk's extension", post + "Transfer-Encoding: chunked\r\n\r\n0;a=b\r\n\r\n");
    attacks.put("a trailer", post + "Transfer-Encoding: chunked\r\n\r\n0\r\nX: y\r\n\r\n");
    attacks.put(
        "a chunk longer than it says",
        post + "Transfer-Encoding: chunked\r\n\r\n1\r\nabc\r\n0\r\n\r\n");
    attacks.put(
        "a chunk that overflows",
        post + "Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\na\r\n0\r\n\r\n");
    attacks.put("an expectation", post + "Expect: tea\r\nContent-Length: 0\r\n\r\n");
    attacks.put("a fragment", "GET /healthz#x HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("bytes beyond ASCII", "GET /\u00e4 HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("a half escape", "GET /healthz%4 HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("no version", "GET /healthz\r\n" + HOST + "\r\n");
    attacks.put("a version in small letters", "GET /healthz http/1.1\r\n" + HOST + "\r\n");
    attacks.put("a version with more digits", "GET /healthz HTTP/1.10\r\n" + HOST + "\r\n");
    attacks.put("a tab in the first line", "GET\t/healthz HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("a blank behind the version", "GET /healthz HTTP/1.1 \r\n" + HOST + "\r\n");
    attacks.put("a form feed for a blank", "GET\f/healthz HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("a tunnel", "CONNECT localhost:80 HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("an asterisk", "OPTIONS * HTTP/1.1\r\n" + HOST + "\r\n");
    attacks.put("chunks of an old version", post.replace("1.1", "1.0") + CHUNKED + "0\r\n\r\n");
    attacks.put("one length twice", post + "Content-Length: 0\r\nContent-Length: 0\r\n\r\n");
    attacks.put("a list of one length", post + "Content-Length: 0, 0\r\n\r\n");
    attacks.put("a length with a blank in it", post + "Content-Length: 1 0\r\n\r\n");
    attacks.put("a length with a fraction", post + "Content-Length: 0.0\r\n\r\n");
    attacks.put("a length in other digits", post + "Content-Length: \u00b2\r\n\r\n");
    attacks.put("an empty length", post + "Content-Length:\r\n\r\n");
    attacks.put("a length below the first fold", post + "X: y\r\n\tContent-Length: 9\r\n\r\n");
    attacks.put("a quoted name", post + "\"Content-Length\": 9\r\n\r\n");
    attacks.put("a name of two words", post + "Content Length: 9\r\n\r\n");
    attacks.put("a size with a sign", post + CHUNKED + "+0\r\n\r\n");
    attacks.put("a size with a minus", post + CHUNKED + "-1\r\n\r\n");
    attacks.put("a size with 0x", post + CHUNKED + "0x0\r\n\r\n");
    attacks.put("a size with blanks", post + CHUNKED + "0 \r\n\r\n");
    attacks.put("a size behind blanks", post + CHUNKED + " 0\r\n\r\n");
    attacks.put("an empty size", post + CHUNKED + "\r\n\r\n");
    attacks.put("a size of a hundred digits", post + CHUNKED + "0".repeat(100) + "\r\n\r\n");
    attacks.put("a size that ends with a line feed", post + CHUNKED + "0\n\r\n");
    attacks.put("an extension that ends with one", post + CHUNKED + "1;\n{\r\n0\r\n\r\n");
    attacks.put("an extension with a quote", post + CHUNKED + "1;a=\"\r\n{\r\n0\r\n\r\n");
    attacks.put("a chunk that ends with a line feed", post + CHUNKED + "1\r\n{\n0\r\n\r\n");
    attacks.put("a chunk shorter than it says", post + CHUNKED + "3\r\n{}\r\n0\r\n\r\n");
    attacks.put("no line behind the last chunk", post + CHUNKED + "0\r\n");
    attacks.put("a length in the trailer", post + CHUNKED + "0\r\nContent-Length: 9\r\n\r\n");
    for (Map.Entry<String, String> attack : attacks.entrySet()) {
      String answer = raw(attack.getValue() + SECOND);
      assertTrue(answer.matches("(?s)HTTP/1\\.1 (4..|50[15]) .*"), attack.getKey() + ": " + answer);
      assertEquals(1, answers(answer), attack.getKey() + ": " + answer);
      assertTrue(answer.contains("Connection: close"), attack.getKey());
      assertTrue(answer.contains("application/problem+json"), attack.getKey());
    }
  }

  /**
   * The permutations of Transfer-Encoding that published scanners for request smuggling try
   * (smuggler, HTTP Request Smuggler): around every place of the header each byte that is no
   * letter, other cases, quotes, other names, lists, folded lines, two headers.
   */
  private static Set<String> permutations() {
    Set<String> all = new LinkedHashSet<>();
    List<Integer> bytes = new ArrayList<>();
    IntStream.concat(IntStream.rangeClosed(1, 0x20), IntStream.range(0x7f, 0x100))
        .forEach(bytes::add);
    for (int b : bytes) {
      char c = (char) b;
      all.add(c + "Transfer-Encoding: chunked");
      all.add("Transfer-Encoding" + c + ": chunked");
      all.add("Transfer" + c + "-Encoding: chunked");
      all.add("Transfer-Encoding:" + c + "chunked");
      all.add("Transfer-Encoding: ch" + c + "nked");
      all.add("Transfer-Encoding: chunked" + c);
      all.add("X: y" + c + "Transfer-Encoding: chunked");
      all.add("Content-Length" + c + ": 5");
      all.add("Content-Length: " + c + "5");
      all.add("Content-Length: 5" + c + "5");
    }
    for (String value :
        List.of(
            "  chunked",
            "\"chunked\"",
            "'chunked'",
            "chunk",
            "cHuNkeD",
            "CHUNKED",
            "chunked, x",
            "x, chunked",
            "x chunked y",
            "chunked;q=1",
            "chunked,",
            ",chunked",
            "identity",
            "gzip, chunked",
            "",
            "\r\n chunked",
            "\n chunked",
            "x\r\nTransfer-Encoding: chunked",
            "chunked\r\nTransfer-Encoding: x",
            "chunked\r\nTransfer-Encoding: chunked")) {
      all.add("Transfer-Encoding:" + value);
      all.add("tRANSFER-eNCODING: " + value);
    }
    all.addAll(List.of("Transfer Encoding: chunked", "X: y\nTransfer-Encoding: chunked"));
    return all;
  }

  @Test
  void noPermutationOfAHeaderHidesARequest() throws Exception {
    String hidden = "0\r\n\r\n" + SECOND;
    for (String permutation : permutations()) {
      String head = "POST /v1/session HTTP/1.1\r\n" + HOST + permutation + "\r\n";
      String answer = raw(head + "Content-Length: " + hidden.length() + "\r\n\r\n" + hidden);
      assertEquals(1, answers(answer), permutation + " " + answer);
      // Only what is the value of some other header is one request, by its length.
      if (!permutation.startsWith("X: y")) {
        assertTrue(answer.matches("(?s)HTTP/1\\.1 (400|501) .*"), permutation + " " + answer);
        assertTrue(answer.contains("Connection: close"), permutation + " " + answer);
      }
    }
    // Names of their own: the length alone counts, as for every other reader.
    for (String other : List.of("Transfer_Encoding: chunked", "Content-Encoding: chunked")) {
      String head = "POST /v1/session HTTP/1.1\r\n" + HOST + other + "\r\n";
      String length = "Content-Length: " + hidden.length() + "\r\n\r\n";
      assertEquals(2, answers(raw(head + length + hidden + SECOND)), other);
    }
  }

  /** What other readers skip or pass on: here it is a body, and never the next request. */
  @Test
  void whatMayBeABodyIsOne() throws Exception {
    String body = "GET /readyz HTTP/1.1\r\n" + HOST + "\r\n";
    String length = "Content-Length: " + body.length() + "\r\n";
    String size = Integer.toHexString(body.length()) + "\r\n";
    for (String method : List.of("GET", "HEAD", "POST", "DELETE", "OPTIONS", "TRACE", "PURGE")) {
      String head = method + " /healthz HTTP/1.1\r\n" + HOST;
      for (String request :
          List.of(
              head + length + "\r\n" + body,
              head + "Connection: Content-Length\r\n" + length + "\r\n" + body,
              head + "Upgrade: h2c\r\nConnection: Upgrade\r\n" + length + "\r\n" + body,
              head + CHUNKED + size + body + "\r\n0\r\n\r\n")) {
        String answer = raw(request + SECOND);
        assertFalse(answer.contains("ready\n"), request + answer);
        assertTrue(answers(answer) <= 2, request + answer);
      }
    }
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeItIsRead() throws Exception {
    String long9000 = "a".repeat(9_000);
    assertTrue(raw("GET /" + long9000 + " HTTP/1.1\r\n" + HOST + "\r\n").contains("414"));
    assertTrue(
        raw("GET / HTTP/1.1\r\n" + HOST + "X: " + long9000.repeat(4) + "\r\n\r\n")
            .contains("HTTP/1.1 431"));
    assertTrue(
        raw("GET / HTTP/1.1\r\n" + HOST + "X: y\r\n".repeat(150) + "\r\n")
            .contains("HTTP/1.1 431"));
    String login = "POST /v1/session HTTP/1.1\r\n" + HOST + "Content-Type: application/json\r\n";
    assertTrue(raw(login + "Content-Length: 20000\r\n\r\n").contains("HTTP/1.1 413"));
    assertTrue(raw(login + "Transfer-Encoding: chunked\r\n\r\n4e20\r\n").contains("HTTP/1.1 413"));
    String large = login + "Cookie: flexdp=x\r\nContent-Length: 1000001\r\n\r\n";
    assertTrue(raw(large).contains("HTTP/1.1 413"));
    String expecting = login + "Expect: 100-continue\r\nContent-Length: 900000000\r\n\r\n";
    assertFalse(raw(expecting).contains("100 Continue"));
  }

  @Test
  void requestsOneAfterAnotherAreAnsweredInTheirOrder() throws Exception {
    String three = SECOND + "GET /readyz HTTP/1.1\r\n" + HOST + "\r\n" + SECOND;
    String answer = raw(three);
    assertEquals(3, answers(answer), answer);
    assertTrue(answer.indexOf("ready\n") > answer.indexOf("ok\n"));
    String chunked =
        "POST /v1/session HTTP/1.1\r\n"
            + HOST
            + "Content-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"
            + "2\r\n{}\r\n0\r\n\r\n"
            + SECOND;
    assertEquals(2, answers(raw(chunked)));
    String old = "GET /healthz HTTP/1.0\r\n\r\n";
    assertTrue(
        raw("GET /healthz HTTP/1.0\r\n" + HOST + "\r\n" + old).contains("Connection: close"));
    assertTrue(raw("HEAD /healthz HTTP/1.1\r\n" + HOST + "\r\n").endsWith("\r\n\r\n"));
  }

  @Test
  @Tag("slow")
  void aHeadThatDoesNotEndIsNotWaitedFor() throws Exception {
    try (Socket socket = new Socket("127.0.0.1", demo.web().root.getPort())) {
      Iterator<Integer> head = "GET / HTTP/1.1\r\nX: ".chars().iterator();
      Await.until(() -> !isWritten(socket, head.hasNext() ? head.next() : 'x'), "it is sent away");
    }
  }

  private static boolean isWritten(Socket socket, int next) throws InterruptedException {
    try {
      socket.getOutputStream().write(next);
      socket.getOutputStream().flush();
    } catch (IOException e) {
      return false;
    }
    Pause.of(Duration.ofMillis(100));
    return true;
  }

  @Test
  void noPathLeadsOutOfTheConsolesFolder() throws Exception {
    for (String path :
        new String[] {
          "/assets/../index.html",
          "/assets/%2e%2e/index.html",
          "/assets/..%2findex.html",
          "/assets/%2e%2e%5cindex.html",
          "/assets//index.html",
          "/assets/./app.js",
          "/assets/app.js%00.css",
          "/assets/.hidden.js",
          "/assets/a/b.js",
          "/assets/Console.class",
          "/assets/",
          "//etc/passwd",
          "/../../etc/passwd",
          "/index.html",
          "/v1/../healthz",
          "/flexdp/server/api/HttpApi.class"
        }) {
      String answer = raw("GET " + path + " HTTP/1.1\r\n" + HOST + "\r\n");
      assertTrue(answer.matches("(?s)HTTP/1\\.1 40[04] .*"), path + ": " + answer);
      assertFalse(answer.contains(path), path);
    }
  }

  @Test
  void idleConnectionsMakeRoomForOthers() throws Exception {
    List<Socket> idle = new ArrayList<>();
    try {
      for (int i = 0; i < 1_010; i++) {
        idle.add(new Socket("127.0.0.1", demo.web().root.getPort()));
      }
      assertTrue(raw(SECOND).contains("ok"));
    } finally {
      for (Socket socket : idle) {
        socket.close();
      }
    }
  }

  @Test
  void aNameOfThisMachineThatAnotherSiteMadeUpIsRefused() throws Exception {
    assertTrue(raw("GET /healthz HTTP/1.1\r\nHost: evil.example\r\n\r\n").contains("HTTP/1.1 421"));
    assertTrue(raw("GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:99\r\n\r\n").contains("200"));
  }
}
