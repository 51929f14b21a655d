package flexdp.experiments.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.experiments.report.Chart.Axis;
import flexdp.experiments.report.Chart.Group;
import flexdp.experiments.report.Chart.Point;
import flexdp.experiments.report.Chart.Series;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.util.List;
import java.util.stream.IntStream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** What a reader of a report finds in its folder. */
class ReportFolderTest {
  private static final Stamp STAMP =
      new Stamp(LocalDate.of(2026, 1, 2), "2 × test", Duration.ofMillis(1500));

  @TempDir Path folder;

  @Test
  void everyKindOfBlockIsWellFormedAndFetchesNothing() throws Exception {
    ReportFolder report = new ReportFolder(folder);
    report.keep(section("one", "a < b & 'c' \"d\" \u0001"), STAMP, "small");
    report.write("Title", "Words.", List.of("one", "absent"));
    String html = Files.readString(report.index());
    Document page =
        DocumentBuilderFactory.newDefaultInstance()
            .newDocumentBuilder()
            .parse(
                new ByteArrayInputStream(
                    html.replace("<!DOCTYPE html>", "").getBytes(StandardCharsets.UTF_8)));
    assertEquals(5, page.getElementsByTagName("svg").getLength());
    assertFalse(html.contains("http"), "no address of another machine");
    assertTrue(html.contains("2026-01-02, 2 × test, took 1.5 s"), html);
    assertTrue(html.contains("a &lt; b &amp; &#39;c&#39; &quot;d&quot; \uFFFD"), html);
    assertEquals(
        "name,value\r\n\"x, y\",1.5\r\n,2\r\n", Files.readString(folder.resolve("table.csv")));
    assertTrue(Files.exists(folder.resolve("rows.csv")));
  }

  @Test
  void aKeptSectionIsKnownByItsMark() throws Exception {
    ReportFolder report = new ReportFolder(folder);
    assertFalse(report.has("one", "small"));
    report.keep(section("one", "first"), STAMP, "small");
    assertTrue(report.has("one", "small"));
    assertFalse(report.has("one", "full"));
    assertTrue(new ReportFolder(folder).has("one", "small"));
  }

  @Test
  void sectionsStandInTheOrderAskedFor() throws Exception {
    ReportFolder report = new ReportFolder(folder);
    report.keep(section("b", "second"), STAMP, "small");
    report.keep(section("a", "first"), STAMP, "small");
    report.write("Title", "Words.", List.of("a", "b"));
    String html = Files.readString(report.index());
    assertTrue(html.indexOf("id='a'") < html.indexOf("id='b'"));
    assertTrue(html.contains("<a href='#a'>first</a>"), html);
  }

  @Test
  void numbersAreShortAtAxesAndInTables() {
    assertEquals("10k", Extent.shown(10_000));
    assertEquals("2000", Extent.shown(2_000));
    assertEquals("0.1", Extent.shown(0.1));
    assertEquals("1.5M", Extent.shown(1_500_000));
    assertEquals("0", Extent.shown(0));
    assertEquals("12,345,678", Html.number(12_345_678L));
    assertEquals("0.3333", Html.number(1 / 3.0));
    assertEquals("28,339", Html.number(28_339.2));
    assertEquals("1.234E-9", Html.number(1.2341e-9));
    assertEquals("100", Html.number(100.0));
  }

  private static Section section(String name, String title) {
    List<Point> points =
        IntStream.range(0, 50).mapToObj(i -> new Point(i * i, Math.exp(i / 5.0) - 1)).toList();
    Axis linear = Axis.linear("value");
    Axis log = Axis.log("value");
    return new Section(
        name,
        title,
        List.of(new Finding("error", "1 %", "0.9 %", "another seed")),
        List.of(
            new Passage.Prose("words < words"),
            new Passage.Verbatim("SELECT 1 < 2"),
            new Passage.Table(
                "table",
                "A table.",
                List.of("name", "value"),
                List.of(Passage.row("x, y", 1.5), Passage.row(null, 2))),
            new Passage.Data("rows", "Rows.", List.of("n"), List.of(Passage.row(1))),
            new Passage.Figure(
                "bars",
                new Chart.Bars(
                    List.of("a", "b"),
                    linear,
                    List.of(
                        new Group("paper", List.of(1.0, 2.0)),
                        new Group("ours", List.of(3.0, Double.NaN))))),
            new Passage.Figure(
                "dots", new Chart.Scatter(log, log, List.of(new Series("s", points)))),
            new Passage.Figure(
                "lines", new Chart.Lines(linear, linear, List.of(new Series("s", points)))),
            new Passage.Figure(
                "histogram",
                new Chart.Histogram(log, linear, List.of(1.0, 10.0, 100.0), List.of(5.0, 0.0))),
            new Passage.Figure("nothing", new Chart.Scatter(log, linear, List.of()))));
  }
}
