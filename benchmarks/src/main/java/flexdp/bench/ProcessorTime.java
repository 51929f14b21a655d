package flexdp.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import java.util.stream.Stream;

/**
 * The time that processors gave to this program and to a database server with all that it started.
 * A busy machine stretches the clock, not this. Where a system does not tell, the clock stands in.
 */
final class ProcessorTime {
  private static final Path TASKS = Path.of("/proc/self/task");

  private ProcessorTime() {}

  /**
   * @param server the process of the database, where it is not this one
   */
  static long nanos(OptionalLong server) {
    if (!Files.isDirectory(TASKS)) {
      return System.nanoTime();
    }
    return ofThreads(TASKS)
        + server.stream()
            .boxed()
            .flatMap(pid -> ProcessHandle.of(pid).stream())
            .flatMap(process -> Stream.concat(Stream.of(process), process.descendants()))
            .mapToLong(process -> ofThreads(Path.of("/proc/" + process.pid() + "/task")))
            .sum();
  }

  private static long ofThreads(Path tasks) {
    try (Stream<Path> threads = Files.list(tasks)) {
      return threads.filter(thread -> !isCompiler(thread)).mapToLong(ProcessorTime::ofThread).sum();
    } catch (IOException e) {
      return 0; // it has ended
    }
  }

  /** Java's compiler and its collector of garbage work for whoever came before. */
  private static boolean isCompiler(Path thread) {
    try {
      String name = Files.readString(thread.resolve("comm"));
      return name.startsWith("C1 ") || name.startsWith("C2 ") || name.startsWith("GC ");
    } catch (IOException e) {
      return true;
    }
  }

  /** The first number of schedstat: nanoseconds on a processor. */
  private static long ofThread(Path thread) {
    try {
      String line = Files.readString(thread.resolve("schedstat"));
      return Long.parseLong(line.substring(0, line.indexOf(' ')));
    } catch (IOException e) {
      return 0;
    }
  }
}
