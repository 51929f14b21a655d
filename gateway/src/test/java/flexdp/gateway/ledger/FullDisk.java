package flexdp.gateway.ledger;

import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import flexdp.failure.LedgerError;
import java.io.IOException;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Charges until the ledger cannot grow, in a process of its own whose disk is small, or whose files
 * may only have a certain size. Prints the code of the refusal, how much was charged, and what the
 * ledger says when there is space again.
 */
final class FullDisk {
  private static final BigDecimal EPSILON = new BigDecimal("0.01");
  private static final int MOST = 20_000;

  private FullDisk() {}

  /** Where there is little space, and how there comes to be more. */
  private interface Space {
    /** Called when the ledger is open: opening unpacks other files. */
    void begin() throws Exception;

    void make() throws Exception;

    /** Takes what is left, with the ledger closed; whether there is such a way. */
    boolean take() throws Exception;
  }

  /**
   * The folder; then "disk" and the size of a file in it that is removed to make space, or "files"
   * and the size that no file may pass.
   */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]).resolve("p.ledger");
    Space space =
        args[1].equals("disk")
            ? ballast(Path.of(args[0]).resolve("ballast"), Integer.parseInt(args[2]))
            : limit(args[2]);
    Allowances allowances = Allowances.eachTable(Allowance.basic("1000000", "0"));
    int charged = 0;
    try (Ledger ledger = LedgerOpening.file(file, allowances, false)) {
      space.begin();
      String code = "none";
      while (code.equals("none") && charged < MOST) {
        try {
          ledger.reserve(Requests.pure(EPSILON.toString(), "trips"));
          charged++;
        } catch (LedgerError e) {
          code = e.code() + (e.hint().contains("./flexdp budget") ? "" : " without a repair");
        }
      }
      System.out.println(code);
      try {
        ledger.reserve(Requests.pure(EPSILON.toString(), "trips"));
        charged++;
      } catch (LedgerError e) {
        System.out.println("still " + e.code());
      }
      space.make();
      ledger.reserve(Requests.pure(EPSILON.toString(), "trips"));
      charged++;
    }
    if (space.take()) {
      try (Ledger ledger = LedgerOpening.file(file, allowances, false)) {
        ledger.reserve(Requests.pure(EPSILON.toString(), "trips"));
        charged++;
        System.out.println("opened");
      } catch (LedgerError e) {
        System.out.println("opening " + e.code());
      }
      space.make();
    }
    System.out.println("charged " + EPSILON.multiply(BigDecimal.valueOf(charged)));
    try (Ledger ledger = LedgerOpening.file(file, allowances, false)) {
      System.out.println(
          "recorded " + ledger.standing(new Account.Table("trips")).spent().epsilon());
    }
  }

  private static Space ballast(Path file, int size) throws Exception {
    Files.write(file, new byte[size]);
    return new Space() {
      @Override
      public void begin() {}

      @Override
      public void make() throws Exception {
        Files.delete(file);
      }

      @Override
      public boolean take() throws Exception {
        try (OutputStream out = Files.newOutputStream(file)) {
          while (true) {
            out.write(new byte[512]);
          }
        } catch (IOException e) {
          return true;
        }
      }
    };
  }

  private static Space limit(String size) {
    return new Space() {
      @Override
      public void begin() throws Exception {
        limitTo(size);
      }

      @Override
      public void make() throws Exception {
        limitTo("unlimited");
      }

      @Override
      public boolean take() {
        return false;
      }
    };
  }

  /** The limit that is in force; the one up to which it may be raised stays. */
  private static void limitTo(String size) throws Exception {
    String pid = Long.toString(ProcessHandle.current().pid());
    Process process =
        new ProcessBuilder("prlimit", "--pid", pid, "--fsize=" + size + ":").inheritIO().start();
    if (process.waitFor() != 0) {
      throw new IllegalStateException("prlimit failed");
    }
  }
}
