package flexdp.gateway.ledger;

import flexdp.failure.LedgerError;
import flexdp.gateway.ledger.entry.RepairCommands;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.gateway.ledger.store.PrivateFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32;

/**
 * A small file beside the ledger that remembers the last entry seen. A ledger that is gone, was
 * replaced, or went back to an earlier state does not contain that entry, and is refused.
 *
 * <p>Written after the ledger's commit, so it may lag behind the ledger but is never ahead of it.
 * Two slots are written in turn: at most one can be torn by a crash.
 */
final class Anchor implements AutoCloseable {
  /** The entry that the ledger must contain. */
  record Mark(String ledger, long seq, String hash, Optional<Long> charges) {
    Mark(String ledger, long seq, String hash) {
      this(ledger, seq, hash, Optional.empty());
    }

    /** Whether a ledger contains the entry: a number alone says nothing, copies go other ways. */
    boolean isIn(LedgerStore.Session session) {
      boolean[] same = {false};
      session.after(
          Math.max(0, seq - 1),
          entry -> same[0] |= entry.seq() == seq && entry.hash().equals(hash));
      return same[0];
    }
  }

  private static final int SLOT = 512;

  private final Path path;

  /** Not a channel: those are closed for ever when a thread that uses them is interrupted. */
  private final RandomAccessFile file;

  private long turn;

  private Anchor(Path path, RandomAccessFile file) {
    this.path = path;
    this.file = file;
  }

  static Path beside(Path ledger) {
    return ledger.resolveSibling(ledger.getFileName() + ".anchor");
  }

  static Anchor open(Path path) {
    try {
      PrivateFiles.create(path);
      return new Anchor(path, new RandomAccessFile(path.toFile(), "rw"));
    } catch (IOException e) {
      throw fault("cannot be opened", path, e);
    }
  }

  /** What the file says, without creating it. Nothing when it does not exist or is empty. */
  static Optional<Mark> read(Path path) {
    if (!Files.exists(path)) {
      return Optional.empty();
    }
    try {
      byte[] all = Files.readAllBytes(path);
      Optional<Mark> newest = Optional.empty();
      for (int start = 0; start < all.length; start += SLOT) {
        Optional<Mark> mark =
            parse(
                new String(all, start, Math.min(SLOT, all.length - start), StandardCharsets.UTF_8));
        if (mark.isPresent() && newest.stream().allMatch(n -> n.seq() < mark.get().seq())) {
          newest = mark;
        }
      }
      if (newest.isEmpty() && all.length > 0) {
        throw LedgerError.of(
            LedgerError.Code.LEDGER_CORRUPT,
            "The anchor " + path + " of the ledger is damaged.",
            RepairCommands.LOSS);
      }
      return newest;
    } catch (IOException e) {
      throw fault("cannot be read", path, e);
    }
  }

  void write(String ledger, long seq, String hash) {
    write("flexdp-anchor 1 " + ledger + " " + seq + " " + hash);
  }

  /** With the number of charges, which versions before do not read. */
  void write(String ledger, long seq, String hash, long charges) {
    write("flexdp-anchor 2 " + ledger + " " + seq + " " + hash + " " + charges);
  }

  private void write(String body) {
    String line = body + " " + checksum(body);
    byte[] slot =
        (line + " ".repeat(SLOT - 1 - line.length()) + "\n").getBytes(StandardCharsets.UTF_8);
    try {
      file.seek(SLOT * (turn++ % 2));
      file.write(slot);
      if (turn <= 2) {
        // Both slots once: from then on a crash finds at least one of them whole.
        file.getFD().sync();
      }
    } catch (IOException e) {
      throw fault("cannot be written", path, e);
    }
  }

  private static Optional<Mark> parse(String slot) {
    String[] words = slot.strip().split(" ");
    boolean counted = words.length == 7 && words[1].equals("2");
    boolean plain = words.length == 6 && words[1].equals("1");
    if (!words[0].equals("flexdp-anchor") || !counted && !plain) {
      return Optional.empty();
    }
    String body = String.join(" ", Arrays.copyOf(words, words.length - 1));
    if (!checksum(body).equals(words[words.length - 1])) {
      return Optional.empty();
    }
    Optional<Long> charges = counted ? Optional.of(Long.valueOf(words[5])) : Optional.empty();
    return Optional.of(new Mark(words[2], Long.parseLong(words[3]), words[4], charges));
  }

  private static String checksum(String body) {
    CRC32 crc = new CRC32();
    crc.update(body.getBytes(StandardCharsets.UTF_8));
    return Long.toHexString(crc.getValue());
  }

  private static LedgerError fault(String what, Path path, IOException e) {
    return LedgerError.of(
        LedgerError.Code.LEDGER_READ_ONLY,
        "The anchor " + path + " of the ledger " + what + ".",
        RepairCommands.WRITABLE,
        e);
  }

  @Override
  public void close() {
    try {
      file.getFD().sync();
      file.close();
    } catch (IOException e) {
      throw fault("cannot be closed", path, e);
    }
  }
}
