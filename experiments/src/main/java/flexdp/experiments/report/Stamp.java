package flexdp.experiments.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.Locale;

/** When and where a section was made, and how long it took. */
public record Stamp(LocalDate date, String machine, Duration duration) {
  private static final double GIGABYTE = 1L << 30;

  /** This machine, in words: processors, memory, Java. No name of it. */
  public static String thisMachine() {
    Runtime runtime = Runtime.getRuntime();
    return String.format(
        Locale.ROOT,
        "%d × %s%s, %s, Java %s",
        runtime.availableProcessors(),
        field("/proc/cpuinfo", "model name", System.getProperty("os.arch")),
        memory(),
        System.getProperty("os.name"),
        System.getProperty("java.version"));
  }

  private static String memory() {
    String kilobytes = field("/proc/meminfo", "MemTotal", "").replaceAll("[^0-9]", "");
    return kilobytes.isEmpty()
        ? ""
        : String.format(Locale.ROOT, ", %.0f GB", Long.parseLong(kilobytes) * 1024 / GIGABYTE);
  }

  private static String field(String file, String name, String otherwise) {
    List<String> lines;
    try {
      lines = Files.readAllLines(Path.of(file));
    } catch (IOException elsewhere) {
      return otherwise;
    }
    return lines.stream()
        .filter(l -> l.startsWith(name) && l.indexOf(':') > 0)
        .map(l -> l.substring(l.indexOf(':') + 1).strip())
        .findFirst()
        .orElse(otherwise);
  }

  /** Seconds, minutes or hours, whichever people would say. */
  public static String shown(Duration duration) {
    double seconds = duration.toNanos() / 1e9;
    if (seconds < 100) {
      return String.format(Locale.ROOT, seconds < 10 ? "%.1f s" : "%.0f s", seconds);
    }
    return seconds < 6000
        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
  }

  @Override
  public String toString() {
    return date + ", " + machine + ", took " + shown(duration);
  }
}
