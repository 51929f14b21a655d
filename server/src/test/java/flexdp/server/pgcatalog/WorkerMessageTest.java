package flexdp.server.pgcatalog;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.gateway.database.MemoryGuard;
import flexdp.server.session.ServerFacts.Found;
import flexdp.server.session.WireColumn;
import flexdp.server.types.PgType;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a worker that a statement has taken over may send. */
class WorkerMessageTest {
  private static final List<WireColumn> ONE = List.of(new WireColumn("x", PgType.TEXT, false, -1));

  /** Something that is written where the rows of an answer stand. */
  private interface Rows {
    void write(DataOutputStream out) throws IOException;
  }

  private static byte[] answer(Rows rows) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DataOutputStream out = new DataOutputStream(bytes);
    out.writeBoolean(true);
    out.writeInt(0); // columns
    rows.write(out);
    return bytes.toByteArray();
  }

  private static void refused(Rows rows) throws IOException {
    byte[] bytes = answer(rows);
    assertThrows(IOException.class, () -> WorkerMessage.answer(bytes));
  }

  @Test
  void listsWithoutEndDoNotFillTheStack() throws IOException {
    refused(
        out -> {
          for (int i = 0; i < 1_000_000; i++) {
            out.writeByte('l');
            out.writeInt(1);
          }
        });
  }

  /** A byte each on the way, and four and more in memory. */
  @Test
  void millionsOfNothingDoNotFillTheMemory() throws IOException {
    refused(
        out -> {
          out.writeByte('l');
          out.writeInt(60_000_000);
          byte[] nothing = new byte[60_000_000];
          Arrays.fill(nothing, (byte) '0');
          out.write(nothing);
        });
  }

  @Test
  void shortNumbersAreShortWrittenOut() throws IOException {
    for (String number : List.of("1e999999999", "1e-999999999", "7".repeat(100_000))) {
      refused(
          out -> {
            out.writeByte('l');
            out.writeInt(1);
            out.writeByte('b');
            byte[] text = number.getBytes(StandardCharsets.UTF_8);
            out.writeInt(text.length);
            out.write(text);
          });
    }
  }

  /** As many rows as a worker lets itself find. */
  @Test
  void theLargestHonestAnswerIsRead() throws IOException {
    List<List<Object>> rows = new ArrayList<>();
    long bytes = 0;
    List<Object> row = Arrays.asList((Object) null);
    while (bytes + MemoryGuard.of(row) <= UserCatalog.MOST_BYTES) {
      bytes += MemoryGuard.of(row);
      rows.add(row);
    }
    WorkerMessage.Rows read = rows(rows);
    assertEquals(rows.size(), read.found().rows().size());
    List<Object> largest =
        List.<Object>of(
            new BigDecimal(BigInteger.TWO.pow(128)), List.of(List.of("a", "b")), "x".repeat(99));
    List<List<Object>> one = largest.stream().map(List::of).toList();
    assertEquals(one, rows(one).found().rows());
  }

  private static WorkerMessage.Rows rows(List<List<Object>> rows) throws IOException {
    return (WorkerMessage.Rows)
        WorkerMessage.answer(
            WorkerMessage.of(new WorkerMessage.Rows(new Found(ONE, rows), List.of())));
  }
}
