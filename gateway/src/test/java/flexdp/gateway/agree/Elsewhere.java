package flexdp.gateway.agree;

import java.util.Locale;
import java.util.TimeZone;

/** A gateway that stands in another zone, and speaks another language, until it is closed. */
final class Elsewhere implements AutoCloseable {
  private final TimeZone zone = TimeZone.getDefault();
  private final Locale locale = Locale.getDefault();

  Elsewhere(String zone, String language) {
    TimeZone.setDefault(TimeZone.getTimeZone(zone));
    Locale.setDefault(Locale.forLanguageTag(language));
  }

  @Override
  public void close() {
    TimeZone.setDefault(zone);
    Locale.setDefault(locale);
  }
}
