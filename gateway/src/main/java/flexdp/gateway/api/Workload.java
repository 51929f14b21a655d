package flexdp.gateway.api;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Statements that are asked together, at one price. */
public record Workload(List<Statement> statements) {
  /** More cannot be planned together in any useful time. */
  public static final int MOST = 10_000;

  private static final Pattern WEIGHT =
      Pattern.compile("--[ \\t]*weight:[ \\t]*([0-9]{1,6}(?:\\.[0-9]{1,6})?)[ \\t]*(?:\\R|$)");

  /**
   * One of them.
   *
   * @param weight how much its accuracy counts beside the others
   * @param at where it begins in the text of all
   */
  public record Statement(String sql, double weight, Position at) {
    /** A refusal of it, by its number and at its place in the text of all. */
    public Rejection placed(Rejection refusal, int number) {
      Position own = refusal.at().orElse(Position.START);
      Position there =
          new Position(
              at.line() + own.line() - 1,
              own.line() == 1 ? at.column() + own.column() - 1 : own.column());
      return Rejection.of(
          refusal.code(), "Statement " + number + ": " + refusal.message(), refusal.hint(), there);
    }
  }

  /**
   * @throws Rejection when there is none, or too many
   */
  public Workload {
    statements = List.copyOf(statements);
    if (statements.isEmpty()) {
      throw Rejection.of(
          RejectionCode.WORKLOAD_EMPTY,
          "There is no statement in the workload.",
          "Write one or more queries, each ended by a semicolon.");
    }
    if (statements.size() > MOST) {
      throw Rejection.of(
          RejectionCode.TOO_COMPLEX,
          "The workload has more than " + MOST + " statements.",
          "Ask it in several parts.");
    }
  }

  /** Statements by their texts alone. */
  public static Workload of(List<String> texts) {
    return new Workload(
        texts.stream().map(sql -> new Statement(sql, weight(sql), Position.START)).toList());
  }

  /** The statements of a text, each ended by a semicolon; {@code -- weight: 3} makes one count. */
  public static Workload parse(String text) {
    return new Workload(new Reader(text).statements());
  }

  private static double weight(String sql) {
    Matcher matcher = WEIGHT.matcher(sql);
    double weight = matcher.find() ? Double.parseDouble(matcher.group(1)) : 1;
    return weight > 0 ? weight : 1;
  }

  /** Finds semicolons that stand outside of quotes and comments. */
  private static final class Reader {
    private final String text;
    private final List<Statement> found = new ArrayList<>();
    private int from;
    private int line = 1;
    private int lineStart;
    private Position begun = Position.START;
    private boolean blank = true;

    Reader(String text) {
      this.text = text;
    }

    List<Statement> statements() {
      int at = 0;
      while (at < text.length() && found.size() <= MOST) {
        char c = text.charAt(at);
        if (c == ';') {
          end(at);
          from = ++at;
          begun = new Position(line, at - lineStart + 1);
          continue;
        }
        int next = skip(at);
        blank &= next > at + 1 && !isQuote(c) || Character.isWhitespace(c);
        for (; at < next; at++) {
          if (text.charAt(at) == '\n') {
            line++;
            lineStart = at + 1;
          }
        }
      }
      end(text.length());
      return found;
    }

    /** The end of what begins here: a comment, something quoted, or a character. */
    private int skip(int at) {
      char c = text.charAt(at);
      if (text.startsWith("--", at)) {
        return after("\n", at);
      }
      if (text.startsWith("/*", at)) {
        return after("*/", at + 2);
      }
      if (isQuote(c)) {
        return after(String.valueOf(c), at + 1);
      }
      return at + 1;
    }

    private static boolean isQuote(char c) {
      return c == '\'' || c == '"' || c == '`';
    }

    private int after(String end, int at) {
      int found = text.indexOf(end, at);
      return found < 0 ? text.length() : found + end.length();
    }

    private void end(int at) {
      if (!blank) {
        String sql = text.substring(from, at);
        found.add(new Statement(sql, weight(sql), begun));
      }
      blank = true;
    }
  }

  /**
   * The answers to a workload, in the order of its statements.
   *
   * @param epsilon what all of them cost together
   * @param rho the same where squares of ε add up
   */
  public record WorkloadView(
      List<AnalystView> answers, BigDecimal epsilon, BigDecimal delta, Optional<BigDecimal> rho) {
    public WorkloadView {
      answers = List.copyOf(answers);
    }
  }

  /**
   * What an analyst may know of a workload before asking it.
   *
   * @param repeat whether the analyst has paid for all of it, so that asking costs nothing
   * @param charged the tables that pay, each with its parts where not all of it does
   * @param frames what is measured together
   * @param questions every measurement of every statement
   * @param warnings which columns will be noise, by the policy and released numbers
   */
  public record WorkloadExplanation(
      BigDecimal epsilon,
      BigDecimal delta,
      boolean repeat,
      List<String> charged,
      List<Frame> frames,
      List<Question> questions,
      List<String> warnings) {
    /** A frame: rows of some tables, measured by cuboids. */
    public record Frame(String measured, int questions, List<Cuboid> cuboids) {}

    /**
     * A cuboid that is measured.
     *
     * @param cells how many numbers it has
     * @param epsilon its share
     * @param scale of its noise
     */
    public record Cuboid(List<String> keys, long cells, BigDecimal epsilon, BigDecimal scale) {}

    /**
     * A measurement.
     *
     * @param frame its number among the frames, from 1; 0 when it is measured by itself
     * @param error half the width of its 95 % error bar; absent where that is private
     * @param alone the same if every statement were asked by itself
     */
    public record Question(
        int statement,
        String aggregate,
        int frame,
        java.util.Optional<BigDecimal> error,
        java.util.Optional<BigDecimal> alone) {}

    public WorkloadExplanation {
      charged = List.copyOf(charged);
      frames = List.copyOf(frames);
      questions = List.copyOf(questions);
      warnings = List.copyOf(warnings);
    }
  }
}
