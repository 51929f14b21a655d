package flexdp.gateway.ledger;

import flexdp.budget.Allowances;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.files.TextFiles.PolicyFiles;
import flexdp.gateway.ledger.LedgerRepair.PostgresRepairTarget;
import flexdp.gateway.ledger.LedgerRepair.SqliteRepairTarget;
import flexdp.gateway.ledger.store.LedgerStore;
import flexdp.gateway.ledger.store.PostgresStore;
import flexdp.gateway.ledger.store.SqliteStore;
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
   * @param answered whether something else says that answers were released; see {@link
   *     LedgerOpening}
   */
  public Ledger open(Allowances allowances, boolean answered) {
    return open(allowances, answered, Optional.empty());
  }

  /**
   * Opens the ledger of metrics that name one as theirs.
   *
   * @param known that ledger
   */
  public Ledger open(Allowances allowances, boolean answered, Optional<KnownLedger> known) {
    LedgerOpening opening =
        new LedgerOpening(allowances, Clock.systemUTC(), anchor, answered, known);
    return file.map(opening::sqlite)
        .orElseGet(() -> opening.postgres(url.orElseThrow(), credentials()));
  }

  /**
   * What a ledger is, as far as its entries are whole.
   *
   * @param moved whether it goes on elsewhere
   */
  private record Look(LedgerState state, boolean moved) {
    Optional<String> id() {
      return state.ledger();
    }
  }

  /**
   * @param known what metrics know of it, unless it went on elsewhere
   */
  private Look look(Optional<KnownLedger> known) {
    LedgerState state = new LedgerState(ground().place(), LedgerCopies.NO_LIMITS);
    if (file.isPresent() && !Files.exists(file.get())) {
      return new Look(state, false);
    }
    LedgerStore store =
        file.<LedgerStore>map(SqliteStore::open)
            .orElseGet(() -> PostgresStore.open(url.orElseThrow(), credentials()));
    try {
      return store.reading(
          session -> {
            boolean moved = session.isMoved();
            session.after(0, state::add);
            known.filter(k -> !moved).ifPresent(k -> k.require(session, state));
            return new Look(state, moved);
          });
    } finally {
      store.close();
    }
  }

  private Look look() {
    return look(Optional.empty());
  }

  /**
   * The ledger that metrics are to name as theirs: the one that is here, or the one that they named
   * before, or one that begins here.
   *
   * @param before what they named
   * @throws flexdp.failure.LedgerError when the one that is here is older than that
   */
  public KnownLedger begun(Allowances allowances, Optional<KnownLedger> before) {
    Look look = look(before);
    Optional<String> id = look.id();
    boolean elsewhere = look.moved() && id.equals(before.map(KnownLedger::id));
    if (before.isPresent() && (id.isEmpty() || elsewhere)) {
      return before.get();
    }
    if (id.isEmpty()) {
      open(allowances, false).close();
      return KnownLedger.of(look().state());
    }
    return KnownLedger.of(look.state());
  }

  /** Whether a start would begin a ledger here. */
  boolean isBlank() {
    Look look = look();
    return look.id().isEmpty() && !look.moved() && Anchor.read(anchor).isEmpty();
  }

  /**
   * Takes the ledger that metrics name from its usual place to the one that was chosen, where
   * nothing was ever charged to it and nothing is there. So there is one ledger, and who chooses a
   * third place is refused.
   */
  public static void follow(Path policy, Optional<String> chosen, Optional<String> known) {
    if (goesAlong(policy, chosen, known)) {
      LedgerCopies.move(of(policy, Optional.empty()), of(policy, chosen));
    }
  }

  /** The one that a start would use: the chosen one, or the usual one that goes along to there. */
  public static LedgerPlace used(Path policy, Optional<String> chosen, Optional<String> known) {
    return of(policy, goesAlong(policy, chosen, known) ? Optional.empty() : chosen);
  }

  private static boolean goesAlong(Path policy, Optional<String> chosen, Optional<String> known) {
    if (chosen.isEmpty() || known.isEmpty() || chosen.get().endsWith(LedgerCopies.TRIAL)) {
      return false;
    }
    LedgerPlace usual = of(policy, Optional.empty());
    LedgerPlace other = of(policy, chosen);
    if (usual.ground().place().equals(other.ground().place())) {
      return false;
    }
    Look look = usual.look();
    return look.id().equals(known)
        && look.state().charges() == 0
        && !look.moved()
        && other.look().id().isEmpty();
  }

  /** PGUSER and PGPASSWORD as libpq reads them; the driver itself reads the password file. */
  private static Properties credentials() {
    Properties properties = new Properties();
    Optional.ofNullable(System.getenv("PGUSER")).ifPresent(u -> properties.put("user", u));
    Optional.ofNullable(System.getenv("PGPASSWORD")).ifPresent(p -> properties.put("password", p));
    return properties;
  }

  /** Where the ledger lies, and how another takes its place. */
  LedgerRepair.RepairTarget ground() {
    Clock clock = Clock.systemUTC();
    return file.<LedgerRepair.RepairTarget>map(path -> new SqliteRepairTarget(path, clock))
        .orElseGet(() -> new PostgresRepairTarget(url.orElseThrow(), credentials(), clock));
  }

  public LedgerRepair repair() {
    return new LedgerRepair(ground(), anchor, Clock.systemUTC());
  }
}
