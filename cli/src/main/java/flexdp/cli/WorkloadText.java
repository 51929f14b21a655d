package flexdp.cli;

import flexdp.failure.ConfigurationError;
import flexdp.failure.ConfigurationError.Code;
import flexdp.gateway.api.AnalystView;
import flexdp.gateway.api.Workload;
import flexdp.gateway.api.Workload.WorkloadExplanation;
import flexdp.gateway.api.Workload.WorkloadView;
import java.io.IOException;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Workloads in files and in print. */
final class WorkloadText {
  private WorkloadText() {}

  static Workload read(Path file) {
    try {
      return Workload.parse(Files.readString(file, StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw ConfigurationError.of(
          Code.BAD_USAGE,
          "the workload '" + file + "' cannot be read as text",
          "Name a file of SQL statements in UTF-8, each ended by a semicolon.");
    }
  }

  static String of(WorkloadView view, Function<AnalystView, String> answer) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < view.answers().size(); i++) {
      text.append(i == 0 ? "" : "\n").append("-- ").append(i + 1).append('\n');
      text.append(answer.apply(view.answers().get(i)));
    }
    return text.toString();
  }

  /** What should be said beside the numbers, by statement. */
  static List<String> notes(WorkloadView view) {
    List<String> lines = new ArrayList<>();
    for (int i = 0; i < view.answers().size(); i++) {
      String statement = "statement " + (i + 1) + ": ";
      AnswerText.notes(view.answers().get(i)).forEach(note -> lines.add(statement + note));
    }
    return lines;
  }

  static String cost(WorkloadView view) {
    return "spent on all "
        + view.answers().size()
        + " statements: epsilon "
        + plain(view.epsilon())
        + ", delta "
        + plain(view.delta());
  }

  private static String plain(BigDecimal number) {
    BigDecimal stripped = number.stripTrailingZeros();
    return stripped.scale() <= 0 ? stripped.toPlainString() : stripped.toString();
  }

  static String of(WorkloadExplanation words) {
    StringBuilder text = new StringBuilder();
    text.append("cost of all: epsilon ").append(plain(words.epsilon()));
    text.append(", delta ").append(plain(words.delta())).append('\n');
    if (words.repeat()) {
      text.append("now free: all of it follows from answers that were paid for\n");
    }
    if (!words.charged().isEmpty()) {
      text.append("charged: ").append(String.join(", ", words.charged())).append('\n');
    }
    for (int i = 0; i < words.frames().size(); i++) {
      WorkloadExplanation.Frame frame = words.frames().get(i);
      text.append("frame ").append(i + 1).append(": ").append(frame.measured());
      text.append(" for ").append(frame.questions()).append(" questions\n");
      for (WorkloadExplanation.Cuboid cuboid : frame.cuboids()) {
        text.append("  by ").append(cuboid.keys().isEmpty() ? "nothing" : cuboid.keys());
        text.append(": ").append(cuboid.cells()).append(" cells, epsilon ");
        text.append(plain(cuboid.epsilon())).append(", scale ");
        text.append(plain(cuboid.scale())).append('\n');
      }
    }
    for (WorkloadExplanation.Question question : words.questions()) {
      text.append("statement ").append(question.statement()).append(' ');
      text.append(question.aggregate()).append(": ");
      text.append(question.frame() == 0 ? "by itself" : "from frame " + question.frame());
      text.append(", 95 % within ").append(width(question.error()));
      text.append("; asked one by one ").append(width(question.alone())).append('\n');
    }
    words.warnings().forEach(w -> text.append("warning: ").append(w).append('\n'));
    if (!words.frames().isEmpty()) {
      text.append(
          "Numbers are rounded one by one: sums of shown numbers differ by up to half a step per"
              + " number.\n");
    }
    return text.toString();
  }

  private static String width(Optional<BigDecimal> error) {
    return error.map(WorkloadText::plain).orElse("an error that is private");
  }
}
