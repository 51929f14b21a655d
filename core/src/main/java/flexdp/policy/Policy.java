package flexdp.policy;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What the owner decided: which tables exist for analysts, what is known of them, and how much
 * privacy may be spent. Nothing in it is secret.
 *
 * @param tables by name, in the order of the file
 * @param failures after how many an analyst is stopped
 * @param people the kinds that are protected, each person with everything she owns; by name
 * @param sqlDialect whose SQL questions are written in; otherwise the database's own
 * @param programs those that analysts may run over rows, by name
 */
public record Policy(
    Optional<String> database,
    Privacy privacy,
    Map<String, Table> tables,
    Failures failures,
    Map<String, PersonKind> people,
    Optional<InputDialect> sqlDialect,
    Map<String, RegisteredProgram> programs) {

  /** A policy that lets nobody run programs. */
  public Policy(
      Optional<String> database,
      Privacy privacy,
      Map<String, Table> tables,
      Failures failures,
      Map<String, PersonKind> people,
      Optional<InputDialect> sqlDialect) {
    this(database, privacy, tables, failures, people, sqlDialect, Map.of());
  }

  /** Whose questions are read as the database reads them. */
  public Policy(
      Optional<String> database,
      Privacy privacy,
      Map<String, Table> tables,
      Failures failures,
      Map<String, PersonKind> people) {
    this(database, privacy, tables, failures, people, Optional.empty());
  }

  /** Whose SQL questions are written in: said here, or the database's own. */
  public InputDialect dialect() {
    return sqlDialect.or(() -> database.flatMap(InputDialect::ofUrl)).orElse(InputDialect.GENERAL);
  }

  /** This policy for questions in another dialect. */
  public Policy in(InputDialect dialect) {
    return new Policy(database, privacy, tables, failures, people, Optional.of(dialect), programs);
  }

  /** This policy with other tables. */
  public Policy with(Map<String, Table> others) {
    return new Policy(database, privacy, others, failures, people, sqlDialect, programs);
  }

  /** A policy that protects rows. */
  public Policy(
      Optional<String> database, Privacy privacy, Map<String, Table> tables, Failures failures) {
    this(database, privacy, tables, failures, Map.of());
  }

  /** With the usual limit of failures. */
  public Policy(Optional<String> database, Privacy privacy, Map<String, Table> tables) {
    this(database, privacy, tables, Failures.USUAL);
  }

  /**
   * How many questions of one analyst may fail in the database before the owner has to look: a
   * failure can depend on one row, and costs hardly any ε.
   */
  public record Failures(int atMost, Duration window) {
    public static final Failures USUAL = new Failures(3, Duration.ofHours(24));
  }

  /** How answers compose into one guarantee. */
  public enum Composition {
    BASIC,
    ADAPTIVE,
    ZCDP
  }

  /**
   * What may be spent on each protected table, or by an analyst or role.
   *
   * @param window only what was spent within it counts: the guarantee then holds for each such
   *     stretch of time and not for all of time
   */
  public record Budget(
      BigDecimal epsilon,
      BigDecimal delta,
      Composition composition,
      Optional<BudgetWindow> window) {
    public Budget(BigDecimal epsilon, BigDecimal delta, Composition composition) {
      this(epsilon, delta, composition, Optional.empty());
    }
  }

  /** An analyst whom the policy names. */
  public record Analyst(Set<String> roles, Optional<Budget> budget) {
    public Analyst {
      roles = Set.copyOf(roles);
    }
  }

  /** Limits on what single people or groups of them may learn, beside those of the tables. */
  public record Accounts(Map<String, Analyst> analysts, Map<String, Budget> roles) {
    public static final Accounts NONE = new Accounts(Map.of(), Map.of());

    public Accounts {
      analysts = Map.copyOf(analysts);
      roles = Map.copyOf(roles);
    }

    /** Stands for everybody whom the policy does not name. */
    public static final String ANYBODY = "*";

    /** The roles of an analyst; none for somebody the policy does not name. */
    public Set<String> rolesOf(String analyst) {
      return Optional.ofNullable(analysts.get(analyst))
          .or(() -> Optional.ofNullable(analysts.get(ANYBODY)))
          .map(Analyst::roles)
          .orElse(Set.of());
    }

    /** Whether somebody may ask: everybody, unless the policy names those who may. */
    public boolean admits(String analyst) {
      return analysts.isEmpty() || analysts.containsKey(analyst) || analysts.containsKey(ANYBODY);
    }
  }

  /**
   * The privacy section.
   *
   * @param epsilon default for one query
   * @param delta default for one query whose mechanism needs one
   * @param thresholding the δ of one thresholded histogram, when the owner allows them
   * @param maxLabels the public limit on the labels of one histogram
   * @param labelsAtLeast how many people or rows a label of the data has to have
   * @param findRanges whether questions may find the ranges that nobody declared
   */
  public record Privacy(
      Neighbors neighbors,
      Optional<BigDecimal> epsilon,
      Optional<BigDecimal> delta,
      Optional<Budget> budget,
      Optional<BigDecimal> thresholding,
      int maxLabels,
      Accounts accounts,
      int labelsAtLeast,
      boolean findRanges) {
    public static final int DEFAULT_MAX_LABELS = 100_000;

    /** Privacy settings that let ranges be found. */
    public Privacy(
        Neighbors neighbors,
        Optional<BigDecimal> epsilon,
        Optional<BigDecimal> delta,
        Optional<Budget> budget,
        Optional<BigDecimal> thresholding,
        int maxLabels,
        Accounts accounts) {
      this(neighbors, epsilon, delta, budget, thresholding, maxLabels, accounts, 1, true);
    }

    public Privacy(
        Neighbors neighbors,
        Optional<BigDecimal> epsilon,
        Optional<BigDecimal> delta,
        Optional<Budget> budget,
        Optional<BigDecimal> thresholding,
        int maxLabels) {
      this(neighbors, epsilon, delta, budget, thresholding, maxLabels, Accounts.NONE);
    }
  }

  public Optional<Table> table(String name) {
    return Optional.ofNullable(tables.get(name));
  }

  /**
   * For how long what was spent counts. The guarantee then holds for each such stretch of time, and
   * not for all of it.
   */
  public sealed interface BudgetWindow {
    /** What was spent until then, that moment included, no longer counts at a time. */
    Instant until(Instant now);

    /** When what is spent at a time begins not to count. */
    Instant leaves(Instant spent);

    /** In words: per so much. */
    String words();

    /** The last so many days, whenever one looks. */
    static BudgetWindow days(int count) {
      return new Rolling(Duration.ofDays(count));
    }

    /** A stretch that ends now. */
    record Rolling(Duration length) implements BudgetWindow {
      public Rolling {
        if (length.isNegative() || length.isZero()) {
          throw new IllegalArgumentException("a window must last longer than nothing");
        }
      }

      @Override
      public Instant until(Instant now) {
        return now.minus(length);
      }

      @Override
      public Instant leaves(Instant spent) {
        return spent.plus(length);
      }

      @Override
      public String words() {
        return length.toDays() == 1 ? "day" : length.toDays() + " days";
      }

      /** As ledgers have it on record. */
      @Override
      public String toString() {
        return length.toString();
      }
    }

    /** A month of the calendar, of UTC: two days may be of two months. */
    record CalendarMonth() implements BudgetWindow {
      private static YearMonth month(Instant at) {
        return YearMonth.from(at.atZone(ZoneOffset.UTC));
      }

      private static Instant start(YearMonth month) {
        return month.atDay(1).atTime(LocalTime.MIDNIGHT).toInstant(ZoneOffset.UTC);
      }

      @Override
      public Instant until(Instant now) {
        return start(month(now)).minusNanos(1);
      }

      @Override
      public Instant leaves(Instant spent) {
        return start(month(spent).plusMonths(1));
      }

      @Override
      public String words() {
        return "calendar month";
      }

      /** As ledgers have it on record. */
      @Override
      public String toString() {
        return "month";
      }
    }
  }

  /**
   * A program that the owner lets analysts run over rows: a WebAssembly module, known by its bytes.
   *
   * @param digest the SHA-256 of the module, in 64 small hexadecimal digits
   * @param instructions how many a run may take; one that takes more says nothing
   * @param megabytes how much memory a run may have
   */
  public record RegisteredProgram(String digest, long instructions, int megabytes) {
    public static final long USUAL_INSTRUCTIONS = 10_000_000;
    public static final int USUAL_MEGABYTES = 16;

    /** With the usual limits. */
    public static RegisteredProgram of(String digest) {
      return new RegisteredProgram(digest, USUAL_INSTRUCTIONS, USUAL_MEGABYTES);
    }
  }
}
