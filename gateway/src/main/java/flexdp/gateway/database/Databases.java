package flexdp.gateway.database;

import flexdp.ConfigurationError;
import flexdp.policy.Policy;
import java.time.Duration;

/** Opens the database of a URL. */
public final class Databases {
  private Databases() {}

  public static Database open(String url, Policy policy, Duration timeout, OwnerLog log) {
    if (url.startsWith(DuckDbDatabase.PREFIX)) {
      return DuckDbDatabase.open(url, policy, timeout, log);
    }
    throw ConfigurationError.of(
        ConfigurationError.Code.BAD_USAGE,
        "no database of this kind can be asked: " + url.replaceAll("[?;].*|//[^/@]*@", "…"),
        "Use a DuckDB file: jdbc:duckdb:FILE");
  }
}
