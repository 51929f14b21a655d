package flexdp.policy;

import java.util.Locale;
import java.util.Optional;

/**
 * Whose SQL a question is written in. Most words mean the same everywhere; where they do not, this
 * decides together with {@link DialectSpelling}, and what would have to be guessed is refused.
 */
public enum InputDialect {
  /** Of no database in particular: what most of them read alike. */
  GENERAL(false, false),
  POSTGRESQL(false, false),
  DUCKDB(false, false),
  TRINO(false, false),
  MYSQL(true, true),
  SQLITE(false, false),
  SNOWFLAKE(false, true),
  TSQL(false, false),
  BIGQUERY(true, true);

  private final boolean textInDoubleQuotes;
  private final boolean backslashes;

  InputDialect(boolean textInDoubleQuotes, boolean backslashes) {
    this.textInDoubleQuotes = textInDoubleQuotes;
    this.backslashes = backslashes;
  }

  /** Whether "x" is text and not a name. */
  public boolean hasTextInDoubleQuotes() {
    return textInDoubleQuotes;
  }

  /** Whether a backslash in text stands for the character after it. */
  public boolean hasBackslashes() {
    return backslashes;
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
  public static Optional<InputDialect> ofUrl(String url) {
    String[] parts = url.split(":", 3);
    return parts.length == 3 && parts[0].equals("jdbc") ? of(parts[1]) : Optional.empty();
  }

  public static Optional<InputDialect> of(String word) {
    String name = word.toLowerCase(Locale.ROOT);
    for (InputDialect dialect : values()) {
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
