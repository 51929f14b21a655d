package flexdp.gateway.api;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;

/**
 * A program and the rows that it is run over.
 *
 * @param over the rows, as SQL; its columns are what the program reads
 * @param request who asks and how; its own text does not matter
 */
public record ProgramRequest(
    ProgramModule module,
    String over,
    Shape shape,
    List<ProgramOutput> outputs,
    QueryRequest request) {
  private static final int MOST_OUTPUTS = 100;

  public ProgramRequest {
    outputs = List.copyOf(outputs);
    Set<String> names = new HashSet<>();
    outputs.forEach(output -> names.add(output.name()));
    if (outputs.isEmpty() || outputs.size() > MOST_OUTPUTS || names.size() < outputs.size()) {
      throw ConfigurationError.of(
          Code.BAD_USAGE, "a program has 1 to " + MOST_OUTPUTS + " outputs, each named once");
    }
  }

  /** What the program is run on. */
  public sealed interface Shape {}

  /**
   * Once on each of so many blocks of rows.
   *
   * @param by columns by whose hash a row falls into its block; the program does not see them
   * @param mean whether the results are averaged; otherwise their median is taken
   */
  public record Blocks(int count, List<String> by, boolean mean) implements Shape {
    private static final int MOST = 10_000;

    public Blocks {
      by = List.copyOf(by);
      if (count < 1 || count > MOST || by.isEmpty()) {
        throw ConfigurationError.of(
            Code.BAD_USAGE,
            "there are 1 to " + MOST + " blocks, by at least one column",
            "Write --blocks 400 --by id.");
      }
    }
  }

  /**
   * Once on each row, its results being added up by output.
   *
   * @param emits to how many of the outputs one row may add; the first ones count
   */
  public record Rows(int emits) implements Shape {
    private static final int MOST = 100;

    public Rows {
      if (emits < 1 || emits > MOST) {
        throw ConfigurationError.of(Code.BAD_USAGE, "a row emits 1 to " + MOST + " values");
      }
    }
  }

  /** What is asked, in words: as it stands on the ledger's record. */
  public String words() {
    StringBuilder words = new StringBuilder("PROGRAM ").append(module.digest());
    switch (shape) {
      case Blocks blocks -> {
        words.append(blocks.mean() ? " MEAN OF " : " MEDIAN OF ").append(blocks.count());
        words.append(" BLOCKS BY ").append(String.join(", ", blocks.by()));
      }
      case Rows rows -> words.append(" PER ROW EMITS ").append(rows.emits());
    }
    outputs.forEach(output -> words.append(" OUTPUT ").append(output));
    return words.append(" OVER ").append(over.strip()).toString();
  }

  /** The bytes of a program, which are what it is known by. */
  public static final class ProgramModule {
    private final byte[] bytes;
    private final String digest;

    public ProgramModule(byte[] bytes) {
      this.bytes = bytes.clone();
      try {
        this.digest =
            HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(this.bytes));
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every Java platform has SHA-256", e);
      }
    }

    public byte[] bytes() {
      return bytes.clone();
    }

    /** The SHA-256 of it, in small hexadecimal digits. */
    public String digest() {
      return digest;
    }
  }
}
