package flexdp.server.session;

import flexdp.document.DocumentNode;
import flexdp.failure.ConfigurationError;
import flexdp.gateway.api.ErrorTarget;
import flexdp.gateway.api.FoundRange.RangeChoice;
import flexdp.gateway.api.QueryOptions.NoiseLimit;
import flexdp.server.engine.QuerySettings;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The settings of one connection. PostgreSQL's are kept and shown and change nothing but what is
 * said to the client; those that begin with {@code flexdp.} say how questions are answered. Who
 * asks is not among them.
 */
public final class SessionSettings {
  /** What this server says it is; newer numbers make clients ask for columns that it lacks. */
  public static final String VERSION = "15.18 (FlexDP 0.1)";

  /** Reported to the client whenever they change. */
  private static final List<String> REPORTED =
      List.of(
          "application_name",
          "client_encoding",
          "DateStyle",
          "default_transaction_read_only",
          "in_hot_standby",
          "integer_datetimes",
          "IntervalStyle",
          "is_superuser",
          "server_encoding",
          "server_version",
          "session_authorization",
          "standard_conforming_strings",
          "TimeZone");

  private static final Set<String> FIXED =
      Set.of(
          "server_version",
          "server_version_num",
          "server_encoding",
          "is_superuser",
          "integer_datetimes",
          "in_hot_standby",
          "block_size",
          "max_identifier_length");

  private static final String STATEMENT_TIMEOUT = "statement_timeout";

  private static final Map<String, String> USUAL = usual();

  /** Settings of programs, such as {@code myapp.user}, are kept for them; memory has an end. */
  private static final int MOST_OWN = 100;

  private static final int LONGEST = 10_000;
  private static final long BYTES_PER_SETTING = 200;

  private Map<String, String> values;
  private int changes;

  /** Only what is not as usual: there are thousands of connections. */
  private final Map<String, String> defaults;

  public SessionSettings(String user) {
    defaults = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    defaults.put("session_authorization", user);
    values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
  }

