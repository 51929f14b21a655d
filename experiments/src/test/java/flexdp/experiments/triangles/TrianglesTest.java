package flexdp.experiments.triangles;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import flexdp.experiments.Run;
import flexdp.experiments.Scale;
import flexdp.experiments.report.Section;
import java.io.BufferedReader;
import java.io.StringReader;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TrianglesTest {
  private static final List<Variant> HEPTH = new Variants(65, 65, 51_971).all();

  /** max e^(−βk)·Ŝ(k) with β = ε/(2 ln(2/δ)), in a loop. */
  private static double smooth(LongToDoubleFunction elastic, double delta) {
    double beta = 0.7 / (2 * Math.log(2 / delta));
    double best = 0;
    for (long k = 0; k < 10_000; k++) {
      best = Math.max(best, Math.exp(-beta * k) * elastic.applyAsDouble(k));
    }
    return best;
  }

  @Test
  void thePolynomialsOfTheTextAreSmoothedAsPrinted() {
    assertEquals(8896.95, smooth(k -> 2 * k * k + 199 * k + 8711, 1e-7), 0.005);
    assertEquals(9554.82, HEPTH.get(0).smooth(), 0.005);
    assertEquals(38, HEPTH.get(0).distance());
    assertEquals(smooth(k -> 2 * k * k + 264 * k + 8711, 1e-8), HEPTH.get(1).smooth(), 1e-6);
  }

  @Test
  void thePapersRulesGiveItsFigure() {
    Variant figure = HEPTH.get(2);
    assertEquals("3k² + 393k + 12871", figure.formula());
    double expected = smooth(k -> 3 * k * k + 393 * k + 12871, 1e-8);
    assertEquals(16070.955587949742, expected, 1e-8);
    assertEquals(expected, figure.smooth(), 1e-8);
    assertEquals(44, figure.distance());
    assertEquals(2 * expected / 0.7, figure.law().scale(), 1e-6);
  }

  @Test
  void theEdgeKeyMakesItLinear() {
    Variant ours = HEPTH.getLast();
    assertEquals("3k + 196", ours.formula());
    assertEquals(196, ours.smooth(), 1e-9);
    assertEquals("lomax", ours.law().mechanism().name());
  }

  @Test
  void trianglesAreCountedAsTheQueryDoes() throws Exception {
    SplittableRandom random = new SplittableRandom(3);
    StringBuilder csv = new StringBuilder("source,dest\n");
    for (int i = 0; i < 120; i++) {
      csv.append(random.nextInt(20)).append(',').append(random.nextInt(20)).append('\n');
    }
    Graph graph = Graph.read(new BufferedReader(new StringReader(csv.toString())));
    long expected = 0;
    for (Graph.Edge a : graph.edges()) {
      for (Graph.Edge b : graph.edges()) {
        for (Graph.Edge c : graph.edges()) {
          boolean joined = a.dest() == b.source() && b.dest() == c.source();
          boolean closed = c.dest() == a.source();
          boolean ordered = a.source() < b.source() && b.source() < c.source();
          expected += joined && closed && ordered ? 1 : 0;
        }
      }
    }
    assertEquals(expected, graph.triangles());
  }

  @Test
  void thePapersGraphComesWithTheProgram() throws Exception {
    Graph graph = Graph.caHepTh();
    assertEquals(51_971, graph.edges().size());
    assertEquals(65, graph.sourceFrequency());
    assertEquals(65, graph.destFrequency());
    assertEquals(28_339, graph.triangles());
  }

  @Test
  void runsWithoutAnyFile(@TempDir Path folder) throws Exception {
    Run run = new Run(Scale.TINY, folder, folder.resolve("none"), 1, line -> {});
    Section section = new Triangles().run(run);
    assertFalse(section.blocks().isEmpty());
  }
}
