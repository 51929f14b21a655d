package flexdp.gateway.ledger;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.text.PolicyFiles;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import java.util.Properties;

/**
 * Where a policy's ledger is: NAME.ledger beside NAME.yaml, another file, or a PostgreSQL database
 * that gateways share. The anchor stays beside the ledger, or beside the policy.
 */
public record LedgerPlace(Optional<Path> file, Optional<String> url, Path anchor) {
  /** What {@code --ledger} says, or the usual place. */
  public static LedgerPlace of(Path policy, Optional<String> chosen) {
    if (chosen.filter(c -> c.startsWith("jdbc:postgresql:")).isPresent()) {
      return new LedgerPlace(Optional.empty(), chosen, Anchor.beside(usual(policy)));
    }
    if (chosen.filter(c -> c.startsWith("jdbc:")).isPresent()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "a ledger is a file or a PostgreSQL database, not " + chosen.get(),
          "Write --ledger FILE or --ledger jdbc:postgresql://HOST/DATABASE");
    }
    Path file = chosen.map(Path::of).orElseGet(() -> usual(policy));
    return new LedgerPlace(Optional.of(file), Optional.empty(), Anchor.beside(file));
  }

  /**
   * NAME.ledger; or what ledgers of policies with other endings were called before,
   * rides.conf.ledger for rides.conf, where that or its anchor is there: another name must not
   * begin another budget. Nobody can tell which of two holds the charges.
   */
  private static Path usual(Path policy) {
    Path usual = new PolicyFiles(policy).ledger();
    String name = policy.getFileName().toString();
    Path former = policy.resolveSibling(name.replaceFirst("\\.(yaml|yml|json)$", "") + ".ledger");
    if (former.equals(usual) || !leftTraces(former)) {
      return usual;
    }
    if (leftTraces(usual)) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "both " + former + " and " + usual + " may be the ledger of " + policy,
          "Keep the one that holds its charges, with its anchor, and move the other away.");
    }
    return former;
  }

  private static boolean leftTraces(Path ledger) {
    return Files.exists(ledger) || Files.exists(Anchor.beside(ledger));
  }

  /** Whether nothing was ever recorded here, as far as files tell. */
  public boolean isNew() {
    return file.isPresent() && !Files.exists(file.get()) && Anchor.read(anchor).isEmpty();
  }

  /**
   * @param answered whether something else says that answers were released; see {@link Opening}
   */
  public Ledger open(Allowances allowances, boolean answered) {
    Opening opening = new Opening(allowances, Clock.systemUTC(), anchor, answered);
    return file.map(opening::sqlite)
        .orElseGet(() -> opening.postgres(url.orElseThrow(), credentials()));
  }

  /** PGUSER and PGPASSWORD as libpq reads them; the driver itself reads the password file. */
  private static Properties credentials() {
    Properties properties = new Properties();
    Optional.ofNullable(System.getenv("PGUSER")).ifPresent(u -> properties.put("user", u));
    Optional.ofNullable(System.getenv("PGPASSWORD")).ifPresent(p -> properties.put("password", p));
    return properties;
  }

  public Repair repair() {
    return file.map(path -> new Repair(path, anchor, Clock.systemUTC()))
        .orElseGet(
            () -> Repair.postgres(url.orElseThrow(), credentials(), anchor, Clock.systemUTC()));
  }
}