  private static Map<String, String> usual() {
    Map<String, String> usual = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                SessionSettings.class.getResourceAsStream("settings.tsv"),
                StandardCharsets.UTF_8))) {
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        int tab = line.indexOf('\t');
        usual.put(line.substring(0, tab), line.substring(tab + 1));
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    usual.put("server_version", VERSION);
    usual.put("server_version_num", "150018");
    usual.put("server_encoding", "UTF8");
    usual.put("client_encoding", "UTF8");
    usual.put("is_superuser", "off");
    usual.put("default_transaction_read_only", "on");
    usual.put("transaction_read_only", "on");
    usual.put("in_hot_standby", "off");
    usual.put("TimeZone", "UTC");
    usual.put("application_name", "");
    usual.put("role", "none");
    usual.put("lc_collate", "C.UTF-8");
    usual.put("lc_ctype", "C.UTF-8");
    usual.put("ssl", "on");
    usual.put("flexdp.epsilon", "");
    usual.put("flexdp.delta", "");
    usual.put("flexdp.within", "");
    usual.put("flexdp.noise_limit", "");
    usual.put("flexdp.mechanism", "auto");
    usual.put("flexdp.propose", "");
    usual.put("flexdp.ranges", "auto");
    usual.put("flexdp.fresh", "off");
    return Collections.unmodifiableMap(usual);
  }

  /** The settings that clients keep track of. */
  public static List<String> reported() {
    return REPORTED;
  }

  /** How often any of them may have changed. */
  public int changes() {
    return changes;
  }

  /** What it is now; nothing for a setting that does not exist. */
  public Optional<String> value(String name) {
    if (!isPlain(name)) {
      return Optional.empty();
    }
    return Optional.ofNullable(values.get(name))
        .or(() -> Optional.ofNullable(defaults.get(name)))
        .or(() -> Optional.ofNullable(USUAL.get(name)));
  }

  /** Every setting by its name. */
  public Map<String, String> all() {
    Map<String, String> all = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    all.putAll(USUAL);
    all.putAll(defaults);
    all.putAll(values);
    return all;
  }

  /** What a client chose before its login. */
  public void begin(String name, String value) {
    check(name, value);
    requireRoom(defaults, name);
    changes++;
    defaults.put(name, shown(name, value));
  }

  /** How long one statement may take by the client's own wish. */
  Optional<Duration> timeout() {
    return value(STATEMENT_TIMEOUT).flatMap(v -> TimeSetting.of(STATEMENT_TIMEOUT, v).time());
  }

  public void set(String name, Optional<String> value) {
    requirePlain(name);
    changes++;
    if (value.isEmpty()) {
      values.remove(name);
      return;
    }
    check(name, value.get());
    requireRoom(values, name);
    values.put(name, shown(name, value.get()));
  }

  private static void requireRoom(Map<String, String> settings, String name) {
    if (!settings.containsKey(name)
        && !USUAL.containsKey(name)
        && settings.keySet().stream().filter(n -> !USUAL.containsKey(n)).count() >= MOST_OWN) {
      throw SqlError.of("53000", "Too many settings of your own.", "RESET ALL");
    }
  }

  /** About how much memory they take. */
  long bytes() {
    long bytes = 0;
    for (String value : values.values()) {
      bytes += BYTES_PER_SETTING + value.length();
    }
    return bytes;
  }

  void reset() {
    changes++;
    values.clear();
  }

  /** For a transaction that may be rolled back. */
  Map<String, String> copy() {
    Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(values);
    return copy;
  }

  void restore(Map<String, String> copy) {
    changes++;
    values = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    values.putAll(copy);
  }

  /** Other letters are equal to these for Java where case is ignored: U+017F is an s. */
  private static boolean isPlain(String name) {
    return name.chars().allMatch(c -> c < 128);
  }

  private static void requirePlain(String name) {
    if (!isPlain(name)) {
      throw SqlError.of("42704", "unrecognized configuration parameter \"" + name + "\"");
    }
  }

  private void check(String name, String value) {
    requirePlain(name);
    String lower = name.toLowerCase(Locale.ROOT);
    if (name.length() + value.length() > LONGEST) {
      throw SqlError.of("22023", "A setting has at most " + LONGEST + " characters.");
    }
    if (FIXED.contains(lower)) {
      throw SqlError.of("55P02", "parameter \"" + lower + "\" cannot be changed");
    }
    if (lower.equals("session_authorization") || lower.equals("role")) {
      if (!value.equalsIgnoreCase("none") && !value.equals(defaults.get("session_authorization"))) {
        throw SqlError.of(
            "42501", "Who asks is decided by the login.", "Connect as another user instead.");
      }
    }
    if (lower.equals("client_encoding")) {
      String plain = value.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]", "");
      if (!Set.of("utf8", "unicode", "sqlascii", "auto").contains(plain)) {
        throw SqlError.of("22023", "Only UTF8 is spoken here.", "SET client_encoding = 'UTF8'");
      }
    }
    if (lower.equals(STATEMENT_TIMEOUT)) {
      TimeSetting.of(lower, value);
    }
    if (lower.startsWith("flexdp.")) {
      checkOwn(lower, value);
    } else if (!lower.contains(".") && value(lower).isEmpty()) {
      throw SqlError.of("42704", "unrecognized configuration parameter \"" + lower + "\"");
    }
  }

  private static void checkOwn(String name, String value) {
    switch (name) {
      case "flexdp.epsilon" -> number(name, value).ifPresent(DocumentNode::epsilon);
      case "flexdp.delta" -> number(name, value).ifPresent(DocumentNode::delta);
      case "flexdp.within" -> {
        if (!value.isEmpty()) {
          ErrorTarget.parse(value);
        }
      }
      case "flexdp.noise_limit" -> {
        if (!value.isEmpty()) {
          NoiseLimit.parse(value);
        }
      }
      case "flexdp.mechanism" -> {
        if (!List.of("auto", "laplace", "lomax", "flex", "released", "gaussian").contains(value)) {
          throw SqlError.of(
              "22023",
              "There is no mechanism of this name.",
              "One of auto, laplace, lomax, flex, released, gaussian.");
        }
      }
      case "flexdp.propose" -> {
        // It is read with the question.
      }
      case "flexdp.ranges" -> {
        if (RangeChoice.of(value).isEmpty()) {
          throw SqlError.of(
              "22023",
              "Ranges cannot be had from there.",
              "One of " + String.join(", ", RangeChoice.words()) + ".");
        }
      }
      case "flexdp.fresh" -> flag(value);
      default ->
          throw SqlError.of(
              "42704",
              "There is no setting of this name.",
              "flexdp.epsilon, flexdp.delta, flexdp.within, flexdp.noise_limit, flexdp.mechanism,"
                  + " flexdp.propose, flexdp.ranges, flexdp.fresh");
    }
  }

  private static Optional<DocumentNode> number(String name, String value) {
    if (value.isEmpty()) {
      return Optional.empty();
    }
    Object read = value;
    if (value.matches("[0-9.eE+-]{1,40}")) {
      try {
        read = new BigDecimal(value);
      } catch (NumberFormatException e) {
        read = value;
      }
    }
    return Optional.of(
        DocumentNode.root(Map.of(name, read), ConfigurationError.Code.BAD_REQUEST)
            .entries()
            .get(name));
  }

  private static boolean flag(String value) {
    return switch (value.toLowerCase(Locale.ROOT)) {
      case "on", "true", "yes", "1", "t", "y" -> true;
      case "off", "false", "no", "0", "f", "n", "" -> false;
      default -> throw SqlError.of("22023", "flexdp.fresh is on or off.");
    };
  }

  /** Some settings are shown otherwise than they were written. */
  private static String shown(String name, String value) {
    return switch (name.toLowerCase(Locale.ROOT)) {
      case "flexdp.fresh" -> flag(value) ? "on" : "off";
      case "client_encoding" ->
          value.toLowerCase(Locale.ROOT).contains("ascii") ? "SQL_ASCII" : "UTF8";
      case "datestyle" -> "ISO, MDY";
      case STATEMENT_TIMEOUT -> TimeSetting.of(STATEMENT_TIMEOUT, value).shown();
      default -> value;
    };
  }

  /** How questions are to be answered now. */
  QuerySettings asking(String analyst) {
    return new QuerySettings(
        analyst,
        number("epsilon", value("flexdp.epsilon").orElse("")).map(DocumentNode::epsilon),
        number("delta", value("flexdp.delta").orElse("")).map(DocumentNode::delta),
        value("flexdp.within").filter(w -> !w.isEmpty()),
        value("flexdp.noise_limit").filter(n -> !n.isEmpty()),
        value("flexdp.mechanism").orElse("auto"),
        value("flexdp.propose").filter(p -> !p.isBlank()),
        value("flexdp.ranges").flatMap(RangeChoice::of).orElse(RangeChoice.AUTO),
        flag(value("flexdp.fresh").orElse("off")));
  }
}
