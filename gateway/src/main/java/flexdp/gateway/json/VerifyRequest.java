package flexdp.gateway.json;

import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.files.JsonText;
import flexdp.gateway.files.TextFiles;
import flexdp.query.Bins;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.CharacterCodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * One line of {@code verify --jsonl}.
 *
 * @param id as it was given, null if it was not
 * @param bins labels for the question
 */
public record VerifyRequest(Object id, String sql, Optional<Bins> bins) {
  private static final Set<String> KEYS = Set.of("id", "sql", "bins");

  public static VerifyRequest of(String sql, Optional<Bins> bins) {
    return new VerifyRequest(null, sql, bins);
  }

  /** All lines, since the time is divided among them. */
  public static List<VerifyRequest> all(InputStream in) throws IOException {
    List<VerifyRequest> requests = new ArrayList<>();
    Lines lines = new Lines(in);
    for (Optional<byte[]> line = lines.next(); line.isPresent(); line = lines.next()) {
      requests.add(read(line.get(), requests.size() + 1));
    }
    return requests;
  }

  private static VerifyRequest read(byte[] line, int number) {
    try {
      Object tree = JsonText.tree(TextFiles.decode(line), Code.BAD_REQUEST);
      DocumentNode root = DocumentNode.root(tree, Code.BAD_REQUEST);
      Map<String, DocumentNode> fields = root.fields(KEYS);
      return new VerifyRequest(
          DocumentNode.optional(fields, "id").map(DocumentNode::raw).orElse(null),
          root.required(fields, "sql").text(),
          DocumentNode.optional(fields, "bins").filter(n -> !n.isNull()).map(AnalyzeRequest::bins));
    } catch (CharacterCodingException e) {
      throw ConfigurationError.of(Code.BAD_REQUEST, "line " + number + " is not UTF-8 text");
    }
  }
}
