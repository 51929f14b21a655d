package flexdp.gateway.ledger;

import flexdp.ConfigurationError;
import flexdp.budget.Allowances;
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
    Path usual = policy.resolveSibling(nameOf(policy) + ".ledger");
    if (chosen.filter(c -> c.startsWith("jdbc:postgresql:")).isPresent()) {
      return new LedgerPlace(Optional.empty(), chosen, Anchor.beside(usual));
    }
    if (chosen.filter(c -> c.startsWith("jdbc:")).isPresent()) {
      throw ConfigurationError.of(
          ConfigurationError.Code.BAD_USAGE,
          "a ledger is a file or a PostgreSQL database, not " + chosen.get(),
          "Write --ledger FILE or --ledger jdbc:postgresql://HOST/DATABASE");
    }
    Path file = chosen.map(Path::of).orElse(usual);
    return new LedgerPlace(Optional.of(file), Optional.empty(), Anchor.beside(file));
  }

  private static String nameOf(Path policy) {
    String name = String.valueOf(policy.getFileName());
    return name.replaceFirst("\\.(yaml|yml|json)$", "");
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
