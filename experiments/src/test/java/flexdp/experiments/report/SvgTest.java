package flexdp.experiments.report;

import static org.junit.jupiter.api.Assertions.assertTrue;

import flexdp.experiments.report.Chart.Axis;
import flexdp.experiments.report.Chart.Group;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Nothing that is written at an axis is cut by the edge of the picture. */
class SvgTest {
  private static final Pattern BOX =
      Pattern.compile("viewBox='(-?\\d+) (-?\\d+) (-?\\d+) (-?\\d+)'");

  /** Letters of 11 pixels are 6 wide on average. */
  private static final double LETTER = 6;

  @Test
  void longNamesUnderBarsStandInThePicture() {
    String name = "our rules with a key declared, and what that is worth";
    String svg =
        Drawing.of(
            new Chart.Bars(
                List.of(name, "b", "c", name),
                Axis.linear("a title as long as it can be for an axis of this height, in percent"),
                List.of(new Group("g", List.of(1.0, 2.0, 3.0, 4.0)))),
            "chart");
    Matcher box = BOX.matcher(svg);
    assertTrue(box.find(), svg);
    double left = Double.parseDouble(box.group(1));
    double top = Double.parseDouble(box.group(2));
    double bottom = top + Double.parseDouble(box.group(4));
    double first = Svg.LEFT + Svg.WIDE / 8 + 4;
    double reach = name.length() * LETTER;
    assertTrue(first - reach * Math.cos(Math.toRadians(35)) >= left, svg);
    assertTrue(Svg.TOP + Svg.HIGH + 14 + reach * Math.sin(Math.toRadians(35)) <= bottom, svg);
    assertTrue(Svg.TOP + Svg.HIGH / 2 - 68 * LETTER / 2 >= top, svg);
  }
}
