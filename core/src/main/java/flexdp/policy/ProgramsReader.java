package flexdp.policy;

import flexdp.tree.Node;
import java.math.BigInteger;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Reads which programs may run: {@code slope: {sha256: 3f…, instructions: 1000000, memory: 16}}, or
 * the digest alone.
 */
final class ProgramsReader {
  private static final Pattern DIGEST = Pattern.compile("[0-9a-f]{64}");
  private static final BigInteger MOST_INSTRUCTIONS = BigInteger.TEN.pow(10);
  private static final BigInteger MOST_MEGABYTES = BigInteger.valueOf(256);

  private ProgramsReader() {}

  static Map<String, RegisteredProgram> programs(Node node) {
    Map<String, RegisteredProgram> programs = new LinkedHashMap<>();
    Set<String> seen = new HashSet<>();
    node.entries()
        .forEach(
            (name, child) -> {
              RegisteredProgram program = program(child);
              if (!seen.add(program.digest())) {
                throw child.error("this program is registered under another name");
              }
              programs.put(name, program);
            });
    return Collections.unmodifiableMap(programs);
  }

  private static RegisteredProgram program(Node node) {
    if (!node.isMap()) {
      return RegisteredProgram.of(digest(node));
    }
    Map<String, Node> fields = node.fields(Set.of("sha256", "instructions", "memory"));
    return new RegisteredProgram(
        digest(node.required(fields, "sha256")),
        Node.optional(fields, "instructions")
            .map(n -> within(n, MOST_INSTRUCTIONS).longValueExact())
            .orElse(RegisteredProgram.USUAL_INSTRUCTIONS),
        Node.optional(fields, "memory")
            .map(n -> within(n, MOST_MEGABYTES).intValueExact())
            .orElse(RegisteredProgram.USUAL_MEGABYTES));
  }

  private static String digest(Node node) {
    String digest = node.text();
    if (!DIGEST.matcher(digest).matches()) {
      throw node.error(
          "must be a SHA-256 in 64 small hexadecimal digits",
          "Write what flexdp program FILE --check prints.");
    }
    return digest;
  }

  private static BigInteger within(Node node, BigInteger most) {
    BigInteger count = node.count();
    if (count.signum() == 0 || count.compareTo(most) > 0) {
      throw node.error("must lie between 1 and " + most + ". Provided value: " + count);
    }
    return count;
  }
}
