package flexdp.policy;

import java.util.Locale;
import java.util.Optional;

/**
 * Whose SQL a question is written in. Most words mean the same everywhere; where they do not, this
 * decides, and what would have to be guessed is refused.
 */
public enum Wording {
  /** Of no database in particular: what most of them read alike. */
  GENERAL(true, false, false, true),
  POSTGRESQL(true, false, false, true),
  DUCKDB(false, false, false, true),
  TRINO(true, false, false, true),
  MYSQL(false, true, true, false),
  SQLITE(true, false, false, false),
  SNOWFLAKE(false, false, true, true),
  TSQL(true, false, false, false),
  BIGQUERY(false, true, true, false);

  private final boolean wholeQuotients;
  private final boolean textInDoubleQuotes;
  private final boolean backslashes;
  private final boolean nullIsLargest;

  Wording(
      boolean wholeQuotients,
      boolean textInDoubleQuotes,
      boolean backslashes,
      boolean nullIsLargest) {
    this.wholeQuotients = wholeQuotients;
    this.textInDoubleQuotes = textInDoubleQuotes;
    this.backslashes = backslashes;
    this.nullIsLargest = nullIsLargest;
  }

  /** Whether a whole number divided by another is cut to a whole one: 7 / 2 = 3. */
  public boolean cutsQuotients() {
    return wholeQuotients;
  }

  /** Whether "x" is text and not a name. */
  public boolean hasTextInDoubleQuotes() {
    return textInDoubleQuotes;
  }

  /** Whether a backslash in text stands for the character after it. */
  public boolean hasBackslashes() {
    return backslashes;
  }

  /** Whether ORDER BY puts NULL after all values. */
  public boolean sortsNullLast() {
    return nullIsLargest;
  }

  /** Whether a backslash in a pattern of LIKE stands for the character after it. */
  public boolean escapesPatterns() {
    return this == POSTGRESQL || this == MYSQL || this == BIGQUERY;
  }

  /** Whether || puts text together; elsewhere it is OR. */
  public boolean concatenates() {
    return this != MYSQL;
  }

  /** As the policy and the command line write it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }

  /** The dialect of the database at a URL. */
  public static Optional<Wording> ofUrl(String url) {
    String[] parts = url.split(":", 3);
    return parts.length == 3 && parts[0].equals("jdbc") ? of(parts[1]) : Optional.empty();
  }

  public static Optional<Wording> of(String word) {
    String name = word.toLowerCase(Locale.ROOT);
    for (Wording dialect : values()) {
      if (dialect.word().equals(name)) {
        return Optional.of(dialect);
      }
    }
    return switch (name) {
      case "postgres" -> Optional.of(POSTGRESQL);
      case "mariadb" -> Optional.of(MYSQL);
      case "sqlserver", "t-sql" -> Optional.of(TSQL);
      default -> Optional.empty();
    };
  }
}
