package flexdp.server.api;

import com.fasterxml.jackson.databind.JsonNode;
import flexdp.server.http.HttpRequest;
import flexdp.server.http.Response;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;

/** A document that does not change while it is called the same; compressed once. */
record CachedDocument(String type, String caching, byte[] plain, byte[] compressed, String tag) {
  static CachedDocument of(String type, String caching, JsonNode json) {
    return of(type, caching, json.toString().getBytes(StandardCharsets.UTF_8));
  }

  static CachedDocument of(String type, String caching, byte[] bytes) {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(bytes);
      String name = Base64.getUrlEncoder().withoutPadding().encodeToString(hash);
      return new CachedDocument(
          type, caching, bytes, gzip(bytes), "\"" + name.substring(0, 22) + "\"");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException(e);
    }
  }

  private static byte[] gzip(byte[] bytes) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream zip = new GZIPOutputStream(out)) {
      zip.write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return out.toByteArray();
  }

  Response answer(HttpRequest request) {
    String known = request.header("if-none-match").orElse("");
    if (Arrays.asList(known.replace("W/", "").split("\\s*,\\s*")).contains(tag)) {
      return headers(Response.empty(304));
    }
    boolean zips =
        compressed.length < plain.length
            && request
                .header("accept-encoding")
                .orElse("")
                .toLowerCase(Locale.ROOT)
                .matches("(.*[ ,])?gzip\\s*(;\\s*q\\s*=\\s*(1|0\\.[0-9]*[1-9]).*|,.*|)");
    Response response = Response.bytes(200, type, zips ? compressed : plain);
    return headers(zips ? response.with("Content-Encoding", "gzip") : response);
  }

  private Response headers(Response response) {
    return response
        .with("ETag", tag)
        .with("Cache-Control", caching)
        .with("Vary", "Accept-Encoding, Cookie, Authorization");
  }

  @Override
  public String toString() {
    return "Tagged[" + type + ", " + tag + "]";
  }
}
