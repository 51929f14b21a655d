package flexdp.gateway.watch;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.Repairs;
import flexdp.gateway.ledger.store.PrivateFiles;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;

/**
 * Where the noise of watches is kept: a file beside the ledger that only its owner can read, one
 * line for each. Lines are added and never changed, so an older copy of the file lacks watches and
 * has none of another kind.
 */
final class WatchFile {
  /** A lock of a file keeps other processes out, and is an error between threads of one. */
  private static final Object ONE_AT_A_TIME = new Object();

  private final Path path;

  WatchFile(Path path) {
    this.path = path;
  }

  /** Keeps it, on disk when this returns. */
  void keep(SealedWatch watch) {
    synchronized (ONE_AT_A_TIME) {
      write(watch);
    }
  }

  private void write(SealedWatch watch) {
    try {
      PrivateFiles.create(path);
      try (FileChannel channel =
              FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.APPEND);
          FileLock lock = channel.lock()) {
        // After a line that a crash has torn, one begins anew.
        ByteBuffer bytes =
            ByteBuffer.wrap(("\n" + watch.text() + "\n").getBytes(StandardCharsets.UTF_8));
        while (lock.isValid() && bytes.hasRemaining()) {
          channel.write(bytes);
        }
        channel.force(true);
      }
    } catch (IOException e) {
      throw fault("cannot be written", e);
    }
  }

  /** What has this seal; nothing when it is lost, or is not what it was. */
  Optional<SealedWatch> find(String seal) {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      String all = new String(Files.readAllBytes(path), StandardCharsets.UTF_8);
      return all.lines()
          .filter(line -> !line.isBlank() && SealedWatch.seal(line).equals(seal))
          .findFirst()
          .map(SealedWatch::parse);
    } catch (IOException e) {
      throw fault("cannot be read", e);
    }
  }

  private LedgerError fault(String what, IOException e) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_READ_ONLY,
        "The file " + path + " of the watches " + what + ".",
        Repairs.WRITABLE,
        e);
  }
}
