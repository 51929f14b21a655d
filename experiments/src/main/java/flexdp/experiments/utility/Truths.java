package flexdp.experiments.utility;

import flexdp.experiments.Run;
import flexdp.experiments.measure.Rides;
import flexdp.experiments.measure.TrueAnswers;
import flexdp.experiments.workload.CountingQueries;
import flexdp.experiments.workload.CountingQuery;
import flexdp.gateway.demo.RideSharing;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The workload and its true answers, each asked of the database once. They are kept in a file, a
 * line for each query, so that every experiment uses the same and an interrupted run goes on.
 *
 * @param trips the size of the database
 * @param count how many queries
 */
public record Truths(Run run, int trips, int count) {
  private static final String END = "end";

  /** The workload of a scale. */
  public static Truths of(Run run) {
    return new Truths(
        run, run.scale().of(20_000, 100_000, 200_000), run.scale().of(40, 400, 10_000));
  }

  public Rides rides() {
    return new Rides(run.scratch(), trips);
  }

  public List<Truth> all() throws IOException, SQLException {
    RideSharing data = new RideSharing(trips, RideSharing.DEFAULT_SEED);
    List<CountingQuery> queries = new CountingQueries(data, run.seed()).take(count);
    Path file = run.scratch().resolve("truths-%d-%d.tsv".formatted(trips, run.seed()));
    List<String> lines = complete(file);
    if (lines.size() < count) {
      ask(queries, lines, file);
    }
    List<Truth> truths = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      truths.add(read(queries.get(i), lines.get(i)));
    }
    return truths;
  }

  /** The lines that were written to their end; a cut one at the end of the file goes. */
  private static List<String> complete(Path file) throws IOException {
    List<String> lines = new ArrayList<>();
    if (Files.exists(file)) {
      for (String line : Files.readAllLines(file)) {
        if (line.endsWith("\t" + END)) {
          lines.add(line);
        }
      }
      Files.write(file, lines);
    }
    return lines;
  }

  private void ask(List<CountingQuery> queries, List<String> lines, Path file)
      throws IOException, SQLException {
    Files.createDirectories(file.getParent());
    try (Connection connection = rides().open();
        BufferedWriter writer =
            Files.newBufferedWriter(file, StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
      while (lines.size() < count) {
        String line = line(connection, queries.get(lines.size()));
        writer.write(line + "\n");
        lines.add(line);
        if (lines.size() % 500 == 0) {
          writer.flush();
          run.say(lines.size() + " of " + count + " true answers");
        }
      }
    }
  }

  private static String line(Connection connection, CountingQuery query) throws SQLException {
    long start = System.nanoTime();
    double[] cells = TrueAnswers.cells(connection, query.sql());
    double seconds = (System.nanoTime() - start) / 1e9;
    long population = TrueAnswers.number(connection, query.population());
    String values =
        Arrays.stream(cells).mapToObj(Double::toString).collect(Collectors.joining(","));
    return String.join("\t", Long.toString(population), Double.toString(seconds), values, END);
  }

  private static Truth read(CountingQuery query, String line) {
    String[] fields = line.split("\t", -1);
    double[] cells =
        fields[2].isEmpty()
            ? new double[0]
            : Arrays.stream(fields[2].split(",")).mapToDouble(Double::parseDouble).toArray();
    return new Truth(query, Double.parseDouble(fields[0]), cells, Double.parseDouble(fields[1]));
  }
}
