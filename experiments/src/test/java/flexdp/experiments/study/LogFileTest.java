package flexdp.experiments.study;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import flexdp.failure.ConfigurationError;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs as people have them, good and bad. */
class LogFileTest {
  @TempDir Path folder;

  @Test
  void semicolonsInQuotesAndCommentsDoNotEndAStatement() throws Exception {
    assertEquals(
        List.of("SELECT ';' FROM t", "SELECT 1 -- a; b\nFROM u", "SELECT /* ; */ \"a;b\" FROM v"),
        read(
            "x.sql",
            "SELECT ';' FROM t;\n;\nSELECT 1 -- a; b\nFROM u;SELECT /* ; */ \"a;b\" FROM v"));
  }

  @Test
  void aQuoteLeftOpenLosesItsOwnStatementOnly() throws Exception {
    assertEquals(
        List.of("SELECT 'a FROM t", "select 2 FROM u", "WITH x AS (SELECT 1) SELECT 2"),
        read("x.sql", "SELECT 'a FROM t;\n\nselect 2 FROM u;\nWITH x AS (SELECT 1) SELECT 2;\n"));
  }

  @Test
  void aLineIsAStatementWhereNoneEndsWithASemicolon() throws Exception {
    assertEquals(List.of("SELECT 1", "SELECT 2"), read("queries.txt", "SELECT 1\n\r\nSELECT 2\n"));
    assertEquals(List.of("SELECT 1", "SELECT 2"), read("queries.txt", "SELECT 1;\nSELECT 2;"));
  }

  @Test
  void jsonLinesHaveTheQueryUnderAUsualName() throws Exception {
    assertEquals(
        List.of("SELECT 1", "NOT_JSON", "NO_QUERY", "NOT_JSON", "SELECT 2"),
        read(
            "log",
            "{\"Query\": \"SELECT 1\", \"x\": {\"sql\": 3}, \"rows\": 7}\nbad\n{\"a\": 1}\n"
                + "{\"sql\": \"SEL\n{\"sql\": \"SELECT 2\"}"));
    LogRecord.Query query =
        (LogRecord.Query)
            open("x.jsonl", "{\"sql\":\"SELECT 1\",\"engine\":\"Hive\",\"row_count\":12}")
                .next()
                .orElseThrow();
    assertEquals(Optional.of("hive"), query.backend());
    assertEquals(12, query.rows().orElseThrow());
  }

  @Test
  void csvHasQuotedFieldsWithEndsOfLinesInThem() throws Exception {
    assertEquals(
        List.of("SELECT \"a\",\n1", "SELECT 2"),
        read("x.csv", "\uFEFFid,sql\r\n1,\"SELECT \"\"a\"\",\n1\"\r\n2,SELECT 2\r\n"));
    assertEquals(List.of("SELECT a, b"), read("x.tsv", "id\tquery\n1\tSELECT a, b\n"));
    assertThrows(ConfigurationError.class, () -> read("x.csv", "id,what\n1,SELECT 2\n"));
  }

  @Test
  void whatIsNoUtf8OrTooLongIsCountedAndPassedOver() throws Exception {
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    log.write("SELECT 'Zürich'\n".getBytes(StandardCharsets.UTF_8));
    log.write("SELECT 'Zürich'\n".getBytes(StandardCharsets.ISO_8859_1));
    byte[] line = new byte[ByteLog.LONGEST + 5];
    Arrays.fill(line, (byte) 'x');
    log.write(line);
    log.write("\nSELECT 3\n".getBytes(StandardCharsets.UTF_8));
    assertEquals(
        List.of("SELECT 'Zürich'", "NOT_UTF8", "TOO_LONG", "SELECT 3"),
        all(
            new LogFile(
                new ByteArrayInputStream(log.toByteArray()),
                "x",
                Optional.empty(),
                LogColumns.USUAL)));
  }

  @Test
  void aHundredMegabytesInOneLineAreNeverHeld() throws Exception {
    InputStream huge =
        new InputStream() {
          private long left = 100_000_000;

          @Override
          public int read() {
            return left-- > 0 ? 'y' : -1;
          }

          @Override
          public int read(byte[] to, int from, int length) {
            int now = (int) Math.min(length, left);
            Arrays.fill(to, from, from + Math.max(0, now), (byte) 'y');
            left -= now;
            return now <= 0 ? -1 : now;
          }
        };
    assertEquals(
        List.of("TOO_LONG"),
        all(new LogFile(huge, "x", Optional.of(LogFormat.LINES), LogColumns.USUAL)));
  }

  @Test
  void packedFilesAreUnpackedAndMayBeTruncated() throws Exception {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write("SELECT 1;\nSELECT 2;\n".getBytes(StandardCharsets.UTF_8));
    }
    Path file = folder.resolve("x.sql.gz");
    Files.write(file, packed.toByteArray());
    assertEquals(List.of("SELECT 1", "SELECT 2"), all(open(file)));
    Files.write(file, Arrays.copyOf(packed.toByteArray(), packed.size() - 9));
    List<String> cut = all(open(file));
    assertEquals("TRUNCATED", cut.getLast(), cut.toString());
  }

  private static LogFile open(Path file) throws IOException {
    return LogFile.open(file, Optional.empty(), LogColumns.USUAL, bytes -> {});
  }

  private static LogFile open(String name, String text) throws IOException {
    InputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
    return new LogFile(in, name, Optional.empty(), LogColumns.USUAL);
  }

  private static List<String> read(String name, String text) throws IOException {
    return all(open(name, text));
  }

  private static List<String> all(LogFile log) throws IOException {
    List<String> all = new ArrayList<>();
    Optional<LogRecord> next;
    while ((next = log.next()).isPresent()) {
      all.add(
          switch (next.get()) {
            case LogRecord.Query query -> query.sql().strip();
            case LogRecord.Unreadable no -> no.reason();
          });
    }
    return all;
  }
}
