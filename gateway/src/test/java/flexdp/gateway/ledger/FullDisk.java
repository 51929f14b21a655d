package flexdp.gateway.ledger;

import flexdp.LedgerError;
import flexdp.budget.Account;
import flexdp.budget.Allowance;
import flexdp.budget.Allowances;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Charges until the disk is full, in a process of its own whose disk is small. Prints the code of
 * the refusal, how much was charged, and what the ledger says when there is space again.
 */
final class FullDisk {
  private static final BigDecimal EPSILON = new BigDecimal("0.01");
  private static final int MOST = 20_000;

  private FullDisk() {}

  /** The folder; the size of a file in it that is removed to make space. */
  public static void main(String[] args) throws Exception {
    Path file = Path.of(args[0]).resolve("p.ledger");
    Path ballast = Path.of(args[0]).resolve("ballast");
    Files.write(ballast, new byte[Integer.parseInt(args[1])]);
    Allowances allowances = Allowances.eachTable(Allowance.basic("1000000", "0"));
    int charged = 0;
    try (Ledger ledger = Opening.file(file, allowances, false)) {
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
      Files.delete(ballast);
      ledger.reserve(Requests.pure(EPSILON.toString(), "trips"));
      charged++;
    }
    System.out.println("charged " + EPSILON.multiply(BigDecimal.valueOf(charged)));
    try (Ledger ledger = Opening.file(file, allowances, false)) {
      System.out.println(
          "recorded " + ledger.standing(new Account.Table("trips")).spent().epsilon());
    }
  }
}
