package flexdp.server.audit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread that is interrupted does not end the record of all others. */
class InterruptedAuditTest {
  @TempDir Path folder;

  @Test
  void linesAreWrittenWhenAThreadIsInterruptedAndAfter() {
    try (AuditLog log = AuditLog.open(folder.resolve("audit.jsonl"), Clock.systemUTC())) {
      Thread.currentThread().interrupt();
      log.record("question", "ann", "here", "rides", "SELECT 1", "answered");
      assertTrue(Thread.interrupted(), "it is still known");
      log.record("question", "bob", "here", "rides", "SELECT 2", "answered");
      assertEquals(2, log.latest(10).size());
    }
  }

  /** A process that is killed while it writes leaves half a line. */
  @Test
  void aLineThatWasTornTakesNoOtherWithIt() throws Exception {
    Path file = folder.resolve("audit.jsonl");
    try (AuditLog log = AuditLog.open(file, Clock.systemUTC())) {
      log.record("question", "ann", "here", "rides", "SELECT 1", "answered");
    }
    Files.writeString(file, "{\"at\": \"2026-", StandardOpenOption.APPEND);
    try (AuditLog log = AuditLog.open(file, Clock.systemUTC())) {
      log.record("question", "bob", "here", "rides", "SELECT 2", "answered");
      assertEquals(2, log.latest(10).size());
    }
  }
}
