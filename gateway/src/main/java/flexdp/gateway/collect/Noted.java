package flexdp.gateway.collect;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A snapshot after which changes are noted.
 *
 * @param snapshot its position among the notes
 * @param stamp names what notes them
 */
public record Noted(String snapshot, String stamp) {
  private static final Pattern TEXT =
      Pattern.compile("\\S+ ([0-9:,-]+)" + Collected.LOG + "([0-9a-f]+)");

  /** As the metrics file has it; empty when nothing notes changes. */
  public static Optional<Noted> of(String snapshot) {
    Matcher matcher = TEXT.matcher(snapshot);
    return matcher.matches()
        ? Optional.of(new Noted(matcher.group(1), matcher.group(2)))
        : Optional.empty();
  }
}
