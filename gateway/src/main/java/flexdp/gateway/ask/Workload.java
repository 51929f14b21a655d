package flexdp.gateway.ask;

import flexdp.failure.Position;
import flexdp.failure.Rejection;
import flexdp.failure.RejectionCode;
import java.util.ArrayList;
import java.util.List;
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
}
